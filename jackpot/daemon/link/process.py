"""``jackpot coordinator``: a coordinator with its pages, until a signal ends it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.link.coordinating import RunningCoordinator, running_coordinator, serving
from jackpot.daemon.link.page.app import Pages
from jackpot.daemon.live_book import LiveBook
from jackpot.daemon.notify import notify, watchdog_interval_s
from jackpot.daemon.screen_server import ScreenServer

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def coordinator_with_pages(
    config: CoordinatorConfig,
) -> AsyncIterator[tuple[RunningCoordinator, asyncio.Task[None], str]]:
    """The coordinator, its loop's task, and where its pages are. Raises ``JackpotError``."""
    async with AsyncExitStack() as stack:
        server = ScreenServer(config.screens)
        stack.push_async_callback(server.stop)
        running = await stack.enter_async_context(running_coordinator(config))
        pages = Pages(running, LiveBook(config.officers_file))
        await server.start(pages.app(), before_stop=pages.streams.stop)
        task = await stack.enter_async_context(serving(running))
        yield running, task, server.url


def run_coordinator(config: CoordinatorConfig, announce: Callable[[str], None]) -> None:
    """Run until SIGTERM or SIGINT. Raises ``JackpotError``: a service manager starts it anew."""
    asyncio.run(_run(config, announce))


async def _run(config: CoordinatorConfig, announce: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with coordinator_with_pages(config) as (running, task, url):
        announce(
            f"ready: carrusel {config.carrusel}, coordinator {config.name}, page {url}, "
            f"log {config.log_file}, position {running.core.position}, pid {os.getpid()}"
        )
        notify("READY=1")
        stopping = asyncio.create_task(stop.wait())
        while not stopping.done() and not task.done():
            await asyncio.wait(
                {stopping, task},
                timeout=watchdog_interval_s(),
                return_when=asyncio.FIRST_COMPLETED,
            )
            notify("WATCHDOG=1")
        stopping.cancel()
        notify("STOPPING=1")
        _log.info("stopping")
        if task.done():
            task.result()
