"""A million exchanges over a line that spoils two bytes in a hundred, in virtual time.

Run: ``.venv/bin/python benchmarks/corrupted_exchanges.py [--exchanges 1000000] [--seed 1] [--crc16]
[--processes 2]``. It plays evenings of 50,000 exchanges, each with the next seed.

Host and simulator share no code; a judge knows every chip. Targets: no event that did not happen, and
no chip lost without a word. A request that noise turned into a reset takes what was unread with it; after
a reset that nobody saw the count is doubtful, and a person is asked about the chips.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from functools import partial
from multiprocessing import Pool
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from support.virtual_table import play_under_noise, sums
from tools import report

EXCHANGES_AN_EVENING = 50_000


def play(seed: int, *, exchanges: int, crc16: bool) -> Counter[str]:
    """One evening; what it came to."""
    table = play_under_noise(seed, exchanges, crc16=crc16)
    told = Counter(sums(list(table.truth.values())))
    told.update(
        exchanges=table.exchanges,
        seconds=table.now_ns // 1_000_000_000,
        false_credits=len(table.false_credits),
    )
    for false in table.false_credits:
        print(f"seed {seed}: {false}", flush=True)
    return told


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exchanges", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crc16", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    each = min(asked.exchanges, EXCHANGES_AN_EVENING)
    seeds = range(asked.seed, asked.seed + -(-asked.exchanges // each))
    with Pool(asked.processes) as pool:
        evening = partial(play, exchanges=each, crc16=asked.crc16)
        told = sum(pool.imap_unordered(evening, seeds), Counter[str]())
    lost = told["accepted"] - told["gone"] - told["asked"] - told["credited"]
    print(f"{len(seeds)} evenings, {told['seconds']} s of the table: {dict(told)}")
    report(
        "corrupted_exchanges",
        exchanges=told["exchanges"],
        chips=told["accepted"],
        false_credits=told["false_credits"],
        lost_readable=lost,
        asked_of_a_person=told["asked"],
        gone_in_resets=told["gone"],
    )


if __name__ == "__main__":
    main()
