"""What was paid, as lines whose slips can be printed: a pure function of the state."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.table.state import Payment, TableState

SLIPS_SHOWN = 9
"""The newest payments; of an older one `jackpot slip` prints a copy."""


@dataclass(frozen=True)
class PaidLine:
    """One payment whose slip can be printed."""

    award: int
    hand: int
    payment: Payment


def paid_lines(state: TableState) -> tuple[PaidLine, ...]:
    """What was paid, newest first: the running award before those of earlier hands."""
    lines = [
        PaidLine(past.award, past.hand, payment)
        for past in state.past_awards
        for payment in past.payments
    ]
    hand = state.hand
    if hand is not None and hand.award not in {line.award for line in lines}:
        lines += [PaidLine(hand.award, hand.number, payment) for payment in hand.payments]
    handed_over = [line for line in lines if line.payment.paid and line.payment.cents]
    return tuple(reversed(handed_over))[:SLIPS_SHOWN]


def unprinted(state: TableState) -> tuple[PaidLine, ...]:
    """The payments of the last hand whose slip is still to be printed, in paying order."""
    hand = state.hand
    number = 0 if hand is None else hand.award
    lines = paid_lines(state)[::-1]
    return tuple(line for line in lines if line.award == number and not line.payment.printed)
