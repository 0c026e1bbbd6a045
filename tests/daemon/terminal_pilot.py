"""A person at the terminal console: presses keys, reads the screen, and waits until it says something."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from daemon_process import PINS
from textual.pilot import Pilot
from textual.widgets import Input, Static

from jackpot.terminal.app import TerminalConsole
from jackpot.terminal.line import Line
from jackpot.terminal.widgets import KeyButton

PATIENCE_S = 60.0
"""A page takes a tenth of a second; a shared machine may be busy with something else."""


class Person:
    """Sits at one terminal of 80 by 24 letters."""

    def __init__(self, app: TerminalConsole, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    def screen(self) -> str:
        """Everything that can be read, top down."""
        lines = [str(w.content) for w in self.app.query(Static) if w.display]
        return "\n".join([*lines, *(str(key.label) for key in self.app.query(KeyButton))])

    async def sees(self, *words: str) -> None:
        """Waits until all ``words`` stand on the screen and every key may be pressed."""
        await self.until(lambda: all(w in self.screen() for w in words) and self._ready(), words)

    async def until(self, so: Callable[[], bool], told: object = "it") -> None:
        """Waits for something to become true."""
        end = time.monotonic() + PATIENCE_S
        while not so():
            assert time.monotonic() < end, f"{told} not on the screen:\n{self.screen()}"
            await self.pilot.pause(0.02)

    def _ready(self) -> bool:
        arming = any(key.has_class("arming") for key in self.app.query(KeyButton))
        return not (self.app.busy or arming)

    async def presses(self, *keys: str) -> None:
        """Key after key, as on a keyboard or a number pad."""
        await self.pilot.press(*keys)

    async def twice(self, key: str) -> None:
        """A key that a browser wants kept pressed: the second press not with the first one."""
        await self.presses(key)
        await self.sees("Pulse otra vez")
        await self.until(lambda: self.app.awaits_again is not None, f"a second {key}")
        await self.presses(key)

    async def walks_to(self, label: str) -> None:
        """With ``+`` from key to key, until the one with this label has the focus."""
        for _ in range(60):
            if label in str(getattr(self.app.focused, "label", "")):
                return
            await self.presses("plus")
        raise AssertionError(f"no key {label}:\n{self.screen()}")

    async def clicks(self, label: str) -> None:
        """A mouse works as well."""
        for key in self.app.query(KeyButton):
            if str(key.label).strip() == label:
                await self.pilot.click(key)

    async def logs_in(self, officer: str) -> None:
        """Id, Enter leads to the PIN; Enter logs in."""
        await self.sees("Entrar")
        field = self.app.query(Input).first()
        field.value = ""
        await self.presses(*officer, "plus", *PINS[officer], "enter")
        await self.sees("Historial")


@asynccontextmanager
async def at_terminal(url: str) -> AsyncIterator[Person]:
    """Somebody at a terminal, not logged in."""
    line = Line(url)
    app = TerminalConsole(line)
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            yield Person(app, pilot)
    finally:
        await line.close()
