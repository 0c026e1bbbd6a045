"""Reading a ledger while somebody else writes it: for replay, history and evidence.

Batches come in pieces, each read in one go, so that a slow reader never holds back the copying of
the write-ahead log; nothing read can change between two pieces, because nothing ever changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from jackpot.ledger.chain import BatchRow, EventRow, batch_hash, genesis_hash
from jackpot.ledger.codec import Codec
from jackpot.ledger.connection import READ_ERRORS, connect_reader, translated
from jackpot.ledger.errors import LedgerAltered
from jackpot.ledger.machine import Head, Recorded
from jackpot.ledger.schema import version_of
from jackpot.table.event import Event

PIECE_BATCHES = 512
"""A few thousand events: under 2 MiB, and some ten milliseconds."""

_SELECT_BATCHES = """
SELECT batch, at_ns, hand, rules, cause, first_seq, events, hash FROM batch
WHERE batch BETWEEN ? AND ? ORDER BY batch
"""
_SELECT_EVENTS = """
SELECT seq, batch, kind, box, cents, microcents, info FROM event
WHERE seq BETWEEN ? AND ? ORDER BY seq
"""


RawBatch = tuple[BatchRow, list[EventRow]]
"""A batch as stored, and the rows of its events."""


def about_of(connection: sqlite3.Connection) -> dict[str, str]:
    """What the ledger says of itself since its creation."""
    return dict(connection.execute("SELECT key, value FROM about"))


def head_of(connection: sqlite3.Connection) -> Head:
    """The end of the chain; the genesis hash for an empty ledger."""
    row = connection.execute(
        "SELECT batch, first_seq + events - 1, hash FROM batch ORDER BY batch DESC LIMIT 1"
    ).fetchone()
    return Head(*row) if row else Head(0, 0, genesis_hash(about_of(connection).items()))


def raw_batches(connection: sqlite3.Connection, first: int, last: int) -> Iterator[RawBatch]:
    """The stored batches from ``first`` to ``last``, both included."""
    for start in range(first, last + 1, PIECE_BATCHES):
        headers = connection.execute(
            _SELECT_BATCHES, (start, min(start + PIECE_BATCHES - 1, last))
        ).fetchall()
        if not headers:
            return
        seq = headers[0][5]
        rows = connection.execute(
            _SELECT_EVENTS, (seq, headers[-1][5] + headers[-1][6] - 1)
        ).fetchall()
        for header in headers:
            begin = header[5] - seq
            yield header, rows[begin : begin + header[6]]


def checked_batches(connection: sqlite3.Connection, after: Head, last: int) -> Iterator[RawBatch]:
    """The batches after ``after``, the chain checked. Raises ``LedgerAltered`` at the first break."""
    batch, seq, previous = after
    for stored, rows in raw_batches(connection, batch + 1, last):
        batch += 1
        count = len(rows)
        as_expected = (
            stored[0] == batch
            and stored[5] == seq + 1
            and stored[6] == count > 0
            and (rows[0][0], rows[-1][0]) == (seq + 1, seq + count)
            and [row[1] for row in rows].count(batch) == count
            and batch_hash(previous, stored[:7], rows) == stored[7]
        )
        if not as_expected:
            raise _broken_chain(batch)
        seq += count
        previous = stored[7]
        yield stored, rows
    if batch != last:
        raise _broken_chain(batch + 1)


def _broken_chain(batch: int) -> LedgerAltered:
    return LedgerAltered(
        reason="chain_broken",
        expected=f"batch {batch} as it was written",
        found="other numbers or another hash",
        to_do="keep the file, compare it with the last snapshot and the signed checkpoints",
    )


def decoded(raw: RawBatch, codec: Codec) -> Recorded:
    """A stored batch with its events."""
    (batch, at_ns, hand, rules, cause, first_seq, _, hash_), rows = raw
    unpack = codec.unpack
    events = tuple([unpack(*row[2:]) for row in rows])
    return Recorded(batch, at_ns, hand, rules, cause, first_seq, events, hash_)


class Reader:
    """A ledger opened for reading only. Use it in a ``with`` statement, in one thread at a time."""

    def __init__(self, path: Path, events: Mapping[str, type[Event]]) -> None:
        """Raises ``LedgerUnreadable`` for a file that is no ledger of this or an older version."""
        self._path = path
        self._codec = Codec(events)
        self._connection = connect_reader(path)
        try:
            self.schema_version = version_of(self._connection)
            self.about = about_of(self._connection)
        except READ_ERRORS as error:
            self.close()
            raise translated(path, error) from error
        except Exception:
            self.close()
            raise

    def head(self) -> Head:
        """The end of the chain as it is now."""
        return head_of(self._connection)

    def batches(self, first: int = 1, last: int | None = None) -> Iterator[Recorded]:
        """The batches from ``first`` to ``last`` (or the present end), as stored, not checked."""
        end = self.head().batch if last is None else last
        for raw in raw_batches(self._connection, first, end):
            yield decoded(raw, self._codec)

    def with_last(
        self, kind: str, *, until: int, newest: int = 1, count: int = 1
    ) -> list[Recorded]:
        """The batches of the last ``newest`` events of a kind up to batch ``until``, oldest first, at
        most ``count`` of them. Read from the end, so that recent ones are found at once."""
        rows = self._connection.execute(
            "SELECT batch FROM event WHERE kind = ? AND batch <= ? ORDER BY seq DESC LIMIT ? OFFSET ?",
            (kind, until, min(count, newest), max(0, newest - count)),
        ).fetchall()
        return [found for (batch,) in reversed(rows) for found in self.batches(batch, batch)]

    def checked(self) -> Iterator[Recorded]:
        """Every batch, the chain checked on the way. Raises ``LedgerAltered`` at the first break."""
        start = Head(0, 0, genesis_hash(self.about.items()))
        for raw in checked_batches(self._connection, start, self.head().batch):
            yield decoded(raw, self._codec)

    def checkpoints(self) -> list[tuple[int, int, str]]:
        """Every checkpoint: the number of batches, the time in ns, the signed note."""
        return self._connection.execute(
            "SELECT batch, at_ns, note FROM checkpoint ORDER BY batch"
        ).fetchall()

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
