"""Faults of our own that no task would tell anybody of."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from typing import Any

from jackpot.daemon.table_desk import TableDesk

_OURS = ("jackpot.board", "jackpot.cctalk", "jackpot.daemon", "jackpot.link")


def halt_on_stray_faults(desk: TableDesk) -> Callable[[], None]:
    """A fault of our own in a timer or a reader belongs to no task, and asyncio would only log it:
    the table would stand there, silent, and nobody would know. Returns what undoes this."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and _is_ours(error):
            desk.halt(f"{type(error).__name__}: {error}")
        loop.default_exception_handler(context)

    loop.set_exception_handler(handle)
    return lambda: loop.set_exception_handler(before)


def _is_ours(error: Exception) -> bool:
    """Whether the error came through a mechanism's code or the daemon's, not through a connection."""
    names = (
        frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)
    )
    return any(str(name).startswith(_OURS) for name in names)
