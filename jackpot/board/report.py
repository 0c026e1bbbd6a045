"""One slot of a board for people and programs: what ``jackpot slots`` shows of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from jackpot.board.messages import Identity
from jackpot.board.service import Service
from jackpot.board.tracker import Tracker
from jackpot.mechanism.report import SlotReport, counted


def slot_reports(
    service: Service,
    board: Identity | None,
    trackers: Mapping[int, Tracker],
    accepting: Collection[int],
) -> tuple[SlotReport, ...]:
    """What is known of each slot now; maker, software and serial number are the board's."""
    return tuple(
        _slot_report(box, service, board, tracker, accepting=box in accepting)
        for box, tracker in trackers.items()
    )


def _slot_report(
    box: int, service: Service, board: Identity | None, tracker: Tracker, *, accepting: bool
) -> SlotReport:
    statistics, reason, record = service.statistics[box], service.reason(box), tracker.known
    return SlotReport(
        box=box,
        state=statistics.state.name.lower(),
        down="" if reason is None else reason.value,
        detail=service.detail(box),
        accepting=accepting,
        serial=None if board is None else board.serial,
        maker="" if board is None else board.maker,
        product="" if board is None else board.product,
        software="" if board is None else board.software,
        inspected=service.tested,
        count=None if record is None else record.count,
        pairs=() if record is None else record.pairs,
        **counted(statistics),
    )
