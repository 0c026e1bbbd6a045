"""The short way over a ledger that nobody has touched: whole pieces of it, column by column.

It sees whatever ``Walk`` sees and names none of it: at the first thing that is not as it should be
it gives up with ``Untidy``, and the ledger is walked batch by batch. What is usual at a table is
checked by ``usual``, all else by the same judge.
"""

from __future__ import annotations

from jackpot.audit.checker.chain import StoredBatch
from jackpot.audit.checker.findings import Findings, Untidy
from jackpot.audit.checker.judge import EventRow
from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.pieces import numbered, parts
from jackpot.audit.checker.record import Beside, Seen
from jackpot.audit.checker.usual import Step, Usual
from jackpot.audit.checker.walk import TURNING_POINTS, Progress, Walk


class SwiftWalk(Walk):
    """A pass without findings, or ``Untidy``. Notes are those of the other walk.

    ``beside`` sees to the record meanwhile; without it this walk does that too.
    """

    def __init__(
        self,
        file: LedgerFile,
        findings: Findings,
        public_key: str | None,
        witnesses: tuple[str, ...],
        beside: Beside | None = None,
    ) -> None:
        super().__init__(file, findings, public_key, witnesses)
        self.beside = beside
        self.last = file.last_batch()
        if beside is not None:
            beside.start(self.last)

    def _along(self, progress: Progress | None, in_all: int) -> None:
        self._tidy()
        usual = Usual(self.judge.table).steps
        for batches, rows in self.file.pieces(self.findings, self.last):
            numbered(batches, rows, self.chain.batch, self.chain.seq)
            for part in parts(batches, rows, self.checkpoints.stops):
                self._part(*part, usual)
                self._tidy()
            if progress and self.chain.batch < in_all:
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
        if self.beside is None:
            self.chain.add_all(batches, groups)
        else:
            self.chain.follow(batches[-1], groups[-1])
        judge, table = self.judge, self.judge.table
        for stored, rows in zip(batches, groups, strict=True):
            hand, kind, before = stored[2], rows[0][2], table.hand
            step = usual.get(kind) if table.carrusel is None else None
            if step is None or not step(rows):
                judge.batch(stored[0], rows)
            if hand is not None and hand != table.hand and hand != before:
                raise Untidy("the batch names another hand")
            if kind in TURNING_POINTS:
                self._turn(stored[0], rows[0])
            self.events += len(rows)
        if self.chain.batch in self.checkpoints.stops:
            if self.beside is not None and self.chain.batch in self.checkpoints.states:
                self.chain.sources = _whole(self.beside.seen()).at_states[self.chain.batch]
            self.checkpoints.reached(self.chain, table)

    def _end(self) -> None:
        if self.beside is not None:
            self.chain.sources = _whole(self.beside.seen()).at_end
        super()._end()
        self._tidy()

    def _tidy(self) -> None:
        if self.findings.findings:
            raise Untidy(self.findings.findings[0].text())


def _clock_went_back(batches: list[StoredBatch], at_ns: int) -> bool:
    times = [stored[1] for stored in batches]
    return times[0] < at_ns or times != sorted(times)


def _whole(seen: Seen | None) -> Seen:
    if seen is None:
        raise Untidy("the record is not whole")
    return seen
