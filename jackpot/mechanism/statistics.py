"""What is counted about one box: for diagnosis, never for money."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from jackpot.mechanism.states import State
from jackpot.mechanism.wire_events import Diagnosis

ROUND_TRIPS_KEPT = 256
"""For percentiles: the last 40 seconds or so of a table of seven."""


@dataclass(slots=True)
class BoxStatistics:
    """Since the host was made. ``polling_ms`` is the interval that the acceptor asks for (249)."""

    state: State = State.ABSENT
    polls: int = 0
    replies: int = 0
    timeouts: int = 0
    no_echoes: int = 0
    collisions: int = 0
    checksum_errors: int = 0
    refusals: int = 0
    unproven: int = 0
    restarts: int = 0
    lost_events: int = 0
    round_trip_ns: int = 0
    longest_round_trip_ns: int = 0
    longest_poll_gap_ns: int = 0
    polling_ms: int | None = None
    last_poll_ns: int | None = None
    round_trips_ns: deque[int] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS_KEPT))
    """Of the last right answers."""

    def note(self, diagnosis: Diagnosis | None, round_trip_ns: int) -> None:
        """One exchange ended."""
        if diagnosis is None:
            self.replies += 1
            self.round_trip_ns = round_trip_ns
            self.round_trips_ns.append(round_trip_ns)
            self.longest_round_trip_ns = max(self.longest_round_trip_ns, round_trip_ns)
        elif diagnosis is Diagnosis.NO_REPLY:
            self.timeouts += 1
        elif diagnosis is Diagnosis.NO_ECHO:
            self.no_echoes += 1
        elif diagnosis is Diagnosis.COLLISION:
            self.collisions += 1
        elif diagnosis is Diagnosis.BAD_CHECKSUM:
            self.checksum_errors += 1
        else:
            self.refusals += 1

    def note_poll(self, now_ns: int) -> None:
        """A 229 goes out."""
        self.polls += 1
        if self.last_poll_ns is not None:
            gap_ns = now_ns - self.last_poll_ns
            self.longest_poll_gap_ns = max(self.longest_poll_gap_ns, gap_ns)
        self.last_poll_ns = now_ns

    def round_trip_percentile_ns(self, percent: int) -> int:
        """So many of a hundred right answers took no longer; 0 before the first."""
        ordered = sorted(self.round_trips_ns)
        return ordered[(len(ordered) - 1) * percent // 100] if ordered else 0
