"""Backups: a snapshot is a whole ledger in one file, checked thoroughly before it gets its name.

``VACUUM INTO`` copies while the table plays on. What is restored is an *older* ledger: whatever
happened since must come from elsewhere, and checkpoints that others hold tell that it is older.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from jackpot.ledger.connection import READ_ERRORS, connect_reader, translated
from jackpot.ledger.creation import new_of, refuse_existing
from jackpot.ledger.errors import LedgerReadOnly, LedgerRefused
from jackpot.ledger.files import (
    WriterLock,
    make_private,
    read_only,
    shm_of,
    sync_file,
    sync_folder,
    wal_of,
)
from jackpot.ledger.machine import Head, Machine
from jackpot.ledger.note import Verifier
from jackpot.ledger.opening import Fold, load_checked

S = TypeVar("S")


def verify_file(
    path: Path, machine: Machine[S], verifier: Verifier, *, witnesses: Sequence[str] = ()
) -> Fold[S]:
    """Check a ledger from its first batch, without writing. Raises ``LedgerRefused``."""
    with closing(connect_reader(path)) as connection:
        try:
            connection.execute("BEGIN")
            return load_checked(connection, machine, verifier, witnesses=witnesses, thorough=True)
        except READ_ERRORS as error:
            raise translated(path, error) from error


def take_snapshot(path: Path, snapshot: Path, machine: Machine[S], verifier: Verifier) -> Head:
    """Copy the ledger at ``path`` to ``snapshot``, check the copy, and return its head.

    Never overwrites; a copy that does not pass is removed and the error raised.
    """
    refuse_existing(snapshot)
    new = new_of(snapshot)
    try:
        make_private(new)
    except OSError as error:
        raise _not_there(snapshot, error) from error
    try:
        _copy(path, new)
        sync_file(new)
        head = verify_file(new, machine, verifier).head
        new.rename(snapshot)
        sync_folder(snapshot.parent)
    except READ_ERRORS as error:
        raise translated(path, error) from error
    except OSError as error:
        raise read_only(snapshot, error) from error
    finally:
        new.unlink(missing_ok=True)
    return head


def _copy(path: Path, new: Path) -> None:
    with closing(connect_reader(path)) as connection:
        connection.execute("PRAGMA query_only = OFF")  # it would forbid the copy as well
        try:
            connection.execute("VACUUM INTO ?", (str(new),))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                raise translated(new, error) from error  # the disk of the copy
            raise


def _not_there(snapshot: Path, error: OSError) -> LedgerRefused:
    return LedgerReadOnly(
        reason="snapshot_not_writable",
        expected=f"to write {snapshot.name} into the folder {snapshot.parent}",
        found=error.strerror or str(error),
        to_do="make the folder, mount the medium, or name another place",
    )


def restore(
    snapshot: Path,
    path: Path,
    machine: Machine[S],
    verifier: Verifier,
    *,
    replace: bool = False,
    witnesses: Sequence[str] = (),
) -> Head:
    """Put a checked copy of ``snapshot`` at ``path``, and return its head.

    A ledger that is there already stays unless ``replace``; then it is kept beside it under
    ``<name>.replaced``, for the auditor. Raises ``LedgerRefused``; then nothing is changed: among
    others when the snapshot is older than one of ``witnesses``, checkpoints of this ledger.
    """
    head = verify_file(snapshot, machine, verifier, witnesses=witnesses).head
    lock = WriterLock(path)
    new = new_of(path)
    try:
        _check_place(path, replace=replace)
        make_private(new)
        shutil.copyfile(snapshot, new)
        sync_file(new)
        _set_aside(path)
        new.rename(path)
        sync_folder(path.parent)
    except OSError as error:
        raise read_only(path, error) from error
    finally:
        new.unlink(missing_ok=True)
        lock.release()
    return head


def _aside(path: Path) -> Path:
    return path.with_name(path.name + ".replaced")


def _check_place(path: Path, *, replace: bool) -> None:
    """Nothing is there, or it may be set aside and there is a name for that."""
    if not replace and (path.exists() or wal_of(path).exists()):
        raise LedgerRefused(
            reason="ledger_exists",
            expected=f"nothing at {path}",
            found="a ledger",
            to_do=f"give --replace: it is then kept beside it as {_aside(path).name}",
        )
    if path.exists() and _aside(path).exists():
        raise LedgerRefused(
            reason="replaced_exists",
            expected=f"no {_aside(path).name} yet",
            found=str(_aside(path)),
            to_do="move it away: it is evidence, and is never overwritten",
        )


def _set_aside(path: Path) -> None:
    """Move ledger, then log, to ``<name>.replaced``; cut short, a second try goes on from there.

    The log must be gone before another ledger gets the name: SQLite would apply it to that.
    """
    aside = _aside(path)
    for old, kept in ((path, aside), (wal_of(path), wal_of(aside))):
        if old.exists():
            old.rename(kept)
    shm_of(path).unlink(missing_ok=True)
    sync_folder(path.parent)
