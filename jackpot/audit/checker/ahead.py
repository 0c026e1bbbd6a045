"""The pieces of a ledger in their order, the next one read by a thread meanwhile if so wanted.

SQLite makes the lines of a piece without Python's lock, so the thread runs beside the judge.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.pieces import PIECE_BATCHES, Piece


def pieces(file: LedgerFile, last: int) -> Generator[Piece, None, None]:
    """The batches 1 to ``last``. Raises as ``LedgerFile.piece``."""
    for first in range(1, last + 1, PIECE_BATCHES):
        yield file.piece(first, min(first + PIECE_BATCHES - 1, last))


def read_ahead(pieces: Generator[Piece, None, None]) -> Generator[Piece, None, None]:
    """The same, one piece ahead: while they are looked at, the file belongs to the thread."""
    with ThreadPoolExecutor(1) as thread:
        ahead = thread.submit(next, pieces, None)
        while (piece := ahead.result()) is not None:
            ahead = thread.submit(next, pieces, None)
            yield piece
