"""What has to follow from acts about the table as a place: modes, disputed bets, service, minimum,
layouts, and the counted drop."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.audit.checker.due import Due, Fact, bet, box_of_table, iso_day, item, terms, text
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.membership import alone, takes_bets
from jackpot.audit.checker.state import AUTOMATIC, MANUAL, Table
from jackpot.audit.checker.terms import MICROCENTS, Terms

_POLICY = "policy:broken_slot"


# ---- modes and bets without a slot -------------------------------------------------------------------


def mode_changed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """To manual mode where the policy says so, and back to slots that all work."""
    mode, force = fact.info["mode"], terms(table)
    manual_allowed = force.mode == AUTOMATIC and force.policies.broken_slot == "table_manual"
    if mode == table.mode or not (mode == force.mode or manual_allowed):
        _mode_is_wrong(table.mode, mode, findings)
    if table.waiting:
        boxes = [chip.box for chip in table.waiting]
        findings.wrong("modes", "a change of mode with chips waiting", "none", boxes, _POLICY)
    if mode == AUTOMATIC and table.slots_down():
        _slots_must_work(table.slots_down(), findings)
    return ()


def box_mode_changed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """One box without its slot, where authorised, or with it again."""
    box, mode = fact.box, fact.info["mode"]
    box_of_table(table, box, findings)
    manual = box in table.manual_boxes
    allowed = manual or terms(table).policies.broken_slot == "box_manual"
    if (mode == MANUAL) is manual or table.mode != AUTOMATIC or not allowed:
        _mode_is_wrong(MANUAL if manual else table.mode, mode, findings)
    if mode == AUTOMATIC and box not in table.slots_up:
        _slots_must_work({box}, findings)
    return ()


def _mode_is_wrong(present: str, wanted: str, findings: Findings) -> None:
    says = "a change of mode that the policy does not allow"
    findings.wrong("modes", says, f"{present}, or an authorised change", wanted, _POLICY)


def _slots_must_work(down: set[int], findings: Findings) -> None:
    says = "back to slots that do not work"
    findings.wrong("modes", says, "working slots", f"boxes {sorted(down)} down", _POLICY)


def bet_asserted(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """By a key, in a box that plays without its slot."""
    if fact.box not in table.manual_boxes:
        says = "a bet asserted in a box with a slot"
        findings.wrong("bets", says, sorted(table.manual_boxes), fact.box, _POLICY)
    takes_bets(table, "a bet by key", findings)
    _has_room(table, fact.box, findings)
    return bet(table, fact.box, "asserted")


def bet_disputed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """By two officers, where the slot spoke and did not tell of it."""
    if table.hand_manual:
        says = "a disputed bet in manual mode"
        findings.wrong("bets", says, "a hand with slots", "a total", "CAN-8.b1")
    if fact.box in table.unknown:
        says = "a disputed bet in a box that was not looked into"
        findings.wrong("bets", says, "a decision on it", fact.box, "CAN-8.b2")
    _has_room(table, fact.box, findings)
    return bet(table, fact.box, "disputed")


def _has_room(table: Table, box: int, findings: Findings) -> None:
    if not table.has_room(box):
        findings.wrong("bets", "no room for a bet", "an open box with room", box, "CAN-8.1")


# ---- service, minimum, layouts -----------------------------------------------------------------------


def table_suspended(table: Table, _: Fact, findings: Findings) -> Sequence[Due]:
    """Once."""
    if table.suspended:
        findings.wrong("service", "suspended twice", "in service", "suspended", "CAN-7.3a")
    return ()


def table_resumed(table: Table, _: Fact, findings: Findings) -> Sequence[Due]:
    """What was suspended."""
    if not table.suspended:
        findings.wrong("service", "resumed in service", "suspended", "in service", "CAN-7.3a")
    return ()


def table_minimum_set(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Within the band (CAN-6.1), and the bet within its limit (CAN-8.1), also of waiting terms."""
    cents, band = fact.cents or 0, terms(table).minimum_band_cents
    if cents < 1 or (band is not None and not band[0] <= cents <= band[1]):
        says = "a table minimum outside its band"
        expected = f"{band[0]} to {band[1]} cents" if band else "more than nothing"
        findings.wrong("limits", says, expected, f"{cents} cents", "CAN-6.1")
    _bet_limit(terms(table), cents, findings)
    if table.pending is not None:
        _bet_limit(table.pending.terms, cents, findings)
    return ()


def _bet_limit(force: Terms, minimum_cents: int, findings: Findings) -> None:
    limit = force.bet_of_minimum_ppm
    if limit is not None and force.bet_cents * MICROCENTS > minimum_cents * limit:
        says = "the bet is too high for this table minimum"
        expected = f"at most {minimum_cents * limit // MICROCENTS} cents"
        findings.wrong("limits", says, expected, f"{force.bet_cents} cents", "CAN-8.1")


def layout_changed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """To the other layout, once in a gaming day (CAN-2.2)."""
    alone(table, "a change of layout", findings)
    other = None if table.parked is None else table.parked.name
    if fact.info["layout"] != other:
        says = "a layout that this table has not"
        findings.wrong("layouts", says, other, fact.info["layout"], "CAN-2.2")
    day = fact.info["day"]
    iso_day(day, findings)
    if table.day is not None and day < table.day:
        says = "a change of layout before the day that was closed"
        findings.wrong("layouts", says, table.day, day, "CAN-2.2")
    if day <= table.layout_changed_day:
        says = "two changes of layout in a gaming day"
        findings.wrong("layouts", says, f"after {table.layout_changed_day}", day, "CAN-2.2")
    return ()


# ---- the drop ----------------------------------------------------------------------------------------


def drop_counted(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Three numbers of one drop: counted, known to the ledger, counted by the acceptor itself."""
    box, counted = fact.box or None, fact.info["chips"]
    if fact.info["day"] != table.day:
        findings.wrong("drops", "the drop of another day", table.day, fact.info["day"], "CAN-2.2")
    if counted < 0:
        findings.wrong("drops", "no number of chips", "0 or more", counted, "CAN-8.7")
    if box is not None:
        box_of_table(table, box, findings)
        if table.day_total_chips:
            says = "one box counted on a day with totals"
            findings.wrong("drops", says, "the whole table", f"box {box}", "CAN-8.b1")
    detected, accepted = _known(table, box)
    info = {"counted": counted, "detected": detected, "accepted": accepted}
    rows: list[Due] = [("drop_compared", box, None, None, text(info))]
    if counted != detected or accepted not in (None, counted):
        rows.append(item(table, box, "drop_differs"))
    return rows


def _known(table: Table, box: int | None) -> tuple[int, int | None]:
    """Chips that the ledger knows of, and coins by the acceptors' counters, where all were read."""
    if box is not None:
        return table.detected.get(box, 0), table.accepted.get(box)
    detected = sum(table.detected.values()) + table.day_total_chips
    boxes = range(1, terms(table).boxes + 1)
    read = [table.accepted[box] for box in boxes if box in table.accepted]
    whole = len(read) == len(boxes) and not table.day_total_chips
    return detected, sum(read) if whole else None
