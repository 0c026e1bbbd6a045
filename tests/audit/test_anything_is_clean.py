"""Two programs, written apart, agree on anything that happens at a table, under every policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from anything import Anything
from msgspec.structs import replace
from scripted import opened
from support.table import FOUR_ACES, canarias

from jackpot.audit.checker import verify
from jackpot.law.policies import (
    BaseOfHand,
    BelowRoyal,
    ConfigChange,
    EqualStraightFlushes,
    ExtraChip,
    Policies,
    SeedSource,
    VoidBets,
)
from jackpot.law.terms import AwardedHand, JackpotKind
from jackpot.table import facts as f

STEPS = 400
SEEDS = (1, 2, 3)

FLUSHES_ONLY = {AwardedHand.ROYAL_FLUSH: 1_000_000, AwardedHand.STRAIGHT_FLUSH: 100_000}
LARGE_SHARES = {**FLUSHES_ONLY, AwardedHand.STRAIGHT_FLUSH: 600_000}

LAYOUTS = {
    "default": canarias(),
    "carry": canarias(Policies(void_bets=VoidBets.CARRY)),
    "next_hand": canarias(Policies(extra_chip=ExtraChip.NEXT_HAND)),
    "ceiling and reserve": canarias(
        Policies(seed_source=SeedSource.RESERVE), ceiling_cents=1_000_175, reserve_ppm=50_000
    ),
    "ceiling, carry, from seed": canarias(
        Policies(void_bets=VoidBets.CARRY, below_royal=BelowRoyal.FROM_SEED),
        ceiling_cents=1_000_175,
    ),
    "fixed": canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000),
    "fixed, from seed, 50 cents": canarias(
        Policies(below_royal=BelowRoyal.FROM_SEED, payable_unit_cents=50),
        kind=JackpotKind.FIXED,
        jackpot_ppm=0,
        seed_cents=2_000_000,
    ),
    "hand start, of remainder, at opening": canarias(
        Policies(
            base_of_hand=BaseOfHand.AT_HAND_START,
            equal_straight_flushes=EqualStraightFlushes.OF_REMAINDER,
            config_change=ConfigChange.AT_OPENING,
        )
    ),
    "three bets a box, house deduction": canarias(
        Policies(base_of_hand=BaseOfHand.AT_PAYMENT),
        bets_per_box=3,
        ace_low_in_straights=True,
        house_deduction_ppm=100_000,
        award_shares_ppm=FLUSHES_ONLY,
    ),
    "locked after two signs of fraud": canarias(lock_after_fraud_signs=2),
    "awards above the whole": canarias(award_shares_ppm=LARGE_SHARES),
    "hand start, carry": canarias(
        Policies(base_of_hand=BaseOfHand.AT_HAND_START, void_bets=VoidBets.CARRY)
    ),
    "carry, next hand": canarias(
        Policies(void_bets=VoidBets.CARRY, extra_chip=ExtraChip.NEXT_HAND)
    ),
    "three bets a box, carry, next hand, ceiling": canarias(
        Policies(void_bets=VoidBets.CARRY, extra_chip=ExtraChip.NEXT_HAND),
        bets_per_box=3,
        ceiling_cents=1_000_175,
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_whatever_happens_the_checker_finds_nothing(name: str, tmp_path: Path) -> None:
    terms = LAYOUTS[name]
    ceiling = terms.ceiling_cents
    later = replace(
        terms,
        authorisation="A-2",
        seed_cents=terms.seed_cents + 100_000,
        ceiling_cents=None if ceiling is None else ceiling + 200_000,
    )
    for seed in SEEDS:
        table = opened(tmp_path / f"{seed}", terms, group=64)
        Anything(table, seed, (replace(terms, table_minimum_cents=2_000), later)).run(STEPS)
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
