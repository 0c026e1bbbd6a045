"""What a failed write means, for every file that is appended to: a ledger and a carrusel's log.

Only three things may be said of a transaction that failed: nothing was written, nobody knows, or
the file is not what we left. Which one, decides whether money may go on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from enum import Enum


class Failure(Enum):
    """The kinds of failure, and what whoever appends has to do."""

    FULL = "full"
    """No room, and nothing was written: go on when there is some."""
    UNKNOWN = "unknown"
    """Perhaps it is on the disk: close, open again and look."""
    BY_ANOTHER = "by_another"
    """What is written does not follow: another program was at the file."""
    OTHER = "other"
    """Nothing was written, and the disk or the file is at fault."""


def failure_of(
    error: sqlite3.Error,
    *,
    at_commit: bool,
    rolled_back: bool,
    head_is_ours: Callable[[], bool],
) -> Failure:
    """The kind of a failed transaction. ``head_is_ours``: the file ends where we left it; a write
    that found no room never completed its commit frame, so reading must agree."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_FULL and rolled_back and head_is_ours():
        return Failure.FULL
    if at_commit or not rolled_back:
        return Failure.UNKNOWN
    return Failure.BY_ANOTHER if code == sqlite3.SQLITE_CONSTRAINT else Failure.OTHER
