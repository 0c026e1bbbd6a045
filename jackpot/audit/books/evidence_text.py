"""One hand in words, in Spanish or English: line by line what happened, and why an award is what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from jackpot.audit.carrusel_text import heading, share_lines
from jackpot.audit.source import Source
from jackpot.audit.words import HANDS, KINDS
from jackpot.law.derivation import Line
from jackpot.law.words import Text, cents_text, microcents_text
from jackpot.table.facts import CarruselDecided

_NS_PER_S, _NS_PER_MS = 1_000_000_000, 1_000_000
_TITLE = Text(("Jugada {hand}, contada por el registro", "Hand {hand}, as the record tells it"))
_COLUMNS = Text(
    ("hora UTC, secuencia, suceso, datos", "time UTC, sequence, event, its data"),
)
_BOX = Text(("casilla", "box"))
_DERIVATION = Text(("Cómo se calculó", "How it was computed"))
_NONE = Text(("Sin premio en esta jugada.", "No award in this hand."))

_LEFT_OUT = frozenset({"derivation", "terms", "config_text", "profile_text", "shares"})
"""Fields that have a place of their own or are too long for a line."""


def hand_text(source: Source, hand: int, first: int, last: int, language: str) -> str:
    """The hand's batches ``first`` to ``last`` as text, with the derivation at the end."""
    lines = [_TITLE.text(language).format(hand=hand), "", _COLUMNS.text(language)]
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
                _time(header[1]),
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
    for name, value in info.items():
        if name in _LEFT_OUT:
            continue
        if name.endswith("_microcents") and isinstance(value, int):
            yield f"{name.removesuffix('_microcents')}={microcents_text(value, language)}"
        elif isinstance(value, str) and value in HANDS:
            yield HANDS[value].text(language)
        else:
            yield f"{name}={_plain(value)}"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _time(at_ns: int) -> str:
    """To the millisecond."""
    moment = datetime.fromtimestamp(at_ns // _NS_PER_S, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{at_ns % _NS_PER_S // _NS_PER_MS:03d}"
