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
from jackpot.audit.books.movements import layout_name
from jackpot.audit.books.tables import COLUMNS
from jackpot.audit.source import Source
from jackpot.errors import Refused

MOST_ROWS = 2_000
"""Of one list in a report; fifty pages are read by nobody, and an export has everything."""

READ_EVENTS = frozenset(
    ("terms_in_force", "layout_changed", "day_opened", "drop_counted", "drop_compared")
)
"""The events that a report reads itself; the other tables of the export tell the rest."""
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
class Meter:
    """The meter of one layout over a period, in micro-cents."""

    start_microcents: int | None = None
    """Before the first day or movement of the period; None if it did not run yet."""
    curve_microcents: list[int] = field(default_factory=list)
    """After every batch that moved it."""
    day_starts: list[int] = field(default_factory=list)
    """Where on the curve each day of this layout begins."""

    @property
    def end_microcents(self) -> int | None:
        """At the end of the period."""
        return self.curve_microcents[-1] if self.curve_microcents else self.start_microcents


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
    settlements: Listed = field(default_factory=Listed)
    """What other members of a carrusel gave to awards of this table, and this one to theirs."""
    fault_counts: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    bets_by_box: Counter[int] = field(default_factory=Counter)
    drops: list[Drop] = field(default_factory=list)
    meters: dict[str, Meter] = field(default_factory=dict)
    """The meter of each layout that was on the table or moved in the period (CAN-2.2)."""


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
        self._layout = ""
        self._table = ""
        self._held_microcents: dict[str, int] = {}
        self._batches: dict[str, int] = {}
        self._chips: Counter[tuple[str, int]] = Counter()
        self._counting = ""
        self._compared: dict[tuple[str, int | None], tuple[int, int]] = {}
        """Detected and counted, by day and box, as the ledger compared them."""

    def row(self, row: Row) -> None:
        """One more row."""
        table, values = row
        fields: Fields = dict(zip(COLUMNS[table], values, strict=True))
        if table == "events":
            self._event(fields)
        elif table == "pools" and fields["pool"].endswith(":Jackpot"):
            layout = fields["pool"].split(":")[-2]
            self._moved(layout, fields["batch"], fields["after_microcents"])
        elif self._within:
            self._listed(table, fields)

    def _meter(self, layout: str) -> Meter:
        """The meter of a layout, from its first day or movement of the period on."""
        meters = self.made.meters
        if layout not in meters:
            meters[layout] = Meter(self._held_microcents.get(layout))
        return meters[layout]

    def _moved(self, layout: str, batch: int, after_microcents: int) -> None:
        """One point for a batch: what lies between an award and the seed behind it nobody ever saw."""
        if self._within:
            curve = self._meter(layout).curve_microcents
            if batch == self._batches.get(layout):
                curve.pop()
            curve.append(after_microcents)
            self._batches[layout] = batch
        self._held_microcents[layout] = after_microcents

    def _event(self, event: Fields) -> None:
        made, kind = self.made, event["kind"]
        if kind not in READ_EVENTS:
            return
        info = msgspec.json.decode(event["info"])
        if kind == "terms_in_force":
            self._layout = self._layout or layout_name(info["terms"]["layout"])
            self._table = info["terms"]["table"]
        elif kind == "layout_changed":
            self._layout = layout_name(info["layout"])
        elif kind == "day_opened":
            self._day = info["day"]
            self._within = made.first <= date.fromisoformat(self._day) <= made.last
            if self._within:
                meter = self._meter(self._layout)
                meter.day_starts.append(len(meter.curve_microcents))
        elif kind == "drop_counted":
            self._counting = info["day"]
        else:
            told = info["detected"], info["counted"]
            self._compared[self._counting, event["box"]] = told

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
        elif table == "settlements":
            between = (fields["won_by"], fields["table"])
            if self._table in between and between[0] != between[1]:
                made.settlements.add(fields)
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
            for key in self._chips.keys() | self._compared.keys()
            if made.first <= date.fromisoformat(key[0]) <= made.last
        ]
        for day, box in sorted(within, key=lambda key: (key[0], key[1] or 0)):
            compared = self._compared.get((day, box))
            detected, counted = compared or (self._chips[day, box or 0], None)
            made.drops.append(Drop(day, box, detected, counted))
        return made
