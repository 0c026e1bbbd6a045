"""What a table costs while it only watches: memory and processor of ``jackpot run`` as people start it.

Run: ``.venv/bin/python benchmarks/idle.py [--seconds 20]``.

The betting is open, so that seven slots are polled at the full rate of a paced 9600-baud line; nobody
bets. A visor is connected, as always. Targets: under 60 MiB resident, under 5 % of one core.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tools import Keys, Program, report, table_on_a_wire

from firmware_sim.process import SimulatedMechanism
from jackpot.config.template import CONFIG_FILE
from jackpot.daemon.demo.house import LINK_NAME
from jackpot.daemon.demo.show import AS_ON_THE_WIRE

MOST_RSS_MIB = 60
MOST_CORE_PERCENT = 5
WARM_UP_S = 3
FULL_RATE_POLLS = 1_000 / 23.875
"""Exchanges of 23.875 ms a second: see ``chip_to_commit.py``."""


async def betting_is_open(folder: Path) -> None:
    """Leave a ledger whose table is in the middle of the betting."""
    async with table_on_a_wire(folder) as (table, _):
        keys = Keys(table.desk)
        await keys.open_day()
        await keys.start_hand()


def core_ticks(pid: int) -> int:
    """User and system time of a process, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def rss_kib(pid: int) -> int:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def polls_so_far(url: str) -> int:
    """The polls that the daemon's own metrics count."""
    where = urlsplit(url)
    with closing(HTTPConnection(where.hostname or "", where.port)) as connection:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
    return sum(int(float(line.split()[1])) for line in text.splitlines() if "_polls_total{" in line)


def measure(folder: Path, seconds: int) -> tuple[float, float, float]:
    """MiB, percent of a core, polls a second."""
    asyncio.run(betting_is_open(folder))
    config = folder / "idle.toml"
    text = (folder / CONFIG_FILE).read_text()
    config.write_text(f"{text}\n[screens]\nport = 0\n")
    with (
        SimulatedMechanism(folder / LINK_NAME, *AS_ON_THE_WIRE),
        Program("run", str(config)) as daemon,
        daemon.visor(),
    ):
        time.sleep(WARM_UP_S)
        ticks, polls, began_ns = (
            core_ticks(daemon.pid),
            polls_so_far(daemon.url),
            time.monotonic_ns(),
        )
        time.sleep(seconds)
        took_s = (time.monotonic_ns() - began_ns) / 1e9
        used_s = (core_ticks(daemon.pid) - ticks) / os.sysconf("SC_CLK_TCK")
        polled = polls_so_far(daemon.url) - polls
        return rss_kib(daemon.pid) / 1024, 100 * used_s / took_s, polled / took_s


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        rss_mib, core_percent, polls = measure(Path(name) / "t", options.seconds)
    print(f"resident  {rss_mib:6.1f} MiB   (target {MOST_RSS_MIB})")
    print(f"processor {core_percent:6.2f} %     (target {MOST_CORE_PERCENT})")
    print(f"polls     {polls:6.1f} a second, the wire allows {FULL_RATE_POLLS:.1f}")
    report(
        "idle",
        rss_ratio=round(rss_mib / MOST_RSS_MIB, 3),
        core_ratio=round(core_percent / MOST_CORE_PERCENT, 3),
        poll_ratio=round(polls / FULL_RATE_POLLS, 3),
    )


if __name__ == "__main__":
    main()
