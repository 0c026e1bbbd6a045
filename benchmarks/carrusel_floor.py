"""A carrusel of many tables: how soon a bet is in the total, how soon a backlog is in the log.

Run: ``.venv/bin/python benchmarks/carrusel_floor.py [--tables 500] [--seconds 20] [--backlog 100000]``.

A real mosquitto and a real coordinator process with its SQLite log; the tables are simulated here: each
has a key, joins, and tells one signed operation a second, over eight connections. A bet is in the total
when the total that the broker hands out has grown by it. Then the tables tell a backlog at once, a hundred
operations a message, until the log has all. Targets: 500 ms for 99 of 100; 100 MiB; 30 s.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tools import report

from jackpot.authority.roles import Role
from jackpot.config import BrokerConfig
from jackpot.config.coordinator import load_coordinator
from jackpot.daemon.install import NewOfficer
from jackpot.daemon.link.founding import found_at_once
from jackpot.daemon.link.mqtt import MqttLine, ended
from jackpot.law.profile import load_profile
from jackpot.law.terms import BetMode, JackpotKind, Terms
from jackpot.ledger.note import Signer
from jackpot.link import messages as m
from jackpot.link import topics, wire
from jackpot.link.signing import signed, signer
from jackpot.table.outcomes.carrusel import Stage

CARRUSEL = "sala"
LINES = 8
METER_MICROCENTS = 1_000_000_000_000
BET_MICROCENTS = 50_000_000
OFFICERS = (
    NewOfficer("j1", (Role.TABLE_CHIEF,), "572914"),
    NewOfficer("d1", (Role.GAMES_DIRECTOR,), "773915"),
)
TARGET_MS, TARGET_MIB, TARGET_BACKLOG_S = 500, 100, 30
PATIENCE_S = 120.0

CONFIG = """
[carrusel]
id = "{carrusel}"

[coordinator]
dir = "coordinator"

[broker]
broker_port = {port}

[screens]
port = 0
"""


class Box:
    """One simulated table: its numbers go on by themselves."""

    def __init__(self, number: int) -> None:
        self.table = str(number)
        key = Ed25519PrivateKey.generate()
        self.vkey = Signer(f"casino.example/table-{number}-1", key).verifier.vkey
        self._sign = signer(key)
        self.join_hash = self._hash = hashlib.sha256(self.table.encode()).hexdigest()
        self.operation = 0

    def birth(self) -> bytes:
        """It asks to join."""
        birth = m.Birth(
            table=self.table,
            ledger=self.vkey,
            incarnation=1,
            asks_to_join=True,
            join_hash=self.join_hash,
            officers=("j1", "d1"),
            authorisation="benchmark",
            terms=terms(self.table),
            meter_microcents=METER_MICROCENTS,
            operation=0,
            decision=0,
        )
        return wire.encode(signed(birth, self._sign))

    def bets(self, count: int) -> bytes:
        """So many operations, each one bet."""
        operations = tuple(self._next() for _ in range(count))
        up = m.Up(table=self.table, incarnation=1, operations=operations)
        return wire.encode(signed(up, self._sign))

    def _next(self) -> m.Operation:
        self.operation += 1
        previous, text = self._hash, f"{self.table} {self.operation}"
        self._hash = hashlib.sha256(text.encode()).hexdigest()
        return m.Operation(
            number=self.operation,
            previous=previous,
            hash=self._hash,
            stage=Stage.MOVED,
            delta_microcents=BET_MICROCENTS,
        )


def terms(table: str) -> Terms:
    """The same for all, but for the table's number."""
    profile = load_profile("canarias")
    return Terms(
        profile=profile.id,
        table=table,
        layout="1",
        boxes=7,
        bets_per_box=1,
        ace_low_in_straights=False,
        closing_hands=3,
        kind=JackpotKind.PROGRESSIVE,
        mode=BetMode.AUTOMATIC,
        bet_cents=200,
        table_minimum_cents=1_000,
        jackpot_ppm=250_000,
        seed_cents=1_000_000,
        award_shares_ppm=dict(profile.award_shares_ppm or {}),
        authorisation="benchmark",
    )


class Floor:
    """All boxes over a few lines, and the totals that they hear."""

    def __init__(self, tables: int, port: int) -> None:
        self.boxes = [Box(number) for number in range(1, tables + 1)]
        self._up = asyncio.Event()
        self.total_microcents = 0
        self.arrivals: list[tuple[int, float]] = []
        broker = BrokerConfig("127.0.0.1", port)
        self.lines = [
            MqttLine(
                broker,
                f"boxes-{number}",
                [topics.total(CARRUSEL)] if number == 0 else ["unused"],
                on_connected=self._up.set,
                on_disconnected=lambda: None,
            )
            for number in range(LINES)
        ]

    def line_of(self, box: Box) -> MqttLine:
        """Each box always speaks over the same one."""
        return self.lines[int(box.table) % LINES]

    def send(self, box: Box, topic: str, payload: bytes) -> None:
        """Over its line."""
        self.line_of(box).send(topic, payload)

    async def listen(self) -> None:
        """Note every total as it comes."""
        while True:
            for incoming in await self.lines[0].take():
                message = wire.decode(incoming.payload, m.Total)
                if isinstance(message, m.Total):
                    self.total_microcents = message.total_microcents
                    self.arrivals.append((message.total_microcents, time.monotonic()))
                incoming.acknowledge()

    async def until_total(self, microcents: int) -> None:
        """Wait for it."""
        async with asyncio.timeout(PATIENCE_S):
            while self.total_microcents < microcents:
                await asyncio.sleep(0.02)


async def joined(floor: Floor) -> int:
    """Every box in the carrusel; returns the total."""
    async with asyncio.timeout(PATIENCE_S):
        while not all(line.connected for line in floor.lines):
            await asyncio.sleep(0.05)
    wanted = METER_MICROCENTS * len(floor.boxes)
    async with asyncio.timeout(PATIENCE_S):
        while floor.total_microcents < wanted:
            for box in floor.boxes:  # the coordinator may not listen yet: said again, as tables do
                floor.send(box, topics.birth(CARRUSEL, box.table), box.birth())
                await asyncio.sleep(0.005)
            await asyncio.sleep(2)
    return wanted


async def bets(floor: Floor, seconds: float, total: int) -> list[float]:
    """One bet a second at each table, spread evenly; milliseconds from telling to the total."""
    sent: list[float] = []
    floor.arrivals.clear()
    began = time.monotonic()
    turn = 0
    while time.monotonic() - began < seconds:
        box = floor.boxes[turn % len(floor.boxes)]
        floor.send(box, topics.up(CARRUSEL, box.table), box.bets(1))
        sent.append(time.monotonic())
        turn += 1
        await asyncio.sleep(max(0.0, began + turn / len(floor.boxes) - time.monotonic()))
    await floor.until_total(total + BET_MICROCENTS * len(sent))
    return list(_latencies_ms(sent, floor.arrivals, total))


def _latencies_ms(
    sent: list[float], arrivals: list[tuple[int, float]], total: int
) -> Iterator[float]:
    at = 0
    for number, when in enumerate(sent, 1):
        while arrivals[at][0] < total + number * BET_MICROCENTS:
            at += 1
        yield max(0.0, (arrivals[at][1] - when) * 1_000)


async def backlog(floor: Floor, count: int, total: int) -> float:
    """Seconds until the log has ``count`` bets that are told at once."""
    began = time.monotonic()
    each = -(-count // len(floor.boxes))
    for start in range(0, each, m.MAX_OPERATIONS_PER_MESSAGE):
        for box in floor.boxes:
            some = min(m.MAX_OPERATIONS_PER_MESSAGE, each - start)
            floor.send(box, topics.up(CARRUSEL, box.table), box.bets(some))
            await asyncio.sleep(0.002)
    await floor.until_total(total + BET_MICROCENTS * each * len(floor.boxes))
    return time.monotonic() - began


async def measure(tables: int, seconds: float, count: int, port: int, pid: int) -> None:
    floor = Floor(tables, port)
    tasks = [asyncio.create_task(line.run()) for line in floor.lines]
    tasks.append(asyncio.create_task(floor.listen()))
    try:
        total = await joined(floor)
        latencies = sorted(await bets(floor, seconds, total))
        total = floor.total_microcents
        report(
            "bet to total",
            tables=tables,
            bets=len(latencies),
            median_ms=round(latencies[len(latencies) // 2], 1),
            p99_ms=round(latencies[len(latencies) * 99 // 100], 1),
            target_ms=TARGET_MS,
            coordinator_mib=memory_mib(pid),
            target_mib=TARGET_MIB,
        )
        took_s = await backlog(floor, count, total)
        report(
            "backlog",
            bets=count,
            seconds=round(took_s, 1),
            target_s=TARGET_BACKLOG_S,
            coordinator_mib=memory_mib(pid),
        )
    finally:
        await ended(*tasks)


def memory_mib(pid: int) -> int:
    """What the process holds of its own, in MiB."""
    text = Path(f"/proc/{pid}/status").read_text()
    kib = next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS"))
    return int(kib) // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--backlog", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-floor-") as name:
        folder = Path(name)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        (folder / "mosquitto.conf").write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\n"
            "max_inflight_messages 500\nmax_queued_messages 10000\n"
        )
        text = CONFIG.format(carrusel=CARRUSEL, port=port)
        (folder / "coordinator.toml").write_text(text)
        found_at_once(load_coordinator(text, folder), OFFICERS, new_log=True)
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        broker = subprocess.Popen([program, "-c", str(folder / "mosquitto.conf")])  # noqa: S603
        command = [sys.executable, "-m", "jackpot.cli", "coordinator"]
        coordinator = subprocess.Popen([*command, str(folder / "coordinator.toml")])  # noqa: S603
        try:
            asyncio.run(measure(asked.tables, asked.seconds, asked.backlog, port, coordinator.pid))
        finally:
            for process in (coordinator, broker):
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()
