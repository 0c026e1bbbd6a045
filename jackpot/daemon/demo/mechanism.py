"""The simulated mechanism as a child process: commands as lines in, one JSON object a line out.

The simulator is a program of its own that shares no code with the controller; only its command
line is known here (``docs/simulator.md``).
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import msgspec

from jackpot.errors import Refused

READY_TIMEOUT_S = 15.0
"""A Python process on a slow, busy machine is up in three."""

END_TIMEOUT_S = 5.0
"""The simulator ends at once when its input closes; after this it is ended by force."""

MOST_WAITING = 512
"""Commands without an answer: seven boxes with a handful each; more means that it is stuck."""


class Answer(msgspec.Struct, frozen=True):
    """What the simulator said; fields that a command does not answer keep their default."""

    ok: bool
    error: str = ""
    box: int = 0
    open: bool = True
    accepted: int | bool = True
    counter: int | None = None
    at_ns: int = 0


_READ = msgspec.json.Decoder(Answer)


class Mechanism:
    """Seven acceptors on one wire behind ``link``. ``async with``, then ``send``."""

    def __init__(self, link: Path, options: Sequence[str] = ()) -> None:
        self.link = link
        self._options = tuple(options)
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: deque[asyncio.Future[Answer]] = deque()

    async def __aenter__(self) -> Mechanism:
        """Start it and wait until the line exists. Raises ``Refused`` when it does not come up."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "firmware_sim",
            "--link",
            str(self.link),
            *self._options,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the demonstration's to answer
        )
        ready = self._expect()
        self._reader = asyncio.create_task(self._read())
        try:
            async with asyncio.timeout(READY_TIMEOUT_S):
                await ready
        except (TimeoutError, Refused):
            await self.__aexit__()
            raise _gone("a simulator that comes up", "none") from None
        return self

    async def __aexit__(self, *_: object) -> None:
        """End it: its input closes; by force if that is not enough."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            async with asyncio.timeout(END_TIMEOUT_S):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):  # it ended at this very moment
                process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader

    def send(self, commands: Sequence[str]) -> list[asyncio.Future[Answer]]:
        """Send commands in one go; a future for each, in order. Raises ``Refused`` when it is gone."""
        if self._process is None or self._process.stdin is None:
            raise _gone("a running simulator", "none")
        if len(self._waiting) + len(commands) > MOST_WAITING:
            raise _gone(f"at most {MOST_WAITING} commands without an answer", "more")
        answers = [self._expect() for _ in commands]
        self._process.stdin.write("".join(f"{command}\n" for command in commands).encode())
        return answers

    def _expect(self) -> asyncio.Future[Answer]:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future

    async def _read(self) -> None:
        """Give each line to the oldest future; at the end nobody is left waiting."""
        process = self._process
        if process is None or process.stdout is None:
            return
        while line := await process.stdout.readline():
            future, answer = self._waiting.popleft(), _READ.decode(line)
            if future.done():
                continue
            if answer.ok:
                future.set_result(answer)
            else:
                future.set_exception(_gone("a command that it knows", answer.error))
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_exception(_gone("a running simulator", "one that ended"))


def _gone(expected: str, found: str) -> Refused:
    return Refused(
        reason="simulator",
        expected=expected,
        found=found,
        to_do="start the demonstration again; its messages are above",
    )
