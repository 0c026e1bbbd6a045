"""The state of a mechanism for people and programs: what ``jackpot slots`` shows. Figures only, no bets."""

from __future__ import annotations

from typing import Any

import msgspec

from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import Pair

NS_PER_MS = 1_000_000
NS_PER_US = 1_000


class SlotReport(msgspec.Struct, frozen=True, kw_only=True):
    """One box. What an acceptor never told is None; counters are since the host was made, those
    named ``acceptor_…`` are the acceptor's own. ``accepting`` is what was last asked of it. A slot
    of a slot board has no address."""

    box: int
    address: int | None = None
    state: str
    down: str
    detail: str
    accepting: bool
    serial: int | None = None
    maker: str = ""
    product: str = ""
    software: str = ""
    chip_position: int | None = None
    polling_ms: int | None = None
    coins: dict[int, str] = {}
    inspected: bool = False
    optos_blocked: int | None = None
    acceptor_inserted: int | None = None
    acceptor_accepted: int | None = None
    acceptor_rejected: int | None = None
    acceptor_frauds: int | None = None
    mask: int | None = None
    master_on: bool | None = None
    sorter_path: int | None = None
    rom_checksum: str = ""
    made: str = ""
    changed: str = ""
    protocol: str = ""
    """Level and issue of ccTalk that the acceptor says it speaks, as 1.4.7."""
    comms_errors: tuple[int, ...] = ()
    """As the acceptor counts them: time-outs, ignored bytes, bad checksums; it begins again after 255."""
    count: int | None = None
    pairs: tuple[Pair, ...] = ()
    polls: int = 0
    replies: int = 0
    timeouts: int = 0
    no_echoes: int = 0
    collisions: int = 0
    checksum_errors: int = 0
    refusals: int = 0
    restarts: int = 0
    lost_events: int = 0
    round_trip_p50_us: int = 0
    round_trip_p95_us: int = 0
    round_trip_p99_us: int = 0
    longest_poll_gap_ms: int = 0


class BusReport(msgspec.Struct, frozen=True, kw_only=True):
    """One line. ``echo``: True or False once it is known."""

    port: str = ""
    line_up: bool
    echo: bool | None
    unasked_bytes: int
    slots: tuple[SlotReport, ...]


def counted(statistics: BoxStatistics) -> dict[str, Any]:
    """The figures of a ``SlotReport`` that are counted alike for every mechanism."""
    return {
        "polls": statistics.polls,
        "replies": statistics.replies,
        "timeouts": statistics.timeouts,
        "no_echoes": statistics.no_echoes,
        "collisions": statistics.collisions,
        "checksum_errors": statistics.checksum_errors,
        "refusals": statistics.refusals,
        "restarts": statistics.restarts,
        "lost_events": statistics.lost_events,
        "round_trip_p50_us": statistics.round_trip_percentile_ns(50) // NS_PER_US,
        "round_trip_p95_us": statistics.round_trip_percentile_ns(95) // NS_PER_US,
        "round_trip_p99_us": statistics.round_trip_percentile_ns(99) // NS_PER_US,
        "longest_poll_gap_ms": statistics.longest_poll_gap_ns // NS_PER_MS,
    }
