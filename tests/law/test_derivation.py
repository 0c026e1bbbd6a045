"""A derivation lets a person recompute an award by hand, in Spanish and in English."""

from __future__ import annotations

import msgspec
import pytest
from law_examples import (
    CANARIAS,
    FOUR_SEVENS,
    FOUR_TWOS,
    KING_HIGH,
    NINE_HIGH_HEARTS,
    NINE_HIGH_SPADES,
    ROYAL_HEARTS,
    ROYAL_SPADES,
    SUITED_FIVE_HIGH,
    changed,
    decide,
)

from jackpot.law.awards import AwardDecision
from jackpot.law.derivation import TEXTS, Line, line


def test_every_step_of_an_award_is_said_in_spanish_with_its_rule() -> None:
    decision = decide(CANARIAS, KING_HIGH, FOUR_SEVENS)
    assert [(step.rule, step.text("es")) for step in decision.derivation] == [
        (
            "policy:base_of_hand",
            "Base de la jugada, lo que mostraba el visor al «no va más»: 100.000,00 €",
        ),
        ("CAN-8.5", "Casilla 1: escalera de color al rey, 10 % de 100.000,00 € = 10.000,00 €"),
        (
            "policy:payable_unit",
            "Casilla 1: se pagan 10.000,00 € (unidad de pago 0,01 €); 0,00 € se queda en el "
            "acumulado; quedan 90.000,00 € de la base",
        ),
        ("CAN-8.5", "Casilla 2: póker de sietes, 5 % de 90.000,00 € = 4.500,00 €"),
        (
            "policy:payable_unit",
            "Casilla 2: se pagan 4.500,00 € (unidad de pago 0,01 €); 0,00 € se queda en el "
            "acumulado; quedan 85.500,00 € de la base",
        ),
        ("CAN-8.7", "Deducción en el visor: 100.000,00 € - 14.500,00 € = 85.500,00 €"),
    ]


def test_CAN_8_4_an_equal_split_is_said_in_english_with_its_remainder() -> None:
    decision = decide(CANARIAS, ROYAL_SPADES, ROYAL_HEARTS, base_cents=10_000_001)
    assert [step.text("en") for step in decision.derivation[1:3]] == [
        "Box 1: royal flush, 100 % of 100,000.01 € shared equally by 2 = 50,000.005 €",
        "Box 1: paid 50,000.00 € (payable unit 0.01 €); 0.005 € stays in the meter; "
        "50,000.01 € of the base remain",
    ]
    assert [step.text("en") for step in decision.derivation[-2:]] == [
        "Deducted on the visor: 100,000.01 € - 100,000.00 € = 0.01 €",
        "The jackpot restarts: 10,000.00 € from the house, 0.00 € from the reserve, "
        "0.00 € from the overflow; meter 10,000.01 €",
    ]


def test_CAN_8_6_says_that_equal_ones_are_paid_of_the_base() -> None:
    decision = decide(CANARIAS, NINE_HIGH_HEARTS, NINE_HIGH_SPADES)
    assert decision.payments[1].derivation[0].text("en") == (
        "Box 2: nine-high straight flush, one of 2 equal ones, 10 % of the base 100,000.00 € = 10,000.00 €"
    )


def test_CAN_2_1_says_why_a_suited_five_high_earns_nothing() -> None:
    step = decide(CANARIAS, SUITED_FIVE_HIGH).unpaid[0].derivation[0]
    assert step.rule == "CAN-2.1"
    assert step.text("es") == (
        "Casilla 1: As-2-3-4-5 no es escalera, el as solo vale como carta mayor; sin premio"
    )


def test_a_payment_holds_its_own_lines_of_the_whole_derivation() -> None:
    decision = decide(CANARIAS, KING_HIGH, FOUR_TWOS)
    lines = [step for payment in decision.payments for step in payment.derivation]
    assert list(decision.derivation[1:5]) == lines


def test_GAL_8b_says_what_the_house_took_first() -> None:
    terms = changed(CANARIAS, house_deduction_ppm=20_000)
    step = decide(terms, KING_HIGH).derivation[1]
    assert step.text("en") == (
        "The house's deduction first: 2 % of 100,000.00 € = 2,000.00 €, rounded down "
        "2,000.00 €; leaves a base of 98,000.00 €"
    )


def test_a_second_bet_in_a_box_is_named() -> None:
    step = line("X", "no_award", box=3, bet=2, kind=2, rank=14)
    assert step.text("es") == "Casilla 3, apuesta 2: pareja de ases, sin premio"
    assert step.text("en") == "Box 3, bet 2: pair of aces, no award"


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_both_languages_use_the_same_numbers(key: str) -> None:
    spanish, english = TEXTS[key]
    names = [{part.split("}")[0] for part in text.split("{")[1:]} for text in (spanish, english)]
    assert names[0] == names[1]


def test_a_decision_survives_being_written_and_read() -> None:
    decision = decide(CANARIAS, ROYAL_SPADES, KING_HIGH, SUITED_FIVE_HIGH)
    written = msgspec.json.encode(decision)
    assert msgspec.json.decode(written, type=AwardDecision) == decision


def test_a_number_of_a_line_is_found_by_its_name() -> None:
    assert Line("CAN-8.3", "no_award", (("box", 3),)).number("box") == 3
