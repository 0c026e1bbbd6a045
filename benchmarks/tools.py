"""What the benchmarks share: a whole table on a simulated line, its keys, and how figures are printed.

No benchmark by itself: run, it does nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

from jackpot.daemon.demo.croupier import CHIEFS, CROUPIER
from jackpot.daemon.demo.house import LINK_NAME, demo_house
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.demo.show import AS_ON_THE_WIRE
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.daemon.table_desk import TableDesk
from jackpot.table import facts as f
from jackpot.table.day import opening_cents
from jackpot.table.event import OfficerAct
from jackpot.table.state import Phase

TIMEOUT_S = 60.0
"""Nothing that is waited for takes a tenth of this."""


def report(name: str, **figures: float | int | str) -> None:
    """The figures of one run for programs: a line of JSON."""
    print(json.dumps({"benchmark": name, **figures}), flush=True)


@asynccontextmanager
async def table_on_a_wire(
    folder: Path, options: Sequence[str] = AS_ON_THE_WIRE, *, screens: bool = False
) -> AsyncIterator[tuple[RunningTable, Mechanism]]:
    """The table of the demonstration in ``folder``, without its croupier and its players."""
    config = demo_house(folder, port=0)
    mechanism = Mechanism(folder / LINK_NAME, options)
    around = Surroundings(lock_directory=folder, screens=screens)
    async with mechanism, running_table(config, around) as table:
        await until(table.desk, lambda: all(slot.up for slot in table.desk.state.slots))
        yield table, mechanism


async def until(desk: TableDesk, holds: Callable[[], bool]) -> None:
    """Wait until ``holds()`` after some change of the desk."""
    async with asyncio.timeout(TIMEOUT_S):
        while not holds():
            await desk.changed(desk.version, TIMEOUT_S)


class Keys:
    """The croupier's keys, pressed by the benchmark."""

    def __init__(self, desk: TableDesk, session: str = "benchmark") -> None:
        self._desk = desk
        self._session = session
        self._forms = 0

    async def open_day(self) -> None:
        """Open the table on an invented day."""
        cents = opening_cents(self._desk.state)
        await self._press(
            f.DayOpened(by=CROUPIER, second=CHIEFS[0], day="2026-01-01", displayed_cents=cents)
        )

    async def start_hand(self) -> None:
        """Open the betting, once every slot is in service."""
        await until(self._desk, lambda: all(slot.up for slot in self._desk.state.slots))
        await self._press(f.HandStarted(by=CROUPIER, hand=self._desk.state.hand_number + 1))

    async def end_hand(self) -> None:
        """«No va más», the barrier, no awards. On a busy machine a slot may have been too slow."""
        desk = self._desk
        await self._press(f.LockPressed(by=CROUPIER, hand=desk.state.hand_number))
        await until(desk, lambda: desk.state.phase is Phase.LOCKED)
        number = desk.state.hand_number
        for box in desk.state.hand.unknown_boxes if desk.state.hand else ():
            await self._press(f.SlotDecided(by=CROUPIER, hand=number, box=box, bet=False))
        await self._press(f.NoAwardsDeclared(by=CROUPIER, hand=desk.state.hand_number))

    async def _press(self, act: OfficerAct) -> None:
        self._forms += 1
        await self._desk.act(act, form=f"{self._session}.{self._forms}")


class Program:
    """``jackpot`` as a process of its own, ready when the ``with`` block begins."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments

    def __enter__(self) -> Program:
        """Start it and wait for the line that says it is ready."""
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "jackpot.cli", *self._arguments],
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in self._process.stdout or ():
            found = re.search(r"screens (http://\S+)/,", line)
            if found:
                self.url = found[1]
                return self
        raise RuntimeError(f"expected a program that gets ready: {self._arguments}")

    def __exit__(self, *_: object) -> None:
        """End it in good order."""
        self._process.terminate()
        self._process.communicate(timeout=TIMEOUT_S)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @contextmanager
    def visor(self) -> Iterator[None]:
        """A visor that follows the events, in a thread of its own."""
        where = urlsplit(self.url)
        connection = HTTPConnection(where.hostname or "", where.port)
        connection.request("GET", "/visor/events")
        stream = connection.getresponse()
        threading.Thread(target=_swallow, args=(stream,), daemon=True).start()
        try:
            yield
        finally:
            if connection.sock is not None:
                connection.sock.shutdown(socket.SHUT_RDWR)
            connection.close()


def _swallow(stream: HTTPResponse) -> None:
    with suppress(OSError, ValueError, AttributeError):  # the connection is closed under it
        while stream.read1():
            pass
