"""The error codes of part 3, table 2; the marks F and J are the house's reading of the texts."""

from __future__ import annotations

from jackpot.mechanism.fault_codes import fault_code, known_codes, self_check_text

FRAUD = {16, 17, 18, 19, 20, 22, 23, 24, 25, 29, 34, 36, 38, 40}
JAM = {4, 5, 6, 7, 14, 15, 21, 26, 31, 32, 33, 35}


def test_every_code_of_the_table_has_a_line() -> None:
    assert [row.code for row in known_codes()] == [*range(1, 41), 253, 254, 255]


def test_fraud_signs_and_jams() -> None:
    assert {c for c in range(1, 256) if fault_code(c).jam} == JAM
    assert {c for c in range(1, 256) if fault_code(c).fraud} == FRAUD


def test_every_code_says_what_it_is_and_what_to_do_in_both_languages() -> None:
    for code in range(1, 256):
        row = fault_code(code)
        assert row.code == code
        assert row.en
        assert row.es
        assert row.to_do.en.endswith(".")
        assert row.to_do.es.endswith(".")


def test_codes_128_to_159_are_inhibited_coins_1_to_32() -> None:
    assert fault_code(128).en == "Inhibited coin 1"
    assert fault_code(159).es == "Moneda 32 inhibida"
    assert fault_code(160).en == "Unknown error 160"


def test_a_mere_reject_asks_for_no_self_check_but_every_jam_and_fraud_sign_does() -> None:
    assert not fault_code(1).self_check
    assert not fault_code(130).self_check
    assert all(fault_code(c).self_check for c in FRAUD | JAM)


def test_self_check_texts() -> None:
    assert self_check_text(0) == ("no fault", "sin averías")
    assert self_check_text(3)[0] == "fault on credit sensor"
    assert self_check_text(99) == ("fault 99", "avería 99")
