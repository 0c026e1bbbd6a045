"""Profiles are data: the law of each region, strictly read (docs/rules.md)."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

import jackpot
from jackpot.errors import Refused
from jackpot.law.policies import Policies
from jackpot.law.policy_texts import POLICY_TEXTS, VALUE_TEXTS, policy_infos, with_policy
from jackpot.law.profile import Figures, Limit, load_profile, make_terms, profile_names
from jackpot.law.terms import AwardedHand, Citations, JackpotKind

CANARIAS_RULES = [
    "CAN-2.1",
    "CAN-2.2",
    "CAN-3.1",
    "CAN-6.1",
    "CAN-7.1",
    "CAN-7.3a",
    "CAN-7.3b",
    "CAN-8.1",
    "CAN-8.2",
    "CAN-8.3",
    "CAN-8.4",
    "CAN-8.5",
    "CAN-8.6",
    "CAN-8.7",
    "CAN-8.a",
    "CAN-8.b",
    "CAN-8.b1",
    "CAN-8.b2",
    "CAN-9",
    "CAN-10.1",
]


def text_of(name: str) -> str:
    folder = resources.files("jackpot.law") / "profiles"
    return (folder / f"{name}.toml").read_text(encoding="utf-8")


def test_three_profiles_come_with_the_program() -> None:
    assert profile_names() == ("canarias", "castilla-y-leon", "galicia")


@pytest.mark.parametrize("name", ["canarias", "castilla-y-leon", "galicia"])
def test_a_profile_by_name_or_from_its_text_is_the_same(name: str) -> None:
    assert load_profile(name) == load_profile(text_of(name))
    assert load_profile(name).id == name


def test_canarias_has_every_rule_of_the_decree_once() -> None:
    assert sorted(rule.id for rule in load_profile("canarias").rules) == sorted(CANARIAS_RULES)


def test_canarias_is_as_the_decree_says() -> None:
    profile = load_profile("canarias")
    assert (profile.boxes, profile.bets_per_box, profile.closing_hands) == (7, 1, 3)
    assert profile.ace_low_in_straights is False
    assert profile.house_deduction_first is False
    assert profile.award_shares_ppm == {
        AwardedHand.ROYAL_FLUSH: 1_000_000,
        AwardedHand.STRAIGHT_FLUSH: 100_000,
        AwardedHand.FOUR_OF_A_KIND: 50_000,
    }
    assert profile.limits.bet_of_table_minimum_ppm == Limit(500_000, "CAN-8.1")
    assert profile.limits.seed_in_bets == Limit(5_000, "CAN-8.b")
    assert profile.limits.fixed_in_bets == Limit(10_000, "CAN-8.a")


def test_canarias_policies_and_citations_are_the_defaults_of_the_code() -> None:
    assert load_profile("canarias").policies == Policies()
    assert load_profile("canarias").citations == Citations()


def test_galicia_is_as_its_regulation_says() -> None:
    profile = load_profile("galicia")
    assert (profile.boxes, profile.bets_per_box, profile.closing_hands) == (7, 3, 5)
    assert profile.ace_low_in_straights is True
    assert profile.house_deduction_first is True
    assert profile.award_shares_ppm == {
        AwardedHand.ROYAL_FLUSH: 1_000_000,
        AwardedHand.STRAIGHT_FLUSH: 100_000,
    }


def test_castilla_y_leon_has_no_table_of_awards() -> None:
    profile = load_profile("castilla-y-leon")
    assert profile.award_shares_ppm == {}
    assert (profile.boxes, profile.bets_per_box) == (7, 3)


def test_terms_take_the_profile_and_the_figures_of_the_layout() -> None:
    figures = Figures(
        table="2",
        layout="2A",
        bet_cents=200,
        table_minimum_cents=500,
        jackpot_ppm=250_000,
        seed_cents=1_000_000,
        kind=JackpotKind.PROGRESSIVE,
        boxes=6,
    )
    terms = make_terms(load_profile("galicia"), figures)
    assert (terms.profile, terms.table, terms.layout) == ("galicia", "2", "2A")
    assert (terms.boxes, terms.bets_per_box, terms.closing_hands) == (6, 3, 5)
    assert terms.ace_low_in_straights is True
    assert AwardedHand.FOUR_OF_A_KIND not in terms.award_shares_ppm
    assert terms.citations.house_deduction == "GAL-8b.house"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("boxes = 7", "boxes = 7\nboxen = 7"),
        ("boxes = 7", 'boxes = "7"'),
        ("boxes = 7", ""),
        ("value = 500_000", "valeu = 500_000"),
        ('base_of_hand = "at_lock"', 'base_of_hand = "at_noon"'),
        ('base_of_hand = "at_lock"', 'base_of_hands = "at_lock"'),
        ('shares = "CAN-8.3"', 'shares = "CAN-8.9"'),
        ('id = "CAN-9"', 'id = "CAN-8.7"'),
        ("royal_flush = 1_000_000", "five_aces = 1_000_000"),
        ("[limits]", "[limits"),
    ],
)
def test_an_unknown_key_or_value_or_rule_is_refused(old: str, new: str) -> None:
    text = text_of("canarias")
    assert old in text
    with pytest.raises(Refused) as refusal:
        load_profile(text.replace(old, new))
    assert refusal.value.reason == "profile_invalid"


@pytest.mark.parametrize("name", ["", "atlantis", "../canarias", "canarias.toml"])
def test_an_unknown_profile_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(Refused) as refusal:
        load_profile(name)
    assert refusal.value.reason == "unknown_profile"
    assert "canarias, castilla-y-leon, galicia" in refusal.value.expected


def test_no_code_names_a_region_in_a_condition() -> None:
    root = Path(jackpot.__file__).parent
    for path in root.rglob("*.py"):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            names = any(f'"{name}"' in text for name in profile_names())
            decides = text.lstrip().startswith(("if ", "elif ", "case ", "while "))
            assert not (names and decides), f"{path}:{number}"


def test_every_policy_has_words_and_shows_all_its_values() -> None:
    infos = {info.name: info.values for info in policy_infos(Policies())}
    assert set(infos) == set(POLICY_TEXTS)
    assert infos["base_of_hand"] == ("at_lock", "at_hand_start", "at_payment")
    assert infos["broken_slot"] == ("box_closed", "table_manual", "box_manual")
    used = {value for name, values in infos.items() if name != "payable_unit" for value in values}
    assert used == set(VALUE_TEXTS)


def test_the_default_of_each_policy_is_its_first_value() -> None:
    for info in policy_infos(Policies()):
        assert info.value == info.values[0]


@pytest.mark.parametrize(
    ("setting", "field", "value"),
    [
        ("below_royal=from_seed", "below_royal", "from_seed"),
        (" void_bets = carry ", "void_bets", "carry"),
        ("payable_unit=50", "payable_unit_cents", 50),
        ("payable_unit_cents=50", "payable_unit_cents", 50),
    ],
)
def test_a_policy_is_set_by_name_and_value(setting: str, field: str, value: object) -> None:
    assert getattr(with_policy(Policies(), setting), field) == value


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("below_royal=maybe", "unknown_policy_value"),
        ("below_royal", "unknown_policy_value"),
        ("colour=red", "unknown_policy"),
        ("", "unknown_policy"),
        ("payable_unit=0", "unknown_policy_value"),
        ("payable_unit=0.5", "unknown_policy_value"),
        ("payable_unit=-1", "unknown_policy_value"),
    ],
)
def test_a_policy_that_does_not_exist_is_refused(setting: str, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        with_policy(Policies(), setting)
    assert refusal.value.reason == reason
