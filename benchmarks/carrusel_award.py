"""Linked tables: from a bet to another table's visor, and from a claim to its decision at every table.

Run: ``.venv/bin/python benchmarks/carrusel_award.py [--tables 10] [--rounds 30]``.

Real tables in manual mode and a coordinator in this process, a real mosquitto beside it. In each round
table 1 enters the total of a hand (the bet), and table 2's visor is watched; then table 1 claims four
aces, and every table is watched until it has applied the decision. Beside them the bare round trip of a
message over the same broker. Targets: twice the round trip; 250 ms for 99 of 100.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from tools import report

from jackpot.config import BrokerConfig, CarruselConfig, ScreensConfig
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.demo.croupier import CHIEFS, CROUPIER, OFFICERS
from jackpot.daemon.demo.house import PINS, demo_house
from jackpot.daemon.install import NewOfficer
from jackpot.daemon.link.coordinating import running_coordinator, serving
from jackpot.daemon.link.founding import found
from jackpot.daemon.link.mqtt import MqttLine, ended
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.law.terms import BetMode
from jackpot.law.words import Language
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct
from jackpot.table.facts import DeclaredHand
from jackpot.table.state import Phase, unpaid

CARRUSEL = "sala-1"
TARGET_MS, TARGET_ROUND_TRIPS = 250, 2
PATIENCE_S = 60.0
ROUND_TRIPS = 200


class Staff:
    """The officers of one table."""

    def __init__(self, running: RunningTable) -> None:
        self.desk = running.desk
        self._forms = itertools.count(1)
        self._session = f"benchmark-{running.config.table.number}"

    async def act(self, act: OfficerAct) -> None:
        """One form."""
        await self.desk.act(act, form=f"{self._session}.{next(self._forms)}")

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the desk's news until it holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await self.desk.changed(self.desk.version, PATIENCE_S)

    def shown(self) -> int:
        """The prize on its visors, in micro-cents; -1 while there is none."""
        heard = self.desk.status.carrusel
        total = None if heard is None else heard.total_microcents
        return -1 if total is None else total

    def decision(self) -> int:
        """The last that it applied."""
        member = self.desk.state.carrusel
        return 0 if member is None else member.decision

    async def join(self) -> None:
        """Open the day and join."""
        opened = f.DayOpened(
            by=CROUPIER, second=CHIEFS[0], day="2026-11-30", displayed_cents=1_000_000
        )
        await self.act(opened)
        asked = f.CarruselJoinAsked(
            by=CHIEFS[0], second=CHIEFS[2], carrusel=CARRUSEL, authorisation="benchmark"
        )
        await self.act(asked)
        await self.until(lambda: self.shown() >= 0)


async def round_(first: Staff, others: list[Staff]) -> tuple[float, float]:
    """Milliseconds of one claim and one bet."""
    number = first.desk.state.hand_number + 1
    await first.act(f.HandStarted(by=CROUPIER, hand=number))
    await first.act(f.LockPressed(by=CROUPIER, hand=number))
    hands = (DeclaredHand(1, "As Ah Ad Ac 3h"),)
    await first.act(f.AwardsDeclared(by=CROUPIER, hand=number, hands=hands))
    decision = first.decision() + 1
    began = time.monotonic()
    await first.act(f.AwardsConfirmed(by=CHIEFS[0], hand=number))
    await asyncio.gather(
        *(one.until(lambda one=one: one.decision() >= decision) for one in (first, *others))  # type: ignore[misc]
    )
    claim_ms = (time.monotonic() - began) * 1_000
    if first.desk.state.phase is Phase.DECIDED:
        owed_cents = sum(payment.cents for payment in unpaid(first.desk.state))
        signed = f.AwardsSigned(by=CHIEFS[1], hand=number, total_cents=owed_cents)
        await first.act(signed)
    for one in unpaid(first.desk.state):
        await first.act(f.AwardPaid(by=CROUPIER, hand=number, box=one.box, cents=one.cents))
    await asyncio.sleep(0.3)  # the total of the decision is out
    await first.act(f.TotalEntered(by=CROUPIER, hand=number, chips=3, cents=600))
    before, watcher = others[0].shown(), others[0]
    began = time.monotonic()
    await first.act(f.TotalFinal(by=CROUPIER, hand=number, chips=3))
    await watcher.until(lambda: watcher.shown() > before)
    return claim_ms, (time.monotonic() - began) * 1_000


async def round_trips_ms(broker: BrokerConfig) -> list[float]:
    """A message to ourselves over the broker, again and again."""
    line = MqttLine(
        broker, "echo", ["echo"], on_connected=lambda: None, on_disconnected=lambda: None
    )
    task = asyncio.create_task(line.run())
    found = []
    while not line.connected:
        await asyncio.sleep(0.02)
    for _ in range(ROUND_TRIPS):
        began = time.monotonic()
        line.send("echo", b"x" * 300)
        while not (incoming := await line.take()):
            pass
        found.append((time.monotonic() - began) * 1_000)
        incoming[0].acknowledge()
    await ended(task)
    return sorted(found)


async def measure(folder: Path, port: int, tables: int, rounds: int) -> None:
    broker = BrokerConfig("127.0.0.1", port)
    screens = ScreensConfig("127.0.0.1", 0, Language.ES, "Atlantic/Canary", 1_800, None, None)
    config = CoordinatorConfig(CARRUSEL, "c1", {}, folder / "c", broker, False, None, screens)
    staff = [NewOfficer(name, roles, PINS[name]) for name, roles in OFFICERS.items()]
    await found(config, staff, new_log=True)
    async with AsyncExitStack() as stack:
        coordinator = await stack.enter_async_context(running_coordinator(config))
        await stack.enter_async_context(serving(coordinator))
        floor = []
        for number in range(1, tables + 1):
            place = folder / f"table-{number}"
            link = CarruselConfig(CARRUSEL, broker)
            table = demo_house(place, 0, BetMode.MANUAL, str(number), link)
            around = Surroundings(lock_directory=place, screens=False)
            floor.append(Staff(await stack.enter_async_context(running_table(table, around))))
            await floor[-1].join()
        measured = [await round_(floor[0], floor[1:]) for _ in range(rounds)]
    raw = await round_trips_ms(broker)
    claims, bets = (sorted(one) for one in zip(*measured, strict=True))
    figures = {"tables": tables, "rounds": rounds, "round_trip_p99_ms": _p99(raw)}
    report(
        "claim to all tables",
        **figures,
        median_ms=_half(claims),
        p99_ms=_p99(claims),
        target_ms=TARGET_MS,
    )
    report(
        "bet to another visor",
        **figures,
        median_ms=_half(bets),
        p99_ms=_p99(bets),
        target_round_trips=TARGET_ROUND_TRIPS,
    )


def _half(values: list[float]) -> float:
    return round(values[len(values) // 2], 1)


def _p99(values: list[float]) -> float:
    return round(values[len(values) * 99 // 100], 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-award-") as name:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        conf = Path(name) / "mosquitto.conf"
        conf.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        with subprocess.Popen([program, "-c", str(conf)]) as broker:  # noqa: S603
            try:
                asyncio.run(measure(Path(name), port, asked.tables, asked.rounds))
            finally:
                broker.terminate()


if __name__ == "__main__":
    main()
