"""One task for each sign: it opens the line, writes everything, then only the newest page.

Nobody ever waits for a sign. ``show`` replaces what the sign should show and returns; a sign that
is stuck, or away, gets what is true when it takes frames again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from jackpot.config import SignConfig, SignKind
from jackpot.daemon.serial_line import LOCK_DIRECTORY, LineGone
from jackpot.daemon.sign_links import SignLink, open_link
from jackpot.visor.alpha import AlphaFrames
from jackpot.visor.cd5220 import Cd5220Frames
from jackpot.visor.sign_flow import SignFlow
from jackpot.visor.sign_frames import SignFrames
from jackpot.visor.sign_text import Shape, dashes, sign_pages
from jackpot.visor.state import VisorState

RETRY_FIRST_S = 0.25
RETRY_LAST_S = 5.0
"""Quick after a loose plug, cheap over a night."""

_log = structlog.get_logger(__name__)


class SignStatus(msgspec.Struct, frozen=True):
    """Whether a sign's line is open, and if not, why."""

    name: str
    up: bool
    why: str


OnStatus = Callable[[SignStatus], None]


def monotonic_ms() -> int:
    """Milliseconds that only grow."""
    return time.monotonic_ns() // 1_000_000


def sign_frames(sign: SignConfig) -> SignFrames:
    """The protocol that this sign speaks."""
    if sign.kind is SignKind.CD5220:
        return Cd5220Frames()
    return AlphaFrames(sign.rows, sign.columns, sign.sign_address, sign.checksums)


class SignWriter:
    """Keeps one sign up to date; ``run`` must be running. A new one shows dashes."""

    def __init__(
        self,
        sign: SignConfig,
        on_status: OnStatus = lambda _status: None,
        lock_directory: Path = LOCK_DIRECTORY,
    ) -> None:
        self.status = SignStatus(sign.name, up=False, why="not opened yet")
        self._sign = sign
        self._on_status = on_status
        self._lock_directory = lock_directory
        self._shape = Shape(sign.rows, sign.columns, sign.language)
        self._flow = SignFlow(sign_frames(sign), dashes(self._shape))
        self._closed: bool | None = None
        self._news = asyncio.Event()
        self._lost = ""

    def show(self, visor: VisorState | None) -> None:
        """Show this state from now on; None: nobody vouches for anything, dashes."""
        pages = dashes(self._shape) if visor is None else sign_pages(visor, self._shape)
        self._flow.show(pages)
        if visor is not None and visor.closed != self._closed:
            # A sign that was without power for long forgot everything, and nothing says so. The
            # seconds that it is blank for hurt nobody when the day opens or closes.
            if self._closed is not None:
                self._flow.restart()
            self._closed = visor.closed
        self._news.set()

    @property
    def is_settled(self) -> bool:
        """Whether the sign has taken what it should show."""
        return self.status.up and self._flow.is_settled(monotonic_ms())

    async def run(self) -> None:
        """Open the line again and again, with pauses that grow; write while it is open."""
        pause_s = RETRY_FIRST_S
        while True:
            self._lost = ""
            try:
                link = await open_link(self._sign, self._on_lost, self._lock_directory)
            except LineGone as gone:
                self._tell(up=False, why=str(gone))
            else:
                try:
                    self._tell(up=True, why="")
                    pause_s = RETRY_FIRST_S
                    await self._write_on(link)
                except LineGone as gone:
                    self._tell(up=False, why=str(gone))
                finally:
                    link.close()
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, RETRY_LAST_S)

    async def _write_on(self, link: SignLink) -> None:
        """Raises ``LineGone``, sooner or later."""
        self._flow.restart()
        while not self._lost:
            self._news.clear()
            frame = self._flow.next(monotonic_ms())
            if frame is not None:
                await link.send(frame.data)
                continue
            now_ms = monotonic_ms()
            wait_ms = max(self._flow.deadline_ms(now_ms) - now_ms, 1)
            # Not ``wait_for``: before Python 3.12 it forgets a cancellation that comes with news.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_ms / 1_000):
                    await self._news.wait()
        raise LineGone(self._lost)

    def _on_lost(self, reason: str) -> None:
        self._lost = reason
        self._news.set()

    def _tell(self, *, up: bool, why: str) -> None:
        status = SignStatus(self._sign.name, up, why)
        if status != self.status:
            self.status = status
            _log.info("sign", sign=status.name, place=self._sign.place, up=up, why=why)
            self._on_status(status)
