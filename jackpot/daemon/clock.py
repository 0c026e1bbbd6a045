"""The two clocks of the machine, and the watch that tells when they part.

The order of things is the ledger's sequence number; the wall clock is only noted. A step of it is an
event (``ClockStepped``), never a reason to reorder.
"""

from __future__ import annotations

import time
from typing import Protocol

STEP_NS = 1_000_000_000
"""A difference of a second is a step: slewing corrects at most half a millisecond a second, and
the watch looks every few seconds."""


class Clock(Protocol):
    """Where a daemon takes its time from; tests give another one."""

    def wall_ns(self) -> int:
        """UTC in nanoseconds since 1970; may step."""

    def monotonic_ns(self) -> int:
        """Nanoseconds that only grow, from any beginning."""


class SystemClock:
    """The clocks of the machine."""

    def wall_ns(self) -> int:
        """UTC in nanoseconds since 1970; may step."""
        return time.time_ns()

    def monotonic_ns(self) -> int:
        """Nanoseconds that only grow."""
        return time.monotonic_ns()


class ClockWatch:
    """Compares the clocks at every look."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._offset_ns = self._offset()

    def step_ns(self) -> int | None:
        """How far the wall clock stepped since the last look; None for less than ``STEP_NS``.

        A smaller difference is not forgotten: it is compared again at the next look.
        """
        step_ns = self._offset() - self._offset_ns
        if abs(step_ns) < STEP_NS:
            return None
        self._offset_ns += step_ns
        return step_ns

    def _offset(self) -> int:
        return self._clock.wall_ns() - self._clock.monotonic_ns()
