"""The way up: a table's operations from its ledger to the log, until the log acknowledges them.

Nothing is kept here that the ledger does not hold. An acknowledgement may also be lower than the one
before (the log was put back): then operations are said again, and the log ignores what it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jackpot.link.messages import MAX_OPERATIONS_PER_MESSAGE, Ack, Operation
from jackpot.link.outbox import Batch, Join, join_in, operation_of
from jackpot.table.carrusel_finding import Finding, finding

RESEND_MS = 1_000
"""What was not answered is said again; longer than any round trip, so that little is said twice."""

WINDOW_OPERATIONS = 4 * MAX_OPERATIONS_PER_MESSAGE
"""Operations under way at once, four messages of them: the rest waits in the ledger."""


class Uplink:
    """Numbered operations of the present incarnation; ``join`` is where it begins."""

    def __init__(self, join: Batch | None, last: Batch | None, now_ms: int) -> None:
        self.join: Join | None = None if join is None else join_in(join.events, join.hash)
        self.last_hash = "" if join is None else join.hash
        """The hash of the last operation that the ledger holds (of the join for none)."""
        if last is not None:
            self.last_hash = last.hash
        self.acked: int | None = None
        """The last operation in the log as last heard; None before the first acknowledgement."""
        self.resend_due_ms = now_ms
        self._acked_hash = ""
        self._waiting: list[Operation] = []
        self._sent = 0

    def committed(self, batch: Batch) -> None:
        """A batch of the ledger: perhaps a join, perhaps an operation."""
        asked = join_in(batch.events, batch.hash)
        if asked is not None:
            self.join, self.last_hash = asked, batch.hash
            self.acked, self._waiting, self._sent = None, [], 0
        operation = operation_of(batch.events, batch.hash, self.last_hash)
        if operation is None:
            return
        self.last_hash = operation.hash
        if operation.number == self._next_number() and len(self._waiting) < WINDOW_OPERATIONS:
            self._waiting.append(operation)

    def _next_number(self) -> int:
        """The number of the operation that would follow those at hand."""
        return (self._waiting[-1].number if self._waiting else self.acked or 0) + 1

    def wanted_after(self, operation: int) -> int | None:
        """The number after which operations are to be read again from a ledger that holds
        ``operation`` of them; None while there are enough."""
        following = self._next_number()
        if self.acked is None or following > operation:
            return None
        return following - 1 if 2 * len(self._waiting) < WINDOW_OPERATIONS else None

    def provided(self, batches: Sequence[Batch]) -> Finding | None:
        """Batches read again, the first of them that of the operation before. Returns what proves
        that the log followed another ledger; None if nothing does."""
        if not batches:
            return None
        previous = batches[0].hash
        for batch in batches[1:]:
            operation = operation_of(batch.events, batch.hash, previous)
            if operation is None:
                continue
            previous = operation.hash
            if operation.number != self._next_number():
                continue
            if operation.number == (self.acked or 0) + 1 and operation.previous != self._acked_hash:
                return finding("other_operation", number=operation.number - 1)
            if len(self._waiting) < WINDOW_OPERATIONS:
                self._waiting.append(operation)
        return None

    def heard(self, ack: Ack, now_ms: int) -> None:
        """What the log holds of this incarnation."""
        if ack.operation != self.acked:
            self.resend_due_ms = now_ms + RESEND_MS
        self.acked, self._acked_hash = ack.operation, ack.hash
        self._sent = max(self._sent, ack.operation)
        rest = [op for op in self._waiting if op.number > ack.operation]
        self._waiting = rest if rest and rest[0].number == ack.operation + 1 else []
        if not self._waiting:
            self._sent = ack.operation

    def disagrees(self, ack: Ack, operation: int) -> Finding | None:
        """What proves that this ledger, with ``operation`` operations, is not the one that the log
        followed; None if nothing does."""
        if ack.operation > operation:
            return finding("restored_copy", log=ack.operation, ledger=operation)
        if ack.operation == operation and ack.hash != self.last_hash:
            return finding("other_operation", number=operation)
        first = self._waiting[0] if self._waiting else None
        if first is not None and first.number == ack.operation + 1 and first.previous != ack.hash:
            return finding("other_operation", number=ack.operation)
        return None

    def to_send(self, now_ms: int) -> Iterator[tuple[Operation, ...]]:
        """What to say now, message by message: what is new, and everything when it is due again."""
        if self.acked is None or not self._waiting:
            return
        if now_ms >= self.resend_due_ms:
            self._sent = self.acked
        new = [op for op in self._waiting if op.number > self._sent]
        if not new:
            return
        self._sent = new[-1].number
        self.resend_due_ms = now_ms + RESEND_MS
        for at in range(0, len(new), MAX_OPERATIONS_PER_MESSAGE):
            yield tuple(new[at : at + MAX_OPERATIONS_PER_MESSAGE])

    @property
    def is_waiting(self) -> bool:
        """Whether something was said that is not acknowledged."""
        return self.acked is not None and bool(self._waiting)
