"""What would come next at a table, from one seed: so that random acts meet every phase of a hand."""

from __future__ import annotations

from random import Random

from jackpot.law.policies import ManualTotal
from jackpot.table import facts as f
from jackpot.table.event import Fact
from jackpot.table.state import Hand, Phase, bets_in_box, is_manual, slots_down, unpaid
from support.table import (
    FOUR_ACES,
    FOUR_SEVENS,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    ROYAL_HEARTS,
    ROYAL_SPADES,
    Table,
)

_HANDS = (
    ROYAL_SPADES,
    ROYAL_HEARTS,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    FOUR_ACES,
    FOUR_SEVENS,
)


def next_step(table: Table, random: Random) -> Fact | None:
    """The likely next fact; None at a closed table."""
    state, number = table.state, table.number
    hand = state.hand
    if state.phase is Phase.CLOSED or state.terms is None:
        return None
    if state.phase is Phase.BETWEEN_HANDS:
        return _between(table)
    if hand is None:
        return None
    if state.phase is Phase.BETTING:
        return _total(table, hand, random) or _betting(table, random)
    if state.phase is Phase.LOCKING:
        unknown = tuple(box for box in range(1, 8) if random.random() < 0.1)
        return f.LockReached(unknown_boxes=unknown)
    if state.phase is Phase.LOCKED:
        return _total(table, hand, random) or _locked(table, hand, random)
    if state.phase is Phase.DECLARED:
        return f.AwardsConfirmed(by="J1", hand=number)
    if state.phase is Phase.DECIDED:
        return f.AwardsSigned(by="D1", hand=number, total_cents=table.owed_cents)
    if state.phase is Phase.TOTAL:
        return _total(table, hand, random)
    owed = random.choice(unpaid(state))
    return f.AwardPaid(by="C2", hand=number, box=owed.box, cents=owed.cents, bet=owed.bet)


def _between(table: Table) -> Fact:
    state = table.state
    if state.suspended is not None:
        return f.TableResumed(by="J1", why="repaired")
    if state.terms is not None and not is_manual(state):
        for box in slots_down(state, state.terms):
            return f.SlotUp(box=box)
    return f.HandStarted(by="C1", hand=table.number + 1)


def _betting(table: Table, random: Random) -> Fact:
    state, number = table.state, table.number
    for chip in state.waiting_chips:
        plays = random.random() < 0.7 and not bets_in_box(state, chip.box)
        return f.ChipDecided(by="C1", hand=number, box=chip.box, plays=plays)
    box = random.randint(1, 7)
    if random.random() < 0.3:
        return f.LockPressed(by="C1", hand=number)
    if box in state.manual_boxes:
        return f.BetAsserted(by="C1", hand=number, box=box)
    if is_manual(state):
        return _no_more(table, random)
    return f.ChipSeen(box=box, expected=True, a=1, b=1)


def _no_more(table: Table, random: Random) -> Fact:
    """In manual mode the lock key is optional."""
    if random.random() < 0.5:
        return f.NoAwardsDeclared(by="C1", hand=table.number)
    return _declared(table, [(box, 1) for box in range(1, 8)], random)


def _locked(table: Table, hand: Hand, random: Random) -> Fact:
    for box in hand.unknown_boxes:
        return f.SlotDecided(by="C1", hand=hand.number, box=box, bet=random.random() < 0.5)
    if hand.manual:
        return _no_more(table, random)
    if not hand.bets or random.random() < 0.4:
        return f.NoAwardsDeclared(by="C1", hand=hand.number)
    return _declared(table, [(bet.box, bet.bet) for bet in hand.bets], random)


def _declared(table: Table, places: list[tuple[int, int]], random: Random) -> Fact:
    """Other cards in every box, the same for all bets of one."""
    count = min(random.choice((1, 1, 2, 3)), len(places))
    chosen = random.sample(places, count)
    boxes = sorted({box for box, _ in chosen})
    cards = dict(zip(boxes, random.sample(_HANDS, len(boxes)), strict=True))
    declared = tuple(f.DeclaredHand(box, cards[box], bet) for box, bet in chosen)
    return f.AwardsDeclared(by="C1", hand=table.number, hands=declared)


def _total(table: Table, hand: Hand, random: Random) -> Fact | None:
    """The next step of a total, if it is one's turn."""
    terms = table.state.terms
    if terms is None or not hand.manual or hand.total_is_final:
        return None
    before = terms.policies.manual_total is ManualTotal.BEFORE_AWARDS
    if table.phase() is not Phase.TOTAL and not (before and random.random() < 0.7):
        return None
    if hand.total is not None and random.random() < 0.8:
        if random.random() < 0.5:
            return f.TotalTimeUp(hand=hand.number, entry=hand.total.entry)
        return f.TotalFinal(by="C1", hand=hand.number, chips=hand.total.chips)
    chips = random.randint(len(hand.declared), 7)
    return f.TotalEntered(by="C1", hand=hand.number, chips=chips, cents=chips * terms.bet_cents)
