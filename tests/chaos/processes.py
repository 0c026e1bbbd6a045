"""A process of the chaos scripts: killed and frozen at will, begun again with the same command."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


class Process:
    """A process that can be killed, frozen, and started again with the same command."""

    def __init__(self, name: str, command: list[str], folder: Path) -> None:
        self.name = name
        self._command = command
        self._log = (folder / f"{name}.log").open("ab")
        self._path = folder / f"{name}.log"
        self._begins = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it is left to itself."""
        self._begins = self._path.stat().st_size
        tests = str(HERE.parent)
        path = os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            self._command,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )

    def send(self, number: signal.Signals) -> None:
        """A signal, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """As a power cut would end it."""
        self.send(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def close(self) -> None:
        """Ended for good."""
        self.kill()
        self._log.close()

    @property
    def runs(self) -> bool:
        """Whether it is still there."""
        return self._process is not None and self._process.poll() is None

    def said(self, what: str) -> bool:
        """Whether it printed a line that begins so since its last start."""
        lines = self._path.read_bytes()[self._begins :].decode(errors="replace").splitlines()
        return any(line.startswith(what) for line in lines)
