"""Which frame a sign gets next: pure, with the time as an argument.

There is no queue. Only the newest pages matter, so a slow sign skips what came between, and a sign
that was away is set up anew and gets what is true then.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.visor.sign_frames import Frame, SignFrames
from jackpot.visor.sign_text import Page

PAGE_MS = 3_000
"""Two short lines are read in that time, and three winners take ten seconds."""

REPEAT_MS = 10_000
"""A page that got lost on the wire is repaired soon; writing it again is not visible."""


class SignFlow:
    """The frames of one sign. All times are milliseconds from any beginning."""

    def __init__(self, frames: SignFrames, pages: Sequence[Page]) -> None:
        self._frames = frames
        self._pages = tuple(pages)
        self._since_ms: int | None = None
        self._setup: list[Frame] = []
        self._written: Page | None = None
        self._written_ms = 0
        self._ready_ms = 0
        self.restart()

    def restart(self) -> None:
        """Nothing is known of the sign: everything is written again."""
        self._setup = list(self._frames.setup())
        self._written = None
        self._ready_ms = 0

    def show(self, pages: Sequence[Page]) -> None:
        """Show these pages from now on, from the first one if they differ."""
        if tuple(pages) != self._pages:
            self._pages = tuple(pages)
            self._since_ms = None

    def is_settled(self, now_ms: int) -> bool:
        """Whether the sign has the page of this moment, and time to take it."""
        return not self._setup and now_ms >= self._ready_ms and self._written == self._page(now_ms)

    def next(self, now_ms: int) -> Frame | None:
        """The frame to send now; None when there is nothing to send, or the sign needs its pause."""
        if now_ms < self._ready_ms:
            return None
        frame = self._setup.pop(0) if self._setup else self._line(now_ms)
        if frame is not None:
            self._ready_ms = now_ms + frame.pause_ms
        return frame

    def deadline_ms(self, now_ms: int) -> int:
        """When to ask again, if nobody calls ``show`` before."""
        if now_ms < self._ready_ms:
            return self._ready_ms
        repeat_ms = self._written_ms + REPEAT_MS
        if len(self._pages) == 1 or self._since_ms is None:
            return repeat_ms
        turned = (now_ms - self._since_ms) // PAGE_MS + 1
        return min(repeat_ms, self._since_ms + turned * PAGE_MS)

    def _line(self, now_ms: int) -> Frame | None:
        page = self._page(now_ms)
        if page == self._written and now_ms < self._written_ms + REPEAT_MS:
            return None
        self._written, self._written_ms = page, now_ms
        return self._frames.write(page)

    def _page(self, now_ms: int) -> Page:
        if self._since_ms is None:
            self._since_ms = now_ms
        return self._pages[(now_ms - self._since_ms) // PAGE_MS % len(self._pages)]
