"""The 52 cards and how they are written (CAN-2.1, CAN-8.2)."""

from __future__ import annotations

import pytest

from jackpot.errors import Refused
from jackpot.law.cards import DECK, Card, Suit, parse_card, parse_hand


def test_CAN_2_1_a_pack_has_52_different_cards() -> None:
    assert len(DECK) == 52
    assert len(set(DECK)) == 52


def test_CAN_2_1_every_card_is_read_as_it_is_written() -> None:
    for card in DECK:
        assert parse_card(str(card)) == card


@pytest.mark.parametrize(
    ("text", "rank", "suit"),
    [
        ("Kd", 13, Suit.DIAMONDS),
        ("As", 14, Suit.SPADES),
        ("Th", 10, Suit.HEARTS),
        ("10h", 10, Suit.HEARTS),
        ("2c", 2, Suit.CLUBS),
        ("qC", 12, Suit.CLUBS),
    ],
)
def test_a_card_is_read_by_rank_and_suit(text: str, rank: int, suit: Suit) -> None:
    assert parse_card(text) == Card(rank, suit)


@pytest.mark.parametrize("text", ["", "1d", "Kx", "K", "d", "11d", "Kdd", "0d", "100d", "K d"])
def test_CAN_2_1_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_card(text)
    assert refusal.value.reason == "not_a_card"


@pytest.mark.parametrize("rank", [1, 0, 15, -2])
def test_CAN_2_1_no_card_has_a_foreign_rank(rank: int) -> None:
    with pytest.raises(Refused):
        Card(rank, Suit.SPADES)


@pytest.mark.parametrize(
    ("text", "spanish", "english"),
    [
        ("Kd", "Rey de diamantes", "King of diamonds"),
        ("As", "As de picas", "Ace of spades"),
        ("Qh", "Dama de corazones", "Queen of hearts"),
        ("Jc", "Jota de tréboles", "Jack of clubs"),
        ("Ts", "10 de picas", "10 of spades"),
    ],
)
def test_a_card_has_a_name_on_the_screen(text: str, spanish: str, english: str) -> None:
    assert parse_card(text).name("es") == spanish
    assert parse_card(text).name("en") == english


def test_CAN_8_2_a_hand_is_five_cards() -> None:
    assert [str(card) for card in parse_hand(" Kd Qd  Jd Td 9d ")] == ["Kd", "Qd", "Jd", "Td", "9d"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Kd Qd Jd Td", "not_five_cards"),
        ("Kd Qd Jd Td 9d 8d", "not_five_cards"),
        ("", "not_five_cards"),
        ("Kd Kd Jd Td 9d", "card_twice"),
        ("Kd Qd Jd Td 1d", "not_a_card"),
    ],
)
def test_CAN_8_2_anything_but_five_different_cards_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_hand(text)
    assert refusal.value.reason == reason
