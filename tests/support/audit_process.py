"""``jackpot audit`` as people start it: a process that prints an address, to be ended by a signal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

READY_TIMEOUT_S = 60
"""Two shared cores may be busy; a small ledger takes two seconds."""
END_TIMEOUT_S = 20
STEP_S = 0.05


class AuditProcess:
    """The audit room over some ledgers, on a free port. ``url`` ends with the token."""

    def __init__(self, *ledgers: Path, temporary: Path) -> None:
        command = [sys.executable, "-m", "jackpot.cli", "audit", "--no-browser"]
        self._process = subprocess.Popen(
            [*command, *map(str, ledgers)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        assert self._process.stdout is not None
        found = re.search(r"http\S+", self._process.stdout.readline())
        assert found is not None
        self.url = found[0]

    def wait_until_checked(self) -> None:
        """Until checker and replay have said what they have to say."""
        end = time.monotonic() + READY_TIMEOUT_S
        while time.monotonic() < end:
            if httpx.get(f"{self.url}1/status").json()["finished"]:
                return
            time.sleep(STEP_S)  # processes, not a clock of ours: there is nothing to advance
        raise TimeoutError("the ledger was not checked in time")

    def end(self, sent: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """End it as Ctrl-C does; its exit status, and what it complained of."""
        self._process.send_signal(sent)
        _, complaints = self._process.communicate(timeout=END_TIMEOUT_S)
        return self._process.returncode, complaints

    def kill(self) -> None:
        """Whatever state it is in."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()
