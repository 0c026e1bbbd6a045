"""The total of a hand in manual mode (CAN-8.b1), and past totals and awards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.pools import Movement
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.fold.pools import booked
from jackpot.table.state import (
    REMEMBERED_TOTALS,
    EnteredTotal,
    HandTotal,
    PastAward,
    Payment,
    Phase,
    TableState,
)


def _total_entered(state: TableState, fact: f.TotalEntered) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    entry = hand.totals_entered + 1
    total = EnteredTotal(fact.chips, fact.cents, entry)
    return replace(state, phase=Phase.TOTAL, hand=replace(hand, total=total, totals_entered=entry))


def _total_withdrawn(state: TableState, _: f.TotalWithdrawn) -> TableState:
    hand = state.hand
    return state if hand is None else replace(state, hand=replace(hand, total=None))


def _total_due(state: TableState, outcome: o.TotalDue) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    return replace(state, phase=Phase.TOTAL, hand=replace(hand, how=outcome.how))


def _total_accepted(state: TableState, outcome: o.TotalAccepted) -> TableState:
    """Where its awards come later (``before_awards``), the hand is as locked now."""
    hand, day, terms = state.hand, state.day, state.terms
    if hand is None or day is None or terms is None:
        return state
    known = HandTotal(
        hand=hand.number,
        day=day.name,
        chips=outcome.chips,
        bet_cents=terms.bet_cents,
        jackpot_ppm=terms.jackpot_ppm,
        reserve_ppm=terms.reserve_ppm,
        jackpot=state.jackpots,
        winning_bets=len(hand.declared),
    )
    return replace(
        state,
        phase=Phase.LOCKED,
        hand=replace(hand, total_is_final=True),
        hand_totals=(*state.hand_totals, known)[-REMEMBERED_TOTALS:],
        day=replace(
            day,
            bets_cents=day.bets_cents + outcome.cents,
            total_chips=day.total_chips + outcome.chips,
        ),
    )


def _total_contributed(state: TableState, outcome: o.TotalContributed) -> TableState:
    hand = state.hand
    if hand is not None and state.phase is not Phase.BETWEEN_HANDS:
        movement = Movement(outcome.pool, outcome.microcents)
        state = replace(
            state, hand=replace(hand, total_movements=(*hand.total_movements, movement))
        )
    return booked(state, outcome.pool, "contributed", outcome.microcents)


def _total_reversed(state: TableState, outcome: o.TotalReversed) -> TableState:
    return booked(state, outcome.pool, "reversed", outcome.microcents)


def _total_returned(state: TableState, outcome: o.TotalReturned) -> TableState:
    hand, day = state.hand, state.day
    if hand is None or day is None:
        return state
    return replace(
        state,
        hand_totals=tuple(one for one in state.hand_totals if one.hand != hand.number),
        day=replace(
            day,
            bets_cents=day.bets_cents - outcome.cents,
            total_chips=day.total_chips - outcome.chips,
        ),
    )


def _total_adjusted(state: TableState, outcome: o.TotalAdjusted) -> TableState:
    """The amount belongs to the day on which it was found; the chips to the hand's own day."""
    day = state.day
    old = next((one for one in state.hand_totals if one.hand == outcome.hand), None)
    if old is None or day is None:
        return state
    chips = outcome.chips - old.chips if old.day == day.name else 0
    new = replace(old, chips=outcome.chips)
    return replace(
        state,
        hand_totals=tuple(new if one is old else one for one in state.hand_totals),
        day=replace(
            day,
            bets_cents=day.bets_cents + outcome.cents,
            total_chips=day.total_chips + chips,
        ),
    )


def _payment_reversed(state: TableState, fact: f.PaymentReversed) -> TableState:
    def noted(payment: Payment) -> Payment:
        if (payment.box, payment.bet) != (fact.box, fact.bet):
            return payment
        return replace(payment, reversed_cents=payment.reversed_cents + fact.cents)

    def changed(award: PastAward) -> PastAward:
        if award.award != fact.award:
            return award
        return replace(award, payments=tuple(noted(payment) for payment in award.payments))

    hand = state.hand
    if hand is not None and hand.award == fact.award and state.phase is Phase.PAYABLE:
        hand = replace(hand, payments=tuple(noted(payment) for payment in hand.payments))
    return replace(
        state, hand=hand, past_awards=tuple(changed(award) for award in state.past_awards)
    )


def _payment_struck(state: TableState, outcome: o.PaymentStruck) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    payments = tuple(
        replace(p, paid=True) if (p.box, p.bet) == (outcome.box, outcome.bet) else p
        for p in hand.payments
    )
    return replace(state, hand=replace(hand, payments=payments))


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.TotalEntered: _total_entered,
    f.TotalWithdrawn: _total_withdrawn,
    f.PaymentReversed: _payment_reversed,
    o.TotalDue: _total_due,
    o.TotalAccepted: _total_accepted,
    o.TotalContributed: _total_contributed,
    o.TotalReversed: _total_reversed,
    o.TotalReturned: _total_returned,
    o.TotalAdjusted: _total_adjusted,
    o.PaymentStruck: _payment_struck,
}
"""The events of this subject that change the state."""
