"""Do recorded terms keep the limits of the profile that is recorded beside them?"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

from jackpot.audit.checker.findings import UNREADABLE, Findings
from jackpot.audit.checker.terms import MICROCENTS, Terms, Text


class _Broken(NamedTuple):
    says: str
    expected: object
    found: object
    rule: str | None


def check_limits(text: Text, profile_text: str, findings: Findings) -> None:
    """The validator ``limits``; a profile that cannot be read is a note."""
    try:
        profile = tomllib.loads(profile_text)
        broken = [*_table(text.terms, profile), *_money(text.terms, profile["limits"])]
    except UNREADABLE as error:
        says = "no profile is recorded with the terms, so their limits were not checked"
        findings.note("limits", says, "the text of a profile", repr(error))
        return
    for one in broken:
        findings.wrong("limits", one.says, one.expected, one.found, one.rule)


def _table(terms: Terms, profile: dict[str, Any]) -> Iterator[_Broken]:
    """What a table may not choose itself."""
    cites = profile["citations"]
    for name, rule in (("boxes", cites["boxes"]), ("bets_per_box", cites["bet"])):
        most, found = profile[name], getattr(terms, name)
        if not 1 <= found <= most:
            yield _Broken(name, f"1 to {most}", found, rule)
    for name, rule in (
        ("ace_low_in_straights", cites["cards"]),
        ("closing_hands", cites["closing"]),
    ):
        if getattr(terms, name) != profile[name]:
            yield _Broken(name, profile[name], getattr(terms, name), rule)
    shares = profile["award_shares_ppm"]
    if shares and shares != terms.award_shares_ppm:
        yield _Broken("award_shares_ppm", shares, terms.award_shares_ppm, cites["shares"])
    if terms.house_deduction_ppm and not profile["house_deduction_first"]:
        found = terms.house_deduction_ppm
        yield _Broken("house_deduction_ppm", 0, found, cites["house_deduction"])


def _money(terms: Terms, limits: dict[str, Any]) -> Iterator[_Broken]:
    """Bet against table minimum, seed against bet, ceiling against seed, rates within the whole."""
    part = limits["bet_of_table_minimum_ppm"]
    if terms.bet_cents * MICROCENTS > terms.table_minimum_cents * part["value"]:
        most = terms.table_minimum_cents * part["value"] // MICROCENTS
        yield _Broken("bet_cents", f"at most {most}", terms.bet_cents, part["rule"])
    least = limits.get("fixed_in_bets" if terms.fixed else "seed_in_bets")
    if least and terms.seed_cents < least["value"] * terms.bet_cents:
        expected = f"at least {least['value'] * terms.bet_cents}"
        yield _Broken("seed_cents", expected, terms.seed_cents, least["rule"])
    if terms.ceiling_cents is not None and terms.ceiling_cents < terms.seed_cents:
        yield _Broken("ceiling_cents", f"at least {terms.seed_cents}", terms.ceiling_cents, None)
    rates = terms.jackpot_ppm + terms.reserve_ppm
    if not 0 <= rates <= MICROCENTS:
        yield _Broken("jackpot_ppm and reserve_ppm", f"at most {MICROCENTS}", rates, None)
