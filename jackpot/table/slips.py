"""The payment slip (CAN-8.7): one original for each payment, every further print a copy."""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.event import Outcome
from jackpot.table.refusals import signed, terms_in_force
from jackpot.table.state import Payment, TableState

_RULE = "CAN-8.7"


def payment_of(state: TableState, award: int, box: int, bet: int) -> Payment | None:
    """A payment of the running award, or of one that is not too long ago."""
    hand = state.hand
    known = {past.award: past.payments for past in state.past_awards}
    if hand is not None and hand.award:
        known.setdefault(hand.award, hand.payments)
    places = {(p.box, p.bet): p for p in known.get(award, ())}
    return places.get((box, bet))


def slip_printed(state: TableState, act: f.SlipPrinted) -> tuple[Outcome, ...]:
    """The original once, after the payment was handed over; what is printed again is a copy."""
    terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    payment = payment_of(state, act.award, act.box, act.bet)
    if payment is None or not payment.paid or not payment.cents:
        raise Refused(
            reason="not_paid_yet",
            expected="a payment that was handed over, of an award that is not too long ago",
            found=f"award {act.award}, box {act.box}, bet {act.bet}",
            to_do="pay it first; for an old one use `jackpot slip`",
            rule=_RULE,
        )
    if payment.printed and not act.copy:
        raise Refused(
            reason="slip_printed_before",
            expected="one original of each slip",
            found="another one",
            to_do="print a copy",
            rule=_RULE,
        )
    return ()
