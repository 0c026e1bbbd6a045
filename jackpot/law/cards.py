"""The 52 cards (CAN-2.1), how they are written, and what they are called on the screens."""

from __future__ import annotations

from enum import StrEnum
from itertools import product

import msgspec

from jackpot.errors import Refused
from jackpot.law.terms import Citations
from jackpot.law.words import Text

HAND_SIZE = 5
ACE = 14
LOWEST_RANK = 2
_CANARIAS = Citations()
_RANK_LETTERS = "23456789TJQKA"
_COURT = {
    14: Text(("As", "Ace")),
    13: Text(("Rey", "King")),
    12: Text(("Dama", "Queen")),
    11: Text(("Jota", "Jack")),
}


class Suit(StrEnum):
    """The four suits; no suit is worth more than another."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"


SUIT_NAMES = {
    Suit.SPADES: Text(("picas", "spades")),
    Suit.HEARTS: Text(("corazones", "hearts")),
    Suit.DIAMONDS: Text(("diamantes", "diamonds")),
    Suit.CLUBS: Text(("tréboles", "clubs")),
}


class Card(msgspec.Struct, frozen=True):
    """One card: rank 2 to 14 (11 Jota, 12 Dama, 13 Rey, 14 As) and suit (CAN-2.1).

    Raises ``Refused`` for a rank that no card has.
    """

    rank: int
    suit: Suit

    def __post_init__(self) -> None:
        if not LOWEST_RANK <= self.rank <= ACE:
            raise _not_a_card(repr(self.rank))

    def __str__(self) -> str:
        return _RANK_LETTERS[self.rank - LOWEST_RANK] + self.suit.value

    def name(self, language: str = "es") -> str:
        """``Rey de diamantes`` or ``King of diamonds``."""
        joint = Text((" de ", " of ")).text(language)
        return rank_name(self.rank, language) + joint + SUIT_NAMES[self.suit].text(language)


def rank_name(rank: int, language: str = "es") -> str:
    """As, Rey, Dama, Jota, 10 … 2; in English Ace, King, Queen, Jack, 10 … 2."""
    return _COURT[rank].text(language) if rank in _COURT else str(rank)


DECK: tuple[Card, ...] = tuple(
    Card(rank, suit) for suit, rank in product(Suit, range(ACE, LOWEST_RANK - 1, -1))
)
"""All 52 cards, each suit from the ace down: the order of the grid on the console."""

_CARDS = {str(card): card for card in DECK}


def parse_card(text: str) -> Card:
    """The card written as ``Kd`` (``Td`` or ``10d`` for a ten). Raises ``Refused``."""
    written = text.strip()
    canonical = written[:-1].upper().replace("10", "T") + written[-1:].lower()
    if canonical not in _CARDS:
        raise _not_a_card(repr(text))
    return _CARDS[canonical]


def parse_hand(text: str) -> tuple[Card, ...]:
    """Exactly five different cards, separated by blanks. Raises ``Refused`` (CAN-2.1, CAN-8.2)."""
    cards = tuple(parse_card(word) for word in text.split())
    check_five_cards(cards)
    return cards


def check_five_cards(cards: tuple[Card, ...], citations: Citations = _CANARIAS) -> None:
    """Refuse anything but five different cards: a player's own five cards (CAN-8.2)."""
    if len(cards) != HAND_SIZE:
        raise Refused(
            reason="not_five_cards",
            expected="five cards, as in Kd Qd Jd Td 9d",
            found=f"{len(cards)}: {hand_text(cards)}",
            to_do="enter the player's own five cards",
            rule=citations.own_cards,
        )
    if len(set(cards)) != HAND_SIZE:
        raise Refused(
            reason="card_twice",
            expected="five different cards of one pack",
            found=hand_text(cards),
            to_do="look at the cards again; a card twice voids the deal",
            rule=citations.cards,
        )


def hand_text(cards: tuple[Card, ...]) -> str:
    """Cards as they are written: ``Kd Qd Jd Td 9d``."""
    return " ".join(str(card) for card in cards)


def _not_a_card(found: str) -> Refused:
    return Refused(
        reason="not_a_card",
        expected="a rank (A K Q J T 9 8 7 6 5 4 3 2) and a suit (s h d c), as in Kd",
        found=found,
        to_do="write the card again",
        rule="CAN-2.1",
    )
