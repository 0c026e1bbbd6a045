"""What comes next in the log: decisions first, then what the tables have told.

Everything here is a pure function of the log's state and of what was received.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jackpot.errors import Refused
from jackpot.law.policies import CarruselOrder
from jackpot.link import entries as e
from jackpot.link import messages as m
from jackpot.link.base import decide, undo
from jackpot.link.inbox import Inbox
from jackpot.link.members import LockedHand, Member, MemberState
from jackpot.link.state import CarruselState

OPERATIONS_PER_PROPOSAL = 1_000
"""A quarter of a megabyte: what every store takes in one message."""

ENTRIES_PER_PROPOSAL = 64
"""One append serves so many tables, and is still written in a millisecond or two."""


def next_decision(state: CarruselState, findings: dict[str, str]) -> e.LogEntry | None:
    """The undoing or the award that is due; at most one, since the next depends on it."""
    for member in state.members.values():
        if member.locked is not None and member.locked.reversal_asked:
            return undo(state, member, member.locked)
    for member, locked in _in_order(state):
        if not _may_be_decided(state, member, locked):
            continue
        try:
            return decide(state, member, locked)
        except Refused as refused:
            findings[member.table] = f"the claim on hand {locked.hand} cannot be: {refused}"
    return None


def _in_order(state: CarruselState) -> list[tuple[Member, LockedHand]]:
    """Claims in the order of the log (``arrival``) or of their locks (``lock_position``)."""
    claims = state.claims()
    if any(_by_lock(member) for member, _ in claims):
        claims.sort(key=lambda pair: pair[1].lock_position)
    return claims


def _by_lock(member: Member) -> bool:
    return member.terms.policies.carrusel_order is CarruselOrder.LOCK_POSITION


def _may_be_decided(state: CarruselState, member: Member, locked: LockedHand) -> bool:
    """Not of a stopped box; under ``lock_position`` not while an earlier hand is undecided."""
    if member.state is MemberState.STOPPED:
        return False
    if not _by_lock(member) or locked.overridden:
        return True
    return not waits_for(state, locked)


def waits_for(state: CarruselState, locked: LockedHand) -> list[str]:
    """The tables whose hands were locked before this one and are neither decided nor over."""
    return [
        other.table
        for other in state.members.values()
        if other.state is not MemberState.STOPPED
        and other.locked is not None
        and other.locked.decided is None
        and other.locked.lock_position < locked.lock_position
    ]


def joined(state: CarruselState, birth: m.Birth) -> e.MemberJoined:
    """The join that a table asked for; what the log has for it stands."""
    known = state.members.get(birth.table)
    offered = birth.meter_microcents
    return e.MemberJoined(
        table=birth.table,
        ledger=birth.ledger,
        incarnation=birth.incarnation,
        join_hash=birth.join_hash,
        officers=birth.officers,
        authorisation=birth.authorisation,
        terms=birth.terms,
        meter_microcents=offered if known is None else known.meter_microcents,
        offered_microcents=offered,
    )


def leaves(state: CarruselState, beats: Mapping[str, m.NodeBeat]) -> Iterable[e.LogEntry]:
    """Tables that leave the total, and those on which no hand counts any more."""
    for member in state.members.values():
        if member.state is MemberState.MEMBER and member.asks_to_leave:
            yield e.MemberLeaving(table=member.table)
        elif member.state is MemberState.LEAVING and _is_let_go(state, member, beats):
            yield e.MemberLeft(table=member.table, meter_microcents=member.meter_microcents)


def _is_let_go(state: CarruselState, leaving: Member, beats: Mapping[str, m.NodeBeat]) -> bool:
    """Whether no hand can count on the table any more: none is locked on an earlier view, and every
    other table shows a later one, with all that it told before in the log."""
    since = leaving.leaving_position
    for member in state.members.values():
        if member is leaving or member.state is MemberState.STOPPED:
            continue
        if member.locked is not None and member.locked.view_position < since:
            return False
        if member.state is MemberState.LEAVING and member.locked is None:
            continue  # no hand starts at a table that leaves
        beat = beats.get(member.table)
        if beat is None or beat.incarnation != member.incarnation:
            return False
        if beat.view_position < since or member.operation < beat.operation:
            return False
    return True


def operations(
    state: CarruselState, inbox: Inbox, skip: set[str], room: int
) -> list[e.OperationsTaken]:
    """What the tables have told, oldest first within each."""
    taken: list[e.OperationsTaken] = []
    left = OPERATIONS_PER_PROPOSAL
    for table in inbox.tables():
        member = state.members.get(table)
        if member is None or table in skip or member.state is MemberState.STOPPED:
            continue
        some = inbox.take(member, min(left, m.MAX_OPERATIONS_PER_MESSAGE), state.position)
        if some:
            left -= len(some)
            taken.append(
                e.OperationsTaken(table=table, incarnation=member.incarnation, operations=some)
            )
        if left <= 0 or len(taken) >= room:
            break
    return taken
