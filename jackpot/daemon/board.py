"""What everybody may read of a table at any time, and how they learn that it changed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from jackpot.console.desk import CarruselStatus, DeskStatus, HistoryLine
from jackpot.daemon.history import HISTORY_LINES
from jackpot.invariant import InvariantBroken
from jackpot.table.state import TableState


class Board:
    """The reading half of a desk: committed state, status, version, history.

    ``on_change`` is called, synchronously, after each change, before anybody is answered.
    """

    def __init__(self, state: TableState, history: Sequence[HistoryLine]) -> None:
        self._state = state
        self._status = DeskStatus(ready=False)
        self._version = 1
        self._news = asyncio.Event()
        self._history: deque[HistoryLine] = deque(history, maxlen=HISTORY_LINES)
        self._callbacks: list[Callable[[], None]] = []

    @property
    def state(self) -> TableState:
        """The committed state: nothing in it can be lost any more."""
        return self._state

    @property
    def status(self) -> DeskStatus:
        """Whether the state may be shown."""
        return self._status

    @property
    def version(self) -> int:
        """Grows with every change of state or status."""
        return self._version

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        """Wait until ``version > after_version``; False after ``timeout_s``."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout_s
        while self._version <= after_version:
            try:
                # Not ``wait_for``: before Python 3.12 it forgets a cancellation that comes with news.
                async with asyncio.timeout_at(end):
                    await self._news.wait()
            except TimeoutError:
                return self._version > after_version
        return True

    def history(self, limit: int) -> Sequence[HistoryLine]:
        """The newest lines, newest first."""
        lines = reversed(self._history)
        return [line for line, _ in zip(lines, range(limit), strict=False)]

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call back after each change; a callback that raises is our own fault (``_broken``)."""
        self._callbacks.append(callback)

    def take_over(self) -> None:
        """A person acts: the automatic croupier of a demonstration steps back."""
        self._set_status(replace(self._status, automatic_croupier=False))

    def hand_back(self) -> None:
        """The automatic croupier of a demonstration goes on; nothing where there is none."""
        if self._status.demonstration:
            self._set_status(replace(self._status, automatic_croupier=True))

    def start_demonstration(self) -> None:
        """A program presses the keys of this table until a person takes over; screens say so."""
        self._set_status(replace(self._status, automatic_croupier=True, demonstration=True))

    def set_line_fault(self, fault: str) -> None:
        """What is wrong with the serial line, for screens; empty when nothing is."""
        self._set_status(replace(self._status, line_fault=fault))

    def set_carrusel(self, carrusel: CarruselStatus) -> None:
        """What is heard of the carrusel, for visors and screens."""
        self._set_status(replace(self._status, carrusel=carrusel))

    def _set_status(self, status: DeskStatus) -> None:
        if status != self._status:
            self._status = status
            self._changed()

    def _changed(self) -> None:
        self._version += 1
        news, self._news = self._news, asyncio.Event()
        news.set()
        for callback in tuple(self._callbacks):
            try:
                callback()
            except Exception as error:  # it is not called again, and the table says so
                self._callbacks.remove(callback)
                self._broken(f"{type(error).__name__}: {error}")

    def _broken(self, why: str) -> None:
        """Something that follows the table failed."""
        raise InvariantBroken(why)
