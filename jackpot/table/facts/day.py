"""Acts of officers around the hands: the gaming day, boxes, things to see to."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from jackpot.law.terms import BetMode
from jackpot.table.event import BOX, Columns, OfficerAct


class DayOpened(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Two officers open the table and sign the amount that the visor will show."""

    kind: ClassVar[str] = "day_opened"
    columns: ClassVar[Columns] = Columns(cents="displayed_cents")
    second: str
    day: str
    displayed_cents: int


class LastHandsAnnounced(
    OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """«Las tres últimas jugadas» (CAN-7.3b)."""

    kind: ClassVar[str] = "last_hands_announced"


class DayClosed(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Two officers close the table and sign the amount that the visor shows."""

    kind: ClassVar[str] = "day_closed"
    columns: ClassVar[Columns] = Columns(cents="displayed_cents")
    second: str
    displayed_cents: int


class BoxClosed(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief closes a box between hands (``broken_slot = box_closed``)."""

    kind: ClassVar[str] = "box_closed"
    columns: ClassVar[Columns] = BOX
    box: int
    why: str


class BoxOpened(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief opens a box again, between hands."""

    kind: ClassVar[str] = "box_opened"
    columns: ClassVar[Columns] = BOX
    box: int


class SlotTestStarted(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A technician begins to test a slot with a real chip, between hands; its chips are no bets."""

    kind: ClassVar[str] = "slot_test_started"
    columns: ClassVar[Columns] = BOX
    box: int


class TestResult(StrEnum):
    """Whether the slot told the jackpot chip."""

    __test__ = False  # no test of ours, whatever its name begins with

    PASSED = "passed"
    FAILED = "failed"


class SlotTested(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The technician signs the end of the test: how many jackpot chips the slot told."""

    kind: ClassVar[str] = "slot_tested"
    columns: ClassVar[Columns] = BOX
    box: int
    chips: int
    result: TestResult


class ItemSettled(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The one thing to do was done: a chip handed back, a warning read."""

    kind: ClassVar[str] = "item_settled"
    item: int


class ModeChanged(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief changes how bets reach the meter, between hands: to the manual mode b.1 while
    the mechanism is broken (``broken_slot = table_manual``), and back."""

    kind: ClassVar[str] = "mode_changed"
    mode: BetMode
    why: str


class BoxModeChanged(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief lets one box play without its slot (``broken_slot = box_manual``), between
    hands, or with it again."""

    kind: ClassVar[str] = "box_mode_changed"
    columns: ClassVar[Columns] = BOX
    box: int
    mode: BetMode
    why: str


class TableSuspended(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table is out of service; no hand and no day starts until it is resumed."""

    kind: ClassVar[str] = "table_suspended"
    why: str


class TableResumed(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table is back in service."""

    kind: ClassVar[str] = "table_resumed"
    why: str


class TableMinimumSet(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The games director sets the table minimum within the authorised band (CAN-6.1)."""

    kind: ClassVar[str] = "table_minimum_set"
    columns: ClassVar[Columns] = Columns(cents="cents")
    cents: int


class LayoutChanged(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The other layout of a reversible table is laid out, with its own number, terms, books and
    jackpot: once in a gaming day ``day``, after the present one was closed (CAN-2.2)."""

    kind: ClassVar[str] = "layout_changed"
    second: str
    day: str
    layout: str


class DropCounted(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The chips of a box were counted after gaming day ``day``; without a box, those of the whole
    table. Counted again, the later count stands."""

    kind: ClassVar[str] = "drop_counted"
    columns: ClassVar[Columns] = BOX
    second: str
    day: str
    chips: int
    box: int | None = None
