"""Which events belong to which batch, also where somebody has changed the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.judge import EventRow


class Events:
    """Deals the rows of the events out to their batches, whatever the numbers say."""

    def __init__(
        self, pieces: Iterator[list[tuple[Any, ...]]], findings: Findings, ahead: int
    ) -> None:
        self._pieces = pieces
        self._findings = findings
        self._rows: list[EventRow] = []
        self._at = 0
        self._more = True
        self._in_order = False
        self._ahead = ahead

    def of(self, batch: int, first_seq: int, count: int) -> list[EventRow]:
        """The rows of ``batch``: the ``count`` next ones if they say so themselves.

        Sequence numbers are keys, so first, last and count say that there is no gap; and where the
        batch numbers of a piece never fall, first and last say that all between are of ``batch``.
        """
        if self._in_order:
            end = self._at + count
            rows = self._rows[self._at : end]
            if len(rows) == count and rows:
                first, last = rows[0], rows[-1]
                if (
                    first[0] == first_seq
                    and last[0] == first_seq + count - 1
                    and first[1] == batch == last[1]
                ):
                    self._at = end
                    return rows
        return self._looked_for(batch, first_seq, count)

    def _looked_for(self, batch: int, first_seq: int, count: int) -> list[EventRow]:
        """The same at the edge of a piece, and where the numbers do not agree."""
        if not isinstance(count, int) or not isinstance(first_seq, int):
            return self._taken(self._leading(batch))
        self._fill(min(count, self._ahead) + 1)
        self._skip_before(batch, first_seq)
        rows = self._rows[self._at : self._at + max(count, 0)]
        whole = rows and rows[-1][0] == first_seq + count - 1
        if whole and {row[1] for row in rows} == {batch}:
            return self._taken(count)
        if whole and len(rows) == count and rows[0][0] == first_seq and rows[-1][1] == batch:
            for row in rows:
                if row[1] != batch:
                    self._strange(row, f"batch {batch}")
            return self._taken(count)
        return self._taken(self._leading(batch))

    def rest(self) -> None:
        """Events that no batch has."""
        self._fill(1)
        while self._at < len(self._rows):
            self._strange(self._rows[self._at], "a batch that has it")
            self._at += 1
            self._fill(1)

    def _skip_before(self, batch: int, first_seq: int) -> None:
        """Events before a batch that none before it took; only if the batch's own follow."""
        while self._at < len(self._rows):
            row = self._rows[self._at]
            if row[1] == batch or row[0] >= first_seq:
                return
            self._strange(row, "a batch that has it")
            self._at += 1
            self._fill(1)

    def _leading(self, batch: int) -> int:
        """How many of the next rows name ``batch``."""
        count = 0
        self._fill(1)
        while self._at + count < len(self._rows) and self._rows[self._at + count][1] == batch:
            count += 1
            self._fill(count + 1)
        return count

    def _taken(self, count: int) -> list[EventRow]:
        rows = self._rows[self._at : self._at + count]
        self._at += count
        return rows

    def _fill(self, wanted: int) -> None:
        """Have ``wanted`` rows ahead, if there are as many."""
        while self._more and len(self._rows) - self._at < wanted:
            piece = next(self._pieces, None)
            if piece is None:
                self._more = False
                return
            self._rows = [*self._rows[self._at :], *piece]
            self._at = 0
            batches = [row[1] for row in self._rows]
            whole = all(isinstance(batch, int) for batch in batches)
            self._in_order = whole and batches == sorted(batches)

    def _strange(self, row: EventRow, expected: str) -> None:
        self._findings.at(row[1], row[0])
        self._findings.wrong(
            "seq_numbers", "an event out of its place", expected, f"batch {row[1]}"
        )
