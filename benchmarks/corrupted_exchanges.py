"""A million exchanges over a line that spoils two bytes in a hundred, in virtual time.

Run: ``.venv/bin/python benchmarks/corrupted_exchanges.py [--exchanges 1000000] [--seed 1]``.

Host and simulator share no code; a judge knows every chip. Targets: no credit that did not happen, and
none lost that could be read (a request that noise turned into a reset takes what was unread with it).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from support.virtual_table import play_under_noise, sums
from tools import report


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exchanges", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    table = play_under_noise(asked.seed, asked.exchanges)
    told = sums(list(table.truth.values()))
    lost = told["accepted"] - told["gone"] - told["credited"]
    print(f"{table.exchanges} exchanges, {table.now_ns / 1e9:.0f} s of the table: {told}")
    report(
        "corrupted_exchanges",
        exchanges=table.exchanges,
        false_credits=len(table.false_credits),
        lost_readable=lost,
        gone_in_resets=told["gone"],
    )


if __name__ == "__main__":
    main()
