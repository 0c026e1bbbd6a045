"""The lamps of the boxes and the «no va más» button, whatever they are wired to.

The button only presses the key that the console has: it offers ``LockPressed`` in the name of the
croupier who began this hand, as long as that officer is still logged in. Nobody there, no hand, or
no betting: refused, logged, and all lamps flicker for a second so that it is seen at the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from typing import Protocol

import structlog

from jackpot.daemon.history import HISTORY_LINES
from jackpot.daemon.signs import monotonic_ms
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.state import Phase
from jackpot.visor.lamps import lit, next_change_ms
from jackpot.visor.state import Lamp, visor_state

LONGEST_WAIT_MS = 10_000
"""Nothing moves: the next change of the table, or a press, ends the wait sooner."""

FLICKER_MS = 1_000
FLICKER_STEP_MS = 50
"""Ten times a second: nothing that a lamp ever does by itself."""

IsLoggedIn = Callable[[str], bool]

_log = structlog.get_logger(__name__)


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


def nobody(_officer: str) -> bool:
    """Without screens nobody is logged in."""
    return False


class LockButton:
    """One button at one table."""

    def __init__(self, desk: TableDesk, is_logged_in: IsLoggedIn) -> None:
        self._desk = desk
        self._is_logged_in = is_logged_in
        self._source = f"button-{secrets.token_hex(8)}"
        self._number = 0

    async def press(self) -> bool:
        """«No va más» for the croupier in charge. False if it was refused; the log says why."""
        try:
            officer, hand = self._in_charge()
            if self._desk.status.automatic_croupier:
                self._desk.take_over()
            self._number += 1
            act = f.LockPressed(by=officer, hand=hand)
            await self._desk.act(act, form=f"{self._source}.{self._number}")
        except Refused as refused:
            _log.warning("the lock button was refused", why=refused.text())
            return False
        return True

    def _in_charge(self) -> tuple[str, int]:
        state = self._desk.state
        if state.phase is not Phase.BETTING:
            raise Refused(
                reason="no_betting",
                expected="the button while bets are taken",
                found=f"the table is {state.phase.value}",
                to_do="start the hand at the console first",
                rule="CAN-7.1",
            )
        hand = state.hand_number
        lines = self._desk.history(HISTORY_LINES)
        began = (line.by for line in lines if line.kind == "hand_started" and line.hand == hand)
        officer = next(began, "")
        if not officer or not self._is_logged_in(officer):
            raise Refused(
                reason="nobody_in_charge",
                expected="the croupier who began this hand, logged in at the console",
                found=f"{officer or 'nobody'} is not logged in",
                to_do="log in, and press «No va más» on the console",
                rule="CAN-7.1",
            )
        return officer, hand


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
        self._press: asyncio.Task[None] | None = None
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
        """In the event loop, when the button's line is readable. One press at a time counts."""
        try:
            presses = self._lines.presses()
        except OSError as error:
            self._gone = error
            self._news.set()
            return
        if presses and (self._press is None or self._press.done()):
            self._press = asyncio.create_task(self._act(), name="lock button")

    async def _act(self) -> None:
        if not await self._button.press():
            self._flicker_until_ms = self._now_ms() + FLICKER_MS
            self._news.set()
