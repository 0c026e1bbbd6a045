"""So many hands as fast as they go, over the same serial path as a real table."""

from __future__ import annotations

import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from jackpot.config import Config
from jackpot.daemon.demo.game import Game, Say, Script
from jackpot.daemon.demo.house import LINK_NAME
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.demo.summary import Summary, summarise, summary_lines
from jackpot.daemon.running import Surroundings, running_table
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE
from jackpot.money import cents_rounded_down

QUICK = ("--no-pace", "--echo")
"""The line answers at once, everything else is as on the wire."""


async def play_headless(config: Config, folder: Path, script: Script, say: Say) -> Summary:
    """Open a gaming day, play the hands of ``script``, close the day; says the summary.

    Raises ``Refused`` when it gets stuck, and whatever keeps a table from starting.
    """
    mechanism = None if config.slots is None else Mechanism(folder / LINK_NAME, QUICK)
    with tempfile.TemporaryDirectory(prefix="jackpot-demo-") as locks:
        around = Surroundings(lock_directory=Path(locks), screens=False)
        async with mechanism or nullcontext(), running_table(config, around) as table:
            first_seq = table.record.last_seq + 1
            game = Game(table.desk, mechanism, script, say)
            began_ns = time.monotonic_ns()
            await game.play()
            took_ms = (time.monotonic_ns() - began_ns) // 1_000_000
            meter_cents = cents_rounded_down(table.desk.state.pools.jackpot_microcents)
    summary = _summary(config.ledger.file, first_seq)
    for line in summary_lines(summary, meter_cents):
        say(line)
    say(f"speed   {1_000 * summary.hands // max(took_ms, 1)} hands a second")
    return summary


def _summary(ledger: Path, first_seq: int) -> Summary:
    with Reader(ledger, TABLE.events) as reader:
        return summarise(
            event
            for batch in reader.batches()
            if batch.first_seq >= first_seq
            for event in batch.events
        )
