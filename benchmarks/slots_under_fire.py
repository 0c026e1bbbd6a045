"""Seven acceptors, one dead, one noisy: do the other five suffer? And how soon do all read again?

Run: ``.venv/bin/python benchmarks/slots_under_fire.py [--seconds 60]``.

Intervals are taken in virtual time (9600 baud, byte by byte), so that they mean the same on a busy
machine. The pulled adapter is real time: the simulator's pseudo terminal goes away and comes back.
Targets: 1.2 times the healthy interval; under 2 s from the plug; no false credit.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from support.virtual_table import MS, S, VirtualTable
from tools import report

from firmware_sim.process import AsyncMechanism
from jackpot.cctalk import BusHost, LineSetup, Polled, SlotSetup, Up, WireEvent
from jackpot.daemon.bus import SlotBus

DEAD, NOISY = 3, 6
OTHERS = (1, 2, 4, 5, 7)
BROKEN_SUMS = 2
"""Of every few answers of the noisy one."""


def interval_ms(table: VirtualTable, seconds: int, *, under_fire: bool) -> float:
    """The mean poll interval of the five, with chips in them all the time."""
    if under_fire:
        table.bus.troubles[DEAD - 1].silent = True
    table.run(3 * S)
    before = {box: s.polls for box, s in table.host.statistics().items()}
    for _ in range(seconds * 5):
        if under_fire:
            table.bus.troubles[NOISY - 1].bad_sums = BROKEN_SUMS
        table.run(200 * MS)
        table.chip(table.random.choice(OTHERS))
    after = table.host.statistics()
    polls = [after[box].polls - before[box] for box in OTHERS]
    return seconds * 1000 / min(polls)


async def plugged_back_s(folder: Path) -> float:
    """From the adapter's return until all seven are in service."""
    ups: list[float] = []
    change = asyncio.Event()

    def take(events: list[WireEvent]) -> None:
        for event in events:
            if isinstance(event, Up):
                ups.append(time.monotonic())
            elif isinstance(event, Polled):
                bus.committed(event.box, event.epoch, event.count)
        change.set()

    async def seven() -> None:
        async with asyncio.timeout(60):
            while len(ups) < 7:
                change.clear()
                await change.wait()

    async with AsyncMechanism(folder / "line", "--reply-ms", "2") as sim:
        slots = [SlotSetup(box, 10 + box, None) for box in range(1, 8)]
        host = BusHost(slots, LineSetup(), {}, time.monotonic_ns())
        bus = SlotBus(str(sim.link), 9600, host, take, lock_directory=folder)
        bus.start()
        await seven()
        await sim.send("unplug")
        await asyncio.sleep(3)
        ups.clear()
        plugged = time.monotonic()
        await sim.send("plug")
        await seven()
        bus.close()
    return ups[-1] - plugged


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    seconds = parser.parse_args().seconds
    healthy_ms = interval_ms(VirtualTable(paced=True), seconds, under_fire=False)
    table = VirtualTable(paced=True)
    fire_ms = interval_ms(table, seconds, under_fire=True)
    with tempfile.TemporaryDirectory() as folder:
        back_s = asyncio.run(plugged_back_s(Path(folder)))
    print(f"poll interval of the five: healthy {healthy_ms:.0f} ms, under fire {fire_ms:.0f} ms")
    print(f"adapter back -> seven slots read: {back_s:.2f} s; false: {len(table.false_credits)}")
    report(
        "slots_under_fire",
        interval_ratio=round(fire_ms / healthy_ms, 3),
        plugged_back_s=round(back_s, 2),
        false_credits=len(table.false_credits),
    )


if __name__ == "__main__":
    main()
