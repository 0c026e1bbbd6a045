"""What a running table looks at from time to time: clock, disk, officers, the hour.

Each watch is an endless coroutine; ``jackpot.daemon.keep_going`` starts it again, should it fail.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from jackpot.daemon.clock import Clock, ClockWatch
from jackpot.daemon.live_book import LiveBook
from jackpot.daemon.requests import CONTROLLER
from jackpot.daemon.starting import CLOCK_BEHIND
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import JackpotError
from jackpot.table import facts as f

CLOCK_INTERVAL_S = 2.0
"""A stepped clock is noted before the next hand."""

DISK_INTERVAL_S = 5.0
"""A disk that fills in less is full, and that the ledger notices itself."""

OFFICERS_INTERVAL_S = 2.0
"""Whoever was added can log in at once."""

DISK_CLEAR_PERCENT = 110
"""The alarm ends a little above the mark, so that it does not flicker."""

DISK_ALARM = "disk_nearly_full"

FreeBytes = Callable[[Path], int]
Sleep = Callable[[float], Awaitable[None]]

_log = structlog.get_logger(__name__)


def free_bytes(folder: Path) -> int:
    """Room on the disk of ``folder``."""
    return shutil.disk_usage(folder).free


async def watch_clock(
    desk: TableDesk, clock: Clock, sleep: Sleep = asyncio.sleep, *, found_at_ns: int = 0
) -> None:
    """Record each step of the wall clock against the monotonic one.

    ``found_at_ns``: the last batch of the run before; past it, the clock is no longer behind.
    """
    watch = ClockWatch(clock)
    behind = CLOCK_BEHIND in desk.state.alarms
    while True:
        await sleep(CLOCK_INTERVAL_S)
        if behind and clock.wall_ns() >= found_at_ns:
            behind = False
            desk.submit((f.AlarmCleared(alarm=CLOCK_BEHIND),), CONTROLLER)
        step_ns = watch.step_ns()
        if step_ns is not None:
            _log.warning("the clock stepped", step_ns=step_ns)
            desk.submit((f.ClockStepped(step_ns=step_ns),), CONTROLLER)


async def watch_disk(
    desk: TableDesk,
    folder: Path,
    alarm_bytes: int,
    free: FreeBytes = free_bytes,
    sleep: Sleep = asyncio.sleep,
) -> None:
    """Raise an alarm while there is still room to record it, and clear it when there is more."""
    raised = DISK_ALARM in desk.state.alarms
    while True:
        left = free(folder)
        if not raised and left < alarm_bytes:
            raised = True
            detail = f"{left // 1_048_576} MiB free"
            _log.warning("disk nearly full", free_bytes=left)
            desk.submit((f.AlarmRaised(alarm=DISK_ALARM, detail=detail),), CONTROLLER)
        elif raised and left * 100 >= alarm_bytes * DISK_CLEAR_PERCENT:
            raised = False
            desk.submit((f.AlarmCleared(alarm=DISK_ALARM),), CONTROLLER)
        await sleep(DISK_INTERVAL_S)


async def watch_officers(desk: TableDesk, book: LiveBook, sleep: Sleep = asyncio.sleep) -> None:
    """Tell the ledger who may act, when the book has changed. The start told it the first time."""
    told = dict(book.roles())
    while True:
        await sleep(OFFICERS_INTERVAL_S)
        book.refresh()
        roles = dict(book.roles())
        if roles != told:
            told = roles
            desk.submit((f.OfficersListed(officers=roles),), CONTROLLER)


async def sign_regularly(desk: TableDesk, every_s: int, sleep: Sleep = asyncio.sleep) -> None:
    """A signed checkpoint each hour, or as the configuration says."""
    while True:
        await sleep(every_s)
        try:
            await desk.checkpoint()
        except JackpotError as error:
            _log.error("no checkpoint", error=str(error))
