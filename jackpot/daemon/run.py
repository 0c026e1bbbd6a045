"""``jackpot run``: a table until a signal ends it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack

import structlog

from jackpot.config import Config
from jackpot.daemon.notify import notify, watchdog_interval_s
from jackpot.daemon.running import RunningTable, Surroundings, running_table

__all__ = ["RunningTable", "Surroundings", "ready_line", "run_until_signal", "running_table"]

START_SIGN_S = 10
"""How often a service manager hears that a start goes on; it waits a minute and a half else."""

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
    async with AsyncExitStack() as stack:
        starting = asyncio.create_task(stack.enter_async_context(running_table(config, around)))
        table = await _started(starting, stop)
        if table is not None:
            announce(ready_line(table))
            notify("READY=1")
            await _wait_for(stop)
        notify("STOPPING=1")
        _log.info("stopping")


async def _started(
    starting: asyncio.Task[RunningTable], stop: asyncio.Event
) -> RunningTable | None:
    """The table once it is ready; None if the end came first: a full disk may hold up a start for
    as long as it stays full. Raises ``JackpotError``."""
    stopping = asyncio.create_task(stop.wait())
    while not stopping.done() and not starting.done():
        await asyncio.wait(
            {starting, stopping}, timeout=START_SIGN_S, return_when=asyncio.FIRST_COMPLETED
        )
        notify(f"EXTEND_TIMEOUT_USEC={3 * START_SIGN_S * 1_000_000}")
    stopping.cancel()
    if starting.done():
        return await starting
    starting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    return None


async def _wait_for(stop: asyncio.Event) -> None:
    """Wait for the end; meanwhile tell a service manager that the event loop lives.

    It lives in a halted table too: there a new start would only hide what happened.
    """
    interval_s = watchdog_interval_s()
    while not stop.is_set():
        try:
            async with asyncio.timeout(interval_s):
                await stop.wait()
        except TimeoutError:
            notify("WATCHDOG=1")
