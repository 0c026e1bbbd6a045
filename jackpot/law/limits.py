"""Do the terms of a layout keep the limits of their profile? Every finding at once.

Checked whenever terms are made: at the start, at a changed table minimum (CAN-6.1), at a changed
percentage, seed or ceiling. A finding names the place, what was expected and found, what to do, and
the rule that asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from jackpot.law.policies import SeedSource
from jackpot.law.policy_texts import MAX_PAYABLE_UNIT_CENTS
from jackpot.law.profile import Profile
from jackpot.law.terms import AwardedHand, JackpotKind, Terms
from jackpot.law.words import cents_text, percent_text
from jackpot.money import MAX_CENTS, PPM_WHOLE

_LANGUAGE = "en"


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that terms have wrong, in five parts for people."""

    path: str
    expected: str
    found: str
    to_do: str
    rule: str | None = None


def check_terms(terms: Terms, profile: Profile) -> list[Finding]:
    """All findings about ``terms``, in the order of the terms' fields; none: they may be used."""
    return [
        *_table_findings(terms, profile),
        *_bet_findings(terms, profile),
        *_rate_findings(terms, profile),
        *_seed_findings(terms, profile),
        *_award_findings(terms, profile),
        *_policy_findings(terms),
    ]


def _table_findings(terms: Terms, profile: Profile) -> Iterator[Finding]:
    cites = profile.citations
    if terms.profile != profile.id:
        yield Finding(
            "profile", profile.id, terms.profile, "check the terms against their own profile"
        )
    if not 1 <= terms.boxes <= profile.boxes:
        yield Finding(
            "table.boxes",
            f"1 to {profile.boxes}",
            str(terms.boxes),
            "state the boxes of the layout",
            cites.boxes,
        )
    if not 1 <= terms.bets_per_box <= profile.bets_per_box:
        yield Finding(
            "table.bets_per_box",
            f"1 to {profile.bets_per_box}",
            str(terms.bets_per_box),
            "allow no more bets in a box than the rules do",
            cites.bet,
        )
    if terms.ace_low_in_straights != profile.ace_low_in_straights:
        yield Finding(
            "table.ace_low_in_straights",
            str(profile.ace_low_in_straights).lower(),
            str(terms.ace_low_in_straights).lower(),
            "leave the value of the ace to the profile",
            cites.cards,
        )
    if terms.closing_hands != profile.closing_hands:
        yield Finding(
            "table.closing_hands",
            str(profile.closing_hands),
            str(terms.closing_hands),
            "leave the number of announced last hands to the profile",
            cites.closing,
        )


def _bet_findings(terms: Terms, profile: Profile) -> Iterator[Finding]:
    limit = profile.limits.bet_of_table_minimum_ppm
    if not 0 < terms.table_minimum_cents <= MAX_CENTS:
        yield Finding(
            "table.minimum",
            "more than 0",
            _euros(terms.table_minimum_cents),
            "state the table minimum within the authorised band",
            profile.citations.bet,
        )
    if not 0 < terms.bet_cents <= MAX_CENTS:
        yield Finding(
            "jackpot.bet",
            "more than 0",
            _euros(terms.bet_cents),
            "state the one fixed amount of the jackpot bet",
            profile.citations.bet,
        )
    elif limit and terms.bet_cents * PPM_WHOLE > terms.table_minimum_cents * limit.value:
        most = terms.table_minimum_cents * limit.value // PPM_WHOLE
        yield Finding(
            "jackpot.bet",
            f"at most {_euros(most)}, {percent_text(limit.value, _LANGUAGE)} of the table minimum",
            _euros(terms.bet_cents),
            "lower the jackpot bet or raise the table minimum",
            limit.rule,
        )


def _rate_findings(terms: Terms, profile: Profile) -> Iterator[Finding]:
    cites = profile.citations
    rates = {
        "jackpot.percentage": (terms.jackpot_ppm, cites.progressive),
        "jackpot.reserve_percentage": (terms.reserve_ppm, cites.progressive),
        "jackpot.house_deduction": (terms.house_deduction_ppm, cites.house_deduction),
    }
    for path, (rate_ppm, rule) in rates.items():
        if not 0 <= rate_ppm <= PPM_WHOLE:
            yield Finding(
                path, "0 % to 100 %", _percent(rate_ppm), "state what is authorised", rule
            )
    total = terms.jackpot_ppm + terms.reserve_ppm
    if total > PPM_WHOLE:
        yield Finding(
            "jackpot.reserve_percentage",
            "jackpot and reserve together at most 100 % of a bet",
            _percent(total),
            "lower one of the two percentages",
            cites.progressive,
        )
    if terms.kind is JackpotKind.PROGRESSIVE and terms.jackpot_ppm == 0:
        yield Finding(
            "jackpot.percentage",
            "more than 0 % for a progressive jackpot",
            "0 %",
            "state the authorised percentage, or make the jackpot a fixed one",
            cites.progressive,
        )
    if terms.kind is JackpotKind.FIXED and terms.jackpot_ppm > 0:
        yield Finding(
            "jackpot.percentage",
            "0 % for a fixed jackpot",
            _percent(terms.jackpot_ppm),
            "take the percentage out, or make the jackpot a progressive one",
            cites.fixed,
        )
    yield from _reserve_and_house_findings(terms, profile)


def _reserve_and_house_findings(terms: Terms, profile: Profile) -> Iterator[Finding]:
    if terms.reserve_ppm > 0 and terms.policies.seed_source is not SeedSource.RESERVE:
        yield Finding(
            "jackpot.reserve_percentage",
            "0 % unless the policy seed_source is reserve",
            _percent(terms.reserve_ppm),
            "set seed_source = reserve, or take the percentage out",
            "policy:seed_source",
        )
    if terms.house_deduction_ppm > 0 and not profile.house_deduction_first:
        yield Finding(
            "jackpot.house_deduction",
            "0 %: this profile knows no deduction for the house",
            _percent(terms.house_deduction_ppm),
            "take the deduction out",
            profile.citations.house_deduction,
        )


def _seed_findings(terms: Terms, profile: Profile) -> Iterator[Finding]:
    fixed = terms.kind is JackpotKind.FIXED
    limit = profile.limits.fixed_in_bets if fixed else profile.limits.seed_in_bets
    rule = profile.citations.fixed if fixed else profile.citations.progressive
    least = limit.value * terms.bet_cents if limit else 1
    if not least <= terms.seed_cents <= MAX_CENTS:
        times = f", {limit.value:,} times the bet" if limit else ""
        yield Finding(
            "jackpot.seed",
            f"at least {_euros(least)}{times}",
            _euros(terms.seed_cents),
            "raise the amount or lower the jackpot bet",
            limit.rule if limit else rule,
        )
    boxes = profile.limits.fixed_boxes
    if fixed and boxes and terms.boxes != boxes.value:
        yield Finding(
            "table.boxes",
            f"{boxes.value} for a fixed jackpot",
            str(terms.boxes),
            "give the layout all its boxes",
            boxes.rule,
        )
    yield from _ceiling_findings(terms, rule)


def _ceiling_findings(terms: Terms, rule: str) -> Iterator[Finding]:
    ceiling = terms.ceiling_cents
    if ceiling is None:
        return
    if terms.kind is JackpotKind.FIXED:
        yield Finding(
            "jackpot.ceiling",
            "none for a fixed jackpot",
            _euros(ceiling),
            "take the ceiling out",
            rule,
        )
    elif not terms.seed_cents <= ceiling <= MAX_CENTS:
        yield Finding(
            "jackpot.ceiling",
            f"at least the seed, {_euros(terms.seed_cents)}",
            _euros(ceiling),
            "raise the ceiling or lower the seed",
            rule,
        )


def _award_findings(terms: Terms, profile: Profile) -> Iterator[Finding]:
    rule = profile.citations.shares
    if not terms.award_shares_ppm:
        yield Finding(
            "jackpot.awards",
            "a table of awards",
            "none, and the profile has none either",
            "write the authorised awards into the table's configuration",
            rule,
        )
    for hand, share_ppm in terms.award_shares_ppm.items():
        if not 0 < share_ppm <= PPM_WHOLE:
            yield Finding(
                f"jackpot.awards.{hand.value}",
                "more than 0 % and at most 100 %",
                _percent(share_ppm),
                "state the authorised share, or leave the hand out",
                rule,
            )
    for hand in AwardedHand:
        lawful = profile.award_shares_ppm.get(hand, 0)
        stated = terms.award_shares_ppm.get(hand, 0)
        if profile.award_shares_ppm and terms.award_shares_ppm and lawful != stated:
            yield Finding(
                f"jackpot.awards.{hand.value}",
                _percent(lawful),
                _percent(stated),
                "leave the awards to the profile",
                rule,
            )


def _policy_findings(terms: Terms) -> Iterator[Finding]:
    unit_cents = terms.policies.payable_unit_cents
    if not 1 <= unit_cents <= MAX_PAYABLE_UNIT_CENTS:
        yield Finding(
            "policies.payable_unit",
            f"{_euros(1)} to {_euros(MAX_PAYABLE_UNIT_CENTS)}",
            _euros(unit_cents),
            "state the smallest step that the table pays in",
            "policy:payable_unit",
        )
    if terms.second_signature_over_cents < 0:
        yield Finding(
            "jackpot.second_signature_over",
            "0 or more",
            _euros(terms.second_signature_over_cents),
            "state the amount above which a second officer signs",
        )


def _euros(cents: int) -> str:
    return cents_text(cents, _LANGUAGE)


def _percent(ppm: int) -> str:
    return f"-{percent_text(-ppm, _LANGUAGE)}" if ppm < 0 else percent_text(ppm, _LANGUAGE)
