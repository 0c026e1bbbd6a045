"""docs/rules.md says what the program does: examples, rule ids, policies, paths."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from law_examples import BASE_CENTS, CANARIAS, MICROCENTS, changed, winners

from jackpot.law.awards import decide_awards
from jackpot.law.policies import Policies
from jackpot.law.policy_texts import policy_infos, with_policy
from jackpot.law.pools import Pools
from jackpot.law.profile import load_profile, profile_names
from jackpot.money import cents_from_text

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text under one ``##`` heading."""
    return PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(text: str) -> list[list[str]]:
    """The rows of the table in a text, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


EXAMPLES = rows(section("Worked examples"))


def euros(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    return sign * cents_from_text(text.lstrip("-").replace(",", ""))


def test_the_page_has_its_worked_examples() -> None:
    assert len(EXAMPLES) == 12


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda row: f"{row[0]} {row[2]}".strip())
def test_a_worked_example_is_what_the_program_decides(example: list[str]) -> None:
    _, cards, policy, paid, left = example
    terms = CANARIAS
    if policy:
        terms = changed(CANARIAS, policies=with_policy(Policies(), policy.strip("`")))
    base = BASE_CENTS * MICROCENTS
    decision = decide_awards(
        terms, base_microcents=base, pools=Pools(base), winners=winners(*cards.split("; "))
    )
    told = {payment.box: payment.cents for payment in decision.payments}
    expected = [euros(amount) for amount in paid.split("; ")]
    assert [told.get(box, 0) for box in range(1, len(expected) + 1)] == expected
    seed = decision.restart.seed_microcents if decision.restart else 0
    assert decision.left_microcents - seed == euros(left) * MICROCENTS


@pytest.mark.parametrize("name", profile_names())
def test_every_rule_of_a_profile_is_on_the_page(name: str) -> None:
    ids = {row[0] for row in rows_of_all_tables()}
    for rule in load_profile(name).rules:
        assert rule.id in ids


def rows_of_all_tables() -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("|")
    ]


def test_every_policy_is_on_the_page_with_its_values_the_default_first() -> None:
    told = {
        row[0].strip("`"): row[1] for row in rows(section("Policies, where the text is silent"))
    }
    infos = policy_infos(Policies())
    assert set(told) == {info.name for info in infos}
    for info in infos:
        if info.name != "payable_unit":
            parts = [re.match(r"`(\w+)`", value) for value in told[info.name].split(" · ")]
            assert [part and part[1] for part in parts] == list(info.values)


def test_every_path_on_the_page_exists() -> None:
    paths = set(re.findall(r"`((?:jackpot|tests)/[\w/.-]*)`", PAGE))
    assert len(paths) >= 15
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []
