"""What a text sign shows in every situation, line by line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.visors import ACES_IN_5, KING_HIGH_IN_1, PLAYING, ROYAL_IN_3, playing

from jackpot.law.terms import AwardedHand
from jackpot.law.words import Language
from jackpot.money import MAX_CENTS
from jackpot.visor.sign_text import (
    MOST_COLUMNS,
    SAFE,
    Shape,
    amount_texts,
    dashes,
    plain,
    sign_pages,
)
from jackpot.visor.state import NOTHING_KNOWN, Hit, Lamp, VisorState

ONE_ROW = Shape(1, 15, Language.ES)
TWO_ROWS = Shape(2, 20, Language.ES)
ENGLISH = Shape(2, 20, Language.EN)


def lines(visor: VisorState, shape: Shape) -> list[list[str]]:
    """Every page with its lines, without the blanks around them."""
    return [[line.strip() for line in page] for page in sign_pages(visor, shape)]


def test_a_sign_of_one_row_shows_the_amount_and_nothing_else() -> None:
    assert lines(PLAYING, ONE_ROW) == [["12.345,67 EUR"]]


def test_a_sign_of_two_rows_says_whose_jackpot_it_is() -> None:
    assert lines(PLAYING, TWO_ROWS) == [["JACKPOT MESA 7", "12.345,67 EUR"]]
    assert lines(PLAYING, ENGLISH) == [["JACKPOT TABLE 7", "12,345.67 EUR"]]


def test_not_sure_means_dashes_whatever_else_is_known() -> None:
    unsure = replace(PLAYING, amount_cents=None, pending=True, hands_left=2, hits=(ROYAL_IN_3,))
    assert lines(unsure, TWO_ROWS) == [["", "- - - - -"]]
    assert lines(unsure, ONE_ROW) == [["- - - - -"]]
    assert sign_pages(NOTHING_KNOWN, TWO_ROWS) == dashes(TWO_ROWS)


def test_a_closed_table_says_so_beside_its_amount() -> None:
    closed = replace(PLAYING, closed=True)
    assert lines(closed, TWO_ROWS) == [["MESA CERRADA", "12.345,67 EUR"]]
    assert lines(closed, ONE_ROW) == [["MESA CERRADA"], ["12.345,67 EUR"]]
    assert lines(closed, ENGLISH) == [["TABLE CLOSED", "12,345.67 EUR"]]


def test_while_an_award_waits_for_signatures_the_sign_says_pendiente() -> None:
    pending = replace(PLAYING, pending=True)
    assert lines(pending, TWO_ROWS) == [["PENDIENTE", "12.345,67 EUR"]]
    assert lines(pending, ONE_ROW) == [["PENDIENTE"], ["12.345,67 EUR"]]


@pytest.mark.parametrize(
    ("left", "caption"),
    [
        (3, "ULTIMAS JUGADAS: 3"),
        (2, "ULTIMAS JUGADAS: 2"),
        (1, "ULTIMA JUGADA"),
        (0, "CIERRE DE MESA"),
    ],
)
def test_the_last_hands_count_down_beside_the_amount_can_7_3b(left: int, caption: str) -> None:
    visor = replace(PLAYING, hands_left=left)
    assert lines(visor, TWO_ROWS) == [[caption, "12.345,67 EUR"]]


def test_the_last_hands_have_a_short_form_for_a_short_sign() -> None:
    assert lines(replace(PLAYING, hands_left=3), ONE_ROW) == [["ULTIMAS: 3"], ["12.345,67 EUR"]]


def test_a_hit_shows_box_hand_and_exact_amount_then_the_new_amount_can_8_7() -> None:
    hit = replace(playing(1_000_000), hits=(ROYAL_IN_3,))
    assert lines(hit, Shape(2, 24, Language.ES)) == [
        ["CASILLA 3 ESCALERA REAL", "12.345,67 EUR"],
        ["JACKPOT MESA 7", "10.000,00 EUR"],
    ]
    assert lines(hit, ONE_ROW) == [["CASILLA 3"], ["12.345,67 EUR"], ["10.000,00 EUR"]]


def test_every_winner_has_a_page_in_the_order_of_the_law_can_8_5() -> None:
    hits = replace(PLAYING, hits=(KING_HIGH_IN_1, ACES_IN_5), pending=True)
    assert lines(hits, ENGLISH) == [
        ["BOX 1 STR. FLUSH", "1,234.56 EUR"],
        ["BOX 5 FOUR OF A KIND", "617.28 EUR"],
        ["PENDING", "12,345.67 EUR"],
    ]


def test_an_amount_that_does_not_fit_is_never_cut() -> None:
    millions = playing(123_456_789_012)  # 1.234.567.890,12 EUR
    assert lines(millions, Shape(1, 20, Language.ES)) == [["1.234.567.890,12 EUR"]]
    assert lines(millions, Shape(1, 16, Language.ES)) == [["1.234.567.890,12"]]
    assert lines(millions, Shape(1, 13, Language.ES)) == [["1234567890,12"]]
    assert lines(millions, Shape(1, 12, Language.ES)) == [["- - - - -"]]


def test_the_writings_of_an_amount_have_both_decimals() -> None:
    assert amount_texts(5, Language.ES) == ("0,05 EUR", "0,05", "0,05")
    assert amount_texts(100_000, Language.EN) == ("1,000.00 EUR", "1,000.00", "1000.00")


def test_accents_go_and_strange_characters_become_spaces() -> None:
    assert plain("Última: mañana 5 €~@") == "ULTIMA: MANANA 5    "


hits = st.builds(
    Hit,
    st.integers(1, 7),
    st.sampled_from(list(AwardedHand)),
    st.integers(1, MAX_CENTS),
    st.booleans(),
)
visors = st.builds(
    VisorState,
    table=st.text(max_size=30),
    layout=st.text(max_size=5),
    hand=st.integers(0, 10_000),
    amount_cents=st.none() | st.integers(0, MAX_CENTS),
    bet_cents=st.just(200),
    awards=st.just(()),
    lamps=st.just((Lamp.OFF,) * 7),
    hits=st.lists(hits, max_size=7).map(tuple),
    pending=st.booleans(),
    hands_left=st.none() | st.integers(0, 5),
    closed=st.booleans(),
    locked=st.booleans(),
)
AMOUNT = re.compile(r"[0-9.,]+[.,][0-9]{2}( EUR)?")

shapes = st.builds(
    Shape, st.integers(1, 2), st.integers(9, MOST_COLUMNS), st.sampled_from(list(Language))
)


@given(visors, shapes)
def test_every_line_is_as_long_as_the_sign_and_every_sign_has_its_characters(
    visor: VisorState, shape: Shape
) -> None:
    pages = sign_pages(visor, shape)
    assert pages
    for page in pages:
        assert len(page) == shape.rows
        assert all(len(line) == shape.columns and set(line) <= SAFE for line in page)


@given(visors, shapes)
def test_every_number_with_decimals_is_an_amount_that_is_owed(
    visor: VisorState, shape: Shape
) -> None:
    shown = [line.strip() for page in sign_pages(visor, shape) for line in page]
    amounts = {int(re.sub(r"\D", "", line)) for line in shown if AMOUNT.fullmatch(line)}
    assert amounts <= {hit.cents for hit in visor.hits} | {visor.amount_cents}
