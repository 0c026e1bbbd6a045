"""Money in whole numbers: units, percentages, rounding (CAN-8.b, and "Money" in docs/rules.md)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.errors import Refused
from jackpot.money import (
    MAX_CENTS,
    cents_from_text,
    cents_rounded_down,
    contribution_microcents,
    euros_text,
    microcents_from_cents,
    microcents_text,
    payable_cents,
    ppm_from_percent_text,
    share_microcents,
)

cents = st.integers(0, MAX_CENTS)


def test_CAN_8_b_a_quarter_of_two_euros_is_fifty_cents_exactly() -> None:
    assert contribution_microcents(200, 250_000) == 50_000_000


def test_CAN_8_b_one_part_per_million_of_one_cent_is_one_microcent() -> None:
    assert contribution_microcents(1, 1) == 1


def test_a_share_is_rounded_down_to_the_microcent() -> None:
    assert share_microcents(19, 50_000) == 0
    assert share_microcents(20, 50_000) == 1
    assert share_microcents(10_000_000_000_000, 50_000) == 500_000_000_000


@pytest.mark.parametrize(
    ("microcents", "unit_cents", "payable"),
    [
        (33_333_333_333_333 // 10, 1, 3_333_333),
        (999_999, 1, 0),
        (1_000_000, 1, 1),
        (149_000_000, 50, 100),
        (150_000_000, 50, 150),
        (49_999_999, 50, 0),
    ],
)
def test_a_payment_is_rounded_down_to_the_payable_unit(
    microcents: int, unit_cents: int, payable: int
) -> None:
    assert payable_cents(microcents, unit_cents) == payable


def test_a_shown_amount_is_rounded_down_to_the_cent() -> None:
    assert cents_rounded_down(1_999_999) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [("100000.00", 10_000_000), ("100000", 10_000_000), ("0.01", 1), (" 2.00 ", 200), ("0", 0)],
)
def test_an_amount_is_read_as_cents(text: str, expected: int) -> None:
    assert cents_from_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-1.00",
        "+1.00",
        "1.000,00",
        "1,00",
        "1.0",
        "1.000",
        "1e5",
        ".50",
        "١.00",
        "99999999999.99",
    ],
)
def test_anything_else_is_no_amount(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        cents_from_text(text)
    assert refusal.value.reason == "not_an_amount"


def test_the_largest_amount_still_fits_an_sqlite_integer() -> None:
    assert cents_from_text("90000000000.00") == MAX_CENTS
    assert microcents_from_cents(MAX_CENTS) < 2**63
    with pytest.raises(Refused):
        cents_from_text("90000000000.01")


@pytest.mark.parametrize(
    ("text", "ppm"),
    [("25", 250_000), ("12.5", 125_000), ("0.0001", 1), ("100", 1_000_000), ("0", 0)],
)
def test_CAN_8_b_a_percentage_is_read_as_parts_per_million(text: str, ppm: int) -> None:
    assert ppm_from_percent_text(text) == ppm


@pytest.mark.parametrize("text", ["", "100.0001", "0.00001", "-1", "12,5", "abc", "1e1"])
def test_CAN_8_b_a_percentage_that_is_no_whole_ppm_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        ppm_from_percent_text(text)
    assert refusal.value.reason == "not_a_percentage"
    assert refusal.value.rule == "CAN-8.b"


def test_amounts_are_written_in_full() -> None:
    assert euros_text(1_234_567) == "12345.67"
    assert euros_text(-5) == "-0.05"
    assert microcents_text(333_333_333_333_3) == "33333.33333333"
    assert microcents_text(-1) == "-0.00000001"


@given(cents)
def test_what_is_written_is_read_back(amount_cents: int) -> None:
    assert cents_from_text(euros_text(amount_cents)) == amount_cents


@given(cents, st.integers(1, 100_000))
def test_what_is_paid_and_what_is_cut_off_are_the_whole(amount_cents: int, unit: int) -> None:
    payable = payable_cents(microcents_from_cents(amount_cents), unit)
    assert payable % unit == 0
    assert 0 <= amount_cents - payable < unit


@given(st.integers(0, 10**7), st.integers(0, 500_000), st.integers(0, 500_000))
def test_CAN_8_b_two_rates_add_up_exactly(bet_cents: int, one_ppm: int, other_ppm: int) -> None:
    together = contribution_microcents(bet_cents, one_ppm + other_ppm)
    apart = contribution_microcents(bet_cents, one_ppm)
    assert together == apart + contribution_microcents(bet_cents, other_ppm)
