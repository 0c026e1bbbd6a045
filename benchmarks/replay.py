"""How many events a second replay decides again on one core, and what each part of it costs.

Run: ``.venv/bin/python benchmarks/replay.py [--hands 20000] [--keep PATH]``.

The ledger is that of ``benchmarks/verify.py``: hands of four bets, 18 events in nine batches, an
award now and then. Each part is the one before it and something more; the best of ``ROUNDS``
counts, in CPU seconds, so that other programs on the machine disturb little. Target of the whole:
0.3 million events a second. ``--keep`` leaves the ledger at a path, or uses the one that is there.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from verify import make

from jackpot.audit.replay import Decoder, replay
from jackpot.audit.site.index import build_index
from jackpot.audit.source import Source
from jackpot.table.evolve import evolve
from jackpot.table.state import INITIAL

TARGET_EVENTS_A_SECOND = 300_000
ROUNDS = 5


def reading(source: Source) -> None:
    """Rows out of SQLite."""
    for _ in source.pieces():
        pass


def decoding(source: Source) -> None:
    """And events out of rows."""
    decoder = Decoder()
    for _, rows in source.pieces():
        decoder.events(rows)


def folding(source: Source) -> None:
    """And the table's state out of events."""
    decoder, state = Decoder(), INITIAL
    for _, rows in source.pieces():
        for event in decoder.events(rows):
            state = evolve(state, event)


def replaying(source: Source) -> None:
    """And every fact decided again, every outcome compared."""
    if not replay(source).equal:
        raise SystemExit("the ledger differs from its rules")


def indexing(source: Source) -> None:
    """And the index of the audit room."""
    with tempfile.TemporaryDirectory() as folder:
        build_index(source, Path(folder) / "index")


def best_s(path: Path, work: Callable[[Source], None]) -> float:
    """The least CPU time of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        with Source(path) as source:
            started = time.process_time()
            work(source)
            seconds.append(time.process_time() - started)
        gc.enable()
    return min(seconds)


def main() -> None:
    """Make or find a ledger, then measure each part."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--hands", type=int, default=20_000)
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "replay.ledger"
        if not path.exists():
            make(path, given.hands)
        with Source(path) as source:
            events = source.seq
        print(f"{events:,} events")
        speed = 0
        for work in (reading, decoding, folding, replaying, indexing):
            seconds = best_s(path, work)
            print(f"{work.__name__:10} {seconds:6.2f} s   {events / seconds / 1e6:5.2f} million/s")
            speed = round(events / seconds) if work is replaying else speed
    print(f"replay: {speed:,} events a second, target {TARGET_EVENTS_A_SECOND:,}")
    sys.exit(0 if speed >= TARGET_EVENTS_A_SECOND else 1)


if __name__ == "__main__":
    main()
