"""How the table as a place changes in the checker's picture: terms, modes, layouts, service, drop."""

from __future__ import annotations

from jackpot.audit.checker.due import Info
from jackpot.audit.checker.fold_money import Fold
from jackpot.audit.checker.state import AUTOMATIC, MANUAL, Layout, Table
from jackpot.audit.checker.terms import terms_of, with_minimum


def _terms_in_force(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    """Those of the other layout wait with it; a changed mode of the terms is the mode from now on."""
    new, old = terms_of(info["terms"]), table.terms
    table.bet_rows.clear()
    if old is not None and new.terms.layout != old.terms.layout:
        if table.parked is None or table.parked.name != new.terms.layout:
            table.parked = Layout()
        table.parked.terms, table.parked.pending = new, None
        return
    if old is None or old.terms.mode != new.terms.mode:
        table.mode, table.manual_boxes = new.terms.mode, set()
    table.terms, table.pending = new, None


def _terms_pending(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    new = terms_of(info["terms"])
    if table.parked is not None and table.parked.name == new.terms.layout:
        table.parked.pending = new
    else:
        table.pending = new


def _table_minimum_set(table: Table, _b: int, cents: int, _m: int, _i: Info) -> None:
    """Waiting terms take it over: the director's word is newer than theirs."""
    if table.terms is not None:
        table.terms = with_minimum(table.terms, cents)
    if table.pending is not None:
        table.pending = with_minimum(table.pending, cents)


def _mode_changed(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.mode, table.manual_boxes = info["mode"], set()
    if info["mode"] == AUTOMATIC:
        table.owed.clear()  # a slot that works again has told of everything


def _box_mode_changed(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    if info["mode"] == MANUAL:
        table.manual_boxes.add(box)
    else:
        table.manual_boxes.discard(box)
        table.owed.pop(box, None)


def _table_suspended(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.suspended = True


def _table_resumed(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.suspended = False


def _layout_changed(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    if table.parked is None or table.parked.terms is None:
        return
    table.mode, table.manual_boxes = table.parked.terms.terms.mode, set()
    table.change_layouts()
    table.layout_changed_day = info["day"]
    table.bet_rows.clear()
    table.payments, table.award = {}, 0


def _slot_counters_read(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    """Coins since the last reading; a counter that fell has begun again at zero."""
    before, now = table.slot_accepts.get(box), info["accepts"]
    table.slot_accepts[box] = now
    if before is not None and box in table.accepted:
        table.accepted[box] += now - before if now >= before else now


PLACE_FOLDS: dict[str, Fold] = {
    "terms_in_force": _terms_in_force,
    "terms_pending": _terms_pending,
    "table_minimum_set": _table_minimum_set,
    "mode_changed": _mode_changed,
    "box_mode_changed": _box_mode_changed,
    "table_suspended": _table_suspended,
    "table_resumed": _table_resumed,
    "layout_changed": _layout_changed,
    "slot_counters_read": _slot_counters_read,
}
"""By kind."""
