"""The state of a bus for people and programs: what ``jackpot slots`` shows. Figures only, no bets."""

from __future__ import annotations

import msgspec

from jackpot.cctalk.acceptor import Acceptor
from jackpot.cctalk.events import Pair
from jackpot.cctalk.headers import Header
from jackpot.cctalk.setup import NS_PER_MS

NS_PER_US = 1_000


class SlotReport(msgspec.Struct, frozen=True, kw_only=True):
    """One box. What an acceptor never told is None; counters are since the host was made, those
    named ``acceptor_…`` are the acceptor's own. ``accepting`` is what was last asked of it."""

    box: int
    address: int
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


def slot_report(acceptor: Acceptor) -> SlotReport:
    """What is known of one acceptor now."""
    statistics, seen, who = acceptor.statistics, acceptor.inspection, acceptor.identity
    record, reason = acceptor.tracker.known, acceptor.service.reason
    master = seen.figure(Header.REQUEST_MASTER_INHIBIT)
    return SlotReport(
        box=acceptor.slot.box,
        address=acceptor.slot.address,
        state=acceptor.state.name.lower(),
        down="" if reason is None else reason.value,
        detail=acceptor.service.detail,
        accepting=acceptor.inhibits.accepting,
        serial=None if who is None else who.serial,
        maker="" if who is None else who.maker,
        product="" if who is None else who.product,
        software="" if who is None else who.software,
        chip_position=None if who is None else who.coin_position,
        polling_ms=None if who is None else who.polling_ms,
        coins=seen.coins or ({} if who is None else who.coin_ids_by),
        inspected=seen.done,
        optos_blocked=seen.figure(Header.READ_OPTO_STATES),
        acceptor_inserted=seen.figure(Header.REQUEST_INSERTION_COUNTER),
        acceptor_accepted=seen.figure(Header.REQUEST_ACCEPT_COUNTER),
        acceptor_rejected=seen.figure(Header.REQUEST_REJECT_COUNTER),
        acceptor_frauds=seen.figure(Header.REQUEST_FRAUD_COUNTER),
        mask=seen.figure(Header.REQUEST_INHIBIT_STATUS),
        master_on=None if master is None else bool(master & 1),
        sorter_path=seen.figure(Header.REQUEST_SORTER_PATHS),
        count=None if record is None else record.count,
        pairs=() if record is None else record.pairs,
        polls=statistics.polls,
        replies=statistics.replies,
        timeouts=statistics.timeouts,
        no_echoes=statistics.no_echoes,
        collisions=statistics.collisions,
        checksum_errors=statistics.checksum_errors,
        refusals=statistics.refusals,
        restarts=statistics.restarts,
        lost_events=statistics.lost_events,
        round_trip_p50_us=statistics.round_trip_percentile_ns(50) // NS_PER_US,
        round_trip_p95_us=statistics.round_trip_percentile_ns(95) // NS_PER_US,
        round_trip_p99_us=statistics.round_trip_percentile_ns(99) // NS_PER_US,
        longest_poll_gap_ms=statistics.longest_poll_gap_ns // NS_PER_MS,
    )
