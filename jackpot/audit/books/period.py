"""The figures of a period: gaming days from one date to another, in one pass over a ledger.

An event belongs to the gaming day that was opened last before it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec

from jackpot.audit.books.extract import Row, extract
from jackpot.audit.books.tables import COLUMNS
from jackpot.audit.source import Source
from jackpot.errors import Refused

MOST_ROWS = 2_000
"""Of one list in a report; fifty pages are read by nobody, and an export has everything."""

DROP_COUNTED = "drop_counted"
"""The counted chips of a box (or, without a box, of the table), where a table records them."""

Fields = dict[str, Any]
"""A row of an export by the names of its columns."""


@dataclass
class Listed:
    """The first rows of a list, and how many there are in all."""

    rows: list[Fields] = field(default_factory=list)
    in_all: int = 0

    def add(self, row: Fields) -> None:
        """One more."""
        self.in_all += 1
        if len(self.rows) < MOST_ROWS:
            self.rows.append(row)


@dataclass
class Drop:
    """Chips of one box on one day: those that the ledger knows of, and those counted (or None)."""

    day: str
    box: int | None
    detected: int
    counted: int | None = None


@dataclass
class Period:
    """What a report tells. Money in cents and micro-cents, as the names of the columns say."""

    first: date
    last: date
    days: list[Fields] = field(default_factory=list)
    awards: Listed = field(default_factory=Listed)
    payments: Listed = field(default_factory=Listed)
    faults: Listed = field(default_factory=Listed)
    corrections: Listed = field(default_factory=Listed)
    fault_counts: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    bets_by_box: Counter[int] = field(default_factory=Counter)
    drops: list[Drop] = field(default_factory=list)
    curve_microcents: list[int] = field(default_factory=list)
    day_starts: list[int] = field(default_factory=list)
    """Where on the curve each of ``days`` begins."""
    start_microcents: int | None = None
    """The meter before the first movement of the period; None if it did not run yet."""


def period(source: Source, first: date, last: date) -> Period:
    """The figures from ``first`` to ``last``, both included. Raises ``Refused``."""
    if last < first:
        raise Refused(
            reason="not_a_period",
            expected=f"an end on or after {first}",
            found=str(last),
            to_do="give --from and --to as dates such as 2026-11-30, the earlier one first",
        )
    reading = _Reading(Period(first, last))
    for row in extract(source):
        reading.row(row)
    return reading.finished()


class _Reading:
    """Goes through the rows of an export and keeps what belongs to the period."""

    def __init__(self, made: Period) -> None:
        self.made = made
        self._day = ""
        self._within = False
        self._meter_microcents: int | None = None
        self._batch = 0
        self._chips: Counter[tuple[str, int]] = Counter()
        self._counted: dict[tuple[str, int | None], int] = {}

    def row(self, row: Row) -> None:
        """One more row."""
        table, values = row
        fields: Fields = dict(zip(COLUMNS[table], values, strict=True))
        if table == "events":
            self._event(fields)
        elif table == "pools" and fields["pool"].endswith(":Jackpot"):
            self._moved(fields["batch"], fields["after_microcents"])
        elif self._within:
            self._listed(table, fields)

    def _moved(self, batch: int, after_microcents: int) -> None:
        """One point for a batch: what lies between an award and the seed behind it nobody ever saw."""
        self._meter_microcents = after_microcents
        curve = self.made.curve_microcents
        if self._within:
            if batch == self._batch:
                curve.pop()
            curve.append(after_microcents)
            self._batch = batch

    def _event(self, event: Fields) -> None:
        made = self.made
        if event["kind"] == "day_opened":
            self._day = msgspec.json.decode(event["info"])["day"]
            self._within = made.first <= date.fromisoformat(self._day) <= made.last
            if self._within:
                if not made.day_starts:
                    made.start_microcents = self._meter_microcents
                made.day_starts.append(len(made.curve_microcents))
        elif event["kind"] == DROP_COUNTED:
            info = msgspec.json.decode(event["info"])
            self._counted[info["day"], event["box"]] = info["chips"]

    def _listed(self, table: str, fields: Fields) -> None:
        made = self.made
        if table == "days":
            made.days.append(fields)
        elif table == "bets":
            self._bet(fields)
        elif table == "awards":
            made.awards.add(fields)
        elif table == "payments":
            made.payments.add(fields)
        elif table == "corrections":
            made.corrections.add(fields)
        elif table == "faults":
            made.faults.add(fields)
            made.fault_counts[fields["kind"], fields["box"]] += 1

    def _bet(self, bet: Fields) -> None:
        """A chip is in its slot from its bet on until it goes back; a carried one is there already."""
        change = {"accepted": 1, "returned": -1, "carried": 0}[bet["what"]]
        if bet["source"] == "carried":
            change = 0
        self._chips[self._day, bet["box"]] += change
        self.made.bets_by_box[bet["box"]] += change

    def finished(self) -> Period:
        """With the chips of each day and box beside those that were counted."""
        made = self.made
        within = [
            key
            for key in self._chips.keys() | self._counted.keys()
            if made.first <= date.fromisoformat(key[0]) <= made.last
        ]
        for day, box in sorted(within, key=lambda key: (key[0], key[1] or 0)):
            detected = (
                sum(chips for (of, _), chips in self._chips.items() if of == day)
                if box is None
                else self._chips[day, box]
            )
            made.drops.append(Drop(day, box, detected, self._counted.get((day, box))))
        return made
