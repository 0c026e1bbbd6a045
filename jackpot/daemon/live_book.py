"""The officer book as the screens use it: read again when `jackpot officers` has changed it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jackpot.authority.roles import Role
from jackpot.daemon.officer_book import OfficerBook, TooSoon


class LiveBook:
    """An officer book that follows its file."""

    def __init__(self, path: Path) -> None:
        """Raises ``BookUnreadable``."""
        self._path = path
        self._stamp = self._look()
        self._book = OfficerBook.open(path)

    def roles(self) -> Mapping[str, tuple[Role, ...]]:
        """Officer id to roles."""
        return self._book.roles()

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        """Whether the PIN is right; slow on purpose."""
        return await self._book.verify(officer, pin)

    def refresh(self) -> bool:
        """Read the file again if it changed; whether it did. Raises ``BookUnreadable``."""
        stamp = self._look()
        if stamp == self._stamp:
            return False
        self._book = OfficerBook.open(self._path)
        self._stamp = stamp
        return True

    def _look(self) -> tuple[int, int]:
        """What a replaced file changes."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return 0, 0
        return status.st_ino, status.st_mtime_ns
