"""``jackpot verify`` on several processors: ledgers beside each other, each in its own process, or a thread
that reads ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from jackpot.audit.checker import Report
from jackpot.audit.checker.pieces import Pieces

WORTH_A_THREAD_BYTES = 8 * 1024 * 1024
"""A smaller ledger is walked before a thread has begun."""

FORK = get_context("fork")
"""The command line has no threads, and nothing of SQLite's is open when a process begins."""


def worth_a_thread(path: Path) -> bool:
    """Whether a ledger is large enough to be read ahead."""
    return path.is_file() and path.stat().st_size >= WORTH_A_THREAD_BYTES


def read_ahead(pieces: Pieces) -> Pieces:
    """The pieces of a ledger, the next one read while one is looked at (``checker.pieces.Ahead``).

    SQLite makes their lines without Python's lock; meanwhile the file belongs to the thread.
    """
    with ThreadPoolExecutor(1) as thread:
        ahead = thread.submit(next, pieces, None)
        while (piece := ahead.result()) is not None:
            ahead = thread.submit(next, pieces, None)
            yield piece


def reports(
    ledgers: Sequence[Path], check: Callable[[Path], Report], jobs: int
) -> Iterator[Report]:
    """The report of each ledger in the order that was asked for, ``jobs`` at a time."""
    with ProcessPoolExecutor(min(jobs, len(ledgers)), FORK) as pool:
        for work in [pool.submit(check, path) for path in ledgers]:
            try:
                yield work.result()
            except BrokenProcessPool as error:
                yield Report(summary=None, findings=(), unreadable=f"its process ended: {error}")
