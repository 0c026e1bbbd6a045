"""Make the ledgers of a casino: so many tables, so many gaming days, and how long that takes.

Run: ``.venv/bin/python benchmarks/casino_year.py [--tables 20] [--days 360] [--jobs 2] [--keep FOLDER]``.

Every batch is decided by the real table and recorded by the real store; only the disk is not waited
for. Each table plays on its own: its number makes the chance of who bets, so that the same command
gives the same ledgers. A day has 360 hands of two to seven bets, an award now and then, closing and
opening with two signatures, a checkpoint at each. 360 days of one table are 2.5 million events, twenty
tables a casino-year of 50 million. Without options two short tables are made, and the time of a
casino-year is reckoned from them.

``--keep`` leaves ``table-1.ledger`` … in a folder; one that is there already is not made again.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import sqlite3
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tools import report
from verify import AT_NS, BATCHES_PER_COMMIT, HAND_NS, Story, hand, start

from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f

HANDS_PER_DAY = 360
"""A hand every two minutes for twelve hours."""

FIRST_DAY = date(2027, 1, 1)

CASINO_YEAR_EVENTS = 50_000_000
BOXES = range(1, 8)


def next_day(story: Story, number: int) -> None:
    """Two officers close the table after hand ``number``, and open it for the next day."""
    at_ns = AT_NS + number * HAND_NS
    cents = story.state.pools.jackpot_microcents // 1_000_000
    story.add("console", at_ns + 20, f.DayClosed(by="c1", second="j1", displayed_cents=cents))
    day = (FIRST_DAY + timedelta(days=number // HANDS_PER_DAY)).isoformat()
    opened = f.DayOpened(by="c1", second="j1", day=day, displayed_cents=cents)
    story.add("console", at_ns + 21, opened)


def make_table(path: Path, table: int, days: int) -> None:
    """The ledger of one table."""
    key = Ed25519PrivateKey.from_private_bytes(table.to_bytes(32))
    origin = f"benchmark.example/table-{table}"
    ledger = Ledger.create(path, TABLE, key, origin=origin, at_ns=AT_NS)
    ledger._connection.execute("PRAGMA synchronous = OFF")  # only to generate quickly
    chance = random.Random(table)  # noqa: S311 - repeatable
    story = Story()
    start(story, str(table))
    last = days * HANDS_PER_DAY
    for number in range(1, last + 1):
        boxes = sorted(chance.sample(BOXES, chance.randint(2, len(BOXES))))
        seen = hand(story, number, boxes)
        if number % HANDS_PER_DAY == 0 and number < last:
            next_day(story, number)
            seen = True
        if seen or number == last or len(story.waiting) >= BATCHES_PER_COMMIT:
            ledger.append(story.waiting)
            story.waiting = []
        if seen or number == last:
            ledger.sign_checkpoint(AT_NS + number * HAND_NS + 30)
    ledger.close()


def made(task: tuple[Path, int, int]) -> Path:
    """A table's ledger in a folder, unless it is there; half a ledger never has its name."""
    folder, table, days = task
    path = folder / f"table-{table}.ledger"
    if not path.exists():
        gc.disable()  # hundreds of thousands of states, and not one cycle among them
        part = folder / f"table-{table}.part"
        part.unlink(missing_ok=True)
        make_table(part, table, days)
        part.rename(path)
    return path


def events_in(paths: Iterable[Path]) -> int:
    """How many events some ledgers hold."""
    count = 0
    for path in paths:
        database = sqlite3.connect(path)
        count += database.execute("SELECT max(seq) FROM event").fetchone()[0]
        database.close()
    return count


def main() -> None:
    """Make them, and say how long it took."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--tables", type=int, default=2)
    options.add_argument("--days", type=int, default=2)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        tasks = [(folder, table, given.days) for table in range(1, given.tables + 1)]
        started = time.perf_counter()
        with ProcessPoolExecutor(given.jobs) as pool:
            paths = []
            for path in pool.map(made, tasks):
                paths.append(path)
                print(f"{path.name} {time.perf_counter() - started:8.1f} s", flush=True)
        seconds = time.perf_counter() - started
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s, events = used.ru_utime + used.ru_stime, events_in(paths)
    year_s, year_cpu_s = (round(s * CASINO_YEAR_EVENTS / events) for s in (seconds, cpu_s))
    print(f"{events:,} events in {seconds:.1f} s, {cpu_s:.1f} s of CPU")
    print(f"a casino-year would take {year_s:,} s, {year_cpu_s:,} s of CPU")
    report("casino_year", events=events, seconds=round(seconds, 1), cpu_seconds=round(cpu_s, 1))


if __name__ == "__main__":
    main()
