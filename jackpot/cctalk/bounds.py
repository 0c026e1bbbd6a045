"""Every bound of the wire's host, each with its reason. Times are nanoseconds.

The reply timeout's own limits are in ``jackpot.cctalk.setup``, the frame's in ``frame``, the
re-sending of inhibits in ``inhibits``, the longest exchange in ``exchange``.
"""

from __future__ import annotations

from jackpot.cctalk.setup import NS_PER_MS, NS_PER_S, REPLY_TIMEOUT_MAX_MS

RETRIES = 3
"""Part 1, 12.1: retry three times before failing. One attempt a round, so the others get theirs."""

RETRY_SPACING_NS = 100 * NS_PER_MS
"""Between two attempts at one acceptor: a round of seven takes longer anyway, and on a quick line
three must not all fall into one hiccup of a busy machine."""

LINE_RETRIES = 6
"""Attempts spoilt by the line (no echo, collision) are not this acceptor's fault: twice as many."""

POLL_INTERVAL_NS = 20 * NS_PER_MS
"""No sooner again: one exchange takes 22 ms of wire, so at 9600 baud this never waits; on a faster
line or a pseudo terminal it keeps the host from spinning."""

CLOSED_POLL_INTERVAL_NS = 200 * NS_PER_MS
"""A closed slot has only a late chip or a fault to tell, and its watchdog wants one poll a second:
the wire belongs to the open ones."""

BACKOFF_FIRST_NS = 250 * NS_PER_MS
BACKOFF_LAST_NS = NS_PER_S
"""A dead acceptor is asked after 0.25 s, then half as often each time, at least every second: one
that is plugged back reads within two, and asking the dead one costs 6 % of a line."""

UNFIT_RETRY_NS = 10 * NS_PER_S
"""A misfit is asked anew at this interval: a full identification takes 0.6 s of wire."""

SELF_CHECK_INTERVAL_NS = NS_PER_S
"""After a fault, header 232 at least once a second until it is clean."""

SELF_CHECK_TIMEOUT_NS = REPLY_TIMEOUT_MAX_MS * NS_PER_MS
"""A self-check may take longer than a poll; the others' second bounds it."""

WATCHDOG_NS = NS_PER_S
"""An acceptor that has had no 229 for this long inhibits itself."""

DRAIN_NS = NS_PER_S
"""The lock is answered after this at the latest; who has not confirmed by then is unknown."""

COUNTERS_NS = NS_PER_S
"""An opening, a closing or a counted drop waits this long for the acceptors' own counters at most:
fourteen short exchanges between the polls, and room for a dead acceptor beside them."""

DOUBT_NS = 10 * NS_PER_S
"""A line that spoilt an exchange this long ago may spoil another, and one broken answer in some hundreds
passes its checksum: meanwhile every event must be told twice before it counts."""

LATE_REPLY_NS = 50 * NS_PER_MS
"""In CRC mode a reply does not say whose it is: after a failed exchange let a late one pass."""

INSPECTION_NS = 2 * NS_PER_S
"""What a technician looks at is asked again at this interval, only while somebody looks; one question
goes between two polls of the same acceptor."""
