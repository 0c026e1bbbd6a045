"""One hand in words, in Spanish or English: line by line what happened, and why an award is what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from jackpot.audit.carrusel_text import heading, share_lines
from jackpot.audit.casino_time import both_times_exact, casino_zone
from jackpot.audit.field_words import fields_text
from jackpot.audit.source import Source
from jackpot.audit.words import KINDS
from jackpot.law.derivation import Line
from jackpot.law.words import Text, cents_text, microcents_text
from jackpot.table.facts import CarruselDecided

_TITLE = Text(("Jugada {hand}, contada por el registro", "Hand {hand}, as the record tells it"))
_COLUMNS = Text(
    (
        "hora de {zone} (UTC), secuencia, suceso, datos",
        "time in {zone} (UTC), sequence, event, its data",
    ),
)
_BOX = Text(("casilla", "box"))
_DERIVATION = Text(("Cómo se calculó", "How it was computed"))
_NONE = Text(("Sin premio en esta jugada.", "No award in this hand."))


def hand_text(source: Source, hand: int, first: int, last: int, language: str) -> str:
    """The hand's batches ``first`` to ``last`` as text, with the derivation at the end."""
    zone = casino_zone(source)
    columns = _COLUMNS.text(language).format(zone=zone.key)
    lines = [_TITLE.text(language).format(hand=hand), "", columns]
    derivation: list[Line] = []
    decisions: list[CarruselDecided] = []
    for header, rows in source.batches(first, last):
        for seq, _, kind, box, cents, microcents, text in rows:
            info = {} if text is None else msgspec.json.decode(text)
            if kind == "carrusel_decided":
                amounts = {"paid_cents": cents, "base_microcents": microcents}
                decisions.append(msgspec.convert({**info, **amounts}, CarruselDecided))
            if kind == "awards_decided":
                derivation += msgspec.convert(info["derivation"], list[Line])
            words = [
                both_times_exact(header[1], zone),
                str(seq),
                KINDS[kind].text(language) if kind in KINDS else kind,
            ]
            words += _data(box, cents, microcents, info, language)
            lines.append("  ".join(words))
    lines += ["", _DERIVATION.text(language)]
    lines += [f"{line.rule}  {line.text(language)}" for line in derivation]
    if not derivation:
        lines.append(_NONE.text(language))
    for decision in decisions:
        lines += ["", heading(decision, language), *share_lines(decision, language)]
    return "\n".join(lines) + "\n"


def _data(
    box: int | None,
    cents: int | None,
    microcents: int | None,
    info: Mapping[str, Any],
    language: str,
) -> Iterator[str]:
    if box is not None:
        yield f"{_BOX.text(language)} {box}"
    if cents is not None:
        yield cents_text(cents, language)
    if microcents is not None:
        yield microcents_text(microcents, language)
    yield from fields_text(info, language)
