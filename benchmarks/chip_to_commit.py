"""From a chip that is readable at its acceptor to its bet on the disk, beside what the wire dictates.

Run: ``.venv/bin/python benchmarks/chip_to_commit.py [--chips 98]``.

The line is paced at 9600 baud, echoes, and has seven acceptors that answer after 2 ms. What the wire
alone dictates, were our own work free:

    byte      10 bits / 9600 baud                                      =   1.0417 ms
    exchange  5 bytes asked + 2 ms + 16 bytes answered (header 229)    =  23.875 ms
    cycle     7 exchanges, back to back                                = 167.125 ms
    waiting   a chip comes at any moment of the cycle and is in the
              first answer composed after it: half a cycle             =  83.563 ms
    answer    2 ms + 16 bytes                                          =  18.667 ms
    expected  waiting + answer                                         = 102.229 ms

Every chip is the first of its hand, so that all seven slots are open (a slot that has its bet is closed
and is asked less often, which leaves more of the wire to the others); the moments are spread evenly over
a cycle, in random order. The simulator says when the chip went in, a hook of the desk when its commit
was done; both read the same monotonic clock. Target: 1.1 times what the wire dictates.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path

from tools import Keys, report, table_on_a_wire, until

from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.running import RunningTable
from jackpot.daemon.table_desk import TableDesk
from jackpot.table.state import bets_in_box

BYTE_MS = 10 / 9600 * 1_000
REPLY_MS = 2
EXCHANGE_MS = 5 * BYTE_MS + REPLY_MS + 16 * BYTE_MS
CYCLE_MS = 7 * EXCHANGE_MS
ANSWER_MS = REPLY_MS + 16 * BYTE_MS
DICTATED_MS = CYCLE_MS / 2 + ANSWER_MS
TARGET = 1.1
SETTLE_MS = 100.0
"""From the last slot's opening: then nothing but polls is on the wire."""

IDLE_S = 5
"""How long the cycle of the open, idle line is counted."""


class Commits:
    """When the bet of each box was committed, by the machine's monotonic clock."""

    def __init__(self, desk: TableDesk) -> None:
        self._desk = desk
        self.at_ns: dict[int, int] = {}
        desk.on_change(self._look)

    def _look(self) -> None:
        now_ns = time.monotonic_ns()
        for box in range(1, 8):
            if box not in self.at_ns and bets_in_box(self._desk.state, box):
                self.at_ns[box] = now_ns


async def one_chip(
    table: tuple[TableDesk, Mechanism, Keys, Commits], box: int, delay_ms: float
) -> float:
    """One hand with one chip; milliseconds from the slot to the disk."""
    desk, mechanism, keys, commits = table
    await keys.start_hand()
    commits.at_ns.clear()
    await all_open(mechanism)
    await asyncio.sleep((SETTLE_MS + delay_ms) / 1_000)
    (answer,) = mechanism.send([f"chip {box}"])
    put_in = await answer
    await until(desk, lambda: box in commits.at_ns)
    await keys.end_hand()
    return (commits.at_ns[box] - put_in.at_ns) / 1_000_000


async def all_open(mechanism: Mechanism) -> None:
    """Every slot takes a chip."""
    await asyncio.gather(*mechanism.send([f"await {box}" for box in range(1, 8)]))


async def cycle_of_open_line_ms(running: RunningTable, mechanism: Mechanism, keys: Keys) -> float:
    """Milliseconds of one round of polls while nobody bets."""
    await keys.start_hand()
    await all_open(mechanism)
    before = sum(box.polls for box in running.statistics().values())
    began_ns = time.monotonic_ns()
    await asyncio.sleep(IDLE_S)
    polls = sum(box.polls for box in running.statistics().values()) - before
    took_ms = (time.monotonic_ns() - began_ns) / 1_000_000
    await keys.end_hand()
    return took_ms * 7 / polls


async def measure(folder: Path, chips: int, seed: int) -> tuple[list[float], float]:
    """The times of all chips, and the cycle of the open line that was really reached."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    moments = [CYCLE_MS * (place + chance.random()) / chips for place in range(chips)]
    chance.shuffle(moments)
    async with table_on_a_wire(folder) as (running, mechanism):
        keys = Keys(running.desk)
        table = (running.desk, mechanism, keys, Commits(running.desk))
        await keys.open_day()
        cycle_ms = await cycle_of_open_line_ms(running, mechanism, keys)
        took_ms = [
            await one_chip(table, number % 7 + 1, moment) for number, moment in enumerate(moments)
        ]
    return took_ms, cycle_ms


def main() -> None:
    """Print the figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chips", type=int, default=98)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        took_ms, cycle_ms = asyncio.run(measure(Path(name) / "t", options.chips, options.seed))
    mean_ms = statistics.mean(took_ms)
    error_ms = statistics.stdev(took_ms) / len(took_ms) ** 0.5
    print(f"chip to commit    {mean_ms:7.1f} ms mean of {len(took_ms)} (± {error_ms:.1f})")
    print(f"the wire dictates {DICTATED_MS:7.1f} ms")
    median_ms = statistics.median(took_ms)
    print(f"ratio             {mean_ms / DICTATED_MS:7.3f}    (target {TARGET})")
    print(f"ratio of medians  {median_ms / DICTATED_MS:7.3f}    (what a busy machine spoils less)")
    print(f"cycle of polls    {cycle_ms:7.1f} ms, the wire dictates {CYCLE_MS:.1f}")
    report(
        "chip_to_commit",
        ratio=round(mean_ms / DICTATED_MS, 3),
        median_ratio=round(median_ms / DICTATED_MS, 3),
        standard_error=round(error_ms / DICTATED_MS, 3),
        cycle_ratio=round(cycle_ms / CYCLE_MS, 3),
        longest_ms=round(max(took_ms), 1),
        chips=len(took_ms),
    )


if __name__ == "__main__":
    main()
