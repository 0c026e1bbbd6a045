"""The same table with everything that people do around it: manual mode, disputes, entries, moves."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import initialize, rule
from msgspec.structs import replace
from support.any_act import any_act, opened
from support.next_step import next_step
from support.table import Table, canarias
from test_table_state_machine import POLICIES, AnyTable

from jackpot.errors import Refused
from jackpot.law.policies import (
    BelowRoyal,
    BrokenSlot,
    ExtraChip,
    ManualTotal,
    Policies,
    SeedSource,
    VoidBets,
)
from jackpot.law.terms import BetMode, JackpotKind
from jackpot.table import facts as f
from jackpot.table.evolve import evolve
from jackpot.table.state import INITIAL, OUTSIDE_A_HAND, conserved

SEEDS = st.integers(0, 2**32 - 1)


class AnyPit(AnyTable):
    """Every kind of act that the first machine does not know."""

    @initialize(
        policies=POLICIES,
        manual_total=st.sampled_from(ManualTotal),
        broken_slot=st.sampled_from(BrokenSlot),
        mode=st.sampled_from([BetMode.MANUAL, BetMode.AUTOMATIC]),
        kind=st.sampled_from([*JackpotKind, JackpotKind.PROGRESSIVE]),
        ceiling=st.sampled_from([None, 1_000_100, 1_000_777]),
        house=st.sampled_from([0, 20_000]),
    )
    def start(
        self,
        policies: Policies,
        manual_total: ManualTotal,
        broken_slot: BrokenSlot,
        mode: BetMode,
        kind: JackpotKind,
        ceiling: int | None,
        house: int,
    ) -> None:
        policies = replace(policies, manual_total=manual_total, broken_slot=broken_slot)
        fixed = kind is JackpotKind.FIXED
        terms = canarias(
            policies,
            mode=mode,
            kind=kind,
            ceiling_cents=None if fixed else ceiling,
            jackpot_ppm=0 if fixed else 250_000,
            house_deduction_ppm=house,
            bets_per_box=3,
        )
        self.table = Table(terms).start()
        other = replace(terms, layout="2B", seed_cents=2_000_000)
        self.table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=other))
        self.table.open()

    def random(self, seed: int) -> Random:
        """Another course at every place, even from the small seeds that hypothesis prefers."""
        return Random(f"{seed} at {len(self.table.events)}")

    @rule(seed=SEEDS, steps=st.integers(1, 30))
    def play_on(self, seed: int, steps: int) -> None:
        """The table goes its way for a while."""
        random = self.random(seed)
        for _ in range(steps):
            fact = next_step(self.table, random)
            if fact is not None:
                self.offer(fact)

    @rule(seed=SEEDS)
    def do_anything(self, seed: int) -> None:
        """Somebody does what is not the next step."""
        self.offer(any_act(self.table, self.random(seed)))

    @rule()
    def settle(self) -> None:
        for item in self.state.items:
            self.offer(f.ItemSettled(by="C1", item=item.item))

    def teardown(self) -> None:
        super().teardown()
        assert conserved(self.state)


TestAnyPit = AnyPit.TestCase
TestAnyPit.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


TERMS = [
    canarias(mode=BetMode.MANUAL, bets_per_box=3, house_deduction_ppm=20_000),
    canarias(
        Policies(manual_total=ManualTotal.BEFORE_AWARDS, seed_source=SeedSource.RESERVE),
        mode=BetMode.MANUAL,
        reserve_ppm=100_000,
        ceiling_cents=1_000_100,
    ),
    canarias(Policies(broken_slot=BrokenSlot.TABLE_MANUAL), ceiling_cents=1_000_777),
    canarias(
        Policies(
            broken_slot=BrokenSlot.BOX_MANUAL,
            void_bets=VoidBets.CARRY,
            extra_chip=ExtraChip.NEXT_HAND,
            below_royal=BelowRoyal.FROM_SEED,
        ),
        bets_per_box=3,
        ceiling_cents=1_000_100,
    ),
    canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000),
]


@pytest.mark.parametrize("seed", range(40))
def test_in_a_whole_season_of_anything_no_micro_cent_is_lost(seed: int) -> None:
    """``play`` proves conservation after every batch; here the fold is proved at the end, too."""
    random = Random(seed)
    terms = TERMS[seed % len(TERMS)]
    table = Table(terms).start()
    other = replace(terms, layout="2B")
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=other))
    table.open()
    later = replace(terms, bet_cents=100, authorisation="A-2")
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=later))
    for _ in range(1_000):
        likely = 0.5 if table.phase() in OUTSIDE_A_HAND else 0.85
        fact = next_step(table, random) if random.random() < likely else any_act(table, random)
        if random.random() < 0.1 and table.state.items:
            fact = f.ItemSettled(by="C1", item=table.state.items[0].item)
        with suppress(Refused):
            table.play(fact or opened(table, random))
    state = INITIAL
    for event in table.events:
        state = evolve(state, event)
    assert state == table.state
    assert conserved(state)
