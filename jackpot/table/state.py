"""What one table knows: a fold of its ledger, and nothing else.

All parts are frozen; ``evolve`` replaces the few that an event touches.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jackpot.authority.roles import Role
from jackpot.law.derivation import Line
from jackpot.law.pools import Movement, Pool, Pools
from jackpot.law.terms import AwardedHand, BetMode, Terms
from jackpot.table.carrusel_state import Membership, View
from jackpot.table.facts import DeclaredHand
from jackpot.table.outcomes import BetSource, HandOutcome, ItemWhat
from jackpot.table.slot_state import BoxDrop, Slot, SlotTest


class Phase(StrEnum):
    """Where the table stands. The arrows are drawn in ``docs/table.md``."""

    CLOSED = "closed"
    BETWEEN_HANDS = "between_hands"
    BETTING = "betting"
    LOCKING = "locking"
    LOCKED = "locked"
    DECLARED = "declared"
    PENDING = "pending"
    DECIDED = "decided"
    PAYABLE = "payable"
    TOTAL = "total"


OUTSIDE_A_HAND = (Phase.CLOSED, Phase.BETWEEN_HANDS)
"""Where boxes, modes and money entries may change."""

BOXES_AT_MOST = 7
"""Boxes of a table (CAN-2.2)."""

LAYOUTS_AT_MOST = 2
"""A reversible table has two layouts (CAN-2.2)."""

REMEMBERED_TOTALS = 1_000
"""Hands whose totals may be corrected one by one: two long gaming days of a manual table. An older
one is corrected by a signed amount (``JackpotCorrected``)."""

REMEMBERED_AWARDS = 64
"""Awards whose payments may be reversed: weeks of a table, longer than a dispute waits."""


class Bet(msgspec.Struct, frozen=True):
    """One bet of the running hand and what it moved, so that a void can take it back exactly."""

    box: int
    bet: int
    cents: int
    source: BetSource
    movements: tuple[Movement, ...] = ()


class WaitingChip(msgspec.Struct, frozen=True):
    """A chip in a box that waits for the croupier's word on the initial bet.

    A *carried* chip has moved the meter already (``movements``); a *held* one has not.
    """

    box: int
    cents: int
    source: BetSource
    movements: tuple[Movement, ...] = ()


class Payment(msgspec.Struct, frozen=True):
    """One decided payment; ``paid`` once the croupier handed it over, ``printed`` once its slip was."""

    box: int
    bet: int
    hand: AwardedHand
    cents: int
    rule: str
    paid: bool = False
    reversed_cents: int = 0
    printed: bool = False


class Decided(msgspec.Struct, frozen=True):
    """What a decision moved, so that it can be taken back exactly: from the meter (the part that a
    restarted one paid included), to the house, and the seed by its source."""

    deducted_microcents: int
    house_microcents: int
    seed_house_microcents: int = 0
    seed_reserve_microcents: int = 0
    seed_overflow_microcents: int = 0


class EnteredTotal(msgspec.Struct, frozen=True):
    """A total of a hand in manual mode, the ``entry``-th that was entered for it."""

    chips: int
    cents: int
    entry: int


class Hand(msgspec.Struct, frozen=True):
    """One deal, from betting to payment.

    ``award`` and ``jackpot`` number the decision and the jackpot that pays it; ``terms_before`` are
    those that a restart replaced. ``manual``: its bets reach the meter by a total, and ``how`` it
    ends is known before that (CAN-8.b1). In a carrusel: the ``view`` that it was locked on, the
    carrusel's ``decision`` on it (0: none yet), and what two officers asked meanwhile.
    """

    number: int
    start_meter_microcents: int
    bets: tuple[Bet, ...] = ()
    lock_meter_microcents: int | None = None
    unknown_boxes: tuple[int, ...] = ()
    declared: tuple[DeclaredHand, ...] = ()
    declared_by: str | None = None
    confirmed_by: str | None = None
    base_microcents: int | None = None
    payments: tuple[Payment, ...] = ()
    derivation: tuple[Line, ...] = ()
    second_signature: bool = False
    award: int = 0
    jackpot: int = 0
    decided: Decided | None = None
    terms_before: Terms | None = None
    manual: bool = False
    total: EnteredTotal | None = None
    totals_entered: int = 0
    total_is_final: bool = False
    total_movements: tuple[Movement, ...] = ()
    how: HandOutcome | None = None
    view: View | None = None
    decision: int = 0
    claim_withdrawn: bool = False
    reversal_asked: bool = False


class Item(msgspec.Struct, frozen=True):
    """Something for an officer to see to; without a box it concerns the whole table."""

    item: int
    what: ItemWhat
    box: int | None


class Totals(msgspec.Struct, frozen=True):
    """Sums over one pool since the ledger began, in micro-cents; see ``conserved``.

    ``transferred`` came from other pools of the layout (below zero: went there), ``incoming`` from
    other tables, ``adjusted`` by signed entries of either sign.
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

    @property
    def balance_microcents(self) -> int:
        """What the pool must hold."""
        came = self.contributed + self.seeds + self.transferred + self.incoming + self.adjusted
        return came - self.reversed - self.deducted - self.house - self.outgoing


class Day(msgspec.Struct, frozen=True):
    """The running gaming day and its sums."""

    name: str
    hands: int = 0
    bets_cents: int = 0
    paid_cents: int = 0
    total_chips: int = 0


class HandTotal(msgspec.Struct, frozen=True):
    """The final total of a hand, and what a correction of it must know."""

    hand: int
    day: str
    chips: int
    bet_cents: int
    jackpot_ppm: int
    reserve_ppm: int
    jackpot: int
    winning_bets: int


class PastAward(msgspec.Struct, frozen=True):
    """A paid award, for a dispute that comes later; ``jackpot`` numbers the one that paid it."""

    award: int
    hand: int
    jackpot: int
    payments: tuple[Payment, ...]


class LayoutState(msgspec.Struct, frozen=True):
    """The layout that is not on the table: its terms, money and books (CAN-2.2)."""

    layout: str
    terms: Terms
    pending_terms: Terms | None = None
    pools: Pools = Pools()
    totals: Totals = Totals()
    overflow_totals: Totals = Totals()
    reserve_totals: Totals = Totals()
    jackpot_started: bool = False
    jackpots: int = 0
    day: Day | None = None
    hand_totals: tuple[HandTotal, ...] = ()
    past_awards: tuple[PastAward, ...] = ()
    drops: tuple[BoxDrop, ...] = tuple(BoxDrop() for _ in range(BOXES_AT_MOST))


class TableState(msgspec.Struct, frozen=True):
    """One table. ``hand`` is the running hand, or the last one between hands.

    ``mode`` is the mode in force, ``manual_boxes`` play without their slot, ``suspended`` says why
    the table is out of service. ``totals`` are the jackpot meter's. ``jackpots`` counts the starts
    of the jackpot: the number of the running one. ``parked`` is the layout that is not laid out.
    ``carrusel`` is the membership of the layout on the table; the ledger counts them all
    (``carrusel_incarnation``).
    """

    phase: Phase = Phase.CLOSED
    hand_number: int = 0
    pools: Pools = Pools()
    hand: Hand | None = None
    slots: tuple[Slot, ...] = tuple(Slot() for _ in range(BOXES_AT_MOST))
    terms: Terms | None = None
    pending_terms: Terms | None = None
    config_text: str = ""
    officers: dict[str, tuple[Role, ...]] = {}
    jackpot_started: bool = False
    day: Day | None = None
    hands_left: int | None = None
    closed_boxes: tuple[int, ...] = ()
    waiting_chips: tuple[WaitingChip, ...] = ()
    items: tuple[Item, ...] = ()
    test: SlotTest | None = None
    next_item: int = 1
    awards: int = 0
    alarms: tuple[str, ...] = ()
    running: bool = False
    totals: Totals = Totals()
    overflow_totals: Totals = Totals()
    reserve_totals: Totals = Totals()
    mode: BetMode = BetMode.AUTOMATIC
    manual_boxes: tuple[int, ...] = ()
    suspended: str | None = None
    jackpots: int = 0
    hand_totals: tuple[HandTotal, ...] = ()
    past_awards: tuple[PastAward, ...] = ()
    drops: tuple[BoxDrop, ...] = tuple(BoxDrop() for _ in range(BOXES_AT_MOST))
    parked: LayoutState | None = None
    layout_changed_day: str = ""
    carrusel: Membership | None = None
    carrusel_incarnation: int = 0


INITIAL = TableState()


def conserved(state: TableState) -> bool:
    """Whether every micro-cent of every pool is accounted for, in both layouts: contributed + seeds
    + in + adjusted + transferred = reversed + deducted + house + out + what is in the pool."""
    pools = state.pools
    return (
        pools.jackpot_microcents == state.totals.balance_microcents
        and pools.overflow_microcents == state.overflow_totals.balance_microcents
        and pools.reserve_microcents == state.reserve_totals.balance_microcents
        and (state.parked is None or _parked_conserved(state.parked))
    )


def _parked_conserved(parked: LayoutState) -> bool:
    pools = parked.pools
    return (
        pools.jackpot_microcents == parked.totals.balance_microcents
        and pools.overflow_microcents == parked.overflow_totals.balance_microcents
        and pools.reserve_microcents == parked.reserve_totals.balance_microcents
    )


def meters_microcents(state: TableState) -> dict[str, int]:
    """The amount of each pool as ``<layout>/<pool>``; a layout is in it from its first jackpot on."""
    meters: dict[str, int] = {}
    if state.terms is not None and state.jackpots:
        meters |= _by_pool(state.terms.layout, state.pools)
    parked = state.parked
    if parked is not None and parked.jackpots:
        meters |= _by_pool(parked.layout, parked.pools)
    return meters


def _by_pool(layout: str, pools: Pools) -> dict[str, int]:
    return {
        f"{layout}/{Pool.JACKPOT.value}": pools.jackpot_microcents,
        f"{layout}/{Pool.OVERFLOW.value}": pools.overflow_microcents,
        f"{layout}/{Pool.RESERVE.value}": pools.reserve_microcents,
    }


def is_manual(state: TableState) -> bool:
    """Whether the running hand, or the next one, ends with a total (CAN-8.b1)."""
    if state.phase in OUTSIDE_A_HAND or state.hand is None:
        return state.mode is BetMode.MANUAL
    return state.hand.manual


def boxes(terms: Terms) -> range:
    """The box numbers of this layout."""
    return range(1, terms.boxes + 1)


def bets_in_box(state: TableState, box: int) -> int:
    """How many bets of the running hand stand in ``box``."""
    count = 0
    if state.hand is not None:
        for bet in state.hand.bets:
            if bet.box == box:
                count += 1
    return count


def box_is_free(state: TableState, box: int) -> bool:
    """Whether one more chip in ``box`` would be a bet, betting being open."""
    terms = state.terms
    if terms is None or not 1 <= box <= terms.boxes or box in state.closed_boxes:
        return False
    return not is_locked(state, box) and has_room(state, terms, box)


def has_room(state: TableState, terms: Terms, box: int) -> bool:
    """Whether ``box`` has fewer bets than it may, and no chip waits there."""
    return waiting_in(state, box) is None and bets_in_box(state, box) < terms.bets_per_box


def is_locked(state: TableState, box: int) -> bool:
    """Whether too many signs of fraud locked the slot of ``box``, and no table chief has settled it."""
    items = state.items  # usually there are none
    return bool(items) and any(i.box == box and i.what is ItemWhat.SLOT_LOCKED for i in items)


def waiting_in(state: TableState, box: int) -> WaitingChip | None:
    """The chip that has waited longest in ``box``."""
    for chip in state.waiting_chips:
        if chip.box == box:
            return chip
    return None


def undecided_chips(state: TableState) -> tuple[WaitingChip, ...]:
    """The waiting chips that this hand has room for; the others wait for the next one."""
    terms = state.terms
    if terms is None:
        return ()
    room, chips = terms.bets_per_box, state.waiting_chips
    return tuple([chip for chip in chips if bets_in_box(state, chip.box) < room])


def accepting_boxes(state: TableState) -> tuple[int, ...]:
    """The boxes whose slot should take a chip right now; every other one is inhibited (CAN-7.1)."""
    if state.test is not None and state.phase in (Phase.CLOSED, Phase.BETWEEN_HANDS):
        return (state.test.box,)
    if state.phase is not Phase.BETTING or state.terms is None or is_manual(state):
        return ()
    if state.carrusel is not None and state.carrusel.stops_bets(state.terms.policies.link_lost):
        return ()
    free = (box for box in boxes(state.terms) if box_is_free(state, box))
    return tuple(box for box in free if box not in state.manual_boxes)


def unpaid(state: TableState) -> tuple[Payment, ...]:
    """The decided payments of the running hand that are not handed over yet."""
    hand = state.hand
    return () if hand is None else tuple([p for p in hand.payments if not p.paid])


def slots_down(state: TableState, terms: Terms) -> tuple[int, ...]:
    """The open boxes that should play by their slot while it is out of service."""
    down = [box for box in boxes(terms) if not state.slots[box - 1].up]
    return tuple([b for b in down if b not in state.closed_boxes and b not in state.manual_boxes])
