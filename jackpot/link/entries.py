"""The carrusel's log, entry by entry: the only place where a shared fact comes to be (CAN-9).

Totally ordered and append-only. Each entry has its own position (from 1), the hash of the one
before it and its author's signature; positions are ours, never a store's sequence. Whatever is
true of a carrusel is a fold of its entries.
"""

from __future__ import annotations

from typing import ClassVar

from jackpot.law.derivation import Line
from jackpot.law.terms import Terms
from jackpot.link.messages import Operation
from jackpot.table.event import Columns, Event
from jackpot.table.facts.carrusel import CarruselPayment, CarruselShare
from jackpot.table.facts.hand import DeclaredHand


class LogEntry(Event, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the log."""


class LogOpened(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first entry: which carrusel this is. ``log_id`` is drawn by chance, so that two logs under
    one name are told apart. A log that moved to another store is copied there whole and goes on with
    this entry again; ``continues`` is the hash of the last entry that was copied."""

    kind: ClassVar[str] = "log_opened"
    carrusel: str
    log_id: str
    coordinators: dict[str, str]
    continues: str = ""


class LogContinuedIn(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last entry of a log that moved to another store; nothing follows it."""

    kind: ClassVar[str] = "log_continued_in"
    log_id: str


class CoordinatorAdmitted(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A further coordinator may append; its key is pinned."""

    kind: ClassVar[str] = "coordinator_admitted"
    name: str
    key: str
    officers: tuple[str, ...]


class MemberJoined(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table joins with its whole meter, or comes back under a new incarnation.

    ``meter_microcents`` is what the log has for it from here on; ``offered_microcents`` what its box
    said. They differ only when a restored box came back.
    """

    kind: ClassVar[str] = "member_joined"
    columns: ClassVar[Columns] = Columns(microcents="meter_microcents")
    table: str
    ledger: str
    incarnation: int
    join_hash: str
    officers: tuple[str, ...]
    authorisation: str
    terms: Terms
    meter_microcents: int
    offered_microcents: int


class OperationsTaken(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Consecutive operations of one table, each the exact successor of the one before."""

    kind: ClassVar[str] = "operations_taken"
    table: str
    incarnation: int
    operations: tuple[Operation, ...]


class MemberLeaving(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table is out of the total from here on; hands that were locked on an earlier view still
    count on it."""

    kind: ClassVar[str] = "member_leaving"
    table: str


class MemberLeft(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No hand counts on the table any more: it takes its own meter along."""

    kind: ClassVar[str] = "member_left"
    columns: ClassVar[Columns] = Columns(microcents="meter_microcents")
    table: str
    meter_microcents: int


class MemberStopped(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Operations that do not continue what the log holds: a restored copy, or two boxes under one
    name; or two ``officers`` no longer wait for it. Its meter stays in the prize; nothing more is
    taken until it joins anew."""

    kind: ClassVar[str] = "member_stopped"
    table: str
    incarnation: int
    why: str
    officers: tuple[str, ...] = ()


class AwardDecided(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An award: decided once, deducted from every member in its view, restarts included."""

    kind: ClassVar[str] = "award_decided"
    columns: ClassVar[Columns] = Columns(cents="paid_cents", microcents="base_microcents")
    decision: int
    table: str
    hand: int
    view_position: int
    hands: tuple[DeclaredHand, ...]
    base_microcents: int
    paid_cents: int
    restart: bool
    shares: tuple[CarruselShare, ...]
    payments: tuple[CarruselPayment, ...]
    derivation: tuple[Line, ...]


class AwardUndone(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision is taken back whole, before anything of it was paid; numbered like one."""

    kind: ClassVar[str] = "award_undone"
    columns: ClassVar[Columns] = Columns(cents="paid_cents")
    decision: int
    undoes: int
    table: str
    hand: int
    paid_cents: int
    restart: bool
    shares: tuple[CarruselShare, ...]


class OrderOverridden(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two officers no longer wait for hands that were locked earlier (``lock_position``)."""

    kind: ClassVar[str] = "order_overridden"
    table: str
    hand: int
    officers: tuple[str, ...]
    why: str


class HeadSeen(LogEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member's signed checkpoint, kept as a witness against a rewritten or cut ledger."""

    kind: ClassVar[str] = "head_seen"
    table: str
    note: str


ENTRIES: dict[str, type[LogEntry]] = {
    cls.kind: cls
    for cls in (
        LogOpened,
        LogContinuedIn,
        CoordinatorAdmitted,
        MemberJoined,
        OperationsTaken,
        MemberLeaving,
        MemberLeft,
        MemberStopped,
        AwardDecided,
        AwardUndone,
        OrderOverridden,
        HeadSeen,
    )
}
"""Every entry by its stable name."""
