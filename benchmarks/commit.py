"""How much a commit costs beside the bare disk, and how long a big ledger takes to open.

Run: ``.venv/bin/python benchmarks/commit.py [--hands 100000] [--folder PATH]``.

*Commit*: the batch of one poll (four events) through ``Ledger.append``, and, in turn with it, a
plain append and ``fdatasync`` of as many bytes as the write-ahead log grew. Target: 1.2.
*Open*: everything that ``Ledger.open`` does, on a ledger of many hands with the last hour after
its last checkpoint. Target: one second at 100,000 hands.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.ledger.files import wal_of
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table.event import Event
from jackpot.table.facts import (
    ChipSeen,
    HandStarted,
    LockPressed,
    LockReached,
    NoAwardsDeclared,
    SlotEvent,
)
from jackpot.table.outcomes import Contributed
from jackpot.table.state import TableState

ROUNDS = 2_000
"""Commits measured; half a second of disk on a fast machine, a minute on a slow card."""

WARM_UP = 50
HANDS_AFTER_CHECKPOINT = 60
"""An hour at a busy table."""

BATCHES_PER_COMMIT = 512
"""Only to generate quickly."""

AT_NS = 1_800_000_000_000_000_000


def chips(number: int, box: int) -> NewBatch:
    """What one poll brings: a chip, its contribution, and twice a rejected one."""
    events: tuple[Event, ...] = (
        ChipSeen(box=box, expected=True, a=1, b=1),
        Contributed(box=box, microcents=50_000_000),
        SlotEvent(box=box, a=0, b=1, name="rejected"),
        SlotEvent(box=box, a=0, b=1, name="rejected"),
    )
    return NewBatch(AT_NS + number, 7, Cause(f"slot:{box}:1001:0", number), events)


def hand(number: int) -> Iterator[NewBatch]:
    """Seventeen events of one hand: six chips with contributions, and what the croupier pressed."""
    at_ns = AT_NS + number * 60_000_000_000

    def batch(source: str, count: int, *events: Event) -> NewBatch:
        return NewBatch(at_ns, number, Cause(source, count), events)

    yield batch("console:1", 3 * number, HandStarted(hand=number, by="c1"))
    for box in range(1, 7):
        yield batch(
            f"slot:{box}:1001:0",
            number,
            ChipSeen(box=box, expected=True, a=1, b=1),
            Contributed(box=box, microcents=50_000_000),
        )
    yield batch("console:1", 3 * number + 1, LockPressed(hand=number, by="c1"))
    yield batch("lock", number, LockReached(unknown_boxes=()))
    yield batch(
        "console:1",
        3 * number + 2,
        NoAwardsDeclared(hand=number, by="c1"),
        SlotEvent(box=7, a=0, b=1, name="rejected"),
    )


def timed_us(work: Callable[[], object]) -> float:
    """Microseconds that ``work`` takes."""
    started = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - started) / 1_000


def commit_against_disk(folder: Path) -> None:
    """Print both medians and their ratio; measured in turn, so that both meet the same disk."""
    path = folder / "commit.ledger"
    ledger = new_ledger(path)
    raw = os.open(folder / "raw", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    log = wal_of(path)
    ours: list[float] = []
    bare: list[float] = []
    grown: list[int] = []

    def append_raw(size: int) -> None:
        os.write(raw, bytes(size))
        os.fdatasync(raw)

    for number in range(ROUNDS + WARM_UP):
        batch = [chips(number // 7, number % 7 + 1)]
        before = log.stat().st_size
        ours.append(timed_us(lambda batch=batch: ledger.append(batch)))  # type: ignore[misc]
        growth = log.stat().st_size - before
        grown += [growth] if growth > 0 else []  # after each turn of the log it is overwritten
        size = statistics.mode(grown)
        bare.append(timed_us(lambda size=size: append_raw(size)))  # type: ignore[misc]
    ledger.close()
    os.close(raw)
    mine, disk = statistics.median(ours[WARM_UP:]), statistics.median(bare[WARM_UP:])
    print(f"commit of 4 events    {mine:8.0f} µs  ({statistics.mode(grown)} bytes of log)")
    print(f"append and fdatasync  {disk:8.0f} µs")
    print(f"ratio                 {mine / disk:8.2f}     (target 1.2)")


def new_ledger(path: Path) -> Ledger[TableState]:
    """An empty table ledger with a key of its own."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    return Ledger.create(path, TABLE, key, origin="benchmark.example/table", at_ns=AT_NS)


def opening(folder: Path, hands: int) -> None:
    """Print how long a ledger of ``hands`` hands takes to open."""
    path = folder / "open.ledger"
    ledger = new_ledger(path)
    ledger._connection.execute("PRAGMA synchronous = OFF")  # only to generate quickly
    waiting: list[NewBatch] = []
    for number in range(1, hands + 1):
        waiting += hand(number)
        if len(waiting) >= BATCHES_PER_COMMIT or number in (hands - HANDS_AFTER_CHECKPOINT, hands):
            ledger.append(waiting)
            waiting = []
        if number == hands - HANDS_AFTER_CHECKPOINT:
            ledger.sign_checkpoint(AT_NS)
    events = ledger.head.seq
    ledger.close()
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    times = []
    for _ in range(5):
        started = time.perf_counter()
        opened = Ledger.open(path, TABLE, key)
        times.append(time.perf_counter() - started)
        opened.close()
    size = path.stat().st_size
    print(
        f"open, {events} events   {statistics.median(times):8.2f} s   ({size / events:.0f} bytes each)"
    )


def main() -> None:
    """Both measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, default=None, help="on the disk to be measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        commit_against_disk(Path(name))
        if options.hands:
            opening(Path(name), options.hands)


if __name__ == "__main__":
    main()
