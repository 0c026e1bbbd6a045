"""An endless task that is begun again, slower each time, should it fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
"""After a failure: soon again, then less and less often, but never not at all."""

_log = structlog.get_logger(__name__)


async def keep_going(name: str, watch: Callable[[], Awaitable[None]]) -> None:
    """Run an endless watch; a failure is logged, and the watch begins again."""
    pause_s = FIRST_PAUSE_S
    while True:
        try:
            await watch()
        except Exception:  # a watch must not take the table down with it
            _log.exception("watch failed", watch=name, again_in_s=pause_s)
        await asyncio.sleep(pause_s)
        pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)
