"""What five cards are worth: the ten combinations and their order (articles 5.1 and 5.2).

The award of the jackpot looks at the highest three kinds only (CAN-8.3); all ten are here because
a console names every hand that is laid down, and because a wrong order is easier to see whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

import msgspec

from jackpot.law.cards import ACE, HAND_SIZE, Card, Suit
from jackpot.law.terms import AwardedHand
from jackpot.law.words import Language, Text

_FIVE_HIGH = 5
_WHEEL = (14, 5, 4, 3, 2)
_CLASSES = 2 * (6_175 + 1_287)
"""Every multiset of five ranks, unsuited and suited, with and without the low ace: all there is."""


class HandKind(IntEnum):
    """The ten combinations of article 5.1; a higher number beats a lower one."""

    HIGH_CARD = 1
    PAIR = 2
    TWO_PAIR = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9
    ROYAL_FLUSH = 10


KIND_NAMES = {
    HandKind.HIGH_CARD: Text(("cartas mayores", "high cards")),
    HandKind.PAIR: Text(("pareja", "pair")),
    HandKind.TWO_PAIR: Text(("doble pareja", "two pairs")),
    HandKind.THREE_OF_A_KIND: Text(("trío", "three of a kind")),
    HandKind.STRAIGHT: Text(("escalera", "straight")),
    HandKind.FLUSH: Text(("color", "flush")),
    HandKind.FULL_HOUSE: Text(("full", "full house")),
    HandKind.FOUR_OF_A_KIND: Text(("póker", "four of a kind")),
    HandKind.STRAIGHT_FLUSH: Text(("escalera de color", "straight flush")),
    HandKind.ROYAL_FLUSH: Text(("escalera real", "royal flush")),
}

_NAMED = {
    HandKind.HIGH_CARD: Text(("cartas mayores {high}", "{high} high")),
    HandKind.PAIR: Text(("pareja de {many}", "pair of {many}")),
    HandKind.TWO_PAIR: Text(("doble pareja de {many}", "two pairs, {many} high")),
    HandKind.THREE_OF_A_KIND: Text(("trío de {many}", "three {many}")),
    HandKind.STRAIGHT: Text(("escalera {high}", "{high}-high straight")),
    HandKind.FLUSH: Text(("color {high}", "{high}-high flush")),
    HandKind.FULL_HOUSE: Text(("full de {many}", "full house of {many}")),
    HandKind.FOUR_OF_A_KIND: Text(("póker de {many}", "four {many}")),
    HandKind.STRAIGHT_FLUSH: Text(("escalera de color {high}", "{high}-high straight flush")),
}
"""Kind and leading rank as they are said at a table."""

_RANK_WORDS = {
    14: (Text(("al as", "ace")), Text(("ases", "aces"))),
    13: (Text(("al rey", "king")), Text(("reyes", "kings"))),
    12: (Text(("a la dama", "queen")), Text(("damas", "queens"))),
    11: (Text(("a la jota", "jack")), Text(("jotas", "jacks"))),
    10: (Text(("al diez", "ten")), Text(("dieces", "tens"))),
    9: (Text(("al nueve", "nine")), Text(("nueves", "nines"))),
    8: (Text(("al ocho", "eight")), Text(("ochos", "eights"))),
    7: (Text(("al siete", "seven")), Text(("sietes", "sevens"))),
    6: (Text(("al seis", "six")), Text(("seises", "sixes"))),
    5: (Text(("al cinco", "five")), Text(("cincos", "fives"))),
    4: (Text(("al cuatro", "four")), Text(("cuatros", "fours"))),
    3: (Text(("al tres", "three")), Text(("treses", "threes"))),
    2: (Text(("al dos", "two")), Text(("doses", "twos"))),
}
"""Each rank as the highest card of a hand, and as several of it."""

_GROUPED_KINDS = {
    (4, 1): HandKind.FOUR_OF_A_KIND,
    (3, 2): HandKind.FULL_HOUSE,
    (3, 1, 1): HandKind.THREE_OF_A_KIND,
    (2, 2, 1): HandKind.TWO_PAIR,
    (2, 1, 1, 1): HandKind.PAIR,
}

_AWARDED = {
    HandKind.ROYAL_FLUSH: AwardedHand.ROYAL_FLUSH,
    HandKind.STRAIGHT_FLUSH: AwardedHand.STRAIGHT_FLUSH,
    HandKind.FOUR_OF_A_KIND: AwardedHand.FOUR_OF_A_KIND,
}


class HandValue(msgspec.Struct, frozen=True, order=True):
    """What a hand is worth, to be compared with ``<`` and ``==``: kind, then ranks (article 5.2).

    ``ranks`` holds the ranks that decide between hands of one kind, the most important first. Where
    5.2 names the highest card only, the next ones decide in turn, as 5.1 j says for high cards.
    """

    kind: HandKind
    ranks: tuple[int, ...]

    def name(self, language: str = "es") -> str:
        """``escalera de color al rey`` or ``king-high straight flush``: kind and leading rank."""
        if self.kind is HandKind.ROYAL_FLUSH:
            return KIND_NAMES[self.kind].text(language)
        name, many = _RANK_WORDS[self.ranks[0]]
        words = {"high": name.text(language), "many": many.text(language)}
        return _NAMED[self.kind].text(language).format(**words)


def kind_name(kind: HandKind, language: str = Language.ES) -> str:
    """The name of a combination as the decree calls it, or in English."""
    return KIND_NAMES[kind].text(language)


def awarded_hand(kind: HandKind) -> AwardedHand | None:
    """The award that a combination may earn, or ``None`` (CAN-8.3)."""
    return _AWARDED.get(kind)


def classify(cards: Sequence[Card], *, ace_low_in_straights: bool) -> HandValue:
    """The value of five different cards; who takes them from people checks them first.

    CAN-2.1: the ace is high only, so without ``ace_low_in_straights`` a suited A-2-3-4-5 is a
    flush. GAL-3 allows the low ace.
    """
    first, second, third, fourth, fifth = cards
    suit: Suit = first.suit
    suited = suit is second.suit is third.suit is fourth.suit is fifth.suit
    ranks = [first.rank, second.rank, third.rank, fourth.rank, fifth.rank]
    ranks.sort(reverse=True)
    return _value(tuple(ranks), suited, ace_low_in_straights)


@lru_cache(maxsize=_CLASSES)
def _value(ranks: tuple[int, ...], suited: bool, ace_low: bool) -> HandValue:
    """The value of ranks that stand in falling order."""
    top = _straight_top(ranks, ace_low)
    if suited and top == ACE:
        return HandValue(HandKind.ROYAL_FLUSH, (top,))
    if suited and top:
        return HandValue(HandKind.STRAIGHT_FLUSH, (top,))
    if suited:
        return HandValue(HandKind.FLUSH, ranks)
    if top:
        return HandValue(HandKind.STRAIGHT, (top,))
    groups = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    kind = _GROUPED_KINDS.get(tuple(n for n, _ in groups), HandKind.HIGH_CARD)
    return HandValue(kind, tuple(rank for _, rank in groups))


def _straight_top(ranks: tuple[int, ...], ace_low: bool) -> int:
    """The rank that leads a straight, or 0 where there is none."""
    if ace_low and ranks == _WHEEL:
        return _FIVE_HIGH
    is_straight = len(set(ranks)) == HAND_SIZE and ranks[0] - ranks[-1] == HAND_SIZE - 1
    return ranks[0] if is_straight else 0
