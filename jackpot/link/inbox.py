"""Operations that wait for the log, table by table: only the exact successor gets in.

A box that was restored from an old copy counts on from an old number: its operations look like
duplicates of what the log holds, and their hashes do not. That is how it is found.
"""

from __future__ import annotations

from jackpot.link.members import Member
from jackpot.link.messages import NodeBeat, Operation
from jackpot.table.carrusel_finding import Finding, finding

INBOX_OPERATIONS = 1_000
"""Operations of one table that wait for the log; the node sends the others again."""

OLDER_COPY = finding("fewer_operations")
"""What a table's beat proves of its ledger; a later beat takes it back, where one was late."""


def note_age(findings: dict[str, Finding], member: Member | None, beat: NodeBeat) -> None:
    """A restored box stops itself and tells no operation that would give it away; its beats do."""
    if member is None or beat.incarnation > member.incarnation:
        return
    if (beat.incarnation, beat.operation) < (member.incarnation, member.operation):
        findings.setdefault(beat.table, OLDER_COPY)
    elif findings.get(beat.table) == OLDER_COPY:
        del findings[beat.table]


class Inbox:
    """What one coordinator has received and the log does not hold yet."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Operation]] = {}

    def offer(
        self, member: Member, operations: tuple[Operation, ...]
    ) -> tuple[bool, Finding | None]:
        """Keep what continues the log. Returns whether anything was there already (the table has
        missed its acknowledgement) or is missing before it, and what proves another ledger (None:
        nothing)."""
        waiting = self._waiting.get(member.table, [])
        answer = _kept(member, waiting, operations)
        if waiting:
            self._waiting[member.table] = waiting
        return answer

    def take(self, member: Member, at_most: int, position: int) -> tuple[Operation, ...]:
        """Operations to propose: consecutive, and none with a view that the log has not reached."""
        self.drop(member)
        waiting = self._waiting.get(member.table, [])
        taken: list[Operation] = []
        for op in waiting[:at_most]:
            if op.view_position is not None and op.view_position > position:
                break
            taken.append(op)
        return tuple(taken)

    def drop(self, member: Member) -> None:
        """Forget what the log holds by now, and what no longer continues it."""
        waiting = self._waiting.get(member.table)
        if not waiting:
            return
        rest = [op for op in waiting if op.number > member.operation]
        continues = rest and rest[0].number == member.operation + 1
        if continues and rest[0].previous == member.hash:
            self._waiting[member.table] = rest
        else:
            del self._waiting[member.table]

    def clear(self, table: str) -> None:
        """A table joined anew, left, or was stopped: nothing of before counts."""
        self._waiting.pop(table, None)

    def tables(self) -> list[str]:
        """The tables of which something waits."""
        return list(self._waiting)


def _kept(
    member: Member, waiting: list[Operation], operations: tuple[Operation, ...]
) -> tuple[bool, Finding | None]:
    again = False
    for op in operations:
        held = _held(member, waiting, op.number)
        if held is not None:
            again = True
            if held and held != op.hash:
                return again, finding("other_operation", number=op.number)
            continue
        number, last_hash = _last(member, waiting)
        if op.number != number + 1 or len(waiting) >= INBOX_OPERATIONS:
            return True, None
        if op.previous != last_hash:
            return again, finding("broken_operation", number=op.number, last=number)
        waiting.append(op)
    return again, None


def _last(member: Member, waiting: list[Operation]) -> tuple[int, str]:
    return (waiting[-1].number, waiting[-1].hash) if waiting else (member.operation, member.hash)


def _held(member: Member, waiting: list[Operation], number: int) -> str | None:
    """The hash of an operation that is there already; empty when it is too old to know; None when
    it is new."""
    if number < member.operation:
        return ""
    if number == member.operation:
        return member.hash
    at = number - waiting[0].number if waiting else 0
    return waiting[at].hash if waiting and 0 <= at < len(waiting) else None
