"""A simulated sign as a child process, for tests: send commands, wait for what it shows."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_sim.process import ANSWER_TIMEOUT_S, SimulatorError

READ_BYTES = 65_536
MOST_EVENTS = 10_000  # pictures kept; a test looks at a few dozen


class SimulatedSign:
    """``python -m firmware_sim.signs ARGUMENTS``; it ends with its parent. A context manager."""

    def __init__(self, *arguments: str) -> None:
        self.events: deque[dict[str, Any]] = deque(maxlen=MOST_EVENTS)
        self._rest = b""
        root = str(Path(__file__).resolve().parents[2])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "firmware_sim.signs", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            bufsize=0,
        )
        self.ready = self._answer()

    def command(self, text: str) -> dict[str, Any]:
        """The answer to one command."""
        if self._process.stdin is None:
            raise SimulatorError("the sign has no standard input")
        self._process.stdin.write(text.encode() + b"\n")
        answer = self._answer()
        if not answer["ok"]:
            raise SimulatorError(f"{text!r}: {answer['error']}")
        return answer

    def pictures(self) -> list[list[str]]:
        """Everything that it has shown so far, oldest first."""
        self.command("show")
        return [event["lines"] for event in self.events]

    def wait_for(self, lines: list[str], within_s: float = ANSWER_TIMEOUT_S) -> int:
        """Wait until it shows exactly these lines; returns when that was, in milliseconds of the
        machine's monotonic clock. ``SimulatorError`` if it does not within ``within_s``."""
        end = time.monotonic() + within_s
        while True:
            if self.events and self.events[-1]["lines"] == lines:
                return int(self.events[-1]["at_ms"])
            left_s = end - time.monotonic()
            if left_s <= 0:
                last = self.events[-1]["lines"] if self.events else None
                raise SimulatorError(f"expected {lines}, it shows {last}")
            self._take(left_s)

    def close(self) -> None:
        """End the child."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(ANSWER_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _answer(self) -> dict[str, Any]:
        end = time.monotonic() + ANSWER_TIMEOUT_S
        while time.monotonic() < end:
            answer = self._take(ANSWER_TIMEOUT_S)
            if answer is not None:
                return answer
        raise SimulatorError(f"no answer within {ANSWER_TIMEOUT_S:.0f} s")

    def _take(self, within_s: float) -> dict[str, Any] | None:
        """The next line, if it comes in time and is an answer; an event is put away."""
        if self._process.stdout is None:
            raise SimulatorError("the sign has no standard output")
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            if not select.select([descriptor], [], [], within_s)[0]:
                return None
            data = os.read(descriptor, READ_BYTES)
            if not data:
                raise SimulatorError(f"the sign ended: status {self._process.wait()}")
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        said: dict[str, Any] = json.loads(line)
        if "event" in said:
            self.events.append(said)
            return None
        return said

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
