"""A server of screens as a process, to be killed and frozen; and a real browser to look at it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, Playwright, expect

from jackpot.daemon.officer_book import FILE_NAME, OfficerBook
from support.fakedesk import OFFICERS, PINS

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 20_000
"""How long a test waits for what a page must show: all of it is waiting, none of it a limit."""
expect.set_options(timeout=PATIENCE_MS)
START_TIMEOUT_S = 40
"""Two shared cores may be busy; a start takes about one second."""
STEP_S = 0.05
_SERVER = Path(__file__).parents[1] / "browser" / "fakeserver.py"


class ScreenServer:
    """The screens of a table in memory, on a free port of this machine."""

    def __init__(self, folder: Path, *, seed_cents: int = 10_000_000) -> None:
        self._book = folder / FILE_NAME
        self._seed_cents = seed_cents
        if not self._book.exists():
            book = OfficerBook(self._book)
            for officer, roles in OFFICERS.items():
                book.add(officer, roles, PINS[officer])
        self.port = free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and return once it answers. A new table each time."""
        command = [sys.executable, str(_SERVER), str(self.port), str(self._book)]
        self._process = subprocess.Popen([*command, str(self._seed_cents)])
        end = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < end:
            try:
                if httpx.get(f"{self.url}/visor/state").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(STEP_S)  # a process, not a clock of ours: there is nothing to advance
        self.kill()
        raise TimeoutError(f"no answer from {self.url}")

    def fresh(self) -> None:
        """A new table; a server that a test killed is started again."""
        if self._process.poll() is None:
            self.play("reset")
        else:
            self.start()

    def play(self, what: str) -> str:
        """Something that happens at the table."""
        answer = httpx.post(f"{self.url}/fake/{what}")
        assert answer.status_code == 200, answer.text
        return answer.text

    def acts(self) -> list[str]:
        """What officers did, as ``kind:officer``."""
        return self.play("acts").split()

    def freeze(self) -> None:
        """Stop the process where it stands: connections stay open and nothing moves."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL: no goodbye."""
        self._process.kill()
        self._process.wait()


def launch(playwright: Playwright, *more: str) -> Browser:
    """Debian's Chromium, headless, with ``more`` arguments."""
    arguments = [*CHROMIUM_ARGUMENTS, *more]
    return playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)


def log_in(page: Page, server: ScreenServer, officer: str) -> None:
    """To the console of ``server`` with id and PIN."""
    page.goto(f"{server.url}/login")
    page.fill("#officer", officer)
    page.fill("#pin", PINS[officer])
    page.keyboard.press("Enter")
    page.wait_for_url("**/console")


def expect_phase(page: Page, phase: str) -> None:
    """The console shows that phase, and its scripts hear keys: before that a key is lost."""
    expect(page.locator("#panel")).to_have_attribute("data-phase", phase)
    expect(page.locator("body[data-ready]")).to_have_count(1)


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
