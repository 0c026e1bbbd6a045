"""The ``DecisionLog`` in one SQLite file: for the one coordinator of a casino, and for its copies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from jackpot.ledger.decision_log import DecisionFile
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST

T = TypeVar("T")


class SqliteLog:
    """A ``DecisionFile`` with a thread of its own, so that a slow disk does not stop the loop."""

    def __init__(self, file: DecisionFile, thread: ThreadPoolExecutor) -> None:
        """Use ``open``."""
        self._file = file
        self._thread = thread

    @classmethod
    async def open(cls, path: Path, carrusel: str) -> Self:
        """Open the log of ``carrusel``. Raises a ``LedgerRefused``: missing, another's, busy."""
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="log")
        loop = asyncio.get_running_loop()
        try:
            file = await loop.run_in_executor(thread, DecisionFile, path, carrusel)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(file, thread)

    async def append(self, entries: Sequence[Entry], after: int) -> bool:
        """Compare and append; see ``DecisionFile.append``."""
        return await self._run(lambda: self._file.append(entries, after))

    async def read(self, after: int, at_most: int = READ_AT_MOST) -> list[Entry]:
        """The entries after position ``after``, oldest first."""
        return await self._run(lambda: self._file.read(after, at_most))

    async def check(self) -> None:
        """The disk still takes a synced write."""
        await self._run(self._file.check)

    async def close(self) -> None:
        """Give the file back. What was appended is on the disk already."""
        await self._run(self._file.close)
        self._thread.shutdown()

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
