"""``fold(state, entry)``: one step for each kind of entry of the log.

The state is changed in place: a coordinator folds hundreds of thousands of operations in one go. An
entry that cannot follow is our own fault, or a forged log: ``InvariantBroken``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from jackpot.invariant import invariant
from jackpot.link import entries as e
from jackpot.link.log import entry_of
from jackpot.link.members import Claim, Left, LockedHand, Member, MemberState
from jackpot.link.messages import Entry, Operation
from jackpot.link.state import (
    CarruselState,
    Fall,
    Move,
    Past,
    PastAt,
    apply_award,
    undo_award,
)
from jackpot.table.outcomes.carrusel import Stage


def fold(state: CarruselState, sealed: Entry, entry: e.LogEntry, past_at: PastAt) -> None:
    """The state after the entry that follows it in the log."""
    invariant(sealed.position == state.position + 1, f"entry {state.position + 1} is the next")
    invariant(sealed.previous == state.head, f"entry {sealed.position} continues the log")
    invariant(not state.closed, "nothing follows «continued in»")
    invariant(isinstance(entry, e.LogOpened) or bool(state.log_id), "the log is opened first")
    if isinstance(entry, e.LogOpened):
        invariant(entry.continues == state.head, "a log is opened once, or goes on from another")
    state.position, state.head = sealed.position, sealed.hash
    _STEPS[type(entry)](state, entry, past_at)
    table = getattr(entry, "table", "")
    if table:
        state.note(table)
    state.forget()


def past_of(sealed: Iterable[Entry], position: int, until: int) -> Past:
    """The meters at ``position`` and what fell from there to ``until``, by folding the log anew."""
    state = CarruselState(pinned_view=position)
    meters: dict[str, int] = {}
    for one in sealed:
        if one.position > until:
            break
        fold(state, one, entry_of(one), _no_past)
        if one.position == position:
            meters = state.meters_at(position)
    falls = [fall for fall in state.falls if fall.position > position]
    corrections = [one for one in state.corrections if one.end_position > position]
    return Past(meters, falls, corrections)


def _no_past(_position: int, _until: int) -> None:
    """While the past is folded, nobody asks for the bases of its hands."""


def _log_opened(state: CarruselState, entry: e.LogOpened, _: PastAt) -> None:
    state.carrusel, state.log_id = entry.carrusel, entry.log_id
    state.coordinators = dict(entry.coordinators)


def _continued_in(state: CarruselState, _entry: e.LogContinuedIn, _: PastAt) -> None:
    state.closed = True


def _coordinator_admitted(state: CarruselState, entry: e.CoordinatorAdmitted, _: PastAt) -> None:
    state.coordinators[entry.name] = entry.key


def _member_joined(state: CarruselState, entry: e.MemberJoined, _: PastAt) -> None:
    old = state.members.get(entry.table)
    meter = entry.meter_microcents
    away = () if old is None else old.away
    if old is not None and old.leaving_position:
        away = (*away, (old.leaving_position, state.position))
    if old is None:
        state.sums.joined += meter
    else:
        invariant(meter == old.meter_microcents, "the log's meter stands when a box comes back")
    state.left.pop(entry.table, None)
    state.members[entry.table] = Member(
        table=entry.table,
        ledger=entry.ledger,
        incarnation=entry.incarnation,
        join_hash=entry.join_hash,
        terms=entry.terms,
        meter_microcents=meter,
        since_position=state.position if old is None else old.since_position,
        joined_position=state.position,
        joined_decision=state.decision,
        joined_meter_microcents=meter,
        hash=entry.join_hash,
        away=away,
    )


def _operations_taken(state: CarruselState, entry: e.OperationsTaken, past_at: PastAt) -> None:
    member = state.members[entry.table]
    invariant(entry.incarnation == member.incarnation, "operations of the present incarnation")
    invariant(member.state is not MemberState.STOPPED, "nothing is taken of a stopped box")
    start = meter = member.meter_microcents
    state.moves.append(Move(state.position, entry.table, start))
    fallen: int | None = None
    number, previous = member.operation, member.hash
    for op in entry.operations:
        invariant(
            op.number == number + 1 and op.previous == previous, "the exact successor is taken"
        )
        number, previous = op.number, op.hash
        delta = op.delta_microcents
        meter += delta
        if delta < 0:
            fallen = meter if fallen is None else min(fallen, meter)
        if op.stage is not Stage.MOVED:
            member.operation, member.hash = number, previous
            member.meter_microcents = meter
            _stage(state, member, op, past_at)
    member.operation, member.hash, member.meter_microcents = number, previous, meter
    state.sums.moved += meter - start
    if fallen is not None:
        state.falls.append(Fall(state.position, entry.table, fallen))


def _stage(state: CarruselState, member: Member, op: Operation, past_at: PastAt) -> None:
    """What an operation tells besides the movement."""
    locked = member.locked
    if op.stage is Stage.LOCKED:
        member.locked = _locked(state, op, past_at)
    elif op.stage is Stage.LEAVING:
        member.asks_to_leave = True
    elif locked is None or locked.hand != op.hand:
        return
    elif op.stage is Stage.CLAIMED and locked.decided is None:
        locked.claim = Claim(state.position, op.hands)
    elif op.stage is Stage.WITHDRAWN and locked.decided is None:
        locked.claim = None
    elif op.stage is Stage.REVERSAL and locked.decided is not None:
        locked.reversal_asked = True
    elif op.stage is Stage.ENDED:
        member.locked = None


def _locked(state: CarruselState, op: Operation, past_at: PastAt) -> LockedHand:
    """The hand with the meters in its view, its own among them."""
    view = min(op.view_position or 0, state.position - 1)
    if view >= state.kept_from:
        return LockedHand(op.hand, view, state.position, state.meters_at(view))
    past = past_at(view, state.position - 1)
    if past is None:
        return LockedHand(op.hand, view, state.position, {})
    state.falls = [*(f for f in state.falls if f.position <= view), *past.falls]
    older = (one for one in state.corrections if one.end_position <= view)
    state.corrections = [*older, *past.corrections]
    return LockedHand(op.hand, view, state.position, past.meters)


def _member_leaving(state: CarruselState, entry: e.MemberLeaving, _: PastAt) -> None:
    member = state.members[entry.table]
    member.state, member.leaving_position = MemberState.LEAVING, state.position


def _member_left(state: CarruselState, entry: e.MemberLeft, _: PastAt) -> None:
    member = state.members.pop(entry.table)
    invariant(member.state is MemberState.LEAVING, "a table leaves after its visors let go")
    invariant(entry.meter_microcents == member.meter_microcents, "it takes its own meter along")
    state.sums.left += member.meter_microcents
    state.left[entry.table] = Left(
        incarnation=member.incarnation,
        join_hash=member.join_hash,
        joined_position=member.joined_position,
        joined_decision=member.joined_decision,
        joined_meter_microcents=member.joined_meter_microcents,
        left_position=state.position,
        decision=state.decision,
        operation=member.operation,
        hash=member.hash,
    )


def _member_stopped(state: CarruselState, entry: e.MemberStopped, _: PastAt) -> None:
    member = state.members[entry.table]
    member.state, member.why = MemberState.STOPPED, entry.why


def _award_decided(state: CarruselState, entry: e.AwardDecided, _: PastAt) -> None:
    invariant(entry.decision == state.decision + 1, "decisions are numbered without a gap")
    apply_award(state, entry)


def _award_undone(state: CarruselState, entry: e.AwardUndone, _: PastAt) -> None:
    invariant(entry.decision == state.decision + 1, "decisions are numbered without a gap")
    undo_award(state, entry.table, entry.decision)


def _order_overridden(state: CarruselState, entry: e.OrderOverridden, _: PastAt) -> None:
    member = state.members.get(entry.table)
    if member is not None and member.locked is not None and member.locked.hand == entry.hand:
        member.locked.overridden = True


def _head_seen(state: CarruselState, entry: e.HeadSeen, _: PastAt) -> None:
    state.heads[entry.table] = entry.note


_STEPS: dict[type[e.LogEntry], Callable[[CarruselState, Any, PastAt], None]] = {
    e.LogOpened: _log_opened,
    e.LogContinuedIn: _continued_in,
    e.CoordinatorAdmitted: _coordinator_admitted,
    e.MemberJoined: _member_joined,
    e.OperationsTaken: _operations_taken,
    e.MemberLeaving: _member_leaving,
    e.MemberLeft: _member_left,
    e.MemberStopped: _member_stopped,
    e.AwardDecided: _award_decided,
    e.AwardUndone: _award_undone,
    e.OrderOverridden: _order_overridden,
    e.HeadSeen: _head_seen,
}
