"""A ledger as its auditor reads it: with apsw, read-only, up to the batch that was last at opening.

Rows never change, so nothing needs to be copied: every piece is read in a short transaction of its
own, which never holds back the write-ahead log of a table that plays on. The checker of the same
process uses apsw as well: two SQLite libraries on one file would drop each other's locks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import apsw

from jackpot.audit.standing import Standing
from jackpot.ledger.chain import BatchRow, EventRow
from jackpot.ledger.errors import LedgerUnreadable

APPLICATION_ID = 0x4A504C31
"""``JPL1`` in the header of the file (docs/ledger.md)."""

PIECE_BATCHES = 2_048
"""About five thousand events, one megabyte: read in some five milliseconds."""

BUSY_TIMEOUT_MS = 2_000
"""A reader waits for nobody but a recovery after a crash."""

_BATCHES = (
    "SELECT batch, at_ns, hand, rules, cause, first_seq, events, hash FROM batch "
    "WHERE batch BETWEEN ? AND ? ORDER BY batch"
)
_EVENTS = (
    "SELECT seq, batch, kind, box, cents, microcents, info FROM event "
    "WHERE seq BETWEEN ? AND ? ORDER BY seq"
)

RawBatch = tuple[BatchRow, Sequence[EventRow]]
"""A batch as stored, and the rows of its events."""

Piece = tuple[list[BatchRow], list[EventRow]]
"""Some batches as stored, and the rows of all their events."""


class Source:
    """One ledger, opened for reading. ``batch``, ``seq`` and ``hash`` are its end at opening;
    ``standing`` is what the checker was found to say of it, by whoever asked."""

    def __init__(self, path: Path) -> None:
        """Raises ``LedgerUnreadable``."""
        self.path = path
        self._db = _opened(path)
        self.batch, self.seq, self.hash = 0, 0, ""
        self.standing = Standing()
        try:
            self._check()
            self.about = {str(key): str(value) for key, value in self.rows("SELECT * FROM about")}
            last = self.rows(
                "SELECT batch, first_seq + events - 1, hash FROM batch ORDER BY batch DESC LIMIT 1"
            )
            if last:
                self.batch, self.seq, self.hash = last[0]
        except LedgerUnreadable:
            self.close()
            raise

    def _check(self) -> None:
        if self.rows("PRAGMA application_id") != [(APPLICATION_ID,)]:
            raise unreadable(self.path, "an SQLite file that is no ledger")
        tables = {row[0] for row in self.rows("SELECT name FROM sqlite_schema")}
        if missing := {"about", "batch", "event"} - tables:
            raise unreadable(self.path, f"a ledger without {', '.join(sorted(missing))}")

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Whatever a query of ours finds, read to its end at once.

        Raises ``LedgerUnreadable`` when SQLite cannot read on.
        """
        try:
            return self._db.execute(sql, tuple(values)).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise unreadable(self.path, str(error)) from error

    def pieces(self, first: int = 1, last: int | None = None) -> Iterator[Piece]:
        """The stored batches from ``first`` to ``last`` (or the end), both included, not checked.

        No piece holds batches of two versions of the rules. Raises ``LedgerUnreadable`` when
        SQLite cannot read on.
        """
        end = self.batch if last is None else min(last, self.batch)
        for start in range(first, end + 1, PIECE_BATCHES):
            headers = self.rows(_BATCHES, (start, min(start + PIECE_BATCHES - 1, end)))
            for _, group in groupby(headers, key=itemgetter(3)):
                of_one_version = list(group)
                seqs = (of_one_version[0][5], sum(of_one_version[-1][5:7]) - 1)
                yield of_one_version, self.rows(_EVENTS, seqs)

    def batches(self, first: int = 1, last: int | None = None) -> Iterator[RawBatch]:
        """The same, batch by batch."""
        for headers, rows in self.pieces(first, last):
            seq = headers[0][5]
            for header in headers:
                begin = header[5] - seq
                yield header, rows[begin : begin + header[6]]

    def meters(self) -> dict[str, int]:
        """The derived amount of each pool in micro-cents, as the ledger itself keeps it now."""
        return dict(self.rows("SELECT key, value FROM latest WHERE what = 'meter'"))

    def close(self) -> None:
        """Give the file back."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def unreadable(path: Path, found: str) -> LedgerUnreadable:
    """The refusal for a file that an auditor cannot read."""
    return LedgerUnreadable(
        reason="ledger_unreadable",
        expected=f"a ledger at {path}",
        found=found,
        to_do="check the path; keep a damaged file as it is and look at the last snapshot",
    )


def _opened(path: Path) -> apsw.Connection:
    """Read-only; where the place takes no shared-memory file either, as a file nobody changes."""
    if not path.is_file():
        raise unreadable(path, "no such file")
    uri = f"file:{quote(str(path.resolve()))}?mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        database = apsw.Connection(uri, flags=flags)
        try:
            database.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except apsw.CantOpenError:
            database.close()
            if path.with_name(path.name + "-wal").exists():
                raise
            database = apsw.Connection(uri + "&immutable=1", flags=flags)
        database.set_busy_timeout(BUSY_TIMEOUT_MS)
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA query_only = ON")
    except apsw.Error as error:
        raise unreadable(path, str(error)) from error
    return database
