"""Any sequence at a member of a carrusel: what its operations and the decisions add up to is its meter.

The carrusel's log is played by a number: what the table offered, and from there on each operation
and each decision that was told. It must be the table's own meter at every moment (CAN-9).
"""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import initialize, invariant, precondition, rule
from support.carrusel import NAME, Member, award, paid
from support.table import canarias
from test_table_state_machine import PEOPLE, AnyTable

from jackpot.law.policies import BelowRoyal, ExtraChip, LinkLost, Policies, SeedSource, VoidBets
from jackpot.law.terms import AwardedHand
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import Fact
from jackpot.table.state import Phase, accepting_boxes

POLICIES = st.builds(
    Policies,
    below_royal=st.sampled_from(BelowRoyal),
    void_bets=st.sampled_from(VoidBets),
    extra_chip=st.sampled_from(ExtraChip),
    link_lost=st.sampled_from(LinkLost),
    seed_source=st.sampled_from(SeedSource),
)
AMOUNTS = st.sampled_from([0, 1, 333_333, 700_000_000_000, 1_000_000_000_000, 2_000_000_000_000])
ANSWERED = (MemberStage.MEMBER, MemberStage.LEAVING)


class AnyMember(AnyTable):
    """What the coordinator and its link do, at any moment, besides what people and slots do."""

    @initialize(
        policies=POLICIES,
        ceiling=st.sampled_from([None, 1_000_100]),
        reserve=st.sampled_from([0, 33_333]),
        bets_per_box=st.sampled_from([1, 3]),
    )
    def start(
        self, policies: Policies, ceiling: int | None, reserve: int, bets_per_box: int
    ) -> None:
        terms = canarias(
            policies, ceiling_cents=ceiling, reserve_ppm=reserve, bets_per_box=bets_per_box
        )
        self.member = Member(terms)
        self.table = self.member
        self.table.start().open()
        self.shares: dict[int, f.CarruselDecided] = {}
        self.logged: int | None = None
        self.join()

    def offer(self, fact: Fact) -> None:
        before = len(self.table.events)
        super().offer(fact)
        for event in self.table.events[before:]:
            if isinstance(event, o.CarruselOperation) and self.logged is not None:
                self.logged += event.microcents

    def join(self) -> None:
        self.offer(f.CarruselJoinAsked(by="J1", second="D1", carrusel=NAME, authorisation="A"))
        self.answer(0)

    def answer(self, better: int) -> None:
        member = self.state.carrusel
        if member is None or member.position or member.stage is MemberStage.STOPPED:
            return
        meter = member.offered_microcents + better
        told = [e for e in self.table.events if isinstance(e, o.CarruselOperation)]
        since = told[-member.operation :] if member.operation else []
        self.logged = meter + sum(e.microcents for e in since)
        self.offer(
            f.CarruselJoined(
                carrusel=NAME,
                incarnation=member.incarnation,
                position=7,
                decision=max(self.shares, default=0),
                meter_microcents=meter,
            )
        )
        self.offer(f.CarruselLinkBack())

    @rule(better=st.sampled_from([0, 0, 5_000_000, -5_000_000]))
    def someone_joins(self, better: int) -> None:
        if self.state.carrusel is None:
            better = 0
        self.offer(f.CarruselJoinAsked(by="J1", second="D1", carrusel=NAME, authorisation="A"))
        self.answer(better)

    @rule(by=PEOPLE)
    def someone_leaves(self, by: str) -> None:
        self.offer(f.CarruselLeaveAsked(by=by, second="D2", why="late"))

    @precondition(
        lambda self: (
            self.state.carrusel is not None and self.state.carrusel.stage is MemberStage.LEAVING
        )
    )
    @rule()
    def the_leave_is_logged(self) -> None:
        self.offer(f.CarruselLeft(carrusel=NAME, position=99))

    @rule(often=st.sampled_from([False, False, False, True]))
    def the_box_is_stopped(self, often: bool) -> None:
        if often:
            self.offer(f.CarruselStopped(carrusel=NAME, why="two boxes"))

    @rule(lost=st.sampled_from([False, False, True]))
    def the_link_comes_and_goes(self, lost: bool) -> None:
        self.offer(f.CarruselLinkLost() if lost else f.CarruselLinkBack())

    @rule()
    def lock_on_a_view(self) -> None:
        if self.state.phase is Phase.BETTING:
            self.press()
        if self.state.phase is Phase.LOCKING:
            self.member.play(
                f.CarruselViewed(position=20, decision=0, total_microcents=9_000_000_000_000),
                f.LockReached(unknown_boxes=()),
            )
            self.count_last()

    def count_last(self) -> None:
        told = self.member.told()
        if told is not None and self.logged is not None:
            self.logged += told.microcents

    @precondition(lambda self: self.state.phase is Phase.PENDING)
    @rule(withdraw=st.booleans())
    def the_claim_is_taken_back(self, withdraw: bool) -> None:
        number = self.state.hand_number
        if withdraw:
            self.offer(f.ClaimWithdrawn(by="J1", second="D1", hand=number, why="wrong"))
        else:
            self.offer(f.CarruselClaimFreed(hand=number))

    @rule(
        deducted=AMOUNTS,
        house=st.sampled_from([0, 0, 1_000_000]),
        restart=st.booleans(),
        from_seed=st.sampled_from([0, 50_000_000_000]),
        mine=st.booleans(),
        ahead=st.sampled_from([1, 1, 1, 2, 0]),
    )
    def a_decision_arrives(
        self, deducted: int, house: int, restart: bool, from_seed: int, mine: bool, ahead: int
    ) -> None:
        member = self.state.carrusel
        if member is None or not member.position:
            return
        share = f.CarruselShare(
            table="2",
            view_microcents=deducted,
            base_microcents=deducted,
            deducted_microcents=deducted,
            house_microcents=house,
            seed_microcents=1_000_000_000_000 if restart else 0,
            from_seed_microcents=from_seed if restart else 0,
        )
        hand = self.state.hand
        claims = mine and self.state.phase is Phase.PENDING and hand is not None
        payments: tuple[f.CarruselPayment, ...] = ()
        if claims and hand is not None:
            payments = tuple(
                paid(one.box, AwardedHand.FOUR_OF_A_KIND, 150_000) for one in hand.declared[:1]
            )
        fact = award(
            share,
            decision=member.decision + ahead,
            table="2" if claims else "5",
            hand=self.state.hand_number,
            payments=payments,
            restart=restart,
        )
        if ahead == 1 and self.logged is not None:
            self.shares[fact.decision] = fact
            self.logged += self.moved(share)
        self.offer(fact)

    def moved(self, share: f.CarruselShare) -> int:
        taken = share.deducted_microcents + share.house_microcents + share.from_seed_microcents
        return share.seed_microcents - taken

    @precondition(lambda self: self.shares)
    @rule(which=st.integers(0, 5))
    def a_decision_is_taken_back(self, which: int) -> None:
        member = self.state.carrusel
        if member is None or not member.position:
            return
        undone = sorted(self.shares)[which % len(self.shares)]
        fact = self.shares[undone]
        hand = self.state.hand
        own = hand is not None and hand.decision == undone
        if fact.table == "2" and not (own and hand is not None and hand.reversal_asked):
            return
        del self.shares[undone]
        if self.logged is not None:
            self.logged -= self.moved(fact.shares[0])
        self.offer(
            f.CarruselUndone(
                carrusel=NAME,
                decision=member.decision + 1,
                undoes=undone,
                position=99,
                table=fact.table,
                hand=fact.hand,
                paid_cents=fact.paid_cents,
                restart=fact.restart,
                shares=fact.shares,
                author="k1",
                entry_hash="00",
                signature="s",
            )
        )

    @precondition(lambda self: self.state.phase in (Phase.DECIDED, Phase.PAYABLE))
    @rule()
    def the_decision_is_reversed(self) -> None:
        hand = self.state.hand
        number = 0 if hand is None else hand.award
        self.offer(
            f.DecisionReversed(
                by="J1", second="D1", hand=self.state.hand_number, award=number, why="dispute"
            )
        )

    @invariant()
    def the_log_adds_up_to_the_meter(self) -> None:
        member = self.state.carrusel if hasattr(self, "table") else None
        if member is not None and member.position and member.stage in ANSWERED:
            assert self.logged == self.table.meter_microcents

    @invariant()
    def operations_are_numbered_without_a_gap(self) -> None:
        if not hasattr(self, "table"):
            return
        number = 0
        for event in self.table.events:
            if isinstance(event, f.CarruselJoinAsked):
                number = 0
            elif isinstance(event, o.CarruselOperation):
                assert event.operation == number + 1
                number = event.operation

    @invariant()
    def nothing_is_taken_while_the_policy_stops_the_bets(self) -> None:
        if not hasattr(self, "table") or self.state.carrusel is None:
            return
        policy = self.table.terms.policies.link_lost
        if policy is LinkLost.STOP_BETS and not self.state.carrusel.linked:
            assert accepting_boxes(self.state) == ()

    @invariant()
    def a_member_pays_nothing_that_was_not_decided(self) -> None:
        hand = self.state.hand if hasattr(self, "table") else None
        if hand is not None and hand.payments and hand.view is not None:
            assert hand.decision > 0


TestAnyMember = AnyMember.TestCase
TestAnyMember.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)
