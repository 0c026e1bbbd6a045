"""Names and bytes on the disk, below SQLite: folder syncs, the writer's lock, the log's re-writing."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from pathlib import Path

from jackpot.ledger.errors import LedgerBusy, LedgerReadOnly

OWNER_ONLY = 0o600
"""Ledger, snapshots, checkpoints: who may read them is for their owner to say."""

_PID_BYTES = 32
"""More than any process id takes."""


PIECE_BYTES = 1024 * 1024
"""The log is read in pieces: it is a few MiB, unless somebody's long query kept it from shrinking."""


def wal_of(path: Path) -> Path:
    """SQLite's write-ahead log beside the ledger."""
    return path.with_name(path.name + "-wal")


def shm_of(path: Path) -> Path:
    """SQLite's shared index of the write-ahead log; it can always be rebuilt."""
    return path.with_name(path.name + "-shm")


def lock_of(path: Path) -> Path:
    """The file that the one writer locks."""
    return path.with_name(path.name + ".lock")


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable: a renamed file may else be back under its old name."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_private(path: Path) -> None:
    """A new, empty file that only its owner can read, whatever the umask; in the place of an old one."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        os.fchmod(descriptor, OWNER_ONLY)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Make the bytes of a closed file durable."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rewrite_log(path: Path) -> None:
    """Write the write-ahead log over itself and sync it, before SQLite trusts what it reads there.

    What we read after a crash or a failed sync may be in the page cache only, with its pages
    marked clean: then a second sync says yes and writes nothing, and a power cut loses what we
    had meanwhile found and acknowledged. Writing the same bytes again makes the sync honest.
    """
    log = wal_of(path)
    if not log.exists():
        return
    descriptor = os.open(log, os.O_RDWR)
    try:
        offset = 0
        while piece := os.pread(descriptor, PIECE_BYTES, offset):
            offset += os.pwrite(descriptor, piece, offset)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(log.parent)


class WriterLock:
    """An exclusive lock on ``<ledger>.lock``, gone with the process that holds it."""

    def __init__(self, path: Path) -> None:
        """Take the lock or raise ``LedgerBusy`` (or ``LedgerReadOnly``) at once."""
        self._path = lock_of(path)
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise read_only(path, error) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._descriptor, _PID_BYTES, 0).decode(errors="replace").strip()
            os.close(self._descriptor)
            raise LedgerBusy(
                reason="two_daemons_on_one_ledger",
                expected=f"to be the only writer of {path}",
                found=f"process {holder or 'unknown'} writes it already",
                to_do="stop one of the two; never delete the lock file",
            ) from error
        with contextlib.suppress(
            OSError
        ):  # the number only helps people; a full disk may refuse it
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others write. Safe to call twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def read_only(path: Path, error: OSError) -> LedgerReadOnly:
    """The refusal for a place that cannot be written."""
    name = errno.errorcode.get(error.errno or 0, "unknown")
    return LedgerReadOnly(
        reason="ledger_read_only",
        expected=f"to write {path} and its folder",
        found=f"{error.strerror or error} ({name})",
        to_do="check the mount, the owner and the free space of the folder",
    )
