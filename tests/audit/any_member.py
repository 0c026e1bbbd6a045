"""Anything at a table of a carrusel, from one seed, with the decisions that its carrusel may make."""

from __future__ import annotations

from contextlib import suppress

from anything import HANDS, Anything
from support.carrusel import NAME
from support.carrusel_award import decision_on, undoing
from support.next_step import next_step

from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.carrusel_state import Membership, MemberStage
from jackpot.table.event import Fact
from jackpot.table.state import OUTSIDE_A_HAND, Phase, is_manual

OTHERS = {"1": 700_000_123_456, "3": 1_300_000_654_321}
"""What two more tables hold in every view."""


class AnyMember(Anything):
    """Joins, and then mixes what its link tells with everything else."""

    undoable: dict[int, f.CarruselDecided]

    def run(self, steps: int) -> None:
        self.undoable = {}
        for _ in range(steps):
            with suppress(Refused):
                self.table.play(*self.facts())

    def facts(self) -> tuple[Fact, ...]:
        """One batch."""
        member = self.table.state.carrusel
        phase, chance = self.table.phase(), self.random.random()
        if member is None:
            if phase in OUTSIDE_A_HAND and phase is not Phase.CLOSED:
                return (self.join(),)
        elif phase is Phase.LOCKING and chance < 0.6:
            return self.lock(member)
        elif phase is Phase.BETTING and is_manual(self.table.state) and chance < 0.3:
            return (*self.lock(member)[:1], f.LockPressed(by="C1", hand=self.table.number))
        elif phase is Phase.PENDING or chance < 0.25:
            return self.link(member)
        if self.random.random() < 0.85:
            return (self.likely(),)
        return (self.random.choice(self.anything()),)

    def join(self) -> Fact:
        return f.CarruselJoinAsked(by="J1", second="D1", carrusel=NAME, authorisation="A-9")

    def lock(self, member: Membership) -> tuple[Fact, ...]:
        """With the view in the same batch."""
        total = sum(OTHERS.values()) + self.table.meter_microcents
        viewed = f.CarruselViewed(position=20, decision=member.decision, total_microcents=total)
        return (viewed, f.LockReached(unknown_boxes=()))

    def link(self, member: Membership) -> tuple[Fact, ...]:
        """What the link may tell now."""
        random, chance = self.random, self.random.random()
        if member.stage is MemberStage.STOPPED and self.table.phase() is not Phase.PENDING:
            return (self.join(),)
        if member.position == 0 and member.stage is not MemberStage.STOPPED:
            return self.answer(member)
        if not member.linked and chance < 0.7:
            return (f.CarruselLinkBack(),)
        if member.stage is MemberStage.LEAVING:
            return (f.CarruselLeft(carrusel=NAME, position=99),)
        if self.table.phase() is Phase.PENDING:
            return self.pending(member, chance)
        if chance < 0.5:
            return (self.decision(member, claims=False),)
        if chance < 0.7 and self.undoable:
            return self.undo(random.choice(sorted(self.undoable)), member)
        if chance < 0.75:
            return (f.CarruselLinkLost(),)
        if chance < 0.78:
            return (f.CarruselStopped(carrusel=NAME, incarnation=member.incarnation, why="two"),)
        if chance < 0.85:
            return (f.CarruselLeaveAsked(by=self.officer(), second="D2", why="late"),)
        return (f.CarruselLinkBack(),)

    def answer(self, member: Membership) -> tuple[Fact, ...]:
        known = (NAME, member.incarnation)
        if self.random.random() < 0.1:
            return (f.CarruselJoinRefused(carrusel=known[0], incarnation=known[1], why="bet"),)
        better = self.random.choice((0, 0, 70, -70)) if member.incarnation > 1 else 0
        self.undoable = {}
        return (
            f.CarruselJoined(
                carrusel=known[0],
                incarnation=known[1],
                position=7,
                decision=5,
                meter_microcents=max(0, member.offered_microcents + better),
            ),
        )

    def pending(self, member: Membership, chance: float) -> tuple[Fact, ...]:
        hand = self.table.state.hand
        assert hand is not None
        number = self.table.number
        if hand.reversal_asked and hand.decision in self.undoable and chance < 0.8:
            return self.undo(hand.decision, member)
        if chance < 0.2 or member.stage is MemberStage.STOPPED:
            return (f.ClaimWithdrawn(by="J1", second="D1", hand=number, why="wrong"),)
        if chance < 0.4:
            return (f.CarruselClaimFreed(hand=number),)
        if hand.decision:
            return (f.CarruselLinkBack(),)
        return (self.decision(member, claims=self.random.random() < 0.8),)

    def decision(self, member: Membership, *, claims: bool) -> Fact:
        state, random = self.table.state, self.random
        assert state.terms is not None
        hand = state.hand
        claims = claims and hand is not None and hand.view is not None
        mine = self.table.meter_microcents + random.choice((0, 0, -1, 50_000_000))
        bases = {"1": OTHERS["1"], "2": max(0, mine), "3": OTHERS["3"]}
        declared = (f.DeclaredHand(1, random.choice(HANDS[:7])),)
        fact = decision_on(
            state.terms,
            bases,
            hand.declared if claims and hand is not None else declared,
            decision=member.decision + random.choice((1, 1, 1, 1, 0, 2)),
            table="2" if claims else "1",
            hand=self.table.number,
            outside_microcents=random.choice((0, 12_345)),
        )
        if fact.decision == member.decision + 1:
            self.undoable[fact.decision] = fact
        return fact

    def undo(self, decision: int, member: Membership) -> tuple[Fact, ...]:
        fact, hand = self.undoable[decision], self.table.state.hand
        if fact.table == "2" and not (hand is not None and hand.reversal_asked):
            return (f.CarruselLinkBack(),)
        del self.undoable[decision]
        return (undoing(fact, member.decision + 1),)

    def likely(self) -> Fact:
        """Now and then a decision is disputed before it is paid."""
        hand = self.table.state.hand
        disputed = self.table.phase() in (Phase.DECIDED, Phase.PAYABLE)
        if disputed and hand is not None and self.random.random() < 0.3:
            return f.DecisionReversed(
                by="J1", second="D1", hand=self.table.number, award=hand.award, why="dispute"
            )
        if is_manual(self.table.state):
            return next_step(self.table, self.random) or super().likely()
        return super().likely()
