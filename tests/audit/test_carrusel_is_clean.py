"""Two programs, written apart, agree on anything that happens at a carrusel's member (CAN-9)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from any_member import AnyMember
from scripted import opened
from support.table import canarias

from jackpot.audit.checker import verify
from jackpot.audit.replay import replay
from jackpot.audit.source import Source
from jackpot.law.policies import (
    BelowRoyal,
    ExtraChip,
    LinkLost,
    ManualTotal,
    Policies,
    SeedSource,
    VoidBets,
)
from jackpot.law.terms import AwardedHand, BetMode
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.facts import carrusel as words
from jackpot.table.outcomes import carrusel as told

STEPS = 700
SEEDS = (1, 2, 3)

TABLES = {
    "default": canarias(),
    "from seed, queue, carry": canarias(
        Policies(
            below_royal=BelowRoyal.FROM_SEED,
            link_lost=LinkLost.QUEUE,
            void_bets=VoidBets.CARRY,
        )
    ),
    "ceiling and reserve": canarias(
        Policies(seed_source=SeedSource.RESERVE, extra_chip=ExtraChip.NEXT_HAND),
        ceiling_cents=1_000_175,
        reserve_ppm=50_000,
    ),
    "manual, totals before the awards": canarias(
        Policies(manual_total=ManualTotal.BEFORE_AWARDS), mode=BetMode.MANUAL
    ),
    "house deduction, three bets a box": canarias(
        house_deduction_ppm=100_000,
        bets_per_box=3,
        award_shares_ppm={
            AwardedHand.ROYAL_FLUSH: 1_000_000,
            AwardedHand.STRAIGHT_FLUSH: 100_000,
        },
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_whatever_happens_at_a_member_the_checker_and_the_replay_find_nothing(
    name: str, tmp_path: Path
) -> None:
    met: set[str] = set()
    for seed in SEEDS:
        table = opened(tmp_path / f"{seed}", TABLES[name], group=64)
        AnyMember(table, seed).run(STEPS)
        path = table.close()
        report = verify(path)
        assert [finding.text() for finding in report.findings] == [], f"seed {seed}"
        with closing(Source(path)) as source:
            result = replay(source)
        assert [one.text() for one in result.differences] == [], f"seed {seed}"
        met |= {event.kind for event in table.events}
    if name == "default":
        assert kinds(words) | kinds(told) <= met


def kinds(module: object) -> set[str]:
    """The kinds that a module of words defines."""
    known = f.FACTS | o.OUTCOMES
    named = {getattr(cls, "kind", "") for cls in vars(module).values() if isinstance(cls, type)}
    return named & known.keys()


def test_the_story_of_a_carrusel_is_clean(carrusel_ledger: Path) -> None:
    report = verify(carrusel_ledger)
    assert [finding.text() for finding in report.findings] == []
    with closing(Source(carrusel_ledger)) as source:
        result = replay(source)
    assert result.equal
    assert result.pools_microcents["2A/jackpot"] == 950_075_000_000
