"""Findings and notes of the checker as people read them, in Spanish or English.

The checker speaks English and stays by itself. In Spanish each of its sentences is looked up, with
whatever stands in its holes; amounts are told in euros, to the micro-cent. What is no sentence (a
number, a hash, a name) stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import msgspec

from jackpot.audit.casino_time import moment_of
from jackpot.audit.checker.findings import Finding
from jackpot.audit.field_words import FIELDS, fields_text, listed_part
from jackpot.audit.finding_sentences import SENTENCES
from jackpot.audit.finding_values import NAMES, PHRASES, STATE, UNREADABLE
from jackpot.audit.words import KINDS, VALIDATORS
from jackpot.law.words import Language, cents_text, microcents_text

_HOLE = re.compile(r"\{(\w+)\}")
_WHOLE, _NS = re.compile(r"-?\d+"), re.compile(r"1\d{18}")
"""A whole number; nanoseconds since 1970, of any year that a table has seen or will see soon."""
_EVENT = re.compile(r"(?P<kind>\w+): (?P<amounts>[^{]*), (?P<info>\{.*|None)")
"""An outcome as a whole: its kind, its amounts, its fields as JSON."""


_EMPTY = ("no amount", "None")


class Said(NamedTuple):
    """What is wrong, what was expected, what was found."""

    says: str
    expected: str
    found: str


class _Pattern(NamedTuple):
    """A sentence with holes, and what it is in Spanish."""

    english: re.Pattern[str]
    spanish: str


def said(finding: Finding, language: Language) -> Said:
    """A finding in words, without its place."""
    if language is Language.EN:
        return Said(finding.says, finding.expected, finding.found)
    sentence = _looked_up(finding.says, SENTENCES) or finding.says
    return Said(sentence, _value(finding.expected), _value(finding.found))


def finding_line(finding: Finding, language: Language) -> str:
    """One line: place, what is wrong in general (validator) and here, expected, found, rule."""
    if language is Language.EN:
        return finding.text()
    title = VALIDATORS[finding.validator].text(language)
    return _line(finding, f"{title} ({finding.validator})")


def note_line(note: Finding, language: Language) -> str:
    """The same of a note: nothing is wrong, so nothing says that it is."""
    return note.text() if language is Language.EN else _line(note, note.validator)


def _line(finding: Finding, title: str) -> str:
    says, expected, found = said(finding, Language.ES)
    place = "registro" if finding.batch is None else f"lote {finding.batch}"
    place += "" if finding.seq is None else f", seq {finding.seq}"
    source = f" [{finding.rule}]" if finding.rule else ""
    return f"{place}: {title}: {says}; se esperaba: {expected}; se encontró: {found}{source}"


def unreadable_text(text: str, language: Language) -> str:
    """Why something cannot be read as a ledger."""
    return text if language is Language.EN else _looked_up(text, UNREADABLE) or text


def pool_text(name: str) -> str:
    """``2A/jackpot`` in Spanish."""
    layout, _, pool = name.rpartition("/")
    return f"{layout} {STATE.get(pool, pool)}"


# ---- looking up ------------------------------------------------------------------------------------


def _looked_up(text: str, known: Mapping[str, str]) -> str | None:
    """A sentence in Spanish; None where no sentence of ``known`` says this."""
    if text in known:
        return known[text]
    for pattern in _patterns(frozenset(known.items())):
        if match := pattern.english.fullmatch(text):
            holes = match.groupdict()
            told = {name: _hole(name, value, known) for name, value in holes.items()}
            return pattern.spanish.format(**told)
    return None


def _hole(name: str, text: str, known: Mapping[str, str]) -> str:
    """What stands in a hole; its name says what it is."""
    if name.endswith("cents") and _WHOLE.fullmatch(text):
        euros = microcents_text if name.endswith("microcents") else cents_text
        return euros(int(text), Language.ES)
    if name.endswith("_ns"):
        return _moment(text)
    if name == "state":
        return " · ".join(STATE.get(word, word) for word in text.split(" "))
    return _looked_up(text, known) or _value(text)


def _moment(text: str) -> str:
    """Nanoseconds since 1970 as a time in UTC; anything else as it is."""
    return f"{moment_of(int(text)):%Y-%m-%d %H:%M:%S.%f} UTC" if _NS.fullmatch(text) else text


@cache
def _patterns(known: frozenset[tuple[str, str]]) -> tuple[_Pattern, ...]:
    """Those with holes; first the one that has most words of its own."""
    with_holes = [pair for pair in known if _HOLE.search(pair[0])]
    with_holes.sort(key=lambda pair: (-len(_HOLE.sub("", pair[0])), pair[0]))
    return tuple(_Pattern(_compiled(english), spanish) for english, spanish in with_holes)


def _compiled(english: str) -> re.Pattern[str]:
    parts = _HOLE.split(english)
    shapes = (
        f"(?P<{part}>{_shape(part)})" if at % 2 else re.escape(part)
        for at, part in enumerate(parts)
    )
    return re.compile("".join(shapes), re.DOTALL)


def _shape(hole: str) -> str:
    """An amount is a number, or that there is none."""
    return r"-?\d+|None" if hole.endswith("cents") else ".+?"


# ---- values ----------------------------------------------------------------------------------------


def _value(text: str) -> str:
    """What was expected or found."""
    if text in NAMES:
        return NAMES[text]
    if text in PHRASES:
        return PHRASES[text]
    return (
        _structure(text)
        or _event(text)
        or _listed(text, "; ", "; ")
        or _listed(text, ", ", ", ")
        or _listed(text, " or ", " o ")
        or _looked_up(text, PHRASES)
        or _moment(text)
    )


def _event(text: str) -> str | None:
    """An outcome that is missing, or that follows from nothing."""
    match = _EVENT.fullmatch(text)
    if match is None or match["kind"] not in KINDS:
        return None
    parts = [_value(part) for part in (match["amounts"], match["info"]) if part not in _EMPTY]
    return f"{NAMES[match['kind']]}{': ' if parts else ''}{', '.join(parts)}"


def _structure(text: str) -> str | None:
    """A list, a pair or an object, in JSON or as Python writes it; None for anything else."""
    if not text.startswith(("[", "(", "{")):
        return None
    for read in (msgspec.json.decode, ast.literal_eval):
        try:
            return _plain(read(text))
        except (msgspec.MsgspecError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _plain(value: object) -> str:
    if isinstance(value, dict) and value.keys() >= {"box", "cards"}:
        return listed_part(value, Language.ES)
    if isinstance(value, dict):
        if value.keys() <= FIELDS.keys():
            return _joined(fields_text(value, Language.ES))
        return msgspec.json.encode(value).decode()
    if isinstance(value, list | tuple | set):
        return _joined(
            f"({_plain(each)})" if isinstance(each, list | tuple | dict) else _plain(each)
            for each in value
        )
    return _value(str(value))


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts) or PHRASES["none"]


def _listed(text: str, between: str, joins: str) -> str | None:
    """Several phrases with a word between; None if any of them is unknown."""
    parts = text.split(between)
    if len(parts) == 1:
        return None
    told = [NAMES.get(part) or _looked_up(part, PHRASES) for part in parts]
    return None if None in told else joins.join(str(part) for part in told)
