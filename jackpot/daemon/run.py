"""``jackpot run``: a table until a signal ends it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

import structlog

from jackpot.config import Config
from jackpot.daemon.notify import notify, watchdog_interval_s
from jackpot.daemon.running import RunningTable, Surroundings, running_table

__all__ = ["RunningTable", "Surroundings", "ready_line", "run_until_signal", "running_table"]

_log = structlog.get_logger(__name__)


def ready_line(table: RunningTable) -> str:
    """The one line that says: everything is up, and where it is."""
    config = table.config
    parts = [
        f"ready: table {config.table.number} layout {config.table.layout}",
        f"screens {table.url or 'none'}",
        f"slots {config.slots.port if config.slots is not None else 'none'}",
        f"ledger {config.ledger.file}",
        f"pid {os.getpid()}",
    ]
    return ", ".join(parts)


def run_until_signal(
    config: Config, announce: Callable[[str], None], around: Surroundings | None = None
) -> None:
    """Run the table; returns after SIGTERM or SIGINT and a clean stop. Raises ``JackpotError``.

    ``announce`` gets the one line that says: ready.
    """
    asyncio.run(_run(config, announce, around))


async def _run(
    config: Config, announce: Callable[[str], None], around: Surroundings | None
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with running_table(config, around) as table:
        announce(ready_line(table))
        notify("READY=1")
        await _wait_for(stop)
        notify("STOPPING=1")
        _log.info("stopping")


async def _wait_for(stop: asyncio.Event) -> None:
    """Wait for the end; meanwhile tell a service manager that the event loop lives.

    It lives in a halted table too: there a new start would only hide what happened.
    """
    interval_s = watchdog_interval_s()
    while not stop.is_set():
        try:
            await asyncio.wait_for(stop.wait(), interval_s)
        except TimeoutError:
            notify("WATCHDOG=1")
