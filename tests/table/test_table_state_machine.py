"""Any sequence of facts, right and wrong: nothing is lost, nothing is counted twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support.table import OFFICERS, Table, canarias, identified

from jackpot.errors import Refused
from jackpot.law.policies import (
    BaseOfHand,
    BelowRoyal,
    EqualStraightFlushes,
    ExtraChip,
    Policies,
    VoidBets,
)
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event, Fact
from jackpot.table.evolve import evolve
from jackpot.table.state import INITIAL, Phase, TableState, conserved

BOXES = st.integers(1, 7)
PEOPLE = st.sampled_from(sorted(OFFICERS))
WINNING = st.sampled_from(
    [
        "As Ks Qs Js Ts",
        "Ah Kh Qh Jh Th",
        "Kd Qd Jd Td 9d",
        "9c 8c 7c 6c 5c",
        "6d 5d 4d 3d 2d",
        "2h 2s 2d 2c 3h",
        "8h 8s 8d 8c 3s",
    ]
)
POLICIES = st.builds(
    Policies,
    base_of_hand=st.sampled_from(BaseOfHand),
    below_royal=st.sampled_from(BelowRoyal),
    equal_straight_flushes=st.sampled_from(EqualStraightFlushes),
    void_bets=st.sampled_from(VoidBets),
    extra_chip=st.sampled_from(ExtraChip),
    payable_unit_cents=st.sampled_from([1, 5, 50]),
)


class AnyTable(RuleBasedStateMachine):
    """Officers and slots do whatever comes to their minds; refusals are fine, lost cents are not."""

    @initialize(
        policies=POLICIES,
        ceiling=st.sampled_from([None, 1_000_100, 1_000_777]),
        reserve=st.sampled_from([0, 33_333]),
        bets_per_box=st.sampled_from([1, 1, 3]),
    )
    def start(
        self, policies: Policies, ceiling: int | None, reserve: int, bets_per_box: int
    ) -> None:
        terms = canarias(
            policies, ceiling_cents=ceiling, reserve_ppm=reserve, bets_per_box=bets_per_box
        )
        self.table = Table(terms).start().open()

    def offer(self, fact: Fact) -> None:
        before = self.table.state
        try:
            self.table.play(fact)
        except Refused:
            assert self.table.state is before

    @property
    def state(self) -> TableState:
        return self.table.state

    @rule(box=BOXES, expected=st.sampled_from([True, True, True, False]))
    def chip(self, box: int, expected: bool) -> None:
        self.offer(f.ChipSeen(box=box, expected=expected, a=1, b=1))

    @rule(by=PEOPLE, ahead=st.sampled_from([1, 1, 1, 0, 2]))
    def start_hand(self, by: str, ahead: int) -> None:
        self.offer(f.HandStarted(by=by, hand=self.state.hand_number + ahead))

    @rule()
    def press(self) -> None:
        self.offer(f.LockPressed(by="C1", hand=self.state.hand_number))

    @rule(unknown=st.sets(BOXES, max_size=2))
    def reach(self, unknown: set[int]) -> None:
        self.offer(f.LockReached(unknown_boxes=tuple(sorted(unknown))))

    def bets(self) -> tuple[Any, ...]:
        return () if self.state.hand is None else self.state.hand.bets

    @rule(bet=st.booleans())
    def look_into_a_box(self, bet: bool) -> None:
        unknown = self.state.hand.unknown_boxes if self.state.hand else ()
        for box in unknown[:1]:
            self.offer(f.SlotDecided(by="C1", hand=self.state.hand_number, box=box, bet=bet))

    @rule(plays=st.booleans())
    def decide_a_chip(self, plays: bool) -> None:
        for chip in self.state.waiting_chips[:1]:
            act = f.ChipDecided(by="C1", hand=self.state.hand_number, box=chip.box, plays=plays)
            self.offer(act)

    @precondition(lambda self: self.state.phase in (Phase.LOCKED, Phase.DECLARED))
    @rule(hands=st.lists(WINNING, min_size=1, max_size=4, unique=True))
    def declare(self, hands: list[str]) -> None:
        boxes = sorted({bet.box for bet in self.bets()})
        cards = dict(zip(boxes, hands, strict=False))
        declared = tuple(
            f.DeclaredHand(bet.box, cards[bet.box], bet.bet)
            for bet in self.bets()
            if bet.box in cards
        )
        self.offer(f.AwardsDeclared(by="C1", hand=self.state.hand_number, hands=declared))

    @rule(by=PEOPLE)
    def confirm(self, by: str) -> None:
        self.offer(f.AwardsConfirmed(by=by, hand=self.state.hand_number))

    @rule(by=PEOPLE)
    def sign(self, by: str) -> None:
        total = self.table.owed_cents
        self.offer(f.AwardsSigned(by=by, hand=self.state.hand_number, total_cents=total))

    @rule(which=st.integers(0, 3))
    def pay(self, which: int) -> None:
        payments = self.state.hand.payments if self.state.hand else ()
        for payment in payments[which : which + 1]:
            act = f.AwardPaid(
                by="C1",
                hand=self.state.hand_number,
                box=payment.box,
                cents=payment.cents,
                bet=payment.bet,
            )
            self.offer(act)

    @rule()
    def no_awards(self) -> None:
        self.offer(f.NoAwardsDeclared(by="C1", hand=self.state.hand_number))

    @rule()
    def void(self) -> None:
        act = f.HandVoided(by="C1", second="J1", hand=self.state.hand_number, why="misdeal")
        self.offer(act)

    @rule(box=BOXES, continuity=st.sampled_from(f.Continuity))
    def slot_comes_back(self, box: int, continuity: f.Continuity) -> None:
        self.offer(identified(box, continuity))

    @rule(box=BOXES)
    def slot_restarts(self, box: int) -> None:
        self.offer(f.SlotRestarted(box=box, epoch=self.state.slots[box - 1].epoch + 1))

    @invariant()
    def every_micro_cent_is_accounted_for(self) -> None:
        if not hasattr(self, "table"):
            return
        assert conserved(self.state)
        assert min(*astuple(self.state)) >= 0

    def teardown(self) -> None:
        """The state is a fold of the events and of nothing else."""
        if not hasattr(self, "table"):
            return
        state = INITIAL
        for event in self.table.events:
            state = evolve(state, event)
        assert state == self.state

    @invariant()
    def no_box_has_more_bets_than_chips_or_assertions(self) -> None:
        if not hasattr(self, "table"):
            return
        came: Counter[int] = Counter()
        bets: Counter[int] = Counter()
        event: Any
        for event in self.table.events:
            told = getattr(event, "expected", False) or getattr(event, "bet", None) is True
            if told or isinstance(event, f.BetAsserted | f.BetDisputed):
                came[event.box] += 1
            elif isinstance(event, o.BetAccepted) and event.source is not o.BetSource.CARRIED:
                bets[event.box] += 1
        assert all(bets[box] <= came[box] for box in bets)

    @invariant()
    def no_box_has_more_bets_than_it_may(self) -> None:
        if not hasattr(self, "table"):
            return
        bets = Counter((bet.box, bet.bet) for bet in self.bets())
        assert all(count == 1 for count in bets.values())
        assert all(bet <= self.table.terms.bets_per_box for _, bet in bets)

    @invariant()
    def what_is_paid_was_decided(self) -> None:
        if not hasattr(self, "table"):
            return
        decided, struck, paid = 0, 0, 0
        newest: list[int] = []
        for event in self.table.events:
            if isinstance(event, o.AwardsFrozen | o.AwardsClaimed):
                newest = []
            elif isinstance(event, o.PaymentDecided):
                newest.append(event.cents)
                decided += event.cents
            elif isinstance(event, o.DecisionUndone) or self.undoes_own(event):
                decided -= sum(newest)
            elif isinstance(event, o.PaymentStruck):
                struck += event.cents
            elif isinstance(event, f.AwardPaid):
                paid += event.cents
        assert decided == paid + struck + sum(p.cents for p in self.open_payments())

    def undoes_own(self, event: Event) -> bool:
        """Whether a carrusel takes back the decision on the running hand of this table."""
        return isinstance(event, f.CarruselUndone) and event.table == self.table.terms.table

    def open_payments(self) -> list[Any]:
        hand = self.state.hand
        return [] if hand is None else [p for p in hand.payments if not p.paid]


def astuple(state: TableState) -> tuple[int, int, int]:
    pools = state.pools
    return pools.jackpot_microcents, pools.overflow_microcents, pools.reserve_microcents


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
