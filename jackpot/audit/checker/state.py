"""What the checker knows of the table at one place of the ledger: its own picture, from columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jackpot.audit.checker.awards import Declared
from jackpot.audit.checker.pools import JACKPOT, POOLS, Pools
from jackpot.audit.checker.terms import Text

CLOSED, BETWEEN_HANDS, BETTING, LOCKING = "closed", "between_hands", "betting", "locking"
LOCKED, DECLARED, DECIDED, PAYABLE = "locked", "declared", "decided", "payable"

BETTING_IS_OPEN = (BETTING, LOCKING)
"""Until the lock is reached: a chip drained from a slot is in time (CAN-7.1)."""


@dataclass(slots=True)
class Bet:
    """A bet of the running hand; ``moved`` is what it moved, to be taken back exactly by a void."""

    box: int
    number: int
    cents: int
    moved: list[tuple[str, int]]


@dataclass(slots=True)
class Chip:
    """A chip that waits in a box: ``held`` (moved nothing yet) or ``carried`` (has moved)."""

    box: int
    cents: int
    source: str
    moved: list[tuple[str, int]]


@dataclass(slots=True)
class Totals:
    """Sums in micro-cents over all pools since the ledger began; payments in cents.

    ``told`` is the difference that a finding has named already.
    """

    contributed: int = 0
    reversed: int = 0
    seeds: int = 0
    deducted: int = 0
    house: int = 0
    paid_cents: int = 0
    decided_cents: int = 0
    told: int = 0


@dataclass(slots=True)
class Table:
    """One table. Amounts of pools in micro-cents."""

    phase: str = CLOSED
    hand: int = 0
    pools: Pools = field(default_factory=lambda: dict.fromkeys(POOLS, 0))
    terms: Text | None = None
    pending: Text | None = None
    started: bool = False
    officers: dict[str, list[str]] = field(default_factory=dict)
    slots_up: set[int] = field(default_factory=set)
    slot_identity: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    owed: dict[int, int] = field(default_factory=dict)
    closed_boxes: set[int] = field(default_factory=set)
    waiting: list[Chip] = field(default_factory=list)
    items: dict[int, int] = field(default_factory=dict)
    locks: dict[int, int] = field(default_factory=dict)
    fraud_signs: dict[int, int] = field(default_factory=dict)
    test: tuple[int, str] | None = None
    test_chips: int = 0
    next_item: int = 1
    hands_left: int | None = None
    day: str | None = None
    day_hands: int = 0
    day_bets_cents: int = 0
    day_paid_cents: int = 0
    start_meter_microcents: int = 0
    lock_meter_microcents: int | None = None
    bets: list[Bet] = field(default_factory=list)
    unknown: set[int] = field(default_factory=set)
    declared: list[Declared] = field(default_factory=list)
    declared_by: str | None = None
    confirmed_by: str | None = None
    unpaid: dict[tuple[int, int], int] = field(default_factory=dict)
    hand_total_cents: int = 0
    awards: int = 0
    totals: Totals = field(default_factory=Totals)
    running: bool = False
    bet_rows: dict[tuple[int, int, str], Any] = field(default_factory=dict)
    """Rows of a bet by box, number and source: always the same under terms without a ceiling."""

    @property
    def meter_microcents(self) -> int:
        """The running jackpot."""
        return self.pools[JACKPOT]

    def bets_in(self, box: int | None) -> int:
        """How many bets of this hand stand in a box."""
        count = 0
        for bet in self.bets:
            if bet.box == box:
                count += 1
        return count

    def waiting_in(self, box: int | None) -> Chip | None:
        """The chip that has waited longest in a box."""
        for chip in self.waiting:
            if chip.box == box:
                return chip
        return None

    def has_room(self, box: int) -> bool:
        """Whether one more bet may stand in a box of this table (CAN-8.1, CAN-2.2)."""
        terms = None if self.terms is None else self.terms.terms
        if terms is None or box in self.closed_boxes or not 1 <= box <= terms.boxes:
            return False
        if box in self.locks.values():
            return False
        return self.waiting_in(box) is None and self.bets_in(box) < terms.bets_per_box
