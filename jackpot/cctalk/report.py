"""One acceptor for people and programs: what ``jackpot slots`` shows of it."""

from __future__ import annotations

from jackpot.cctalk.acceptor import Acceptor
from jackpot.cctalk.headers import Header
from jackpot.cctalk.inspection import Inspection
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
        sorter_path=next(iter(seen.told(Header.REQUEST_SORTER_PATHS)), None),
        rom_checksum=seen.told(Header.CALCULATE_ROM_CHECKSUM).hex(),
        made=_date(seen, Header.REQUEST_CREATION_DATE),
        changed=_date(seen, Header.REQUEST_LAST_MODIFICATION_DATE),
        protocol=".".join(map(str, seen.told(Header.REQUEST_COMMS_REVISION))),
        comms_errors=tuple(seen.told(Header.REQUEST_COMMS_STATISTICS)),
        count=None if record is None else record.count,
        pairs=() if record is None else record.pairs,
        **counted(statistics),
    )


def _date(seen: Inspection, header: Header) -> str:
    """Part 2, 3.58: day in bits 0 to 4, month in 5 to 8, years since the base year in 9 to 13."""
    packed, base = seen.figure(header), seen.told(Header.REQUEST_BASE_YEAR)
    if not packed or not base.isdigit():
        return ""
    day, month, years = packed & 31, packed >> 5 & 15, packed >> 9 & 31
    return f"{int(base) + years}-{month:02}-{day:02}"
