"""Two programs, written apart, agree on everything that people do around the hands."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from anything import Anything
from msgspec.structs import replace
from scripted import Recorded
from support.any_act import any_act, opened
from support.next_step import next_step
from support.table import Table, canarias

from jackpot.audit.checker import verify
from jackpot.errors import Refused
from jackpot.law.policies import (
    BaseOfHand,
    BelowRoyal,
    BrokenSlot,
    ConfigChange,
    ExtraChip,
    ManualTotal,
    Policies,
    SeedSource,
    VoidBets,
)
from jackpot.law.terms import BetMode, JackpotKind
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Fact
from jackpot.table.state import OUTSIDE_A_HAND, Phase

STEPS = 700
SEEDS = (1, 2, 3)

TABLES = {
    "manual, after awards": canarias(
        mode=BetMode.MANUAL, bets_per_box=3, house_deduction_ppm=20_000, bet_of_minimum_ppm=500_000
    ),
    "manual, before awards, reserve, ceiling": canarias(
        Policies(manual_total=ManualTotal.BEFORE_AWARDS, seed_source=SeedSource.RESERVE),
        mode=BetMode.MANUAL,
        reserve_ppm=100_000,
        ceiling_cents=1_000_100,
    ),
    "manual, at payment, from seed": canarias(
        Policies(base_of_hand=BaseOfHand.AT_PAYMENT, below_royal=BelowRoyal.FROM_SEED),
        mode=BetMode.MANUAL,
        ceiling_cents=1_000_777,
    ),
    "manual, fixed": canarias(
        mode=BetMode.MANUAL, kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000
    ),
    "table manual, ceiling, at opening": canarias(
        Policies(broken_slot=BrokenSlot.TABLE_MANUAL, config_change=ConfigChange.AT_OPENING),
        ceiling_cents=1_000_777,
    ),
    "box manual, carry, next hand, from seed": canarias(
        Policies(
            broken_slot=BrokenSlot.BOX_MANUAL,
            void_bets=VoidBets.CARRY,
            extra_chip=ExtraChip.NEXT_HAND,
            below_royal=BelowRoyal.FROM_SEED,
        ),
        bets_per_box=3,
        ceiling_cents=1_000_100,
    ),
    "table manual, carry, next hand": canarias(
        Policies(
            broken_slot=BrokenSlot.TABLE_MANUAL,
            manual_total=ManualTotal.BEFORE_AWARDS,
            void_bets=VoidBets.CARRY,
            extra_chip=ExtraChip.NEXT_HAND,
        )
    ),
    "fixed": canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000),
}


class AnyPit(Anything):
    """Likely steps, acts around the hands, and machine facts."""

    def run(self, steps: int) -> None:
        for _ in range(steps):
            with suppress(Refused):
                self.table.play(self.fact())

    def fact(self) -> Fact:
        table, random = self.table, self.random
        if random.random() < 0.1 and table.state.items:
            return f.ItemSettled(by="C1", item=table.state.items[0].item)
        if random.random() < 0.05:
            return random.choice(self.anything())
        if table.phase() is Phase.DECLARED and random.random() < 0.1:
            return f.AwardsRejected(by="J1", hand=table.number, why="other cards")
        likely = 0.5 if table.phase() in OUTSIDE_A_HAND else 0.85
        if random.random() < likely:
            return next_step(table, random) or opened(table, random)
        return any_act(table, random)


@pytest.mark.parametrize("name", TABLES)
def test_whatever_people_do_around_the_hands_the_checker_finds_nothing(
    name: str, tmp_path: Path
) -> None:
    terms = TABLES[name]
    ceiling = terms.ceiling_cents
    later = replace(
        terms,
        authorisation="A-2",
        bet_cents=100,
        ceiling_cents=None if ceiling is None else ceiling + 200_000,
    )
    other = replace(terms, layout="2B", seed_cents=terms.seed_cents + 100_000)
    changes = (replace(terms, table_minimum_cents=2_000), later, other, replace(other, layout="2C"))
    for seed in SEEDS:
        table = Recorded(tmp_path / f"{seed}", terms, group=64)
        table.start()
        table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=other))
        table.open()
        AnyPit(table, seed, changes).run(STEPS)
        report = verify(table.close())
        assert [finding.text() for finding in report.findings] == [], f"seed {seed}"
        assert report.summary is not None
        assert report.summary.hands > 5, f"seed {seed} played next to nothing"


def test_the_random_tables_meet_every_kind_of_fact() -> None:
    """Otherwise they would agree on less than it seems."""
    met: set[str] = set()
    for number, name in enumerate(("box manual, carry, next hand, from seed", *TABLES)):
        terms = TABLES[name]
        table = Table(terms).start()
        other = replace(terms, layout="2B")
        table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=other))
        table.open()
        AnyPit(table, number + 10, (terms, other)).run(3_000)
        met |= {event.kind for event in table.events}
    of_a_carrusel = {kind for kind in f.FACTS if "carrusel" in kind or "claim" in kind}
    scripted = {"controller_replaced", "token_used"}  # scripted tests have those
    assert set(f.FACTS) - of_a_carrusel - met == scripted


def test_the_counters_of_a_table_with_five_boxes_are_compared(tmp_path: Path) -> None:
    """Two chips, and each acceptor counted its own: three numbers that agree, no item."""
    table = Recorded(tmp_path / "ledger", canarias(boxes=5))
    table.start()
    for box in range(1, 6):
        table.play(f.SlotCountersRead(box=box, insertions=40, accepts=40))
    table.open()
    table.hand(1, 5).lock().no_awards()
    table.close_day()
    for box in (1, 5):
        table.play(f.SlotCountersRead(box=box, insertions=41, accepts=41))
    count = f.DropCounted(by="C1", second="J1", day="2026-11-30", chips=2)
    assert table.play(count)[1:] == (o.DropCompared(counted=2, detected=2, accepted=2, box=None),)
    assert verify(table.close()).findings == ()
