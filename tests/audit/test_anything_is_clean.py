"""Two programs, written apart, agree on anything that happens at a table, under every policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from anything import Anything
from layouts import FLUSHES_ONLY, LAYOUTS, later_terms
from scripted import opened
from support.table import FOUR_ACES, canarias

from jackpot.audit.checker import verify
from jackpot.law.policies import Policies, VoidBets
from jackpot.law.terms import AwardedHand
from jackpot.table import facts as f

STEPS = 400
SEEDS = (1, 2, 3)


@pytest.mark.parametrize("name", LAYOUTS)
def test_whatever_happens_the_checker_finds_nothing(name: str, tmp_path: Path) -> None:
    terms = LAYOUTS[name]
    for seed in SEEDS:
        table = opened(tmp_path / f"{seed}", terms, group=64)
        Anything(table, seed, later_terms(terms)).run(STEPS)
        report = verify(table.close())
        assert [finding.text() for finding in report.findings] == [], f"seed {seed}"
        assert report.summary is not None
        assert report.summary.hands > 5, f"seed {seed} played next to nothing"


def test_CAN_10_1_a_carried_bet_goes_back_as_if_it_had_never_been(tmp_path: Path) -> None:
    """Ceiling 10,001.75. Five bets: 1.75 onto the meter, 0.75 over. An award of 0.75 makes room for
    one bet and a half. Of two bets that a void carries the first goes back: 0.25 of the second had
    spilled because of it, so 0.25 comes back from the overflow and 0.25 from the meter."""
    shares = {**FLUSHES_ONLY, AwardedHand.FOUR_OF_A_KIND: 75}
    terms = canarias(
        Policies(void_bets=VoidBets.CARRY), ceiling_cents=1_000_175, award_shares_ppm=shares
    )
    table = opened(tmp_path / "ledger", terms)
    table.hand(1, 2, 3, 4, 5).lock().declare(box1=FOUR_ACES).confirm().pay(1, 75)
    table.hand(1, 2)
    table.play(f.HandVoided(by="C1", second="J1", hand=table.number, why="misdeal"))
    table.play(f.ChipDecided(by="C1", hand=table.number, box=1, plays=False))
    assert table.state.pools.jackpot_microcents == 1_000_150_000_000
    assert table.state.pools.overflow_microcents == 75_000_000
    assert verify(table.close()).findings == ()
