"""What a run of the demonstration came to, counted from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from jackpot.law.terms import AwardedHand
from jackpot.money import euros_text
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event


@dataclass
class Summary:
    """Counts and sums; amounts in cents. ``awards`` and ``paid_cents`` go by the awarded hand."""

    hands: int = 0
    voided: int = 0
    bets: int = 0
    chips_handed_back: int = 0
    awards: Counter[str] = field(default_factory=Counter)
    paid_cents: Counter[str] = field(default_factory=Counter)


def summarise(events: Iterable[Event]) -> Summary:
    """The summary of ``events``."""
    summary = Summary()
    for event in events:
        match event:
            case f.HandStarted():
                summary.hands += 1
            case o.BetAccepted():
                summary.bets += 1
            case o.BetReturned():
                summary.bets -= 1
            case o.TotalAccepted():
                summary.bets += event.chips
            case o.TotalReturned():
                summary.bets -= event.chips
            case f.TotalCorrected():
                summary.bets += event.chips_after - event.chips_before
            case o.ChipRefused():
                summary.chips_handed_back += 1
            case o.PaymentDecided():
                summary.awards[event.hand.value] += 1
                summary.paid_cents[event.hand.value] += event.cents
            case o.HandEnded(how=o.HandOutcome.VOIDED):
                summary.voided += 1
            case _:
                pass
    return summary


def summary_lines(summary: Summary, meter_cents: int) -> list[str]:
    """The summary for people."""
    lines = [
        f"hands   {summary.hands} ({summary.voided} voided)",
        f"bets    {summary.bets} (and {summary.chips_handed_back} chips handed back)",
    ]
    for hand in AwardedHand:
        count, cents = summary.awards[hand.value], summary.paid_cents[hand.value]
        name = hand.value.replace("_", " ")
        lines.append(f"awards  {count} x {name}, {euros_text(cents)}")
    return [*lines, f"jackpot {euros_text(meter_cents)}"]
