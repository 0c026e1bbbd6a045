"""Connections to a ledger file, with the settings that make a commit durable, read back.

The standard library's ``sqlite3`` is the only SQLite of this process: two SQLite libraries in one
process drop each other's file locks, and acknowledged commits are lost without a sound.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from jackpot.ledger.errors import LedgerBusy, LedgerReadOnly, LedgerRefused, LedgerUnreadable

BUSY_TIMEOUT_MS = 2_000
"""How long a write waits for somebody's shell; longer would stop the table."""

CHECKPOINT_PAGES = 1_000
"""When the write-ahead log is copied into the file: it stays at about 4 MiB."""

READ_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What the driver raises over a file; of a damaged one even its messages may be no UTF-8."""

_SETTINGS: tuple[tuple[str, str, int | str], ...] = (
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", 2),
    ("wal_autocheckpoint", str(CHECKPOINT_PAGES), CHECKPOINT_PAGES),
    ("cell_size_check", "ON", 1),
    ("trusted_schema", "OFF", 0),
    ("recursive_triggers", "ON", 1),
    ("busy_timeout", str(BUSY_TIMEOUT_MS), BUSY_TIMEOUT_MS),
)
"""Name, value to set, value to read back."""


def sqlite_version() -> tuple[int, int, int]:
    """The SQLite that keeps the ledgers of this process."""
    return sqlite3.sqlite_version_info


def connect_writer(path: Path) -> sqlite3.Connection:
    """The writing connection; the file must exist. Used by one thread at a time, whichever it is."""
    connection = _connect(path, "rw")
    try:
        for name, value, expected in _SETTINGS:
            connection.execute(f"PRAGMA {name} = {value}")
            found = connection.execute(f"PRAGMA {name}").fetchone()[0]
            if found != expected:
                raise LedgerRefused(
                    reason="setting_refused",
                    expected=f"PRAGMA {name} to be {expected}",
                    found=repr(found),
                    to_do="check the file system: a ledger needs one with locks and shared memory",
                )
    except READ_ERRORS as error:
        connection.close()
        raise translated(path, error) from error
    except LedgerRefused:
        connection.close()
        raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; any number of them may read while the writer writes."""
    connection = _connect(path, "ro")
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    except READ_ERRORS as error:
        connection.close()
        raise translated(path, error) from error
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if not path.is_file():
        raise LedgerUnreadable(
            reason="no_ledger",
            expected=f"a ledger at {path}",
            found="no such file",
            to_do="check the path; create a ledger only at installation, otherwise restore it",
        )
    try:
        return sqlite3.connect(
            f"file:{quote(str(path.resolve()))}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
    except sqlite3.Error as error:
        raise translated(path, error) from error


def translated(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> LedgerRefused:
    """What SQLite says of a file, for people."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    found = f"{error} ({getattr(error, 'sqlite_errorname', 'SQLITE_ERROR')})"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerBusy(
            reason="ledger_busy",
            expected=f"to write {path} within {BUSY_TIMEOUT_MS} ms",
            found=found,
            to_do="close the program that has the ledger open for writing",
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LedgerReadOnly(
            reason="ledger_read_only",
            expected=f"to write {path} and its folder",
            found=found,
            to_do="check the mount, the owner and the free space of the folder",
        )
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL):
        return LedgerUnreadable(
            reason="disk_failed",
            expected=f"to read and write {path} and its log",
            found=found,
            to_do="make room on the disk if it is full, otherwise replace it; keep the file",
        )
    return LedgerUnreadable(
        reason="ledger_damaged" if code != sqlite3.SQLITE_NOTADB else "not_a_ledger",
        expected=f"a whole ledger at {path}",
        found=found,
        to_do="keep the file as it is, restore the last snapshot beside it, and compare the two",
    )
