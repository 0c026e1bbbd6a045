"""New terms that wait: what would change, and when it will (policy ``config_change``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from jackpot.console import language as lang
from jackpot.console.marking import mark
from jackpot.law.policy_texts import POLICY_TEXTS
from jackpot.law.terms import Terms
from jackpot.law.words import Language, Text
from jackpot.table.day import due_at_opening
from jackpot.table.state import TableState

LABELS: Mapping[str, str] = {
    "authorisation": mark("Authorisation number"),
    "award_shares_ppm": mark("Awards"),
    "bet_cents": mark("Jackpot bet"),
    "ceiling_cents": mark("Ceiling"),
    "closing_hands": mark("Last hands"),
    "house_deduction_ppm": mark("Deduction of the house"),
    "jackpot_ppm": mark("Share of a bet"),
    "minimum_band_cents": mark("Band of the minimum"),
    "reserve_ppm": mark("Share of a bet for the reserve"),
    "second_signature_over_cents": mark("Second signature above"),
    "seed_cents": mark("Starting amount"),
    "table_minimum_cents": mark("Table minimum"),
}
"""Figures by name; policies have their own texts, and all else is told as ``OTHER``."""

OTHER = mark("Other rules")
AT_OPENING = mark("New terms wait for the next opening.")
AT_RESTART = mark("New terms wait until the jackpot starts again.")


@dataclass(frozen=True)
class Change:
    """One figure: ``label`` is to be translated, ``before`` and ``after`` are as people read them; both
    empty where the label says all."""

    label: str
    before: str
    after: str


@dataclass(frozen=True)
class WaitingTerms:
    """When they come into force, as a sentence to translate, and what they change."""

    when: str
    changes: tuple[Change, ...]


def waiting_terms(state: TableState, language: Language) -> WaitingTerms | None:
    """The terms that wait at the layout in use; None where none do."""
    terms, pending = state.terms, state.pending_terms
    if terms is None or pending is None:
        return None
    when = AT_RESTART if due_at_opening(state, terms) is None else AT_OPENING
    return WaitingTerms(when, _changes(terms, pending, language))


def _changes(terms: Terms, pending: Terms, language: Language) -> tuple[Change, ...]:
    before, after = msgspec.structs.asdict(terms), msgspec.structs.asdict(pending)
    names = [name for name in before if before[name] != after[name]]
    told = [
        Change(
            LABELS[name], _said(name, before[name], language), _said(name, after[name], language)
        )
        for name in names
        if name in LABELS
    ]
    policies = _policies(terms, pending, language) if "policies" in names else []
    others = any(name not in LABELS and name != "policies" for name in names)
    return (*told, *policies, *((Change(OTHER, "", ""),) if others else ()))


def _policies(terms: Terms, pending: Terms, language: Language) -> list[Change]:
    before, after = map(msgspec.structs.asdict, (terms.policies, pending.policies))
    return [
        Change(_policy(name).text(language), str(before[name]), str(after[name]))
        for name in before
        if before[name] != after[name]
    ]


def _policy(field: str) -> Text:
    return POLICY_TEXTS[field.removesuffix("_cents")]


def _said(name: str, value: Any, language: Language) -> str:
    """A figure as people read it; its unit stands last in its name."""
    if value in (None, ""):
        return "–"
    if isinstance(value, dict):
        return ", ".join(lang.percent(share, language) for share in value.values())
    if isinstance(value, tuple):
        return "–".join(lang.euros(cents, language) for cents in value)
    if name.endswith("_cents"):
        return lang.euros(value, language)
    return lang.percent(value, language) if name.endswith("_ppm") else str(value)
