"""What comes next in the log: decisions first, then what the tables have told.

Everything here is a pure function of the log's state and of what was received.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from jackpot.errors import Refused
from jackpot.law.policies import CarruselOrder
from jackpot.link import entries as e
from jackpot.link import messages as m
from jackpot.link.base import decide, undo
from jackpot.link.inbox import Inbox
from jackpot.link.members import LockedHand, Member, MemberState
from jackpot.link.state import CarruselState
from jackpot.table.carrusel_finding import Finding, finding

OPERATIONS_PER_PROPOSAL = 1_000
"""A quarter of a megabyte, and half a one with as many entries as there may be: what every store takes in
one message (NATS: a mebibyte)."""

ENTRIES_PER_PROPOSAL = 500
"""One append serves so many tables: on a slow disk it is the number of appends that counts."""

JOINS_PER_PROPOSAL = 64
"""Each has a table's terms with it, two kilobytes."""


class Named(Protocol):
    """A coordinator's settings: its name, and keys by name, its own among them."""

    @property
    def name(self) -> str:
        """As in the log."""

    @property
    def coordinators(self) -> Mapping[str, str]:
        """Public keys."""


def may_append(state: CarruselState, own: Named) -> bool:
    """Whether the log goes on here and takes entries of this coordinator: it opens it, or the log
    names its key."""
    known = state.coordinators.get(own.name) == own.coordinators[own.name]
    return not state.closed and (known or not state.log_id)


def next_decision(state: CarruselState, findings: dict[str, Finding]) -> e.LogEntry | None:
    """The undoing or the award that is due; at most one, since the next depends on it."""
    for member in state.those(state.waiting):
        if member.locked is not None and member.locked.reversal_asked:
            return undo(state, member, member.locked)
    for member, locked in _in_order(state):
        if not _may_be_decided(state, member, locked):
            continue
        try:
            return decide(state, member, locked)
        except Refused as refused:
            findings[member.table] = finding("claim_refused", hand=locked.hand, why=str(refused))
    return None


def _in_order(state: CarruselState) -> list[tuple[Member, LockedHand]]:
    """Claims in the order of the log (``arrival``) or of their locks (``lock_position``)."""
    claims = state.claims()
    if any(by_lock(member) for member, _ in claims):
        claims.sort(key=lambda pair: pair[1].lock_position)
    return claims


def by_lock(member: Member) -> bool:
    """Whether claims wait for hands that were locked earlier."""
    return member.terms.policies.carrusel_order is CarruselOrder.LOCK_POSITION


def _may_be_decided(state: CarruselState, member: Member, locked: LockedHand) -> bool:
    """Not of a stopped box; under ``lock_position`` not while an earlier hand is undecided."""
    if member.state is MemberState.STOPPED:
        return False
    if not by_lock(member) or locked.overridden:
        return True
    return not waits_for(state, locked)


def waits_for(state: CarruselState, locked: LockedHand) -> list[Member]:
    """The tables whose hands were locked before this one and are neither decided nor over."""
    return [
        other
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


class LettingGo:
    """When no hand can count any more on a table that leaves: each other table shows a later total, and
    all that it had told before that is in the log. Once so, it stays so: a view never goes back."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, int, str], m.NodeBeat] = {}

    def heard(self, state: CarruselState, beat: m.NodeBeat) -> None:
        """A sign of life: what its table shows now, and what it has told."""
        for leaving in state.those(state.leaving):
            since = leaving.leaving_position
            if since and beat.view_position >= since:
                key = leaving.table, since, beat.table
                known = self._first.get(key)
                if known is None or known.incarnation != beat.incarnation:
                    self._first[key] = beat

    def left(self, table: str) -> None:
        """The table has left."""
        self._first = {key: beat for key, beat in self._first.items() if key[0] != table}

    def is_let_go(self, state: CarruselState, leaving: Member) -> bool:
        """Whether the table may take its meter along."""
        return not self.held_by(state, leaving)

    def held_by(self, state: CarruselState, leaving: Member) -> list[Member]:
        """The tables of which a hand may still count on the one that leaves."""
        others = (member for member in state.members.values() if member is not leaving)
        return [member for member in others if not self._lets_go(leaving, member)]

    def _lets_go(self, leaving: Member, member: Member) -> bool:
        since, locked = leaving.leaving_position, member.locked
        if member.state is MemberState.STOPPED:
            return True
        if locked is not None and locked.view_position < since:
            return False
        if member.state is MemberState.LEAVING and locked is None:
            return True  # no hand starts at a table that leaves
        beat = self._first.get((leaving.table, since, member.table))
        if beat is None or beat.incarnation != member.incarnation:
            return False
        return member.operation >= beat.operation


def leaves(state: CarruselState, letting_go: LettingGo) -> Iterable[e.MemberLeaving | e.MemberLeft]:
    """Tables that leave the total, and those on which no hand counts any more."""
    for member in state.those(state.leaving):
        if member.state is MemberState.MEMBER and member.asks_to_leave:
            yield e.MemberLeaving(table=member.table)
        elif member.state is MemberState.LEAVING and letting_go.is_let_go(state, member):
            yield e.MemberLeft(table=member.table, meter_microcents=member.meter_microcents)


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
