"""Pieces of a ledger in their order, read ahead by threads where there are processors for them.

SQLite makes the text of a piece without Python's lock, so the threads run beside the judge.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue

from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.pieces import PIECE_BATCHES, Piece

Span = tuple[int, int]
"""The first and the last batch of a piece."""


def pieces(file: LedgerFile, last: int, readers: int) -> Iterator[Piece]:
    """The batches 1 to ``last`` a piece at a time, by ``readers`` threads or none.

    Raises what ``LedgerFile.piece`` raises.
    """
    spans = [
        (first, min(first + PIECE_BATCHES - 1, last)) for first in range(1, last + 1, PIECE_BATCHES)
    ]
    if readers:
        yield from _by_threads(file, spans, readers)
    else:
        for span in spans:
            yield file.piece(*span)


def _by_threads(file: LedgerFile, spans: list[Span], readers: int) -> Iterator[Piece]:
    """One connection each; never more than one piece for each waits to be asked for."""
    with ExitStack() as stack:
        free: SimpleQueue[LedgerFile] = SimpleQueue()
        for _ in range(readers):
            free.put(stack.enter_context(LedgerFile(file.path)))
        pool = stack.enter_context(ThreadPoolExecutor(readers))

        def read(span: Span) -> Piece:
            reader = free.get()
            try:
                return reader.piece(*span)
            finally:
                free.put(reader)

        ahead: deque[Future[Piece]] = deque()
        for span in spans:
            if len(ahead) > readers:
                yield ahead.popleft().result()
            ahead.append(pool.submit(read, span))
        while ahead:
            yield ahead.popleft().result()
