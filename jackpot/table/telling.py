"""What one batch of a member tells its carrusel: at most one operation, as its last event (CAN-9).

The carrusel's log has its own decisions; an operation tells only what this table moved by itself,
and which stage it reached. That includes where this table's arithmetic is its own: an overflow that
is poured into a restarted meter, and a shortfall that the house bears.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.invariant import invariant
from jackpot.table import carrusel
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import Event, Fact
from jackpot.table.outcomes.carrusel import Stage
from jackpot.table.state import TableState

_STAGES: dict[type[Event], Stage] = {
    o.HandLocked: Stage.LOCKED,
    o.AwardsClaimed: Stage.CLAIMED,
    f.ClaimWithdrawn: Stage.WITHDRAWN,
    o.HandEnded: Stage.ENDED,
    f.DecisionReversed: Stage.REVERSAL,
    f.CarruselLeaveAsked: Stage.LEAVING,
}
"""The event that reaches each stage; every other operation has only moved the meter."""


class Telling:
    """Gathers one batch. ``before`` is the table at its begin, in a carrusel."""

    def __init__(self, before: TableState) -> None:
        self._before = before
        self._logged_microcents = 0

    def fact(self, state: TableState, fact: Fact) -> None:
        """A fact, and the table before it."""
        self._logged_microcents += logged_microcents(state, fact)

    def operation(self, after: TableState, events: Sequence[Event]) -> o.CarruselOperation | None:
        """What all ``events`` of the batch tell; None when there is nothing to tell, or nobody."""
        old, new = self._before.carrusel, after.carrusel
        if old is None or new is None or new.stage is MemberStage.STOPPED:
            return None
        if old.incarnation != new.incarnation:
            return None
        stage = _stage(events)
        moved = after.pools.jackpot_microcents - self._before.pools.jackpot_microcents
        by_itself = moved - self._logged_microcents
        if stage is Stage.MOVED and not by_itself:
            return None
        of_hand = stage not in (Stage.MOVED, Stage.LEAVING)
        return o.CarruselOperation(
            operation=old.operation + 1,
            stage=stage,
            microcents=by_itself,
            hand=after.hand_number if of_hand else 0,
        )


def _stage(events: Sequence[Event]) -> Stage:
    reached = [_STAGES[type(event)] for event in events if type(event) in _STAGES]
    invariant(len(reached) <= 1, "a batch reaches one stage at most")
    stage = reached[0] if reached else Stage.MOVED
    invariant(
        stage is not Stage.LOCKED or any(type(event) is f.CarruselViewed for event in events),
        "a member's hand is locked on a view that its own batch holds",
    )
    return stage


def logged_microcents(state: TableState, fact: Fact) -> int:
    """How far a fact of the link moves this table's meter by the arithmetic of the carrusel's log."""
    if isinstance(fact, f.CarruselJoined):
        member = state.carrusel
        if member is None or not carrusel.answers_join(state, fact):
            return 0
        return fact.meter_microcents - member.offered_microcents
    if not isinstance(fact, f.CarruselDecided | f.CarruselUndone):
        return 0
    share = carrusel.share_of(state, fact.shares)
    if share is None or not carrusel.is_next(state, fact):
        return 0
    moved = share.moved_microcents
    return moved if isinstance(fact, f.CarruselDecided) else -moved
