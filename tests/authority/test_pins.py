"""PINs: what is too easily guessed, and how a wrong one slows the next try down."""

from __future__ import annotations

import pytest

from jackpot.authority.pins import check_new_pin, check_officer_id, wait_s
from jackpot.errors import Refused


@pytest.mark.parametrize(
    ("pin", "fault"),
    [
        ("12345", "5 digits"),
        ("1234567890123", "13 digits"),
        ("12345a", "something else than digits"),
        ("١٢٣٤٥٦", "something else than digits"),
        ("123456", "digits in a row"),
        ("987654", "digits in a row"),
        ("890123", "digits in a row"),
        ("111111", "a repeated pattern"),
        ("121212", "a repeated pattern"),
        ("123123", "a repeated pattern"),
        ("112221", "a repeated pattern"),
        ("24121975", "a date"),
        ("19751224", "a date"),
    ],
)
def test_a_pin_that_is_soon_guessed_is_refused_and_not_repeated(pin: str, fault: str) -> None:
    with pytest.raises(Refused) as refused:
        check_new_pin(pin)
    assert (refused.value.reason, refused.value.found) == ("pin_weak", fault)
    assert pin not in refused.value.text()


@pytest.mark.parametrize("pin", ["271828", "314159", "739104", "482915736", "80808081"])
def test_a_pin_of_six_mixed_digits_or_more_is_taken(pin: str) -> None:
    check_new_pin(pin)


def test_two_slips_are_free_then_each_miss_doubles_the_wait_up_to_half_a_minute() -> None:
    assert [wait_s(misses) for misses in range(10)] == [0, 0, 0, 1, 2, 4, 8, 16, 30, 30]
    assert wait_s(1_000_000) == 30


@pytest.mark.parametrize("officer", ["", "-a", "a" * 17, "c 1", "añil", "a/b"])
def test_an_id_is_short_and_plain(officer: str) -> None:
    with pytest.raises(Refused, match="not_an_officer_id"):
        check_officer_id(officer)
