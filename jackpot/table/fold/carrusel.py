"""The membership of a table, its claims, and what the carrusel's decisions moved here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.pools import Pool
from jackpot.table import carrusel
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_state import (
    REMEMBERED_DECISIONS,
    AppliedDecision,
    Membership,
    MemberStage,
    View,
)
from jackpot.table.event import Event
from jackpot.table.fold.pools import booked, noted, transferred
from jackpot.table.state import Hand, Phase, TableState


def _with(state: TableState, **changes: Any) -> TableState:
    member = state.carrusel
    return state if member is None else replace(state, carrusel=replace(member, **changes))


# ---- joining and leaving -------------------------------------------------------------------------


def _join_asked(state: TableState, fact: f.CarruselJoinAsked) -> TableState:
    """Under the next incarnation; a box that was stopped remembers why until it is answered."""
    incarnation, old = state.carrusel_incarnation + 1, state.carrusel
    member = Membership(
        carrusel=fact.carrusel,
        incarnation=incarnation,
        stage=MemberStage.JOINING,
        offered_microcents=state.pools.jackpot_microcents,
        officers=(fact.by, fact.second),
        authorisation=fact.authorisation,
        linked=old is not None and old.linked,
        heard=old is not None and old.heard,
        why="" if old is None else old.why,
    )
    return replace(state, carrusel=member, carrusel_incarnation=incarnation)


def _leave_asked(state: TableState, _: f.CarruselLeaveAsked) -> TableState:
    return _with(state, stage=MemberStage.LEAVING)


def _joined(state: TableState, fact: f.CarruselJoined) -> TableState:
    member = state.carrusel
    if member is None or not carrusel.answers_join(state, fact):
        return state
    leaves = member.stage is MemberStage.LEAVING
    stage = MemberStage.LEAVING if leaves else MemberStage.MEMBER
    return _with(state, stage=stage, position=fact.position, decision=fact.decision, why="")


def _join_refused(state: TableState, fact: f.CarruselJoinRefused) -> TableState:
    """A box that was stopped before is stopped still: the carrusel has its meter."""
    member = state.carrusel
    if member is None or not carrusel.answers_join(state, fact):
        return state
    if member.why:
        return _with(state, stage=MemberStage.STOPPED)
    return replace(state, carrusel=None)


def _left(state: TableState, fact: f.CarruselLeft) -> TableState:
    member = state.carrusel
    if member is None or member.stage is not MemberStage.LEAVING or not member.position:
        return state
    return replace(state, carrusel=None) if member.carrusel == fact.carrusel else state


def _stopped(state: TableState, fact: f.CarruselStopped) -> TableState:
    last = max(state.carrusel_incarnation, fact.incarnation)
    state = replace(state, carrusel_incarnation=last)
    if state.carrusel is not None:
        return _with(state, stage=MemberStage.STOPPED, why=fact.why)
    member = Membership(
        carrusel=fact.carrusel,
        incarnation=last,
        stage=MemberStage.STOPPED,
        offered_microcents=state.pools.jackpot_microcents,
        why=fact.why,
    )
    return replace(state, carrusel=member)


def _link_lost(state: TableState, _: f.CarruselLinkLost) -> TableState:
    return _with(state, linked=False)


def _link_back(state: TableState, _: f.CarruselLinkBack) -> TableState:
    return _with(state, linked=True, heard=True)


def _operation(state: TableState, outcome: o.CarruselOperation) -> TableState:
    return _with(state, operation=outcome.operation)


# ---- the running hand ----------------------------------------------------------------------------


def _in_hand(state: TableState, phase: Phase, **changes: Any) -> TableState:
    hand = state.hand
    return state if hand is None else replace(state, phase=phase, hand=replace(hand, **changes))


def _viewed(state: TableState, fact: f.CarruselViewed) -> TableState:
    if state.phase not in (Phase.BETTING, Phase.LOCKING):
        return state
    view = View(fact.position, fact.decision, fact.total_microcents)
    return _in_hand(state, state.phase, view=view)


def _claimed(state: TableState, outcome: o.AwardsClaimed) -> TableState:
    state = replace(state, awards=outcome.award)
    return _in_hand(state, Phase.PENDING, award=outcome.award, jackpot=state.jackpots)


def _claim_withdrawn(state: TableState, _: f.ClaimWithdrawn) -> TableState:
    """A box that was stopped has nobody to ask: its claim, or its reversal, is off at once."""
    member, hand = state.carrusel, state.hand
    if member is None or hand is None:
        return state
    if member.stage is not MemberStage.STOPPED:
        return _in_hand(state, state.phase, claim_withdrawn=True)
    if hand.decision:
        phase = Phase.DECIDED if hand.second_signature else Phase.PAYABLE
        return _in_hand(state, phase, reversal_asked=False)
    return _declared_anew(state)


def _claim_freed(state: TableState, fact: f.CarruselClaimFreed) -> TableState:
    hand = state.hand
    if hand is None or state.phase is not Phase.PENDING or hand.decision:
        return state
    if not hand.claim_withdrawn or hand.number != fact.hand:
        return state
    return _declared_anew(state)


def _declared_anew(state: TableState) -> TableState:
    """Back to the declaration: the hand stays locked on its view."""
    return _in_hand(
        state,
        Phase.LOCKED,
        declared=(),
        declared_by=None,
        confirmed_by=None,
        base_microcents=None,
        payments=(),
        derivation=(),
        second_signature=False,
        award=0,
        decided=None,
        decision=0,
        claim_withdrawn=False,
        reversal_asked=False,
    )


def _decision_reversed(state: TableState, _: f.DecisionReversed) -> TableState:
    """At a table alone ``DecisionUndone`` follows at once; a carrusel is asked."""
    hand = state.hand
    if state.carrusel is None or hand is None or not hand.decision:
        return state
    return _in_hand(state, Phase.PENDING, reversal_asked=True)


# ---- decisions -----------------------------------------------------------------------------------


def _decided(state: TableState, fact: f.CarruselDecided) -> TableState:
    member = state.carrusel
    if member is None or not carrusel.is_next(state, fact):
        return state
    fell = sum(max(0, -share.moved_microcents) for share in fact.shares)
    one = AppliedDecision(fact.decision, state.jackpots, fell)
    applied = (*member.applied, one)[-REMEMBERED_DECISIONS:]
    if carrusel.is_claim_of(state, fact):
        state = _in_hand(
            state,
            state.phase,
            decision=fact.decision,
            base_microcents=fact.base_microcents,
            claim_withdrawn=False,
        )
    return _with(state, decision=fact.decision, applied=applied)


def _deducted(state: TableState, outcome: o.CarruselDeducted) -> TableState:
    state = booked(state, Pool.JACKPOT, "deducted", outcome.microcents)
    state = booked(state, Pool.JACKPOT, "house", outcome.house_microcents)
    return noted(
        state,
        deducted_microcents=outcome.microcents,
        house_microcents=outcome.house_microcents,
    )


def _undone(state: TableState, fact: f.CarruselUndone) -> TableState:
    member = state.carrusel
    if member is None or not carrusel.is_next(state, fact):
        return state
    moved = member.applied_decision(fact.undoes)
    if moved is not None and moved.seed_microcents and state.jackpots == moved.jackpot + 1:
        state = replace(state, jackpots=moved.jackpot)
    applied = tuple(one for one in member.applied if one is not moved)
    state = _with(state, decision=fact.decision, applied=applied)
    hand = state.hand
    if hand is None or hand.decision != fact.undoes or _anything_paid(hand):
        return state
    waits = state.phase in (Phase.PENDING, Phase.DECIDED, Phase.PAYABLE)
    return _declared_anew(state) if waits else state


def _anything_paid(hand: Hand) -> bool:
    return any(payment.paid and payment.cents for payment in hand.payments)


def _returned(state: TableState, outcome: o.CarruselReturned) -> TableState:
    state = booked(state, Pool.JACKPOT, "deducted", -outcome.microcents)
    state = booked(state, Pool.JACKPOT, "house", -outcome.house_microcents)
    state = booked(state, Pool.JACKPOT, "seeds", -outcome.seed_house_microcents)
    state = transferred(state, Pool.RESERVE, -outcome.seed_reserve_microcents)
    return transferred(state, Pool.OVERFLOW, -outcome.seed_overflow_microcents)


def _shortfall(state: TableState, outcome: o.ShortfallBorne) -> TableState:
    return booked(state, Pool.JACKPOT, "adjusted", outcome.microcents)


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.CarruselJoinAsked: _join_asked,
    f.CarruselLeaveAsked: _leave_asked,
    f.CarruselJoined: _joined,
    f.CarruselJoinRefused: _join_refused,
    f.CarruselLeft: _left,
    f.CarruselStopped: _stopped,
    f.CarruselLinkLost: _link_lost,
    f.CarruselLinkBack: _link_back,
    f.CarruselViewed: _viewed,
    f.ClaimWithdrawn: _claim_withdrawn,
    f.CarruselClaimFreed: _claim_freed,
    f.DecisionReversed: _decision_reversed,
    f.CarruselDecided: _decided,
    f.CarruselUndone: _undone,
    o.CarruselOperation: _operation,
    o.AwardsClaimed: _claimed,
    o.CarruselDeducted: _deducted,
    o.CarruselReturned: _returned,
    o.ShortfallBorne: _shortfall,
}
"""The events of this subject that change the state."""
