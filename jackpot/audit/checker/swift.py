"""The short way over a ledger that nobody has touched: whole pieces of it, column by column.

It sees whatever ``Walk`` sees and names none of it: at the first thing that is not as it should be
it gives up with ``Untidy``, and the ledger is walked batch by batch. What is usual at a table is
checked by ``usual``, all else by the same judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, repeat

from jackpot.audit.checker.chain import StoredBatch
from jackpot.audit.checker.findings import Untidy
from jackpot.audit.checker.judge import EventRow
from jackpot.audit.checker.usual import Step, Usual
from jackpot.audit.checker.walk import TURNING_POINTS, Progress, Walk

Part = tuple[list[StoredBatch], list[list[EventRow]]]
"""Batches as stored, and the rows of the events of each."""


class SwiftWalk(Walk):
    """A pass without findings, or ``Untidy``. Notes are those of the other walk."""

    def _along(self, progress: Progress | None, in_all: int) -> None:
        self._tidy()
        usual = Usual(self.judge.table).steps
        for batches, rows in self.file.pieces(self.findings):
            if not _numbered(batches, rows, self.chain.batch, self.chain.seq):
                raise Untidy("numbers that leave a gap, or an event out of its place")
            for part in _parts(batches, rows, self.checkpoints.stops):
                self._part(*part, usual)
                self._tidy()
            if progress:
                progress(self.chain.batch, in_all)
        if self.file.last_seq() != self.chain.seq:
            raise Untidy("events that no batch has")

    def _part(
        self, batches: list[StoredBatch], groups: list[list[EventRow]], usual: dict[str, Step]
    ) -> None:
        """The record by columns, then the rules; where a clock went back, batch by batch."""
        if _clock_went_back(batches, self.chain.at_ns):
            for stored, rows in zip(batches, groups, strict=True):
                self._one(stored[:7], stored[7], rows)
            return
        self.chain.add_all(batches, groups)
        judge, table = self.judge, self.judge.table
        for stored, rows in zip(batches, groups, strict=True):
            hand, kind, before = stored[2], rows[0][2], table.hand
            step = usual.get(kind)
            if step is None or not step(rows):
                judge.batch(stored[0], rows)
            if hand is not None and hand != table.hand and hand != before:
                raise Untidy("the batch names another hand")
            if kind in TURNING_POINTS:
                self._turn(stored[0], rows[0])
            self.events += len(rows)
        if self.chain.batch in self.checkpoints.stops:
            self.checkpoints.reached(self.chain, table)

    def _end(self) -> None:
        super()._end()
        self._tidy()

    def _tidy(self) -> None:
        if self.findings.findings:
            raise Untidy(self.findings.findings[0].text())


def _numbered(
    batches: Sequence[StoredBatch], rows: Sequence[EventRow], batch: int, seq: int
) -> bool:
    """Batches go on after ``batch``, events after ``seq``; each stands in its batch, none is empty."""
    numbers, _, _, _, _, firsts, counts, _ = zip(*batches, strict=True)
    return (
        min(counts) > 0
        and numbers == tuple(range(batch + 1, batch + 1 + len(batches)))
        and firsts == tuple(accumulate(counts[:-1], initial=seq + 1))
        and [row[0] for row in rows] == list(range(seq + 1, seq + 1 + sum(counts)))
        and [row[1] for row in rows] == list(chain.from_iterable(map(repeat, numbers, counts)))
    )


def _parts(batches: list[StoredBatch], rows: list[EventRow], stops: set[int]) -> Iterator[Part]:
    """The events by batch; a part ends where a checkpoint looks at the table."""
    seq, groups = rows[0][0], []
    for _, _, _, _, _, first, count, _ in batches:
        at = first - seq
        groups.append(rows[at : at + count])
    first_batch, begin = batches[0][0], 0
    for stop in sorted(stops.intersection(range(first_batch, first_batch + len(batches)))):
        end = stop - first_batch + 1
        yield batches[begin:end], groups[begin:end]
        begin = end
    if begin < len(batches):
        yield batches[begin:], groups[begin:]


def _clock_went_back(batches: list[StoredBatch], at_ns: int) -> bool:
    times = [stored[1] for stored in batches]
    return times[0] < at_ns or times != sorted(times)
