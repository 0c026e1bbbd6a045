"""A decision reversed after a dispute: whole before anything was paid, by payment afterwards.

What was decided is never erased. After a restart the new seed is not touched: what comes back goes
on top of it, and what a player is owed beyond it the house bears.
"""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.invariant import invariant
from jackpot.law.pools import Pool, spread
from jackpot.law.terms import JackpotKind, Terms
from jackpot.money import euros_text, microcents_from_cents
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.entries import not_below_zero, nothing_to_correct, signed_entry
from jackpot.table.event import Outcome
from jackpot.table.refusals import (
    carrusel_goes_on,
    in_phase,
    running_hand,
    signed,
    terms_in_force,
    this_hand,
)
from jackpot.table.state import OUTSIDE_A_HAND, Decided, Hand, Payment, Phase, TableState, unpaid
from jackpot.table.totals import hand_closes

_RULE = "CAN-8.7"


def decision_reversed(state: TableState, act: f.DecisionReversed) -> tuple[Outcome, ...]:
    """Back to the declaration, as if it had not been decided: deduction, house, seed and terms. In a
    carrusel every member gets its share back, so its log is asked."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    this_hand(state, act)
    in_phase(state, Phase.DECIDED, Phase.PAYABLE, rule=_RULE)
    hand = running_hand(state)
    if act.award != hand.award:
        raise _no_such_award(act.award, f"award {hand.award}")
    gone = [p for p in hand.payments if p.reversed_cents or (p.paid and p.cents)]
    if gone:
        raise Refused(
            reason="already_paid",
            expected="a decision of which nothing was paid",
            found=", ".join(f"box {p.box}: {euros_text(p.cents)}" for p in gone),
            to_do="strike out the payments that are not paid yet",
            rule=_RULE,
        )
    if state.carrusel is not None:
        carrusel_goes_on(state.carrusel)
        return ()
    invariant(hand.decided is not None, "a decided hand knows what it moved")
    return (
        _undone(hand.award, hand.decided or Decided(0, 0)),
        *_terms_back(state, hand, terms),
    )


def _undone(award: int, decided: Decided) -> o.DecisionUndone:
    seed = (
        decided.seed_house_microcents
        + decided.seed_reserve_microcents
        + decided.seed_overflow_microcents
    )
    return o.DecisionUndone(
        award=award,
        microcents=decided.deducted_microcents + decided.house_microcents - seed,
        deducted_microcents=decided.deducted_microcents,
        house_microcents=decided.house_microcents,
        seed_house_microcents=decided.seed_house_microcents,
        seed_reserve_microcents=decided.seed_reserve_microcents,
        seed_overflow_microcents=decided.seed_overflow_microcents,
    )


def _terms_back(state: TableState, hand: Hand, terms: Terms) -> tuple[Outcome, ...]:
    """Terms that came into force with the restart wait again."""
    before = hand.terms_before
    if before is None or before == terms:
        return ()
    return (
        o.TermsInForce(terms=before),
        o.TermsPending(terms=state.pending_terms or terms),
    )


def payment_reversed(state: TableState, act: f.PaymentReversed) -> tuple[Outcome, ...]:
    """One payment: struck out while it is unpaid, corrected by an amount afterwards."""
    terms = signed_entry(state, act, Phase.PAYABLE, *OUTSIDE_A_HAND)
    nothing_to_correct(act.cents)
    if state.phase is Phase.PAYABLE:
        return _struck(state, terms, act)
    return _corrected(state, terms, act)


def _struck(state: TableState, terms: Terms, act: f.PaymentReversed) -> tuple[Outcome, ...]:
    hand = running_hand(state)
    if act.award != hand.award:
        raise _no_such_award(act.award, f"award {hand.award}, which is being paid")
    still_open = unpaid(state)
    _exactly(still_open, act)
    outcomes = _to_meter(state, terms, act.cents)
    struck = o.PaymentStruck(box=act.box, cents=act.cents, bet=act.bet)
    last = len(still_open) == 1
    return (*outcomes, struck, *(hand_closes(state, o.HandOutcome.PAID) if last else ()))


def _exactly(still_open: tuple[Payment, ...], act: f.PaymentReversed) -> None:
    place = (act.box, act.bet, act.cents)
    if all((p.box, p.bet, p.cents) != place for p in still_open):
        owed = ", ".join(f"box {p.box}: {euros_text(p.cents)}" for p in still_open)
        raise Refused(
            reason="not_owed",
            expected=f"a payment that is not handed over, whole ({owed})",
            found=f"box {act.box}: {euros_text(act.cents)}",
            to_do="strike out what the screen shows, or wait for the end of the hand",
            rule=_RULE,
        )


def _corrected(state: TableState, terms: Terms, act: f.PaymentReversed) -> tuple[Outcome, ...]:
    award = next((one for one in state.past_awards if one.award == act.award), None)
    if award is None:
        raise _no_such_award(act.award, "an award of this layout that is not too long ago")
    place = (act.box, act.bet)
    payment = next((p for p in award.payments if (p.box, p.bet) == place), None)
    if payment is None:
        raise _no_such_award(act.award, f"a payment of award {act.award}: box {act.box}")
    left_cents = payment.cents - payment.reversed_cents
    if act.cents > left_cents:
        raise Refused(
            reason="more_than_paid",
            expected=f"at most what was paid, {euros_text(left_cents)}",
            found=euros_text(act.cents),
            to_do="enter the amount that came back",
            rule=_RULE,
        )
    if act.cents > 0:
        return _to_meter(state, terms, act.cents)
    return _from_meter(state, terms, -act.cents, award.jackpot)


def _to_meter(state: TableState, terms: Terms, cents: int) -> tuple[Outcome, ...]:
    """Back on the meter, on top of whatever it holds; a fixed jackpot was filled up by the house."""
    microcents = microcents_from_cents(cents)
    if terms.kind is JackpotKind.FIXED:
        return (o.HouseSettled(microcents=-microcents),)
    moved = spread(terms, state.pools, microcents)
    return tuple(o.AmountAdjusted(pool=m.pool, microcents=m.microcents) for m in moved)


def _from_meter(state: TableState, terms: Terms, cents: int, jackpot: int) -> tuple[Outcome, ...]:
    """The player is owed more: from the jackpot that paid, if it still runs."""
    microcents = microcents_from_cents(cents)
    if terms.kind is JackpotKind.FIXED or jackpot != state.jackpots:
        return (o.HouseSettled(microcents=microcents),)
    not_below_zero(state.pools.jackpot_microcents, -microcents)
    return (o.AmountAdjusted(pool=Pool.JACKPOT, microcents=-microcents),)


def _no_such_award(award: int, expected: str) -> Refused:
    return Refused(
        reason="no_such_award",
        expected=expected,
        found=f"award {award}",
        to_do="look at the present screen",
        rule=_RULE,
    )
