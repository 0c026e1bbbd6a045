"""How patient one acceptor is treated: attempts before it is given up, waits before it is asked again."""

from __future__ import annotations

from jackpot.cctalk.bounds import (
    BACKOFF_FIRST_NS,
    BACKOFF_LAST_NS,
    LINE_RETRIES,
    RETRIES,
    RETRY_SPACING_NS,
)
from jackpot.mechanism.wire_events import LINE_DIAGNOSES, Diagnosis


class Attempts:
    """``retry_ns``: not before this; ``probe_ns``: when an absent acceptor is looked for."""

    def __init__(self, now_ns: int) -> None:
        self.retry_ns = self.probe_ns = now_ns
        self._failures = 0
        self._line_failures = 0
        self._backoff_ns = BACKOFF_FIRST_NS

    @property
    def any(self) -> bool:
        """Whether the last attempt failed."""
        return bool(self._failures or self._line_failures)

    def clear(self) -> None:
        """It answered, or another thing is asked now."""
        self._failures = self._line_failures = 0

    def failed(self, why: Diagnosis, now_ns: int) -> bool:
        """One more; True if that was the last of them."""
        if why in LINE_DIAGNOSES:
            self._line_failures += 1
        else:
            self._failures += 1
            self.retry_ns = now_ns + RETRY_SPACING_NS
        return self._failures >= RETRIES or self._line_failures >= LINE_RETRIES

    def look_later(self, now_ns: int) -> None:
        """Still absent: wait longer each time."""
        self.probe_ns = now_ns + self._backoff_ns
        self._backoff_ns = min(2 * self._backoff_ns, BACKOFF_LAST_NS)

    def look_after(self, wait_ns: int, now_ns: int) -> None:
        """Given up: look for it after ``wait_ns``, and from then on with back-off."""
        self._backoff_ns = BACKOFF_FIRST_NS
        self.probe_ns = now_ns + wait_ns
