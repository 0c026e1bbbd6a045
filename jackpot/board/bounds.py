"""Every bound of the board's host, each with its reason. Times are nanoseconds.

The reply timeout is in ``jackpot.board.setup``, the frame's bounds in ``jackpot.board.frame``.
"""

from __future__ import annotations

from jackpot.board.setup import NS_PER_MS, NS_PER_S

ATTEMPTS = 3
"""Failures in a row before the board is out of service: one is noise, two may be, three are not."""

POLL_INTERVAL_NS = 20 * NS_PER_MS
"""No sooner again: a chip's pulse is longer, so nobody sees the difference."""

CLOSED_POLL_INTERVAL_NS = 200 * NS_PER_MS
"""With every slot closed there is only a late chip or a fault to tell; the watchdog wants 1 s."""

BACKOFF_FIRST_NS = 250 * NS_PER_MS
BACKOFF_LAST_NS = 4 * NS_PER_S
"""A silent board is asked after 0.25 s, then half as often each time, at least every 4 s."""

UNFIT_RETRY_NS = 10 * NS_PER_S
"""A board that cannot serve this table is asked anew: somebody may have put in another one."""

SELF_TEST_INTERVAL_NS = NS_PER_S
"""While a fault stands, once a second until the test is clean."""

DRAIN_NS = NS_PER_S
"""The lock is answered after this at the latest; who has not been heard by then is unknown."""

CHIP_FALL_NS = 200 * NS_PER_MS
"""From a selector's gate to its credit line: 10 cm of fall take 143 ms, and the debouncing is 5 ms. The
lock waits so long after every gate is shut."""
