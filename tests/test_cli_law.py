"""``jackpot rules`` and ``jackpot award`` as a person and as a program see them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
from typer.testing import CliRunner, Result

from jackpot import law, money
from jackpot.audit import source, what_if_changes
from jackpot.commands import law as law_commands
from jackpot.commands import replay
from jackpot.commands.law import register
from jackpot.commands.law_refusals import SPANISH

app = typer.Typer()
register(app)

HANDS = ("--hand", "3: Kd Qd Jd Td 9d", "--hand", "5: 7h 7s 7d 7c 2h")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def answer(*arguments: str) -> dict[str, Any]:
    result = call(*arguments, "--json")
    value: dict[str, Any] = msgspec.json.decode(result.stdout)
    return value


def test_award_says_who_gets_what_for_programs() -> None:
    told = answer("award", "--profile", "canarias", "--jackpot", "100000.00", *HANDS)
    assert [(p["box"], p["hand"], p["rule"], p["cents"]) for p in told["payments"]] == [
        (3, "straight_flush", "CAN-8.5", 1_000_000),
        (5, "four_of_a_kind", "CAN-8.5", 450_000),
    ]
    assert told["left_microcents"] == 8_550_000_000_000
    assert told["restart"] is None
    assert told["warnings"] == []
    assert told["derivation"][1]["rule"] == "CAN-8.5"
    assert told["derivation"][1]["numbers"]["exact_microcents"] == 1_000_000_000_000


def test_award_of_a_royal_flush_tells_the_restart() -> None:
    told = answer("award", "--jackpot", "100000.00", "--hand", "1: As Ks Qs Js Ts")
    assert told["payments"][0]["cents"] == 10_000_000
    assert told["restart"] == {
        "seed_microcents": 1_000_000_000_000,
        "house_microcents": 1_000_000_000_000,
        "reserve_microcents": 0,
        "overflow_microcents": 0,
    }
    assert told["left_microcents"] == 1_000_000_000_000


def test_award_without_a_seed_uses_5000_bets() -> None:
    told = answer("award", "--jackpot", "9.00", "--bet", "1.50", "--hand", "1: As Ks Qs Js Ts")
    assert told["restart"]["seed_microcents"] == 750_000_000_000


def test_award_takes_policies() -> None:
    told = answer(
        "award",
        "--jackpot=100000.00",
        "--seed=10000.00",
        "--hand=1: As Ks Qs Js Ts",
        *HANDS,
        "--policy=below_royal=from_seed",
        "--policy=payable_unit=50",
    )
    assert [payment["cents"] for payment in told["payments"]] == [10_000_000, 100_000, 45_000]


def test_award_speaks_spanish_first_and_english_by_a_switch() -> None:
    spanish = call("award", "--jackpot", "100000.00", *HANDS)
    assert spanish.exit_code == 0
    assert "[CAN-8.5] Casilla 5: póker de sietes, 5 % de 90.000,00 € = 4.500,00 €" in spanish.stdout
    english = call("award", "--jackpot", "100000.00", *HANDS, "--lang", "en")
    assert "[CAN-8.5] Box 5: four sevens, 5 % of 90,000.00 € = 4,500.00 €" in english.stdout
    assert "Meter after the hand: 85,500.00 €" in english.stdout


def test_award_names_a_hand_that_earns_nothing() -> None:
    told = answer("award", "--jackpot", "100000.00", "--hand", "2: Ac 2c 3c 4c 5c")
    assert told["payments"] == []
    assert told["unpaid"] == [{"box": 2, "bet": 1, "hand": "flush", "rule": "CAN-2.1"}]


def test_award_warns_of_a_seed_below_the_limit_but_answers() -> None:
    told = answer("award", "--jackpot", "100.00", "--seed", "10.00", "--hand", "1: As Ks Qs Js Ts")
    assert [warning["path"] for warning in told["warnings"]] == ["jackpot.seed"]
    assert told["left_microcents"] == 1_000_000_000


def test_CYL_award_wants_a_table_of_awards() -> None:
    arguments = ("award", "--profile", "castilla-y-leon", "--jackpot", "1000", *HANDS)
    assert answer(*arguments)["error"]["reason"] == "no_award_table"
    told = answer(*arguments, "--share", "straight_flush=12.5")
    assert [payment["cents"] for payment in told["payments"]] == [12_500]


def test_GAL_5_award_takes_several_bets_in_a_box() -> None:
    told = answer(
        "award", "--profile=galicia", "--jackpot=1000", "--house=2",
        "--hand=3: As Ks Qs Js Ts", "--hand=3.2: As Ks Qs Js Ts",
    )  # fmt: skip
    assert [(p["box"], p["bet"], p["cents"]) for p in told["payments"]] == [
        (3, 1, 49_000),
        (3, 2, 49_000),
    ]
    assert told["house_microcents"] == 2_000_000_000


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--jackpot", "100000,00", *HANDS), "not_an_amount"),
        (("--jackpot", "", *HANDS), "not_an_amount"),
        (("--jackpot", "1.00"), "no_hand"),
        (("--jackpot", "1.00", "--hand", "Kd Qd Jd Td 9d"), "not_a_hand"),
        (("--jackpot", "1.00", "--hand", "3: Kd Qd Jd Td"), "not_five_cards"),
        (("--jackpot", "1.00", "--hand", "3: Kd Qd Jd Td 9x"), "not_a_card"),
        (("--jackpot", "1.00", "--hand", "9: Kd Qd Jd Td 9d"), "box_out_of_range"),
        (("--jackpot", "1.00", "--hand", "3.2: Kd Qd Jd Td 9d"), "bet_out_of_range"),
        (("--jackpot", "1.00", *HANDS, "--hand", "3: 2c 2d 2s 3h 3c"), "box_twice"),
        (("--jackpot", "1.00", *HANDS, "--hand", "4: Kd 2d 2s 3h 3c"), "card_twice"),
        (("--jackpot", "1.00", *HANDS, "--policy", "below_royal=half"), "unknown_policy_value"),
        (("--jackpot", "1.00", *HANDS, "--policy", "colour=red"), "unknown_policy"),
        (("--jackpot", "1.00", *HANDS, "--profile", "atlantis"), "unknown_profile"),
        (("--jackpot", "1.00", *HANDS, "--share", "pair=5"), "unknown_award"),
    ],
)
def test_award_refuses_with_status_2_a_message_and_an_object(
    arguments: tuple[str, ...], reason: str
) -> None:
    plain = call("award", *arguments, "--lang", "en")
    assert plain.exit_code == 2
    assert plain.stderr.startswith(f"{reason}: expected ")
    spanish = call("award", *arguments)
    assert spanish.exit_code == 2
    assert spanish.stderr.startswith(f"{reason}: {SPANISH[reason]}; se encontró ")
    told = call("award", *arguments, "--json")
    assert told.exit_code == 2
    error = msgspec.json.decode(told.stdout)["error"]
    assert error["reason"] == reason
    assert set(error) == {"reason", "expected", "found", "to_do", "rule"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--hand", "3: Kd Qd Jd Td"), "; se encontró casilla 3: 4: Kd Qd Jd Td [CAN-8.2]\n"),
        (
            (*HANDS, "--hand", "4: Kd 2d 2s 3h 3c"),
            "; se encontró Kd en casilla 3 y en casilla 4 [CAN-2.1]\n",
        ),
        (("--hand", "one in a box"), "; se encontró 'one in a box'\n"),
        ((*HANDS, *HANDS), "; se encontró casilla 3, apuesta 1 [CAN-8.1]\n"),
    ],
)
def test_what_was_found_is_told_in_spanish_and_what_was_typed_as_it_was(
    arguments: tuple[str, ...], told: str
) -> None:
    assert call("award", "--jackpot", "1.00", *arguments).stderr.endswith(told)


def test_every_refusal_of_the_law_and_of_a_replay_has_its_spanish_sentence() -> None:
    rooms = (
        Path(law.__file__).parent.glob("*.py"),
        [
            Path(money.__file__),
            Path(law_commands.__file__),
            Path(replay.__file__),
            Path(source.__file__),
            Path(what_if_changes.__file__),
        ],
    )
    named = {
        reason
        for file in itertools.chain(*rooms)
        for reason in re.findall(r'reason="([a-z_]+)"', file.read_text(encoding="utf-8"))
    }
    assert named == SPANISH.keys()


def test_rules_lists_every_rule_with_its_article_and_every_policy_with_all_values() -> None:
    told = answer("rules", "--lang", "en")
    assert told["profile"] == "canarias"
    assert len(told["rules"]) == 20
    assert told["rules"][0]["id"] == "CAN-2.1"
    assert told["rules"][0]["article"] == "2.1"
    policies = {policy["name"]: policy for policy in told["policies"]}
    assert len(policies) == 12
    base = policies["base_of_hand"]
    assert base["value"] == "at_lock"
    values = [alternative["value"] for alternative in base["alternatives"]]
    assert values == ["at_lock", "at_hand_start", "at_payment"]


def test_rules_are_readable_in_both_languages() -> None:
    spanish, english = call("rules"), call("rules", "canarias", "--lang", "en")
    assert "CAN-8.4 (8) Varias escaleras reales" in spanish.stdout
    assert "CAN-8.4 (8) Several royal flushes" in english.stdout
    assert "    * of_base: each of the base of the hand" in english.stdout


def test_rules_of_a_profile_without_awards_say_so() -> None:
    assert "none in the text" in call("rules", "castilla-y-leon", "--lang", "en").stdout


def test_rules_of_an_unknown_profile_are_refused() -> None:
    refused = call("rules", "atlantis")
    assert refused.exit_code == 2
    assert "no hay tal perfil" in refused.stderr
    assert answer("rules", "atlantis")["error"]["reason"] == "unknown_profile"
