"""Commands in their order; ``await BOX`` holds up those behind it until that slot takes a chip.

``leave`` overtakes: whatever is held up is not carried out any more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Protocol

from firmware_sim.commands import MS_NS, Result

MAX_LINES = 1_024  # lines held up; standard input is not read while there are more
LEAVE = "leave"
AWAIT_NS = 10_000 * MS_NS  # a host that has not opened a slot after 10 s will not do it by itself


class Executor(Protocol):
    """Whatever carries commands out."""

    def execute(self, text: str, now_ns: int) -> Result:
        """The answer to one line."""


class CommandQueue:
    """Add the lines, take the answers; call again after everything that the bus has heard."""

    def __init__(self, console: Executor) -> None:
        self._console = console
        self._lines: deque[str] = deque()
        self._held_since_ns: int | None = None

    @property
    def has_room(self) -> bool:
        """Whether more lines may be read."""
        return len(self._lines) < MAX_LINES

    def add(self, lines: Iterable[str]) -> None:
        """Lines of standard input."""
        self._lines.extend(line.strip() for line in lines)

    def answers(self, now_ns: int) -> list[Result]:
        """The answers to every line that need not wait, in their order."""
        answers: list[Result] = []
        while LEAVE in self._lines:
            answers += self._leave()
        while self._lines and not self._is_held(self._lines[0], now_ns):
            answers.append(self._console.execute(self._lines.popleft(), now_ns))
            self._held_since_ns = None
        return answers

    def deadline_ns(self) -> int | None:
        """When the line that waits is answered at the latest; None while none waits."""
        return None if self._held_since_ns is None else self._held_since_ns + AWAIT_NS

    def _leave(self) -> list[Result]:
        """Nobody waits any longer; every line still gets its answer."""
        answers: list[Result] = []
        while self._lines.popleft() != LEAVE:
            answers.append({"ok": True, "left": True})
        self._held_since_ns = None
        return [*answers, {"ok": True, "left": True}]

    def _is_held(self, line: str, now_ns: int) -> bool:
        words = line.split()
        if words[:1] != ["await"] or self._console.execute(line, now_ns).get("open", True):
            return False
        if self._held_since_ns is None:
            self._held_since_ns = now_ns
        return now_ns - self._held_since_ns < AWAIT_NS
