"""A hand as it was, in lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from jackpot.audit.carrusel_text import heading, share_lines
from jackpot.audit.casino_time import both_times_exact
from jackpot.audit.hand_shown import HandShown, Moment, officer_of
from jackpot.audit.words import HANDS, KINDS, LAMPS, PHASES
from jackpot.law.words import Language, Text, cents_text, microcents_text
from jackpot.table.state import Hand
from jackpot.visor.state import Lamp, VisorState

SIGNS = {
    Lamp.OFF: "○",
    Lamp.FLASHING: "◐",
    Lamp.STEADY: "✓",
    Lamp.CLOSED: "✕",
    Lamp.UNKNOWN: "?",
}
"""One character for each lamp, as the visor draws them; ``LAMPS`` has the words."""

_HAND = Text(("Jugada", "Hand"))
_METER = Text(("acumulado", "meter"))
_BOXES = Text(("casillas", "boxes"))
_VISOR = Text(("visor", "visor"))
_CARDS = Text(("cartas", "cards"))
_BASE = Text(("base", "base"))
_PAID = Text(("pagos", "payments"))


def lamps_text(visor: VisorState) -> str:
    """The seven lamps: ``1✓ 2○ 3?``."""
    return " ".join(f"{box}{SIGNS[lamp]}" for box, lamp in enumerate(visor.lamps, 1))


def hand_lines(shown: HandShown, language: Language, zone: ZoneInfo) -> Iterator[str]:
    """The hand: each moment with its time, key, officer, visor and lamps; cards; derivation."""
    yield f"{_HAND.text(language)} {shown.number}  {shown.day}  ({zone.key})"
    yield f"  {_METER.text(language)} {microcents_text(shown.start_microcents, language)}" + (
        f" → {microcents_text(shown.end_microcents, language)}"
    )
    for moment in shown.moments:
        yield from _moment_lines(moment, language, zone)
    if shown.hand is not None:
        yield from _award_lines(shown.hand, language)
    if shown.decision is not None:
        yield f"  {heading(shown.decision, language)}"
        yield from (f"    {line}" for line in share_lines(shown.decision, language))
    signs = ", ".join(f"{sign} {LAMPS[lamp.value].text(language)}" for lamp, sign in SIGNS.items())
    yield f"  ({signs})"


def _moment_lines(moment: Moment, language: Language, zone: ZoneInfo) -> Iterator[str]:
    batch, at_ns = moment.header[0], moment.header[1]
    visor = moment.visor
    amount = "–" if visor.amount_cents is None else cents_text(visor.amount_cents, language)
    words = [_fact_text(fact, language) for fact in moment.facts]
    yield f"  {both_times_exact(at_ns, zone)}  #{batch:<8} {'; '.join(words)}"
    yield (
        f"      {_VISOR.text(language)} {amount}  {_BOXES.text(language)} {lamps_text(visor)}  "
        f"{PHASES[moment.phase.value].text(language)}"
    )


def _fact_text(fact: object, language: Language) -> str:
    kind = getattr(fact, "kind", "")
    text = KINDS[kind].text(language)
    box, officer = getattr(fact, "box", None), officer_of(fact)  # type: ignore[arg-type]  # an event
    text += "" if box is None else f" {box}"
    return text + (f" ({officer})" if officer else "")


def _award_lines(hand: Hand, language: Language) -> Iterator[str]:
    for declared in hand.declared:
        yield f"  {_CARDS.text(language)} {declared.box}: {declared.cards}"
    if hand.base_microcents is not None:
        yield f"  {_BASE.text(language)} {microcents_text(hand.base_microcents, language)}"
    for line in hand.derivation:
        yield f"    [{line.rule}] {line.text(language)}"
    for payment in hand.payments:
        name = HANDS[payment.hand.value].text(language)
        amount = cents_text(payment.cents, language)
        yield f"  {_PAID.text(language)} {payment.box}: {name} {amount}{' ✓' if payment.paid else ''}"
