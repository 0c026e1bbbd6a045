"""The short way over a ledger that nobody has touched: whole pieces of it, as they are hashed.

It sees whatever ``Walk`` sees and names none of it: at the first thing that is not as it should be
it gives up with ``Untidy``, and the ledger is walked batch by batch. What is usual at a table is
checked by ``usual``, all else by the same judge.
"""

from __future__ import annotations

from contextlib import closing

from jackpot.audit.checker.findings import Findings, Untidy
from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.pieces import Ahead, Piece
from jackpot.audit.checker.usual import Usual
from jackpot.audit.checker.walk import TURNING_POINTS, Progress, Walk


class SwiftWalk(Walk):
    """A pass without findings, or ``Untidy``. Notes are those of the other walk.

    ``ahead``: somebody else reads the next piece meanwhile.
    """

    def __init__(
        self,
        file: LedgerFile,
        findings: Findings,
        public_key: str | None,
        witnesses: tuple[str, ...],
        ahead: Ahead | None = None,
    ) -> None:
        super().__init__(file, findings, public_key, witnesses)
        self.ahead = ahead
        self.usual = Usual(self.judge.table, self.checkpoints.overdue)

    def _along(self, progress: Progress | None, in_all: int) -> None:
        self._tidy()
        last = self.file.last_batch()
        if self.file.count("batch") != last:
            raise Untidy("batches that are not numbered 1, 2, 3")
        read = self.file.pieces(last)
        with closing(self.ahead(read) if self.ahead else read) as all_pieces:
            for piece in all_pieces:
                for part in piece.parts(self.checkpoints.stops):
                    self._part(part)
                    self._tidy()
                if progress and self.chain.batch < in_all:
                    progress(self.chain.batch, in_all)
        if self.file.last_seq() != self.chain.seq:
            raise Untidy("events that no batch has")

    def _part(self, part: Piece) -> None:
        """The record, then the rules; where a clock went back, batch by batch."""
        times = [header[1] for header in part.headers]
        if times[0] < self.chain.at_ns or times != sorted(times):
            self._one_by_one(part)
            return
        texts = part.texts(self.chain.hash)
        self.chain.add_all(part.headers, texts, part.hashes, part.rows(-1))
        self._rules(part)
        if self.chain.batch in self.checkpoints.stops:
            self.checkpoints.reached(self.chain, self.judge.table)

    def _one_by_one(self, part: Piece) -> None:
        for at, (header, stored) in enumerate(zip(part.headers, part.hashes, strict=True)):
            self._one(header, stored, part.rows(at))

    def _rules(self, part: Piece) -> None:
        """What is usual in one go, each other batch by the judge."""
        judge, table, headers = self.judge, self.judge.table, part.headers
        bodies, hands = part.bodies(), [header[2] for header in headers]
        at = self.usual.along(bodies, hands, 0)
        while at < len(headers):
            batch, hand, before, rows = headers[at][0], hands[at], table.hand, part.rows(at)
            judge.batch(batch, rows)
            if hand is not None and hand != table.hand and hand != before:
                raise Untidy("the batch names another hand")
            kind = rows[0][2]
            if kind in TURNING_POINTS:
                self._turn(batch, rows[0])
            elif kind == "chip_seen":
                self.usual.learn(bodies[at], rows)
            at = self.usual.along(bodies, hands, at + 1)
        self.events += len(part.events)

    def _end(self) -> None:
        super()._end()
        self._tidy()

    def _tidy(self) -> None:
        if self.findings.findings:
            raise Untidy(self.findings.findings[0].text())
