"""A carrusel of many tables: how soon a bet is in the total, how soon a backlog is in the log.

Run: ``.venv/bin/python benchmarks/carrusel_floor.py [--tables 500] [--seconds 20] [--backlog 100000]``.

A real mosquitto and a real coordinator process with its SQLite log; the tables are simulated here: each
has a key, joins, beats once a second and tells one signed operation a second, over eight connections.
What they say is signed beforehand, so that the machine is the coordinator's. A bet is in the total when
the total that the broker hands out has grown by it. Then the tables tell a backlog at once, a hundred
operations a message, until the log has all. Beside it the bare round trip over the same broker in the
same seconds, and the processor time of coordinator and broker, which a busy machine does not spoil.
Targets: 500 ms for 99 of 100; 100 MiB; 30 s.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from carrusel_parts import (
    Echo,
    broker_in,
    coordinator_on,
    echo_over,
    line,
    median,
    p99,
    running,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tools import report

from jackpot.config import BrokerConfig
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
TARGET_MS, TARGET_MIB, TARGET_BACKLOG_S = 500, 100, 30
PATIENCE_S = 120.0
WITNESS_S = 0.05
"""Between two bare round trips: a witness of the machine's load, no load of its own."""


class Box:
    """One simulated table: its numbers go on by themselves."""

    def __init__(self, number: int) -> None:
        self.table = str(number)
        key = Ed25519PrivateKey.generate()
        self.vkey = Signer(f"casino.example/table-{number}-1", key).verifier.vkey
        self._sign = signer(key)
        self.join_hash = self._hash = hashlib.sha256(self.table.encode()).hexdigest()
        self.operation = 0
        self.birth = self._birth()

    def _birth(self) -> bytes:
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

    def beat(self) -> bytes:
        """Alive, with what it holds."""
        beat = m.NodeBeat(
            table=self.table,
            incarnation=1,
            operation=self.operation,
            decision=0,
            view_position=1,
            at_ns=time.time_ns(),
        )
        return wire.encode(beat)

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

    def __init__(self, tables: int, broker: BrokerConfig) -> None:
        self.boxes = [Box(number) for number in range(1, tables + 1)]
        self.total_microcents = 0
        self.arrivals: list[tuple[int, float]] = []
        self.lines = [line(broker, f"boxes-{number}", "unused") for number in range(LINES)]
        self.totals = line(broker, "visor", topics.total(CARRUSEL))

    def line_of(self, box: Box) -> MqttLine:
        """Each box always speaks over the same one."""
        return self.lines[int(box.table) % LINES]

    def up(self, box: Box, payload: bytes) -> None:
        """Operations of a box."""
        self.line_of(box).send(topics.up(CARRUSEL, box.table), payload)

    async def listen(self) -> None:
        """Note every total as it comes."""
        while True:
            for incoming in await self.totals.take():
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


async def join(floor: Floor) -> None:
    """Every box in the carrusel."""
    wanted = METER_MICROCENTS * len(floor.boxes)
    async with asyncio.timeout(PATIENCE_S):
        while floor.total_microcents < wanted:
            for box in floor.boxes:  # the coordinator may not listen yet: said again, as tables do
                floor.line_of(box).send(topics.birth(CARRUSEL, box.table), box.birth)
                await asyncio.sleep(0.005)
            await asyncio.sleep(2)


async def bets(floor: Floor, seconds: int) -> list[float]:
    """One bet and one beat a second of each table, spread evenly; milliseconds from telling to the
    total."""
    prepared = [(box, box.bets(1), box.beat()) for _ in range(seconds) for box in floor.boxes]
    total, step_s = floor.total_microcents, 1 / len(floor.boxes)
    sent: list[float] = []
    floor.arrivals.clear()
    began = time.monotonic()
    for turn, (box, bet, beat) in enumerate(prepared):
        await asyncio.sleep(max(0.0, began + turn * step_s - time.monotonic()))
        floor.up(box, bet)
        sent.append(time.monotonic())
        floor.line_of(box).send(topics.node_beat(CARRUSEL, box.table), beat, qos=0)
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


async def backlog(floor: Floor, count: int) -> float:
    """Seconds until the log has ``count`` bets that are told at once."""
    each = -(-count // len(floor.boxes))
    steps = [
        min(m.MAX_OPERATIONS_PER_MESSAGE, each - start)
        for start in range(0, each, m.MAX_OPERATIONS_PER_MESSAGE)
    ]
    prepared = [(box, box.bets(some)) for some in steps for box in floor.boxes]
    total = floor.total_microcents
    began = time.monotonic()
    for box, payload in prepared:
        floor.up(box, payload)
        await asyncio.sleep(0.001)
    await floor.until_total(total + BET_MICROCENTS * each * len(floor.boxes))
    return time.monotonic() - began


async def witness(echo: Echo, found: list[float]) -> None:
    """The bare round trip, again and again."""
    while True:
        found.append(await echo.round_trip_ms())
        await asyncio.sleep(WITNESS_S)


async def measure(
    tables: int, seconds: int, count: int, broker: BrokerConfig, pids: tuple[int, int]
) -> None:
    floor, round_trips = Floor(tables, broker), list[float]()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(running(*floor.lines, floor.totals))
        echo = await stack.enter_async_context(echo_over(broker))
        listening = asyncio.create_task(floor.listen())
        stack.push_async_callback(ended, listening)
        await join(floor)
        report("joined", tables=tables)
        before = [processor_s(pid) for pid in pids]
        watching = asyncio.create_task(witness(echo, round_trips))
        latencies = await bets(floor, seconds)
        await ended(watching)
        spent = [processor_s(pid) - was for pid, was in zip(pids, before, strict=True)]
        report(
            "bet to total",
            tables=tables,
            bets=len(latencies),
            median_ms=median(latencies),
            p99_ms=p99(latencies),
            target_ms=TARGET_MS,
            round_trip_median_ms=median(round_trips),
            round_trip_p99_ms=p99(round_trips),
            coordinator_cores=round(spent[0] / seconds, 2),
            broker_cores=round(spent[1] / seconds, 2),
            coordinator_mib=memory_mib(pids[0]),
            target_mib=TARGET_MIB,
        )
        before = [processor_s(pid) for pid in pids]
        took_s = await backlog(floor, count)
        report(
            "backlog",
            bets=count,
            seconds=round(took_s, 1),
            target_s=TARGET_BACKLOG_S,
            coordinator_processor_s=round(processor_s(pids[0]) - before[0], 1),
            coordinator_mib=memory_mib(pids[0]),
        )


def memory_mib(pid: int) -> int:
    """What the process holds of its own, in MiB."""
    text = Path(f"/proc/{pid}/status").read_text()
    kib = next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS"))
    return int(kib) // 1024


def processor_s(pid: int) -> float:
    """What it has used of the processor, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--backlog", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-floor-") as name:
        folder = Path(name)
        with (
            broker_in(folder) as (broker, broker_pid),
            coordinator_on(folder, CARRUSEL, broker) as pid,
        ):
            pids = pid, broker_pid
            asyncio.run(measure(asked.tables, asked.seconds, asked.backlog, broker, pids))


if __name__ == "__main__":
    main()
