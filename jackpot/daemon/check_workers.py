"""``jackpot verify`` on several processors: ledgers beside each other, or record beside rules."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from jackpot.audit.checker import Report
from jackpot.audit.checker.record import Seen, see

WORTH_A_PROCESS_BYTES = 8 * 1024 * 1024
"""A smaller ledger is walked before another process has begun."""

FORK = get_context("fork")
"""The command line has no threads, and nothing of SQLite's is open when a process begins."""


def worth_a_process(path: Path) -> bool:
    """Whether a ledger is large enough."""
    return path.is_file() and path.stat().st_size >= WORTH_A_PROCESS_BYTES


class RecordBeside:
    """Another process that walks along the record of a ledger (``checker.record.Beside``).

    It begins before this process opens the file: SQLite's locks must not be inherited.
    """

    def __init__(self, path: Path) -> None:
        self._here, there = FORK.Pipe()
        self._process = FORK.Process(target=_beside, args=(path, there), daemon=True)
        self._process.start()
        there.close()
        self._seen: Seen | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None
    ) -> None:
        """Whatever it still does is wanted no more."""
        self._process.terminate()
        self._process.join()
        self._here.close()

    def start(self, last: int) -> None:
        """Go, to batch ``last``."""
        self._here.send(last)

    def seen(self) -> Seen | None:
        """Wait for the end; None as well if the process has died."""
        if self._seen is None:
            with suppress(EOFError):
                self._seen = self._here.recv()
        return self._seen


def _beside(path: Path, there: Connection) -> None:
    gc.disable()  # as in ``verify``
    there.send(see(path, there.recv()))


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
