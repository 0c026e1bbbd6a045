"""Files and functions fit a screen; money is counted in whole, named units; nothing is left over."""

from __future__ import annotations

import pytest
from source_tree import ROOT, expect_none, is_vendored, parsed, sources, texts
from tidiness_rules import (
    FILE_LINES,
    FILE_LINES_AT_MOST,
    LONG_FILES,
    bare_asserts,
    floats,
    is_prose_or_code,
    long_file,
    long_functions,
    money_without_unit,
    namesakes,
    prints,
    unwanted_words,
)

PRODUCT = sources("jackpot", "firmware_sim")
EVERYTHING = sources("jackpot", "firmware_sim", "tests", "benchmarks", "docs")
OWN_TEXTS = [(path, text) for path, text in texts() if not is_vendored(path)]


def test_no_function_is_longer_than_a_screen() -> None:
    expect_none(finding for source in EVERYTHING for finding in long_functions(source))


def test_no_file_is_long_without_a_reason() -> None:
    long = [
        finding
        for path, text in OWN_TEXTS
        if is_prose_or_code(path)
        for finding in long_file(path, text)
    ]
    expect_none(long)


def test_every_reason_for_a_long_file_is_still_needed() -> None:
    lengths = {path: (ROOT / path).read_text("utf-8").count("\n") for path in LONG_FILES}
    assert [path for path, lines in lengths.items() if lines <= FILE_LINES] == []


def test_the_product_guards_itself_without_assert() -> None:
    expect_none(finding for source in PRODUCT for finding in bare_asserts(source))


def test_only_the_command_line_prints() -> None:
    expect_none(finding for source in PRODUCT for finding in prints(source))


def test_no_float_comes_near_money() -> None:
    expect_none(finding for source in PRODUCT for finding in floats(source))


def test_money_carries_its_unit_in_its_name() -> None:
    expect_none(finding for source in PRODUCT for finding in money_without_unit(source))


def test_no_duty_no_private_path_and_no_registry_is_left_in_any_file() -> None:
    expect_none(finding for path, text in OWN_TEXTS for finding in unwanted_words(path, text))


def test_no_two_files_of_the_tests_have_the_same_name() -> None:
    expect_none(namesakes(source.path for source in sources("tests")))


def test_a_planted_namesake_is_found() -> None:
    paths = ["tests/law/test_a.py", "tests/law/conftest.py", "tests/table/conftest.py"]
    assert namesakes(paths) == []
    assert namesakes([*paths, "tests/table/test_a.py"]) == [
        "tests/table/test_a.py: has the name of tests/law/test_a.py"
    ]


def function_of_lines(count: int) -> str:
    return "def planted():\n" + "    a = 1\n" * (count - 1)


def test_a_planted_function_of_61_lines_is_found_and_one_of_60_is_not() -> None:
    assert long_functions(parsed("jackpot/law/planted.py", function_of_lines(61))) == [
        "jackpot/law/planted.py:1: planted has 61 lines, at most 60"
    ]
    assert long_functions(parsed("jackpot/law/planted.py", function_of_lines(60))) == []


def test_a_planted_file_of_401_lines_is_found_and_one_of_400_is_not() -> None:
    assert long_file("jackpot/law/planted.py", "\n" * 401) != []
    assert long_file("jackpot/law/planted.py", "\n" * 400) == []


def test_neither_a_test_nor_a_file_with_a_reason_may_pass_600_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(LONG_FILES, "jackpot/law/planted.py", "one literal table")
    assert long_file("jackpot/law/planted.py", "\n" * FILE_LINES_AT_MOST) == []
    assert long_file("jackpot/law/planted.py", "\n" * (FILE_LINES_AT_MOST + 1)) != []
    assert long_file("tests/law/test_planted.py", "\n" * FILE_LINES_AT_MOST) == []
    assert long_file("tests/law/test_planted.py", "\n" * (FILE_LINES_AT_MOST + 1)) != []


def test_a_planted_assert_is_found() -> None:
    assert len(bare_asserts(parsed("jackpot/law/planted.py", "assert 1 == 1"))) == 1


def test_a_planted_print_is_found_but_not_on_the_command_line() -> None:
    assert len(prints(parsed("jackpot/law/planted.py", "print('hello')"))) == 1
    assert prints(parsed("jackpot/commands/law.py", "print('hello')")) == []
    assert prints(parsed("firmware_sim/__main__.py", "print('hello')")) == []


@pytest.mark.parametrize(
    "line",
    [
        "share = float(meter)",
        "share: float = 0",
        "rate = 0.25",
        "half = meter_microcents / 2",
        "meter_microcents /= 2",
        "from decimal import Decimal\nrate = Decimal(1)",
    ],
)
def test_a_planted_float_near_money_is_found(line: str) -> None:
    assert len(floats(parsed("jackpot/law/planted.py", line))) == 1
    assert floats(parsed("jackpot/daemon/planted.py", line)) == []


def test_a_path_is_joined_with_a_slash_and_that_is_no_division() -> None:
    assert floats(parsed("jackpot/ledger/planted.py", "lock = folder / 'lock'")) == []
    assert floats(parsed("jackpot/ledger/planted.py", "half = meter_microcents // 2")) == []


@pytest.mark.parametrize(
    "line",
    [
        "def pay(amount: int) -> None: ...",
        "class State:\n    meter: int",
        "class State:\n    table_minimum: int | None = None",
        "def paid() -> int: ...",
    ],
)
def test_planted_money_without_its_unit_is_found(line: str) -> None:
    assert len(money_without_unit(parsed("jackpot/table/planted.py", line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "def pay(amount_cents: int) -> None: ...",
        "class State:\n    meter_microcents: int",
        "class State:\n    bets: int",
        "class Totals:\n    'Sums, in micro-cents.'\n    deducted: int",
        "class State:\n    award: Award",
    ],
)
def test_money_with_its_unit_and_counts_are_no_finding(line: str) -> None:
    assert money_without_unit(parsed("jackpot/table/planted.py", line)) == []


@pytest.mark.parametrize(
    "text",
    [
        "# TO" + "DO later",
        "# FIX" + "ME",
        "# X" + "XX",
        "see /wo" + "rk/main/jackpot",
        "cd /ro" + "ot/project",
        "in /ho" + "me/somebody",
        "sha" + "red/design/rules.md",
        "https://py" + "pi.org/simple",
        "https://files.python" + "hosted.org/packages",
        "https://registry.npm" + "js.org/",
        "deb http://deb.deb" + "ian.org/debian bookworm main",
        "pip install --index" + "-url https://mirror.example/simple",
    ],
)
def test_planted_words_that_do_not_belong_here_are_found(text: str) -> None:
    assert unwanted_words("docs/planted.md", "fine\n" + text)[0].startswith("docs/planted.md:2: ")


@pytest.mark.parametrize(
    "text", ["TK200A", "a method", "/dev/serial/by-path/…", "works/here", "/homes", "unshared/x"]
)
def test_words_that_only_look_alike_are_no_finding(text: str) -> None:
    assert unwanted_words("docs/planted.md", text) == []
