"""Terms are held against every limit, and all findings come at once (CAN-8.1, CAN-8.a, CAN-8.b)."""

from __future__ import annotations

from typing import Any

import pytest
from law_examples import CANARIAS, changed, with_policies

from jackpot.law.limits import Finding, check_terms
from jackpot.law.policies import SeedSource
from jackpot.law.profile import Figures, load_profile, make_terms
from jackpot.law.terms import AwardedHand, JackpotKind, Terms

PROFILE = load_profile("canarias")
FIXED = changed(CANARIAS, kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
RESERVE = with_policies(CANARIAS, seed_source=SeedSource.RESERVE)


def places(terms: Terms) -> list[tuple[str, str | None]]:
    return [(finding.path, finding.rule) for finding in check_terms(terms, PROFILE)]


def test_lawful_terms_have_no_findings() -> None:
    assert check_terms(CANARIAS, PROFILE) == []
    assert check_terms(FIXED, PROFILE) == []
    assert check_terms(changed(RESERVE, reserve_ppm=750_000), PROFILE) == []
    assert check_terms(changed(CANARIAS, ceiling_cents=1_000_000), PROFILE) == []


def test_CAN_8_1_a_bet_of_exactly_half_the_minimum_is_lawful_and_a_cent_more_is_not() -> None:
    assert places(changed(CANARIAS, bet_cents=200, table_minimum_cents=400)) == []
    over = changed(CANARIAS, bet_cents=201, table_minimum_cents=400, seed_cents=1_005_000)
    assert check_terms(over, PROFILE) == [
        Finding(
            path="jackpot.bet",
            expected="at most 2.00 €, 50 % of the table minimum",
            found="2.01 €",
            to_do="lower the jackpot bet or raise the table minimum",
            rule="CAN-8.1",
        )
    ]


def test_CAN_8_1_half_of_an_odd_minimum_is_rounded_in_nobodys_favour() -> None:
    assert places(changed(CANARIAS, table_minimum_cents=399)) == [("jackpot.bet", "CAN-8.1")]
    assert places(changed(CANARIAS, table_minimum_cents=401)) == []


def test_CAN_8_b_a_seed_of_5000_bets_is_lawful_and_a_cent_less_is_not() -> None:
    assert check_terms(changed(CANARIAS, seed_cents=999_999), PROFILE) == [
        Finding(
            path="jackpot.seed",
            expected="at least 10,000.00 €, 5,000 times the bet",
            found="9,999.99 €",
            to_do="raise the amount or lower the jackpot bet",
            rule="CAN-8.b",
        )
    ]


def test_CAN_8_a_a_fixed_jackpot_of_10000_bets_is_lawful_and_a_cent_less_is_not() -> None:
    assert places(changed(FIXED, seed_cents=1_999_999)) == [("jackpot.seed", "CAN-8.a")]


def test_CAN_8_a_a_fixed_jackpot_has_seven_boxes() -> None:
    assert places(changed(FIXED, boxes=6)) == [("table.boxes", "CAN-8.a")]
    assert places(changed(CANARIAS, boxes=6)) == []


@pytest.mark.parametrize(
    ("fields", "path", "rule"),
    [
        ({"boxes": 0}, "table.boxes", "CAN-2.2"),
        ({"boxes": 8}, "table.boxes", "CAN-2.2"),
        ({"bets_per_box": 2}, "table.bets_per_box", "CAN-8.1"),
        ({"bets_per_box": 0}, "table.bets_per_box", "CAN-8.1"),
        ({"ace_low_in_straights": True}, "table.ace_low_in_straights", "CAN-2.1"),
        ({"closing_hands": 5}, "table.closing_hands", "CAN-7.3b"),
        ({"bet_cents": 0}, "jackpot.bet", "CAN-8.1"),
        ({"bet_cents": -200}, "jackpot.bet", "CAN-8.1"),
        ({"jackpot_ppm": 0}, "jackpot.percentage", "CAN-8.b"),
        ({"jackpot_ppm": -1}, "jackpot.percentage", "CAN-8.b"),
        ({"reserve_ppm": 1}, "jackpot.reserve_percentage", "policy:seed_source"),
        ({"house_deduction_ppm": 1}, "jackpot.house_deduction", "CAN-8.3"),
        ({"ceiling_cents": 999_999}, "jackpot.ceiling", "CAN-8.b"),
        ({"award_shares_ppm": {}}, "jackpot.awards", "CAN-8.3"),
        ({"second_signature_over_cents": -1}, "jackpot.second_signature_over", None),
        ({"profile": "galicia"}, "profile", None),
    ],
)
def test_each_limit_is_found(fields: dict[str, Any], path: str, rule: str | None) -> None:
    assert places(changed(CANARIAS, **fields)) == [(path, rule)]


def test_CAN_8_b_more_than_a_hundred_percent_is_found() -> None:
    assert places(changed(CANARIAS, jackpot_ppm=1_000_001)) == [
        ("jackpot.percentage", "CAN-8.b"),
        ("jackpot.reserve_percentage", "CAN-8.b"),
    ]


def test_CAN_8_b_jackpot_and_reserve_together_are_at_most_the_whole_bet() -> None:
    assert places(changed(RESERVE, reserve_ppm=750_001)) == [
        ("jackpot.reserve_percentage", "CAN-8.b")
    ]


def test_CAN_8_a_a_fixed_jackpot_has_neither_percentage_nor_ceiling() -> None:
    assert places(changed(FIXED, jackpot_ppm=1, ceiling_cents=2_000_000)) == [
        ("jackpot.percentage", "CAN-8.a"),
        ("jackpot.ceiling", "CAN-8.a"),
    ]


@pytest.mark.parametrize("unit_cents", [0, -1, 100_001])
def test_policy_payable_unit_is_more_than_nothing(unit_cents: int) -> None:
    terms = with_policies(CANARIAS, payable_unit_cents=unit_cents)
    assert places(terms) == [("policies.payable_unit", "policy:payable_unit")]


def test_CAN_8_3_the_awards_of_the_decree_are_not_a_tables_to_change() -> None:
    awards = {AwardedHand.ROYAL_FLUSH: 1_000_000, AwardedHand.STRAIGHT_FLUSH: 150_000}
    assert places(changed(CANARIAS, award_shares_ppm=awards)) == [
        ("jackpot.awards.straight_flush", "CAN-8.3"),
        ("jackpot.awards.four_of_a_kind", "CAN-8.3"),
    ]


def test_all_findings_come_at_once() -> None:
    wrong = changed(
        CANARIAS, boxes=9, bet_cents=300, seed_cents=1, jackpot_ppm=0, award_shares_ppm={}
    )
    assert [path for path, _ in places(wrong)] == [
        "table.boxes",
        "jackpot.bet",
        "jackpot.percentage",
        "jackpot.seed",
        "jackpot.awards",
    ]


FIGURES = Figures(
    table="1",
    layout="1",
    bet_cents=200,
    table_minimum_cents=400,
    jackpot_ppm=250_000,
    seed_cents=1,
)


def test_GAL_8b_a_deduction_for_the_house_is_lawful_there() -> None:
    galicia = load_profile("galicia")
    terms = changed(make_terms(galicia, FIGURES), house_deduction_ppm=20_000)
    assert check_terms(terms, galicia) == []


def test_CYL_a_table_starts_only_with_awards_of_its_own() -> None:
    profile = load_profile("castilla-y-leon")
    terms = make_terms(profile, FIGURES)
    assert [finding.path for finding in check_terms(terms, profile)] == ["jackpot.awards"]
    own = changed(terms, award_shares_ppm={AwardedHand.ROYAL_FLUSH: 500_000})
    assert check_terms(own, profile) == []
    assert check_terms(changed(own, bet_cents=400), profile) == []
    bad = changed(terms, award_shares_ppm={AwardedHand.ROYAL_FLUSH: 1_000_001})
    assert [f.path for f in check_terms(bad, profile)] == ["jackpot.awards.royal_flush"]
