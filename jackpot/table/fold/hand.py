"""One hand, from betting to payment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.state import (
    REMEMBERED_AWARDS,
    Hand,
    PastAward,
    Payment,
    Phase,
    TableState,
    box_is_free,
)


def _hand_started(state: TableState, fact: f.HandStarted) -> TableState:
    manual = state.mode is BetMode.MANUAL
    hand = Hand(fact.hand, state.pools.jackpot_microcents, manual=manual)
    return replace(state, phase=Phase.BETTING, hand_number=fact.hand, hand=hand)


def _lock_pressed(state: TableState, _: f.LockPressed) -> TableState:
    return replace(state, phase=Phase.LOCKING)


def _lock_reached(state: TableState, fact: f.LockReached) -> TableState:
    """A box that has its bet already, or takes none, is no question whatever its slot did."""
    hand = state.hand
    if hand is None:
        return state
    free = [box for box in fact.unknown_boxes if box_is_free(state, box)]
    unknown = tuple([box for box in free if box not in state.manual_boxes])
    return replace(state, hand=replace(hand, unknown_boxes=unknown))


def _hand_locked(state: TableState, outcome: o.HandLocked) -> TableState:
    return _in_hand(state, phase=Phase.LOCKED, lock_meter_microcents=outcome.meter_microcents)


def _in_hand(state: TableState, *, phase: Phase, **changes: Any) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    return replace(state, phase=phase, hand=replace(hand, **changes))


def _slot_decided(state: TableState, fact: f.SlotDecided) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    unknown = tuple(box for box in hand.unknown_boxes if box != fact.box)
    return replace(state, hand=replace(hand, unknown_boxes=unknown))


def _awards_declared(state: TableState, fact: f.AwardsDeclared) -> TableState:
    return _in_hand(state, phase=Phase.DECLARED, declared=fact.hands, declared_by=fact.by)


def _awards_rejected(state: TableState, _: f.AwardsRejected) -> TableState:
    return _in_hand(state, phase=Phase.LOCKED, declared=(), declared_by=None)


def _awards_confirmed(state: TableState, fact: f.AwardsConfirmed) -> TableState:
    return _in_hand(state, phase=state.phase, confirmed_by=fact.by)


def _awards_frozen(state: TableState, outcome: o.AwardsFrozen) -> TableState:
    """Terms that a restart may replace are kept, so that the decision can be taken back."""
    state = replace(state, awards=outcome.award)
    return _in_hand(
        state,
        phase=state.phase,
        base_microcents=outcome.base_microcents,
        award=outcome.award,
        jackpot=state.jackpots,
        terms_before=None if state.pending_terms is None else state.terms,
    )


def _payment_decided(state: TableState, outcome: o.PaymentDecided) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    paid = outcome.cents == 0  # nothing to hand over
    payment = Payment(outcome.box, outcome.bet, outcome.hand, outcome.cents, outcome.rule, paid)
    return replace(state, hand=replace(hand, payments=(*hand.payments, payment)))


def _awards_signed(state: TableState, _: f.AwardsSigned) -> TableState:
    return replace(state, phase=Phase.PAYABLE)


def _award_paid(state: TableState, fact: f.AwardPaid) -> TableState:
    hand, day = state.hand, state.day
    if hand is None or day is None:
        return state
    payments = tuple(
        replace(p, paid=True) if (p.box, p.bet) == (fact.box, fact.bet) else p
        for p in hand.payments
    )
    return replace(
        state,
        hand=replace(hand, payments=payments),
        day=replace(day, paid_cents=day.paid_cents + fact.cents),
    )


def _slip_printed(state: TableState, fact: f.SlipPrinted) -> TableState:
    def marked(award: int, payments: tuple[Payment, ...]) -> tuple[Payment, ...]:
        if award != fact.award:
            return payments
        place = (fact.box, fact.bet)
        return tuple(replace(p, printed=True) if (p.box, p.bet) == place else p for p in payments)

    hand = state.hand
    return replace(
        state,
        hand=hand and replace(hand, payments=marked(hand.award, hand.payments)),
        past_awards=tuple(
            replace(past, payments=marked(past.award, past.payments)) for past in state.past_awards
        ),
    )


def _hand_ended(state: TableState, outcome: o.HandEnded) -> TableState:
    day, hand = state.day, state.hand
    if day is not None and outcome.how is not o.HandOutcome.VOIDED:
        day = replace(day, hands=day.hands + 1)
    if hand is not None and hand.award:
        award = PastAward(hand.award, hand.number, hand.jackpot, hand.payments)
        state = replace(state, past_awards=(*state.past_awards, award)[-REMEMBERED_AWARDS:])
    return replace(state, phase=Phase.BETWEEN_HANDS, day=day)


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.LockReached: _lock_reached,
    f.HandStarted: _hand_started,
    f.LockPressed: _lock_pressed,
    f.SlotDecided: _slot_decided,
    f.AwardsDeclared: _awards_declared,
    f.AwardsRejected: _awards_rejected,
    f.AwardsConfirmed: _awards_confirmed,
    f.AwardsSigned: _awards_signed,
    f.AwardPaid: _award_paid,
    f.SlipPrinted: _slip_printed,
    o.HandLocked: _hand_locked,
    o.AwardsFrozen: _awards_frozen,
    o.PaymentDecided: _payment_decided,
    o.HandEnded: _hand_ended,
}
"""The events of this subject that change the state."""
