"""One batch after the other: is each fact allowed, does just what follows from it stand behind it?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from jackpot.audit.checker import due as d
from jackpot.audit.checker import due_carrusel as c
from jackpot.audit.checker import due_entry as e
from jackpot.audit.checker import due_hand as h
from jackpot.audit.checker import due_place as p
from jackpot.audit.checker import due_test as s
from jackpot.audit.checker import due_total as t
from jackpot.audit.checker.acts import ACTS, check_act
from jackpot.audit.checker.due import Due, Fact, Info
from jackpot.audit.checker.findings import UNREADABLE, Findings
from jackpot.audit.checker.fold import FOLDS
from jackpot.audit.checker.outcomes import OUTCOMES, differs, missing, same_info, show, unexpected
from jackpot.audit.checker.state import Table
from jackpot.audit.checker.sums import check_derivation, check_sums
from jackpot.audit.checker.told import OPERATION, Told

EventRow = tuple[int, int, str, int | None, int | None, int | None, str | None]

DUES: dict[str, Callable[[Table, Fact, Findings], Sequence[Due]]] = {
    "controller_started": d.controller_started,
    "configuration_loaded": d.configuration_loaded,
    "slot_identified": d.slot_identified,
    "slot_restarted": d.slot_restarted,
    "chip_seen": d.chip_seen,
    "slot_event": d.slot_event,
    "slot_events_lost": d.slot_events_lost,
    "lock_reached": d.lock_reached,
    "day_opened": d.day_opened,
    "last_hands_announced": d.last_hands_announced,
    "day_closed": d.day_closed,
    "box_closed": d.box_changed,
    "box_opened": d.box_changed,
    "slot_test_started": s.slot_test_started,
    "slot_tested": s.slot_tested,
    "item_settled": d.item_settled,
    "hand_started": h.hand_started,
    "lock_pressed": h.lock_pressed,
    "slot_decided": h.slot_decided,
    "chip_decided": h.chip_decided,
    "awards_declared": h.awards_declared,
    "no_awards_declared": h.no_awards_declared,
    "awards_confirmed": h.awards_confirmed,
    "awards_signed": h.awards_signed,
    "award_paid": h.award_paid,
    "slip_printed": h.slip_printed,
    "hand_voided": h.hand_voided,
    "mode_changed": p.mode_changed,
    "box_mode_changed": p.box_mode_changed,
    "bet_asserted": p.bet_asserted,
    "bet_disputed": p.bet_disputed,
    "table_suspended": p.table_suspended,
    "table_resumed": p.table_resumed,
    "table_minimum_set": p.table_minimum_set,
    "layout_changed": p.layout_changed,
    "drop_counted": p.drop_counted,
    "total_entered": t.total_entered,
    "total_withdrawn": t.total_withdrawn,
    "total_final": t.total_final,
    "total_time_up": t.total_time_up,
    "total_corrected": t.total_corrected,
    "jackpot_taken_over": e.jackpot_taken_over,
    "jackpot_received": e.jackpot_received,
    "jackpot_moved": e.jackpot_moved,
    "jackpot_ended": e.jackpot_ended,
    "jackpot_corrected": e.jackpot_corrected,
    "seed_raised": e.seed_raised,
    "decision_reversed": e.decision_reversed,
    "payment_reversed": e.payment_reversed,
    "controller_replaced": e.controller_replaced,
    "carrusel_join_asked": c.join_asked,
    "carrusel_leave_asked": c.leave_asked,
    "claim_withdrawn": c.claim_withdrawn,
    "carrusel_joined": c.joined,
    "carrusel_decided": c.decided,
    "carrusel_undone": c.undone,
}
"""Facts that lead to something or have conditions of their own."""

PLAIN_FACTS = frozenset(
    {
        "controller_stopped",
        "officers_listed",
        "clock_stepped",
        "alarm_raised",
        "alarm_cleared",
        "slot_down",
        "slot_up",
        "slot_counters_read",
        "token_used",
        "awards_rejected",
        "carrusel_join_refused",
        "carrusel_left",
        "carrusel_stopped",
        "carrusel_link_lost",
        "carrusel_link_back",
        "carrusel_viewed",
        "carrusel_claim_freed",
    }
)
"""Facts that nothing follows from."""

FACTS = PLAIN_FACTS | DUES.keys()

SUMS_AFTER = frozenset(
    {
        "day_opened",
        "day_closed",
        "awards_confirmed",
        "hand_voided",
        "chip_decided",
        "decision_reversed",
        "total_final",
        "total_time_up",
        "total_corrected",
        "jackpot_taken_over",
        "jackpot_received",
        "jackpot_moved",
        "jackpot_ended",
        "jackpot_corrected",
        "seed_raised",
        "payment_reversed",
        "carrusel_joined",
        "carrusel_decided",
        "carrusel_undone",
    }
)
"""Facts after which money may have left a pool: conservation is looked at."""

MAX_PARSED = 4_096
"""Most events of a ledger share a few texts, such as those of chips and bets."""


@lru_cache(maxsize=MAX_PARSED)
def parsed(info: str | None) -> Info:
    """The fields of an event beside its columns; shared between callers, never changed."""
    if info is None:
        return {}
    fields: Any = msgspec.json.decode(info)
    if not isinstance(fields, dict):
        raise ValueError("info is no JSON object")
    return fields


class Judge:
    """Walks over the events with its own picture of the table."""

    def __init__(self, findings: Findings) -> None:
        self.table = Table()
        self.findings = findings
        self.awards = 0

    def batch(self, batch: int, rows: Sequence[EventRow]) -> None:
        """Judge one batch and fold it in; at a carrusel's member also what it tells at its end."""
        if self.table.carrusel is None:
            self._facts(batch, rows)
            return
        told = Told(self.table)
        operation = rows[-1] if rows and rows[-1][2] == OPERATION else None
        rows = rows if operation is None else rows[:-1]
        self._facts(batch, rows)
        self._operation(batch, rows, told, operation)

    def _operation(
        self, batch: int, rows: Sequence[EventRow], told: Told, operation: EventRow | None
    ) -> None:
        last = operation or (rows[-1] if rows else None)
        self.findings.at(batch, 0 if last is None else last[0])
        want = told.due(self.table, rows, self.findings)
        if operation is None:
            if want is not None:
                missing(want, self.findings)
            return
        if want is None:
            unexpected(operation, self.findings)
        elif not _same(operation, want):
            differs(want, operation, self.findings)
        self._fold(batch, operation)

    def _facts(self, batch: int, rows: Sequence[EventRow]) -> None:
        at, count = 0, len(rows)
        while at < count:
            due = self._due(batch, rows[at])
            self._fold(batch, rows[at])
            at = first = at + 1
            for want in due:
                if at == count or rows[at][2:] != want:
                    break
                self._fold(batch, rows[at])
                at += 1
            if at - first < len(due) or (at < count and rows[at][2] in OUTCOMES):
                at = self._compare(batch, rows, at, due[at - first :])
        if count and rows[0][2] in SUMS_AFTER:
            self.findings.at(batch, rows[-1][0])
            check_sums(self.table, self.findings)

    def _due(self, batch: int, row: EventRow) -> Sequence[Due]:
        """What has to follow from a fact; findings about the fact itself."""
        kind = row[2]
        rule = DUES.get(kind)
        act = kind in ACTS
        if rule is None and not act:
            if kind not in PLAIN_FACTS:
                self._no_fact(batch, row)
            return ()
        findings = self.findings
        findings.batch, findings.seq = batch, row[0]
        try:
            info = parsed(row[6])
            if act:
                check_act(self.table, kind, info, findings)
            if rule is not None:
                return rule(self.table, Fact(row[3] or 0, row[4], row[5], info), findings)
        except UNREADABLE as error:
            findings.wrong("fields", f"{kind} cannot be judged", "its own fields", show(error))
        return ()

    def _no_fact(self, batch: int, row: EventRow) -> None:
        self.findings.at(batch, row[0])
        if row[2] in OUTCOMES:
            self.findings.wrong("outcomes", "an outcome without a cause", "a fact", row[2])
        else:
            self.findings.wrong("kinds", "an unknown kind", "one of docs/events.md", row[2])

    def _fold(self, batch: int, row: EventRow) -> None:
        _, _, kind, box, cents, microcents, info = row
        fold = FOLDS.get(kind)
        if fold is None:
            return
        try:
            fold(self.table, box or 0, cents or 0, microcents or 0, parsed(info))
            if kind == "awards_decided":
                self.awards += 1
                self.findings.at(batch, row[0])
                check_derivation(self.table, cents, parsed(info), self.findings)
        except UNREADABLE as error:
            self.findings.at(batch, row[0])
            self.findings.wrong("fields", f"{kind} cannot be read", "its own fields", show(error))

    def _compare(self, batch: int, rows: Sequence[EventRow], at: int, due: Sequence[Due]) -> int:
        """Something differs: pair what is there with what should be, and name each difference."""
        wants = list(due)
        self.findings.at(batch, rows[at - 1][0])
        while at < len(rows) and rows[at][2] in OUTCOMES:
            row = rows[at]
            self.findings.at(batch, row[0])
            ahead = [index for index, want in enumerate(wants) if _alike(row, want)]
            if wants and _same(row, wants[0]):
                wants.pop(0)
            elif ahead and ahead[0] == 0:
                differs(wants.pop(0), row, self.findings)
            elif ahead:
                for want in wants[: ahead[0]]:
                    missing(want, self.findings)
                wants = wants[ahead[0] :]
                continue
            else:
                unexpected(row, self.findings)
            self._fold(batch, row)
            at += 1
        for want in wants:
            missing(want, self.findings)
        return at


def _alike(row: EventRow, want: Due) -> bool:
    return row[2:4] == want[:2]


def _same(row: EventRow, want: Due) -> bool:
    return row[2:6] == want[:4] and same_info(row[2], row[6], want[4])
