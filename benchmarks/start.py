"""From ``jackpot run`` to ready, with a ledger of many hands; and what the bare interpreter takes.

Run: ``.venv/bin/python benchmarks/start.py [--hands 100000]``.

Ready is the line that says so: the ledger has verified, the start is recorded in it, the screens
answer. The ledger is made with the real table and the real store. The last hour of it stands after
the last checkpoint, as a power cut leaves it. Target: one second.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools import Program, report

from jackpot.config import Config
from jackpot.config.template import CONFIG_FILE
from jackpot.daemon.demo.croupier import CHIEFS, CROUPIER
from jackpot.daemon.demo.house import demo_house
from jackpot.daemon.live_book import LiveBook
from jackpot.daemon.running import start_facts
from jackpot.ledger.keys import load_key
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.day import opening_cents
from jackpot.table.decide import play
from jackpot.table.event import Fact
from jackpot.table.state import TableState

TARGET_S = 1.0
AFTER_THE_CHECKPOINT = 60
"""Hands: an hour at a busy table."""

HAND_NS = 60_000_000_000
AT_NS = 1_800_000_000_000_000_000
BETS = (1, 3, 4, 6)
BATCHES_PER_COMMIT = 1_024
"""Only to make the ledger quickly."""

RUNS = 5


class Writer:
    """Facts through the rules into the ledger, many batches in one commit."""

    def __init__(self, ledger: Ledger[TableState]) -> None:
        self._ledger = ledger
        self.state: TableState = ledger.state
        self._waiting: list[NewBatch] = []
        self._numbers: dict[str, int] = {}

    def add(self, source: str, at_ns: int, *facts: Fact) -> None:
        """One batch."""
        events, self.state = play(self.state, facts)
        number = self._numbers[source] = self._numbers.get(source, 0) + 1
        hand = self.state.hand_number or None
        self._waiting.append(NewBatch(at_ns, hand, Cause(source, number), events))
        if len(self._waiting) >= BATCHES_PER_COMMIT:
            self.flush()

    def flush(self) -> None:
        """Commit what waits."""
        if self._waiting:
            self._ledger.append(self._waiting)
            self._waiting = []


def open_table(writer: Writer, config: Config) -> None:
    """Everything before the first hand."""
    book = LiveBook(config.ledger.officers_file)
    writer.add("controller", AT_NS, *start_facts(writer.state, config, book))
    for box in range(1, 8):
        identified = f.SlotIdentified(
            box=box,
            serial=box,
            maker="BNK",
            product="benchmark",
            epoch=0,
            count=0,
            pairs=(),
            continuity=f.Continuity.FRESH,
        )
        writer.add("slots", AT_NS, identified, f.SlotUp(box=box))
    cents = opening_cents(writer.state)
    opened = f.DayOpened(by=CROUPIER, second=CHIEFS[0], day="2026-01-01", displayed_cents=cents)
    writer.add("form/benchmark", AT_NS, opened)


def one_hand(writer: Writer, number: int) -> None:
    """Start, four chips, the lock, no awards: 19 events."""
    at_ns = AT_NS + number * HAND_NS
    writer.add("form/benchmark", at_ns, f.HandStarted(by=CROUPIER, hand=number))
    for box in BETS:
        writer.add(f"slot/{box}/{box}/0", at_ns, f.ChipSeen(box=box, expected=True, a=1, b=1))
    writer.add("form/benchmark", at_ns, f.LockPressed(by=CROUPIER, hand=number))
    writer.add("lock", at_ns, f.LockReached(unknown_boxes=()))
    writer.add("form/benchmark", at_ns, f.NoAwardsDeclared(by=CROUPIER, hand=number))


def write_ledger(folder: Path, hands: int) -> int:
    """A table whose power was cut after ``hands`` hands; returns the number of its events."""
    config = demo_house(folder, port=0)
    with Ledger.open(config.ledger.file, TABLE, load_key(config.ledger.key_file)) as ledger:
        ledger._connection.execute("PRAGMA synchronous = OFF")  # only to make it quickly
        writer = Writer(ledger)
        open_table(writer, config)
        for number in range(1, hands + 1):
            one_hand(writer, number)
            if number == hands - AFTER_THE_CHECKPOINT:
                writer.flush()
                ledger.sign_checkpoint(AT_NS + number * HAND_NS)
        writer.flush()
        return ledger.head.seq


def seconds_of(work: Callable[[], object]) -> float:
    """The median of several runs."""
    times = []
    for _ in range(RUNS):
        began_ns = time.monotonic_ns()
        work()
        times.append((time.monotonic_ns() - began_ns) / 1e9)
    return statistics.median(times)


def start_s(config: Path) -> float:
    """The median from the start of the process to its line that it is ready."""
    times = []
    for _ in range(RUNS):
        began_ns = time.monotonic_ns()
        with Program("run", str(config)):
            times.append((time.monotonic_ns() - began_ns) / 1e9)
    return statistics.median(times)


def bare_interpreter() -> None:
    """Python, and nothing in it."""
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "t"
        events = write_ledger(folder, options.hands)
        config = folder / "start.toml"
        config.write_text((folder / CONFIG_FILE).read_text() + "\n[screens]\nport = 0\n")
        ready_s, bare_s = start_s(config), seconds_of(bare_interpreter)
    print(f"start to ready    {ready_s:6.2f} s   with {options.hands} hands, {events} events")
    print(f"bare interpreter  {bare_s:6.2f} s")
    print(f"ratio to target   {ready_s / TARGET_S:6.2f}     (target {TARGET_S:.0f} s)")
    report(
        "start",
        target_ratio=round(ready_s / TARGET_S, 3),
        interpreter_ratio=round(ready_s / bare_s, 1),
        hands=options.hands,
    )


if __name__ == "__main__":
    main()
