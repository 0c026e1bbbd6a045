"""``jackpot verify`` on several processors: ledgers beside each other, each in its own process, or the pieces
of one ledger, made by others while it is judged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from jackpot.audit.checker import Report
from jackpot.audit.checker.columns.piece import Columns, Piece
from jackpot.audit.checker.findings import Untidy
from jackpot.audit.checker.ledger_file import LedgerFile, Unreadable
from jackpot.audit.checker.swift import Ahead, Span

WORTH_A_PROCESS_BYTES = 8 * 1024 * 1024
"""A smaller ledger is walked before a process has begun."""

PIECES_AHEAD = 2
"""So many for each process: while one is taken over, it makes the next."""

FORK = get_context("fork")
"""The command line has no threads."""

_own: list[Columns] = []
"""In a process that makes pieces: the one ledger that it reads."""


def worth_processes(path: Path) -> bool:
    """Whether a ledger is large enough for more than one."""
    return path.is_file() and path.stat().st_size >= WORTH_A_PROCESS_BYTES


def made_by(jobs: int) -> Ahead:
    """The pieces of a ledger made by so many processes."""
    return partial(_made_ahead, jobs)


def _made_ahead(jobs: int, path: Path, spans: Sequence[Span], start: str) -> Iterator[Piece]:
    """The pieces in their order. Raises ``Untidy``, also where a process ended."""
    with ProcessPoolExecutor(jobs, FORK, _opened, (path,)) as pool:
        rest = iter(spans)
        waiting: deque[Future[Piece]] = deque()
        try:
            while True:
                for span in islice(rest, jobs * PIECES_AHEAD - len(waiting)):
                    waiting.append(pool.submit(_piece, span, start))
                if not waiting:
                    return
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise Untidy(f"a process ended: {error}") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _opened(path: Path) -> None:
    """A process reads the file by itself: nothing of SQLite's is carried into it."""
    try:
        _own.append(LedgerFile(path).columns())
    except (Untidy, Unreadable):
        _own.clear()


def _piece(span: Span, start: str) -> Piece:
    if not _own:
        raise Untidy("a ledger that cannot be opened twice")
    return _own[0].piece(*span, start)


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
