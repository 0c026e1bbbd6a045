"""One acceptor for people and programs: what ``jackpot slots`` shows of it."""

from __future__ import annotations

from jackpot.cctalk.acceptor import Acceptor
from jackpot.cctalk.headers import Header
from jackpot.mechanism.report import SlotReport, counted


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
        **counted(statistics),
    )
