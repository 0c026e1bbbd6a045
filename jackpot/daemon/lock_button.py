"""A real «no va más» button, at a GPIO line or on a slot board (CAN-7.1).

It only presses the key that the console has: it offers ``LockPressed`` in the name of the croupier who
began this hand, as long as that officer is still logged in. Nobody there, no hand, or no betting:
refused and logged.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

import structlog

from jackpot.daemon.history import HISTORY_LINES
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.state import Phase

IsLoggedIn = Callable[[str], bool]

_log = structlog.get_logger(__name__)


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
        self._press: asyncio.Task[None] | None = None

    def pressed(self, on_refused: Callable[[], None] = lambda: None) -> None:
        """Somebody pressed it, in the event loop. One press at a time counts; one that waits for the
        disk ends with the table."""
        if self._press is None or self._press.done():
            self._press = asyncio.create_task(self._act(on_refused), name="lock button")

    async def _act(self, on_refused: Callable[[], None]) -> None:
        if not await self.press():
            on_refused()

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
