"""What moves by itself: server-sent events with a heartbeat that comes from the desk.

A browser notices neither a frozen server nor a stale page, so every stream beats twice a second and
the page itself shows dashes when no beat came for two seconds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

from starlette.responses import StreamingResponse

from jackpot.errors import Refused

BEAT_S = 0.5
"""Four beats fit into the two seconds after which a page stops trusting what it shows."""
MOST_STREAMS = 48
"""Visors, consoles and a few onlookers of one table; beyond it somebody plays tricks."""


class Followed(Protocol):
    """What a stream waits for."""

    @property
    def version(self) -> int:
        """Grows with every change."""

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        """Wait until ``version > after_version``; False after ``timeout_s``."""


@dataclass
class Streams:
    """How many streams are open. ``stop`` ends them within a beat: the controller goes."""

    open: int = 0
    stopping: bool = False

    def stop(self) -> None:
        """No stream outlives this by more than ``BEAT_S``, and none begins any more."""
        self.stopping = True

    def serve(
        self,
        desk: Followed,
        picture: Callable[[], str | None],
        beat: Callable[[], str] = lambda: "",
    ) -> StreamingResponse:
        """A stream of ``picture()`` (one line of JSON; None ends it) at every change, and of
        ``beat()`` in between.

        Refuses ``too_many_screens``.
        """
        if self.open >= MOST_STREAMS:
            raise Refused(
                reason="too_many_screens",
                expected=f"at most {MOST_STREAMS} open screens",
                found="one more",
                to_do="close a screen",
            )
        return StreamingResponse(
            self._counted(desk, picture, beat),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _counted(
        self, desk: Followed, picture: Callable[[], str | None], beat: Callable[[], str]
    ) -> AsyncIterator[str]:
        self.open += 1
        try:
            async for text in _events(desk, picture, beat):
                if self.stopping:
                    return
                yield text
        finally:
            self.open -= 1


async def _events(
    desk: Followed, picture: Callable[[], str | None], beat: Callable[[], str]
) -> AsyncIterator[str]:
    version = -1
    while True:
        if await desk.changed(version, BEAT_S):
            version = desk.version
            name, data = "state", picture()
        else:
            name, data = "beat", beat() if picture() is not None else None
        if data is None:
            yield _event("gone", "")
            return
        yield _event(name, data)


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"
