"""The short way over a ledger that nobody has touched: whole pieces of it, as columns.

It sees whatever ``Walk`` sees and names none of it: at the first thing that is not as it should be
it gives up with ``Untidy``, and the ledger is walked batch by batch. What is usual at a table is
checked by ``usual``, all else by the same judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from jackpot.audit.checker.chain import Header
from jackpot.audit.checker.columns.piece import Piece, Source
from jackpot.audit.checker.findings import Findings, Untidy
from jackpot.audit.checker.judge import EventRow
from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.usual import Usual
from jackpot.audit.checker.walk import Progress, Walk

PIECE_BATCHES = 4_096
"""Some ten megabytes while it is looked at: large enough to be quick, small enough for any machine."""

Span = tuple[int, int]
"""The numbers of the first and the last batch of a piece."""

Ahead = Callable[[Path, Sequence[Span], str], Iterator[Piece]]
"""The pieces of a ledger in their order, made by others meanwhile; the last argument is the hash
before the first batch."""


def pieces(file: LedgerFile, spans: Sequence[Span], start: str) -> Iterator[Piece]:
    """The pieces of a ledger in their order. Raises ``Untidy``."""
    columns = file.columns()
    for first, last in spans:
        yield columns.piece(first, last, start)


class SwiftWalk(Walk):
    """A pass without findings, or ``Untidy``. Notes are those of the other walk.

    ``ahead``: others make the pieces meanwhile.
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
        spans = list(_spans(last, self.checkpoints.states))
        start = self.chain.hash
        if self.ahead is None:
            all_pieces = pieces(self.file, spans, start)
        else:
            all_pieces = self.ahead(self.file.path, spans, start)
        for piece in all_pieces:
            self._piece(piece)
            if progress and self.chain.batch < in_all:
                progress(self.chain.batch, in_all)
        if self.file.last_seq() != self.chain.seq:
            raise Untidy("events that no batch has")

    def _piece(self, piece: Piece) -> None:
        """What is usual in one go, each other batch as in the other walk."""
        if (piece.first, piece.first_seq) != (self.chain.batch + 1, self.chain.seq + 1):
            raise Untidy("numbers that leave a gap")
        self._causes(piece.sources)
        usual, at, size = self.usual, 0, len(piece)
        usual.look_at(piece, sorted(self.checkpoints.stops), self.chain.at_ns)
        while at < size:
            begin, at = at, usual.along(at)
            if at > begin:
                self._passed(piece, begin, at)
                continue
            following = usual.next_from(at)
            at = self._judged(piece, at, usual.end_of(at) if following == at else following)

    def _causes(self, sources: Sequence[Source]) -> None:
        """Per source, numbers only grow. Raises ``Untidy``."""
        by_name: dict[str, list[Source]] = {}
        for source in sources:
            by_name.setdefault(source.name, []).append(source)
        for name, parts in by_name.items():
            order = np.argsort(np.concatenate([part.at for part in parts]))
            numbers = np.concatenate([part.number for part in parts])[order]
            if bool((np.diff(numbers, prepend=self.chain.sources.get(name, -1)) <= 0).any()):
                raise Untidy("the same cause twice")
            self.chain.sources[name] = int(numbers[-1])

    def _passed(self, piece: Piece, begin: int, end: int) -> None:
        """Usual hands are over."""
        events = int(piece.events[begin:end].sum())
        self.events += events
        self.chain.passed(
            end - begin, events, piece.hashes[end - 1].tobytes().decode(), int(piece.at_ns[end - 1])
        )
        if self.chain.batch in self.checkpoints.stops:
            self.checkpoints.reached(self.chain, self.judge.table)
        self._tidy()

    def _judged(self, piece: Piece, begin: int, end: int) -> int:
        """Batches by the judge; the place after them."""
        batches = self.file.some_batches(piece.first + begin, piece.first + end - 1)
        for at, (header, stored, rows) in enumerate(batches, begin):
            self._one(header, stored, rows)
            self.usual.learn(at, rows)
        self._tidy()
        return end

    def _link(self, header: Header, stored: str, rows: Sequence[EventRow]) -> None:
        """Its cause was looked at with all others of the piece."""
        self.chain.link(header, stored, rows)

    def _end(self) -> None:
        super()._end()
        self._tidy()

    def _tidy(self) -> None:
        if self.findings.findings:
            raise Untidy(self.findings.findings[0].text())


def _spans(last: int, states: dict[int, object]) -> Iterator[Span]:
    """All batches in pieces; where a state is stored, a piece ends."""
    first = 1
    for stop in (*sorted(batch for batch in states if 0 < batch < last), last):
        for begin in range(first, stop + 1, PIECE_BATCHES):
            yield begin, min(begin + PIECE_BATCHES - 1, stop)
        first = stop + 1
