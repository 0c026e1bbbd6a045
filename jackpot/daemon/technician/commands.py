"""The technician's commands from a program without an event loop: each runs its own and ends it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import TypeVar

from jackpot.cctalk.setup import NS_PER_S, LineSetup
from jackpot.cctalk.wording import Interpreter, Piece, Splitter
from jackpot.config import Config
from jackpot.config.sections import SlotsConfig
from jackpot.daemon.serial_line import LOCK_DIRECTORY
from jackpot.daemon.technician.addresses import (
    Placed,
    change_address,
    devices_at,
    resolve_clash,
)
from jackpot.daemon.technician.client import NotRunning, ask_for_test, look
from jackpot.daemon.technician.own_bus import own_bus
from jackpot.daemon.technician.probe import Found, Probe, probing, scan
from jackpot.daemon.technician.tester import Asked, Told
from jackpot.errors import Refused
from jackpot.mechanism.report import BusReport

T = TypeVar("T")

FIRST_LOOK_S = 12.0
"""Seven identifications, then every question of an inspection at the pace of closed slots."""

LOOK_EVERY_S = 0.5
"""A person reads no faster."""

OnReport = Callable[[BusReport, str], None]
"""Gets the bus, and who told: ``daemon`` or ``port``."""


def show(config: Config, on_report: OnReport, *, once: bool, locks: Path = LOCK_DIRECTORY) -> None:
    """Look at the slots, once or until interrupted. Raises ``Refused``."""
    setup = _slots(config)
    try:
        look(config.screens)
    except NotRunning:
        asyncio.run(_watch_port(setup, on_report, once, locks))
    else:
        _watch_daemon(config, on_report, once)


def _watch_daemon(config: Config, on_report: OnReport, once: bool) -> None:
    ends_s = time.monotonic() + FIRST_LOOK_S
    while True:
        try:
            report = look(config.screens)
        except NotRunning as gone:
            raise Refused(
                reason="table_stopped",
                expected="the running table",
                found=str(gone),
                to_do="start the command again: it then reads the port itself",
            ) from gone
        if not once or complete(report) or time.monotonic() > ends_s:
            on_report(report, "daemon")
            if once:
                return
        time.sleep(LOOK_EVERY_S)


async def _watch_port(setup: SlotsConfig, on_report: OnReport, once: bool, locks: Path) -> None:
    async with own_bus(setup, locks) as bus:
        ends_s = time.monotonic() + FIRST_LOOK_S
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            bus.inspect()
            report = bus.report()
            if not once or complete(report) or time.monotonic() > ends_s:
                on_report(report, "port")
                if once:
                    return


def complete(report: BusReport) -> bool:
    """Whether every slot has told what it will tell: in service and inspected, or out of service."""
    return all(
        bool(slot.down) or (slot.state == "ready" and slot.inspected) for slot in report.slots
    )


def scan_line(port: str, line: LineSetup, locks: Path = LOCK_DIRECTORY) -> list[Found]:
    """Who answers on the line. Raises ``Refused``."""
    return asyncio.run(_with_probe(port, line, locks, scan))


def clash(port: str, line: LineSetup, address: int, locks: Path = LOCK_DIRECTORY) -> int:
    """How many devices answer at one address (header 252). Raises ``Refused``."""

    async def count(probe: Probe) -> int:
        return await devices_at(probe, address)

    return asyncio.run(_with_probe(port, line, locks, count))


def resolve(
    port: str,
    line: LineSetup,
    address: int,
    wanted: Iterable[int] = (),
    locks: Path = LOCK_DIRECTORY,
) -> list[Placed]:
    """Tell devices apart that share an address (250, 253, 251). Raises ``Refused``."""

    async def run(probe: Probe) -> list[Placed]:
        return await resolve_clash(probe, address, wanted)

    return asyncio.run(_with_probe(port, line, locks, run))


def change(port: str, line: LineSetup, old: int, new: int, locks: Path = LOCK_DIRECTORY) -> None:
    """Give an acceptor another address (header 251). Raises ``Refused``."""

    async def run(probe: Probe) -> None:
        await change_address(probe, old, new)

    asyncio.run(_with_probe(port, line, locks, run))


def sniff(
    port: str,
    line: LineSetup,
    on_piece: Callable[[int, Piece, str], None],
    *,
    seconds: float | None,
    locks: Path = LOCK_DIRECTORY,
) -> None:
    """Listen, and tell each piece with its time in ns and its words, until the time is over.

    Raises ``Refused``.
    """

    async def listen(probe: Probe) -> None:
        splitter, words = Splitter(line.checksum), Interpreter(line.checksum)
        ends_ns = None if seconds is None else time.monotonic_ns() + int(seconds * NS_PER_S)
        while ends_ns is None or time.monotonic_ns() < ends_ns:
            got = await probe.next_bytes(LOOK_EVERY_S / 5)
            now_ns = time.monotonic_ns() if got is None else got[0]
            pieces = splitter.flush() if got is None else splitter.feed(got[1], now_ns)
            for piece in pieces:
                on_piece(now_ns, piece, words.words(piece))

    asyncio.run(_with_probe(port, line, locks, listen))


def require_running(config: Config) -> None:
    """Raises ``Refused`` when the table does not run: before anybody types a PIN."""
    _slots(config)
    try:
        look(config.screens)
    except NotRunning as error:
        raise _not_running(error) from error


def run_slot_test(config: Config, asked: Asked) -> Told:
    """Test a slot of the running table. Raises ``Refused``, also when the table does not run."""
    _slots(config)
    try:
        return ask_for_test(config.screens, asked)
    except NotRunning as error:
        raise _not_running(error) from error


def _not_running(error: NotRunning) -> Refused:
    return Refused(
        reason="table_not_running",
        expected="the running table: it signs the test into its ledger",
        found=str(error),
        to_do="start it with `jackpot run`",
    )


async def _with_probe(
    port: str, line: LineSetup, locks: Path, do: Callable[[Probe], Awaitable[T]]
) -> T:
    async with probing(port, line, locks) as probe:
        return await do(probe)


def _slots(config: Config) -> SlotsConfig:
    if config.slots is None:
        raise Refused(
            reason="no_slots",
            expected="a table with slots",
            found="a manual table",
            to_do="name the port itself with --port",
            rule="CAN-8.b1",
        )
    return config.slots
