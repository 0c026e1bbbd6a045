"""The simulator as a child process, for tests and demonstrations: blocking and asyncio.

Both start ``python -m firmware_sim --link LINK ARGUMENTS`` (or another ``module``), send commands to
its standard input and return the answers as dictionaries (see ``docs/simulator.md``). The child ends
with its parent: its standard input closes.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ANSWER_TIMEOUT_S = 10.0  # answers come at once; a busy machine may take seconds to start Python
ANSWER_BYTES = 65_536  # one read; a longer answer takes several
MODULE = "firmware_sim"
BOARD_MODULE = "firmware_sim.board"

MAX_WAITING = 10_000  # commands sent ahead of their answers: a demonstration sends a hand's seven


class SimulatorError(Exception):
    """The simulator did not start, did not answer, or refused a command."""


def _command_line(module: str, link: Path, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", module, "--link", str(link), *arguments]


def _environment() -> dict[str, str]:
    """The child finds this package wherever the parent was started."""
    root = str(Path(__file__).resolve().parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _checked(text: str, answer: dict[str, Any]) -> dict[str, Any]:
    if not answer.get("ok"):
        raise SimulatorError(f"{text!r}: {answer.get('error')}")
    return answer


def _chip_text(box: int, position: int | None) -> str:
    return f"chip {box}" if position is None else f"chip {box} {position}"


class SimulatedMechanism:
    """A running simulator; every call waits for its answer. Also a context manager."""

    def __init__(self, link: Path, *arguments: str, module: str = MODULE) -> None:
        self.link = link
        self._rest = b""
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            _command_line(module, link, arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
            bufsize=0,
        )
        try:
            self.ready = self._read_answer()
        except SimulatorError:
            self.close()
            raise

    def command(self, text: str) -> dict[str, Any]:
        """The answer to one command; ``SimulatorError`` when it is refused."""
        if self._process.stdin is None:
            raise SimulatorError("the simulator has no standard input")
        try:
            self._process.stdin.write(text.encode() + b"\n")
        except OSError as error:
            raise SimulatorError(f"the simulator has gone: {error}") from error
        return _checked(text, self._read_answer())

    def chip(self, box: int, position: int | None = None) -> dict[str, Any]:
        """Drop a chip in; ``accepted`` in the answer says whether the acceptor kept it."""
        return self.command(_chip_text(box, position))

    def close(self) -> None:
        """End the child: its input closes, and if that is not enough within 10 s, by force."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(ANSWER_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read_answer(self) -> dict[str, Any]:
        if self._process.stdout is None:
            raise SimulatorError("the simulator has no standard output")
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            if not select.select([descriptor], [], [], ANSWER_TIMEOUT_S)[0]:
                raise SimulatorError(f"no answer within {ANSWER_TIMEOUT_S:.0f} s")
            data = os.read(descriptor, ANSWER_BYTES)
            if not data:
                raise SimulatorError(f"the simulator ended: status {self._process.wait()}")
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncMechanism:
    """A running simulator under asyncio; commands may be sent ahead, answers come in their order.

    Start it with ``await AsyncMechanism.start(link, ...)`` or use it as ``async with``.
    """

    def __init__(self, link: Path, *arguments: str, module: str = MODULE) -> None:
        self.link = link
        self.ready: dict[str, Any] = {}
        self._arguments = arguments
        self._module = module
        self._waiting: deque[asyncio.Future[dict[str, Any]]] = deque()
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ended = False

    @classmethod
    async def start(cls, link: Path, *arguments: str, module: str = MODULE) -> Self:
        """A simulator that is ready: its line exists behind ``link``."""
        mechanism = cls(link, *arguments, module=module)
        await mechanism._open()
        return mechanism

    async def command(self, text: str) -> dict[str, Any]:
        """The answer to one command; ``SimulatorError`` when it is refused."""
        return _checked(text, await self.send(text))

    def send(self, text: str) -> asyncio.Future[dict[str, Any]]:
        """Send a command and return at once; the future becomes its answer, also a refusal."""
        if self._process is None or self._process.stdin is None or self._ended:
            raise SimulatorError("the simulator is not running")
        if len(self._waiting) >= MAX_WAITING:
            raise SimulatorError(f"expected at most {MAX_WAITING} commands without an answer")
        answer = self._expect()
        self._process.stdin.write(text.encode() + b"\n")
        return answer

    async def chip(self, box: int, position: int | None = None) -> dict[str, Any]:
        """Drop a chip in; ``accepted`` in the answer says whether the acceptor kept it."""
        return await self.command(_chip_text(box, position))

    async def close(self) -> None:
        """End the child: its input closes, and if that is not enough within 10 s, by force."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), ANSWER_TIMEOUT_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader

    def _expect(self) -> asyncio.Future[dict[str, Any]]:
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        return answer

    async def _open(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *_command_line(self._module, self.link, self._arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_environment(),
            limit=ANSWER_BYTES,
        )
        ready = self._expect()
        self._reader = asyncio.create_task(self._read_answers(self._process))
        try:
            self.ready = await asyncio.wait_for(ready, ANSWER_TIMEOUT_S)
        except (TimeoutError, SimulatorError):
            await self.close()
            raise

    async def _read_answers(self, process: asyncio.subprocess.Process) -> None:
        """Give each line to the oldest future; at the end nobody is left waiting."""
        if process.stdout is None:
            return
        while line := await process.stdout.readline():
            answer = self._waiting.popleft()
            if not answer.done():
                answer.set_result(json.loads(line))
        self._ended = True
        while self._waiting:
            answer = self._waiting.popleft()
            if not answer.done():
                answer.set_exception(SimulatorError("the simulator ended"))

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
