"""What the checker knows of the table at one place of the ledger: its own picture, from columns."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import msgspec

from jackpot.audit.checker.awards import Declared
from jackpot.audit.checker.member import STOPPED, Applied, Member
from jackpot.audit.checker.pools import JACKPOT, OVERFLOW, POOLS, RESERVE, Pools
from jackpot.audit.checker.terms import Text

CLOSED, BETWEEN_HANDS, BETTING, LOCKING = "closed", "between_hands", "betting", "locking"
LOCKED, DECLARED, DECIDED, PAYABLE = "locked", "declared", "decided", "payable"
TOTAL, PENDING = "total", "pending"

OUTSIDE_A_HAND = (CLOSED, BETWEEN_HANDS)
AUTOMATIC, MANUAL = "automatic", "manual"

BETTING_IS_OPEN = (BETTING, LOCKING)
"""Until the lock is reached: a chip drained from a slot is in time (CAN-7.1)."""


class Bet(msgspec.Struct):
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
class Sums:
    """Sums over one pool since the ledger began, in micro-cents.

    ``transferred`` came from the other pools of the layout, ``incoming`` from elsewhere; ``told`` is
    the difference that a finding has named already.
    """

    contributed: int = 0
    reversed: int = 0
    seeds: int = 0
    deducted: int = 0
    house: int = 0
    transferred: int = 0
    incoming: int = 0
    outgoing: int = 0
    adjusted: int = 0
    told: int = 0

    def balance(self) -> int:
        """What the pool must hold."""
        came = self.contributed + self.seeds + self.incoming + self.transferred + self.adjusted
        return came - self.reversed - self.deducted - self.house - self.outgoing


@dataclass(slots=True)
class HandTotal:
    """A final total (CAN-8.b1) and what a correction of it needs: the day, rates and jackpot."""

    day: str | None
    chips: int
    bet_cents: int
    jackpot_ppm: int
    reserve_ppm: int
    jackpot: int
    winning_bets: int


@dataclass(slots=True)
class Payment:
    """A decided payment; ``open``: not handed over yet; ``printed``: its slip was."""

    cents: int
    reversed_cents: int = 0
    open: bool = True
    printed: bool = False


@dataclass(slots=True)
class PastAward:
    """The payments of an award by box and bet, and the number of the jackpot that paid it."""

    jackpot: int
    payments: dict[tuple[int, int], Payment]


@dataclass(slots=True)
class Decided:
    """What the decision of this hand moved, in micro-cents."""

    deducted: int
    house: int
    seed_house: int = 0
    seed_reserve: int = 0
    seed_overflow: int = 0


@dataclass(slots=True)
class Layout:
    """What belongs to one layout (CAN-2.2): its terms, money, day and books."""

    pools: Pools = field(default_factory=lambda: dict.fromkeys(POOLS, 0))
    terms: Text | None = None
    pending: Text | None = None
    started: bool = False
    jackpots: int = 0
    day: str | None = None
    day_hands: int = 0
    day_bets_cents: int = 0
    day_paid_cents: int = 0
    day_total_chips: int = 0
    sums: dict[str, Sums] = field(default_factory=lambda: {pool: Sums() for pool in POOLS})
    hand_totals: dict[int, HandTotal] = field(default_factory=dict)
    past_awards: dict[int, PastAward] = field(default_factory=dict)
    detected: dict[int, int] = field(default_factory=dict)
    accepted: dict[int, int] = field(default_factory=dict)
    """Chips and coins of the day by box; a box without a base line is not in ``accepted``."""

    @property
    def name(self) -> str:
        """The layout's own number."""
        return "" if self.terms is None else self.terms.terms.layout


OF_A_LAYOUT = tuple(one.name for one in fields(Layout))
"""What changes places when the other layout is laid out."""


@dataclass(slots=True)
class Table(Layout):
    """One table, and the layout that is laid out. Amounts of pools in micro-cents."""

    phase: str = CLOSED
    hand: int = 0
    parked: Layout | None = None
    layout_changed_day: str = ""
    mode: str = AUTOMATIC
    manual_boxes: set[int] = field(default_factory=set)
    suspended: bool = False
    officers: dict[str, list[str]] = field(default_factory=dict)
    slots_up: set[int] = field(default_factory=set)
    slot_identity: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    slot_accepts: dict[int, int] = field(default_factory=dict)
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
    start_meter_microcents: int = 0
    lock_meter_microcents: int | None = None
    bets: list[Bet] = field(default_factory=list)
    unknown: set[int] = field(default_factory=set)
    declared: list[Declared] = field(default_factory=list)
    declared_by: str | None = None
    confirmed_by: str | None = None
    payments: dict[tuple[int, int], Payment] = field(default_factory=dict)
    award: int = 0
    award_jackpot: int = 0
    decided: Decided | None = None
    terms_before: Text | None = None
    hand_manual: bool = False
    total: tuple[int, int] | None = None
    totals_entered: int = 0
    total_is_final: bool = False
    total_moved: list[tuple[str, int]] = field(default_factory=list)
    how: str | None = None
    awards: int = 0
    hands_ended: int = 0
    days_opened: int = 0
    paid_cents: int = 0
    running: bool = False
    carrusel: Member | None = None
    incarnation: int = 0
    view: tuple[int, int] | None = None
    hand_decision: int = 0
    signature_due: bool = False
    claim_withdrawn: bool = False
    reversal_asked: bool = False
    bet_rows: dict[tuple[int, int, str], Any] = field(default_factory=dict)
    """Rows of a bet by box, number and source: always the same under terms without a ceiling."""

    def payment(self, award: int, place: tuple[int, int]) -> Payment | None:
        """A payment of the running award or of a past one, by box and bet."""
        past = self.past_awards.get(award)
        payments = self.payments if award == self.award else {} if past is None else past.payments
        return payments.get(place)

    @property
    def unpaid(self) -> dict[tuple[int, int], int]:
        """The payments of the running hand that are not handed over, in cents by box and bet."""
        return {place: one.cents for place, one in self.payments.items() if one.open}

    @property
    def hand_total_cents(self) -> int:
        """The sum of the decided payments of the running hand."""
        return sum(one.cents for one in self.payments.values())

    def meters_microcents(self) -> dict[str, int]:
        """The pools of every layout that ever had a jackpot, as ``<layout>/<pool>``."""
        layouts: tuple[Layout, ...] = (self,) if self.parked is None else (self, self.parked)
        return {
            f"{one.name}/{pool}": amount
            for one in layouts
            if one.jackpots
            for pool, amount in one.pools.items()
        }

    @property
    def manual(self) -> bool:
        """Whether the running hand, or the next one, ends with a total (CAN-8.b1)."""
        return self.mode == MANUAL if self.phase in OUTSIDE_A_HAND else self.hand_manual

    def slots_down(self) -> set[int]:
        """Open boxes that should play by their slot while it is out of service."""
        boxes = 0 if self.terms is None else self.terms.terms.boxes
        in_use = set(range(1, boxes + 1)) - self.closed_boxes - self.manual_boxes
        return in_use - self.slots_up

    def change_layouts(self) -> None:
        """The layout on the table and the parked one change places."""
        other = Layout() if self.parked is None else self.parked
        parked = Layout()
        for name in OF_A_LAYOUT:
            setattr(parked, name, getattr(self, name))
            setattr(self, name, getattr(other, name))
        self.parked = parked

    def claims(self, table: str, hand: int) -> bool:
        """Whether a decision of the carrusel answers the claim that waits here."""
        if self.terms is None or self.phase != PENDING or self.hand_decision:
            return False
        return (table, hand) == (self.terms.terms.table, self.hand)

    @property
    def newest_applied(self) -> Applied | None:
        """What the decision that is being applied has moved so far."""
        member = self.carrusel
        return None if member is None else member.applied.get(member.decision)

    @property
    def waits_for_view(self) -> bool:
        """Whether the running hand of a member lacks the total that it is to be locked on."""
        member = self.carrusel
        return member is not None and member.stage != STOPPED and self.view is None

    @property
    def shown_microcents(self) -> int:
        """What the running hand is locked on: the carrusel's total as it was viewed, or the meter."""
        viewed = self.carrusel is not None and self.view is not None
        return self.view[1] if viewed and self.view is not None else self.meter_microcents

    def seeded(self, house: int, reserve: int, overflow: int) -> None:
        """All but the meter itself: who gave a seed (below zero: who has it back)."""
        self.pools[RESERVE] -= reserve
        self.pools[OVERFLOW] -= overflow
        self.sums[JACKPOT].seeds += house
        self.sums[JACKPOT].transferred += reserve + overflow
        self.sums[RESERVE].transferred -= reserve
        self.sums[OVERFLOW].transferred -= overflow

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
