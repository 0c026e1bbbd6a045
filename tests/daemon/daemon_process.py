"""The real daemon as a child process, a person at its console over HTTP, and a reader of its ledger."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zoneinfo import ZoneInfo

import httpx

from jackpot.authority.roles import Role
from jackpot.config import Config, load_config_file
from jackpot.daemon.install import NewOfficer, install
from jackpot.ledger.keys import load_key
from jackpot.ledger.machine import Recorded
from jackpot.ledger.read import Reader
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table.state import TableState

SOON_S = 20.0
"""A shared machine may take long to start Python."""

PINS = {"c1": "482915", "j1": "572914", "d1": "773915"}
OFFICERS = (
    NewOfficer("c1", (Role.CROUPIER,), PINS["c1"]),
    NewOfficer("j1", (Role.TABLE_CHIEF,), PINS["j1"]),
    NewOfficer("d1", (Role.GAMES_DIRECTOR,), PINS["d1"]),
)

TEXT = """
profile = "canarias"

[casino]
name = "Casino de Ejemplo"
id = "casino.example"

[table]
number = "7"
minimum = "10.00"

[jackpot]
bet = "2.00"
percentage = "25"
seed = "10000.00"
authorisation = "2026/001"

[slots]
port = "line"

[ledger]
dir = "record"
disk_alarm_mib = 1

[screens]
port = 0
"""


def installed(folder: Path, text: str = TEXT) -> Config:
    """A configuration, key, ledger and three officers in ``folder``."""
    file = folder / "table.toml"
    file.write_text(text)
    config = load_config_file(file)
    install(config, OFFICERS, 1_764_500_000_000_000_000)
    return config


def recorded(config: Config) -> list[Recorded]:
    """Every batch of the ledger, the chain checked."""
    with Reader(config.ledger.file, TABLE.events) as reader:
        return list(reader.checked())


def counted(config: Config) -> Counter[str]:
    """How often each kind of event stands in the ledger."""
    return Counter(event.kind for batch in recorded(config) for event in batch.events)


def final_state(config: Config) -> TableState:
    """The fold of the ledger, from a thorough opening. Only when no daemon runs."""
    with Ledger.open(config.ledger.file, TABLE, load_key(config.ledger.key_file)) as ledger:
        return ledger.state


class Daemon:
    """``jackpot run`` on one configuration."""

    def __init__(self, config: Config, *prefix: str, wait: bool = True) -> None:
        file = config.ledger.folder.parent / "table.toml"
        self.log = (config.ledger.folder.parent / "daemon.log").open("ab")
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "jackpot.cli", "run", str(file)],
            stdout=subprocess.PIPE,
            stderr=self.log,
        )
        self.url = ""
        if wait:
            try:
                self.wait_ready()
            except BaseException:
                self.kill()
                raise

    def wait_ready(self) -> None:
        """Read the line that says so."""
        match = re.search(r"screens (http\S+/),", self._first_line())
        assert match is not None, "the daemon did not become ready"
        self.url = match[1]

    def _first_line(self) -> str:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        end = time.monotonic() + SOON_S
        line = b""
        while not line.endswith(b"\n") and time.monotonic() < end:
            if select.select([descriptor], [], [], 0.5)[0]:
                data = os.read(descriptor, 1000)
                if not data:
                    break
                line += data
        return line.decode()

    def stop(self) -> int:
        """SIGTERM and the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def kill(self) -> None:
        """SIGKILL: nobody says goodbye."""
        self.process.kill()
        self.end()

    def end(self) -> int:
        """Wait for the end."""
        status = self.process.wait(SOON_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.log.close()
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.kill()


class Console:
    """An officer at a terminal: real pages, real forms."""

    def __init__(self, url: str, officer: str = "c1") -> None:
        self.client = httpx.Client(
            base_url=url, headers={"origin": url.rstrip("/")}, timeout=SOON_S
        )
        form = {"officer": officer, "pin": PINS[officer], "form": self._form("/login")}
        answer = self.client.post("/login", data=form)
        assert answer.status_code == 303, answer.text

    def _form(self, *pages: str) -> str:
        """The seal of any form that these pages hand out now: it is bound to the session."""
        for page in pages:
            match = re.search(r'name="form" value="([^"]+)"', self.client.get(page).text)
            if match is not None:
                return match[1]
        raise AssertionError(f"no form on {pages}")

    def press(self, key: str, **fields: str | int) -> httpx.Response:
        """Post one act with a fresh form; the answer, also of a refusal."""
        data = {
            "form": self._form("/console/void"),  # not that of a key which must be old enough
            **{name: str(value) for name, value in fields.items()},
        }
        return self.client.post(f"/console/act/{key}", data=data)

    def visor(self) -> dict[str, Any]:
        """What the visor shows."""
        shown: dict[str, Any] = self.client.get("/visor/state").json()
        return shown

    def open_day(self) -> None:
        """c1 and j1 sign 10,000.00."""
        answer = self.press("open-day", cents=1_000_000, day=_today(), signer="j1", pin=PINS["j1"])
        assert answer.status_code == 303, answer.text

    def close(self) -> None:
        """Let go of the connection."""
        self.client.close()


def _today() -> str:
    """The date where the table stands: the console opens no other gaming day."""
    return datetime.now(ZoneInfo("Atlantic/Canary")).date().isoformat()


@contextmanager
def at_console(daemon: Daemon, officer: str = "c1") -> Iterator[Console]:
    """A console that is closed in the end."""
    console = Console(daemon.url, officer)
    try:
        yield console
    finally:
        console.close()


def wait_until(config: Config, kind: str, times: int) -> None:
    """Wait until the ledger of a running daemon holds so many events of a kind."""
    end = time.monotonic() + SOON_S
    while counted(config)[kind] < times:
        assert time.monotonic() < end, f"{times} × {kind} did not come: {counted(config)}"
        time.sleep(0.02)
