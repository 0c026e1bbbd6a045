"""What one table knows: a fold of its ledger, and nothing else.

All parts are frozen; ``evolve`` replaces the few that an event touches.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jackpot.authority.roles import Role
from jackpot.law.derivation import Line
from jackpot.law.pools import Movement, Pools
from jackpot.law.terms import AwardedHand, Terms
from jackpot.table.facts import DeclaredHand
from jackpot.table.outcomes import BetSource, ItemWhat


class Phase(StrEnum):
    """Where the table stands. The arrows are drawn in ``docs/table.md``."""

    CLOSED = "closed"
    BETWEEN_HANDS = "between_hands"
    BETTING = "betting"
    LOCKING = "locking"
    LOCKED = "locked"
    DECLARED = "declared"
    DECIDED = "decided"
    PAYABLE = "payable"


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
    """One decided payment; ``paid`` once the croupier handed it over."""

    box: int
    bet: int
    hand: AwardedHand
    cents: int
    rule: str
    paid: bool = False


class Hand(msgspec.Struct, frozen=True):
    """One deal, from betting to payment."""

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


class Slot(msgspec.Struct, frozen=True):
    """What the ledger last recorded of one acceptor: where its next chip is counted from.

    ``owed_chips`` counts bets that the croupier asserted while the acceptor was silent, and that
    it may still report.
    """

    up: bool = False
    serial: int | None = None
    epoch: int = 0
    count: int = 0
    pairs: tuple[tuple[int, int], ...] = ()
    why_down: str = "not_seen"
    owed_chips: int = 0
    fraud_signs: int = 0
    """In this gaming day, since the table chief last unlocked the slot."""


class SlotTest(msgspec.Struct, frozen=True):
    """A technician's test that is going on; ``chips``: jackpot chips that the slot has told."""

    box: int
    by: str
    chips: int = 0


class Item(msgspec.Struct, frozen=True):
    """Something for an officer to see to."""

    item: int
    what: ItemWhat
    box: int


class Totals(msgspec.Struct, frozen=True):
    """Sums over all pools since the ledger began, in micro-cents; see ``conserved``."""

    contributed: int = 0
    reversed: int = 0
    seeds: int = 0
    deducted: int = 0
    house: int = 0


class Day(msgspec.Struct, frozen=True):
    """The running gaming day and its sums."""

    name: str
    hands: int = 0
    bets_cents: int = 0
    paid_cents: int = 0


class TableState(msgspec.Struct, frozen=True):
    """One table. ``hand`` is the running hand, or the last one between hands."""

    phase: Phase = Phase.CLOSED
    hand_number: int = 0
    pools: Pools = Pools()
    hand: Hand | None = None
    slots: tuple[Slot, ...] = tuple(Slot() for _ in range(7))
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


INITIAL = TableState()


def conserved(state: TableState) -> bool:
    """Whether every micro-cent is accounted for, over the meter and the hidden pools together:
    contributed + seeds = reversed + deducted + house + what is in the pools."""
    totals, pools = state.totals, state.pools
    held = pools.jackpot_microcents + pools.overflow_microcents + pools.reserve_microcents
    came = totals.contributed + totals.seeds
    return came == totals.reversed + totals.deducted + totals.house + held


def boxes(terms: Terms) -> range:
    """The box numbers of this layout."""
    return range(1, terms.boxes + 1)


def bets_in_box(state: TableState, box: int) -> int:
    """How many bets of the running hand stand in ``box``."""
    hand = state.hand
    return 0 if hand is None else sum(1 for bet in hand.bets if bet.box == box)


def box_is_free(state: TableState, box: int) -> bool:
    """Whether one more chip in ``box`` would be a bet, betting being open."""
    terms = state.terms
    if terms is None or not 1 <= box <= terms.boxes or box in state.closed_boxes:
        return False
    if is_locked(state, box):
        return False
    if waiting_in(state, box) is not None:
        return False
    return bets_in_box(state, box) < terms.bets_per_box


def is_locked(state: TableState, box: int) -> bool:
    """Whether too many signs of fraud locked the slot of ``box``, and no table chief has settled it."""
    return any(item.what is ItemWhat.SLOT_LOCKED and item.box == box for item in state.items)


def waiting_in(state: TableState, box: int) -> WaitingChip | None:
    """The chip that has waited longest in ``box``."""
    return next((chip for chip in state.waiting_chips if chip.box == box), None)


def undecided_chips(state: TableState) -> tuple[WaitingChip, ...]:
    """The waiting chips that this hand has room for; the others wait for the next one."""
    terms = state.terms
    if terms is None:
        return ()
    return tuple(
        chip for chip in state.waiting_chips if bets_in_box(state, chip.box) < terms.bets_per_box
    )


def accepting_boxes(state: TableState) -> tuple[int, ...]:
    """The boxes whose slot should take a chip right now; every other one is inhibited (CAN-7.1)."""
    if state.test is not None and state.phase in (Phase.CLOSED, Phase.BETWEEN_HANDS):
        return (state.test.box,)
    if state.phase is not Phase.BETTING or state.terms is None:
        return ()
    return tuple(box for box in boxes(state.terms) if box_is_free(state, box))


def unpaid(state: TableState) -> tuple[Payment, ...]:
    """The decided payments of the running hand that are not handed over yet."""
    hand = state.hand
    return () if hand is None else tuple(p for p in hand.payments if not p.paid)
