"""A carrusel's log in one SQLite file: entries at their positions, appended once and never changed.

The same file is the whole log of a carrusel with one coordinator, and the copy that every
coordinator keeps of a replicated log. As durable as a ledger: write-ahead log, full sync, one writer.
What an entry means, and whether its signature holds, is for whoever folds it; this file keeps the
order: each entry stands right after the one whose hash it names.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, NoReturn, Self

from jackpot.ledger.connection import READ_ERRORS, connect_reader, connect_writer, translated
from jackpot.ledger.creation import new_of, refuse_existing
from jackpot.ledger.errors import CommitUnknown, LedgerAltered, LedgerFull, LedgerUnreadable
from jackpot.ledger.failures import Failure, failure_of
from jackpot.ledger.files import (
    WriterLock,
    make_private,
    read_only,
    rewrite_log,
    sync_file,
    sync_folder,
)
from jackpot.link.messages import Entry

APPLICATION_ID = 0x4A504331
"""``JPC1`` in the file's header: tells a carrusel's log from a ledger and any other SQLite file."""

SCHEMA_VERSION = 1
PAGE_BYTES = 4096

_SCHEMA = (
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE entry(
    position INTEGER PRIMARY KEY,
    previous TEXT NOT NULL,
    author TEXT NOT NULL,
    at_ns INTEGER NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL,
    signature TEXT NOT NULL
) STRICT""",
    "CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry "
    "BEGIN SELECT RAISE(ABORT, 'entry is append-only'); END",
    "CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry "
    "BEGIN SELECT RAISE(ABORT, 'entry is append-only'); END",
    "CREATE TRIGGER entry_in_order BEFORE INSERT ON entry "
    "WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM entry) "
    "OR NEW.previous IS NOT coalesce("
    "(SELECT hash FROM entry ORDER BY position DESC LIMIT 1), NEW.previous) "
    "BEGIN SELECT RAISE(ABORT, 'entry takes only the successor of the last'); END",
    "CREATE TRIGGER about_no_update BEFORE UPDATE ON about "
    "BEGIN SELECT RAISE(ABORT, 'about is append-only'); END",
    "CREATE TRIGGER about_no_delete BEFORE DELETE ON about "
    "BEGIN SELECT RAISE(ABORT, 'about is append-only'); END",
)

_INSERT = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)"
_SELECT = (
    "SELECT position, previous, author, at_ns, body, hash, signature FROM entry "
    "WHERE position > ? ORDER BY position LIMIT ?"
)
_LAST = "SELECT position, hash FROM entry ORDER BY position DESC LIMIT 1"


class LogHead(NamedTuple):
    """The last position and the hash of its entry; 0 and empty for a log without entries."""

    position: int
    hash: str


class DecisionFile:
    """An open log, for the one process that writes it; used by one thread at a time."""

    def __init__(self, path: Path, carrusel: str) -> None:
        """Open the log of ``carrusel``. Raises a ``LedgerRefused``: missing, another's, busy."""
        self.path = path
        self.carrusel = carrusel
        self._unusable = ""
        self._lock = WriterLock(path)
        connection: sqlite3.Connection | None = None
        try:
            rewrite_log(path)
            connection = connect_writer(path)
            _check_kind(connection, path, carrusel)
            self.head = _head(connection)
        except BaseException as error:
            if connection is not None:
                connection.close()
            self._lock.release()
            if isinstance(error, READ_ERRORS):
                raise translated(path, error) from error
            if isinstance(error, OSError):
                raise read_only(path, error) from error
            raise
        self._connection = connection

    @classmethod
    def create(cls, path: Path, carrusel: str) -> Self:
        """A new, empty log; never over an existing file."""
        lock = WriterLock(path)
        try:
            _create(path, carrusel)
        finally:
            lock.release()
        return cls(path, carrusel)

    def append(self, entries: Sequence[Entry], after: int) -> bool:
        """Append ``entries`` in one transaction if ``after`` is the last position; False if not.

        On True they are on the disk. Raises ``LedgerFull``, ``LedgerUnreadable`` (a broken disk; both:
        nothing written), ``LedgerAltered`` (they
        do not follow the last entry), or ``CommitUnknown``: close, open again and look.
        """
        self._check_usable()
        if after != self.head.position:
            return False
        if not entries:
            return True
        rows = [
            (e.position, e.previous, e.author, e.at_ns, e.body, e.hash, e.signature)
            for e in entries
        ]
        at_commit = False
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, rows)
            at_commit = True
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._failed(error, at_commit=at_commit)
        self.head = LogHead(entries[-1].position, entries[-1].hash)
        return True

    def read(self, after: int, at_most: int) -> list[Entry]:
        """The entries after position ``after``, oldest first, at most so many."""
        self._check_usable()
        return _entries(self._connection, self.carrusel, after, at_most)

    def check(self) -> None:
        """The disk still takes a synced write. Raises ``CommitUnknown`` or a ``LedgerRefused``."""
        self._check_usable()
        try:
            # The header's counter is written and synced, and no table changes.
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except sqlite3.Error as error:
            self._failed(error, at_commit=True)

    def _failed(self, error: sqlite3.Error, *, at_commit: bool) -> NoReturn:
        """Tell a failed COMMIT (unknown) from a failure before it (nothing written)."""
        if self._connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):  # then it stays open, and nobody knows
                self._connection.execute("ROLLBACK")
        failure = failure_of(
            error,
            at_commit=at_commit,
            rolled_back=not self._connection.in_transaction,
            head_is_ours=self._head_is_ours,
        )
        if failure is Failure.FULL:
            raise LedgerFull(
                reason="log_full",
                expected=f"room for one more entry in {self.path.parent}",
                found="a full disk; nothing of it was written, nothing before it was lost",
                to_do="make room: until then no award of the carrusel is decided",
            ) from error
        if failure is Failure.BY_ANOTHER:
            raise LedgerAltered(
                reason="log_not_continued",
                expected=f"the successor of entry {self.head.position} of {self.carrusel}",
                found=str(error),
                to_do="read the log again; if another program wrote it, stop that one",
            ) from error
        if failure is Failure.OTHER:
            raise translated(self.path, error) from error
        self._unusable = str(error)
        raise CommitUnknown(self._unusable) from error

    def _head_is_ours(self) -> bool:
        """Whether the file ends where we left it."""
        try:
            return _head(self._connection) == self.head
        except sqlite3.Error:
            return False

    def _check_usable(self) -> None:
        if self._unusable:
            raise CommitUnknown(self._unusable)

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()
        self._lock.release()
        self._unusable = "a closed log"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_log(path: Path, carrusel: str, after: int, at_most: int) -> list[Entry]:
    """Entries of a log that another process may be writing. Raises ``LedgerUnreadable``."""
    connection = connect_reader(path)
    try:
        _check_kind(connection, path, carrusel)
        return _entries(connection, carrusel, after, at_most)
    except READ_ERRORS as error:
        raise translated(path, error) from error
    finally:
        connection.close()


def _create(path: Path, carrusel: str) -> None:
    refuse_existing(path)
    new = new_of(path)
    try:
        make_private(new)
        connection = sqlite3.connect(new, isolation_level=None)
        try:
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("INSERT INTO about VALUES ('carrusel', ?)", (carrusel,))
            connection.execute("COMMIT")
        finally:
            connection.close()
        sync_file(new)
        new.rename(path)
        sync_folder(path.parent)
    except sqlite3.Error as error:
        raise translated(path, error) from error
    except OSError as error:
        raise read_only(path, error) from error


def _check_kind(connection: sqlite3.Connection, path: Path, carrusel: str) -> None:
    kind = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    found = f"application id {kind:#x}, version {version}"
    if kind == APPLICATION_ID and version == SCHEMA_VERSION:
        name = connection.execute("SELECT value FROM about WHERE key = 'carrusel'").fetchone()
        if name == (carrusel,):
            return
        found = f"the log of {name[0] if name else 'nobody'}"
    raise LedgerUnreadable(
        reason="not_this_log",
        expected=f"the log of carrusel {carrusel} at {path}",
        found=found,
        to_do="check the path and the carrusel's name in the configuration",
    )


def _head(connection: sqlite3.Connection) -> LogHead:
    row = connection.execute(_LAST).fetchone()
    return LogHead(0, "") if row is None else LogHead(*row)


def _entries(
    connection: sqlite3.Connection, carrusel: str, after: int, at_most: int
) -> list[Entry]:
    return [
        Entry(
            carrusel=carrusel,
            position=position,
            previous=previous,
            author=author,
            at_ns=at_ns,
            body=body,
            hash=hash_,
            signature=signature,
        )
        for position, previous, author, at_ns, body, hash_, signature in connection.execute(
            _SELECT, (after, at_most)
        )
    ]
