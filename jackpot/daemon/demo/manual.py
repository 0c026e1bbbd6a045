"""The automatic croupier in manual mode (CAN-8.b1): counts the chips at the end of the hand.

Now and then it errs, as people do: a total that it takes back at once, and one that the officers
have to correct afterwards.
"""

from __future__ import annotations

from jackpot.daemon.demo.deal import Deal
from jackpot.law.policies import ManualTotal
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct
from jackpot.table.state import Hand, Phase, TableState, is_manual

SLIP_EVERY = 10
"""In every tenth hand the croupier enters one chip too many, and takes it back."""

ERROR_EVERY = 25
"""In every twenty-fifth nobody notices before it is final."""


def total_step(state: TableState, dealt: Deal | None, croupier: str) -> OfficerAct | None:
    """The next act about the total, if that is what comes next; None otherwise."""
    hand, terms = state.hand, state.terms
    if hand is None or terms is None or dealt is None or not is_manual(state):
        return None
    before = terms.policies.manual_total is ManualTotal.BEFORE_AWARDS
    if hand.total_is_final or not (before or state.phase is Phase.TOTAL):
        return None
    number, total = hand.number, hand.total
    chips = _counted(dealt, hand, terms.boxes * terms.bets_per_box)
    if total is None:
        cents = chips * terms.bet_cents
        return f.TotalEntered(by=croupier, hand=number, chips=chips, cents=cents)
    if number % SLIP_EVERY == 0 and total.entry == 1:
        return f.TotalWithdrawn(by=croupier, hand=number)
    return f.TotalFinal(by=croupier, hand=number, chips=total.chips)


def _counted(dealt: Deal, hand: Hand, most: int) -> int:
    """The chips on the table, or one too many."""
    slip = dealt.number % SLIP_EVERY == 0 and not hand.totals_entered
    errs = slip or dealt.number % ERROR_EVERY == 0
    return min(len(dealt.bets) + int(errs), most)


def correction(
    state: TableState, dealt: Deal | None, chief: str, director: str
) -> OfficerAct | None:
    """Between hands: the final total is not what lies on the table, and two officers correct it."""
    known = state.hand_totals[-1] if state.hand_totals else None
    if known is None or dealt is None or known.hand != dealt.number:
        return None
    if state.hand is None or not state.hand.total_is_final or known.chips == len(dealt.bets):
        return None
    return f.TotalCorrected(
        by=chief,
        second=director,
        why="counted wrongly",
        hand=known.hand,
        chips_before=known.chips,
        chips_after=len(dealt.bets),
    )
