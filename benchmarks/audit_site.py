"""How soon the audit room shows a table-year, and how soon any of its hands.

Run: ``.venv/bin/python benchmarks/audit_site.py [--days 360] [--keep PATH]``.

The ledger is a table of ``benchmarks/casino_year.py``; 360 days are 2.5 million events.
``jackpot audit`` is then started as people start it, and asked over HTTP. Targets: the first page
within 2 s of the start of the program, any hand within 200 ms. ``--keep`` leaves the ledger at a
path, or uses the one that is there.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from casino_year import HANDS_PER_DAY, make_table

SAMPLES = 200
FIRST_PAGE_LIMIT_S = 2.0
HAND_LIMIT_S = 0.2
INDEX_TIMEOUT_S = 900.0
"""Enough on a machine that is busy with other things."""


def measured(client: httpx.Client, address: str, paths: list[str]) -> list[float]:
    """Seconds of each answer, sorted."""
    seconds = []
    for path in paths:
        started = time.perf_counter()
        answer = client.get(address + path)
        seconds.append(time.perf_counter() - started)
        if answer.status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code}")
    return sorted(seconds)


def told(what: str, seconds: list[float], limit_s: float) -> bool:
    """Print median and worst; whether the worst keeps the limit."""
    worst = seconds[-1]
    print(
        f"{what:28} median {seconds[len(seconds) // 2] * 1000:6.0f} ms   "
        f"worst {worst * 1000:6.0f} ms   limit {limit_s * 1000:5.0f} ms"
    )
    return worst <= limit_s


def ask(path: Path, hands: int) -> bool:
    """Start the program and ask it; whether every limit is kept."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "jackpot.cli", "audit", str(path), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        line = process.stdout.readline() if process.stdout else ""
        found = re.search(r"http\S+", line)
        if found is None:
            raise SystemExit(f"no address: {line!r}")
        with httpx.Client(follow_redirects=True, timeout=60) as client:
            client.get(found[0])
            good = told("first page", [time.perf_counter() - started], FIRST_PAGE_LIMIT_S)
            address = found[0] + "1/"
            while not client.get(address + "status").json()["finished"]:
                if time.perf_counter() - started > INDEX_TIMEOUT_S:
                    raise SystemExit("the index is not done")
                time.sleep(0.2)
            print(f"checked, replayed, indexed   {time.perf_counter() - started:6.1f} s")
            chance = random.Random(1)  # noqa: S311
            numbers = [chance.randint(1, hands) for _ in range(SAMPLES)]
            pages = [f"hand/{number}" for number in numbers]
            good &= told("any hand", measured(client, address, pages), HAND_LIMIT_S)
            days = [f"day/{1 + number // HANDS_PER_DAY}" for number in numbers[:20]]
            told("any day", measured(client, address, days), HAND_LIMIT_S)
            told("the first page again", measured(client, address, [""] * 5), FIRST_PAGE_LIMIT_S)
            lists = [f"events?day={1 + number // HANDS_PER_DAY}&box=3" for number in numbers[:20]]
            told("events of a day and a box", measured(client, address, lists), HAND_LIMIT_S)
            told("every award", measured(client, address, ["events?name=award"]), HAND_LIMIT_S)
        return good
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)


def main() -> None:
    """Make or find a ledger, then ask."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--days", type=int, default=360)
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "year.ledger"
        if not path.exists():
            make_table(path, 1, given.days)
        good = ask(path, given.days * HANDS_PER_DAY)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
