"""The lamps of the boxes and the line of the «no va más» button, whatever they are wired to.

When a press is refused all lamps flicker for a second, so that it is seen at the table.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol

from jackpot.daemon.lock_button import LockButton
from jackpot.daemon.signs import monotonic_ms
from jackpot.daemon.table_desk import TableDesk
from jackpot.visor.lamps import lit, next_change_ms
from jackpot.visor.state import Lamp, visor_state

LONGEST_WAIT_MS = 10_000
"""Nothing moves: the next change of the table, or a press, ends the wait sooner."""

FLICKER_MS = 1_000
FLICKER_STEP_MS = 50
"""Ten times a second: nothing that a lamp ever does by itself."""


class LampLines(Protocol):
    """The hardware: GPIO lines, a relay board, a fake one in tests."""

    def fileno(self) -> int:
        """Readable when the button was pressed."""

    def light(self, lit: Sequence[bool]) -> None:
        """Switch every lamp; ``OSError`` if that is not possible."""

    def presses(self) -> int:
        """How often the button was pressed; ``OSError`` if that cannot be read."""

    def close(self) -> None:
        """Dark, and let go; ``OSError`` if it is gone already."""


class LampWriter:
    """Keeps the lamps as the visor's are and listens to the button; ``run`` must be running."""

    def __init__(
        self,
        desk: TableDesk,
        lines: LampLines,
        button: LockButton,
        now_ms: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._desk = desk
        self._lines = lines
        self._button = button
        self._now_ms = now_ms
        self._news = asyncio.Event()
        self._version = -1
        self._lamps: tuple[Lamp, ...] = ()
        self._lit: tuple[bool, ...] = ()
        self._flicker_until_ms = 0
        self._gone: OSError | None = None
        desk.on_change(self._news.set)

    async def run(self) -> None:
        """Endless; raises ``OSError`` when the hardware is gone. A press that waits for the disk
        ends with the table."""
        self._lit, self._gone = (), None
        loop = asyncio.get_running_loop()
        loop.add_reader(self._lines.fileno(), self._pressed)
        try:
            while self._gone is None:
                self._news.clear()
                now_ms = self._now_ms()
                self._light(now_ms)
                # Not ``wait_for``: before Python 3.12 it forgets a cancellation that comes with news.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._wait_ms(now_ms) / 1_000):
                        await self._news.wait()
            raise self._gone
        finally:
            loop.remove_reader(self._lines.fileno())

    def _light(self, now_ms: int) -> None:
        """Whatever has changed since the last look."""
        if self._desk.version != self._version:
            self._version = self._desk.version
            self._lamps = visor_state(self._desk.state, self._desk.status).lamps
        wanted = lit(self._lamps, now_ms)
        if now_ms < self._flicker_until_ms:
            wanted = (now_ms // FLICKER_STEP_MS % 2 == 0,) * len(self._lamps)
        if wanted != self._lit:
            self._lines.light(wanted)
            self._lit = wanted

    def _wait_ms(self, now_ms: int) -> int:
        if now_ms < self._flicker_until_ms:
            return FLICKER_STEP_MS
        change_ms = next_change_ms(self._lamps, now_ms)
        return LONGEST_WAIT_MS if change_ms is None else min(change_ms - now_ms, LONGEST_WAIT_MS)

    def _pressed(self) -> None:
        """In the event loop, when the button's line is readable."""
        try:
            presses = self._lines.presses()
        except OSError as error:
            self._gone = error
            self._news.set()
            return
        if presses:
            self._button.pressed(self._flicker)

    def _flicker(self) -> None:
        self._flicker_until_ms = self._now_ms() + FLICKER_MS
        self._news.set()
