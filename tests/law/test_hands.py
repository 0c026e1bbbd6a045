"""The ten combinations and their order (articles 5.1, 5.2; CAN-2.1; GAL-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from jackpot.law.cards import DECK, Card, Suit, parse_hand
from jackpot.law.hands import HandKind, HandValue, awarded_hand, classify
from jackpot.law.terms import AwardedHand

CANARIAS_COUNTS = {
    # Nine straights, led by A, K, Q, J, 10, 9, 8, 7, 6: without the low ace none is led by the 5.
    HandKind.ROYAL_FLUSH: 4,  # one a suit
    HandKind.STRAIGHT_FLUSH: 32,  # the 8 others x 4 suits
    HandKind.FOUR_OF_A_KIND: 624,  # 13 x 48
    HandKind.FULL_HOUSE: 3_744,  # 13 x 4 x 12 x 6
    HandKind.FLUSH: 5_112,  # (C(13,5) - 9) x 4 = 1,278 x 4
    HandKind.STRAIGHT: 9_180,  # 9 x (4^5 - 4)
    HandKind.THREE_OF_A_KIND: 54_912,  # 13 x 4 x C(12,2) x 16
    HandKind.TWO_PAIR: 123_552,  # C(13,2) x 36 x 44
    HandKind.PAIR: 1_098_240,  # 13 x 6 x C(12,3) x 64
    HandKind.HIGH_CARD: 1_303_560,  # (1,287 - 9) x (4^5 - 4)
}


def canarias(text: str) -> HandValue:
    return classify(parse_hand(text), ace_low_in_straights=False)


def galicia(text: str) -> HandValue:
    return classify(parse_hand(text), ace_low_in_straights=True)


def test_CAN_2_1_all_2598960_hands_fall_into_the_kinds_as_often_as_counted_by_hand() -> None:
    counts = Counter(
        classify(hand, ace_low_in_straights=False).kind for hand in combinations(DECK, 5)
    )
    assert sum(CANARIAS_COUNTS.values()) == 2_598_960
    assert counts == CANARIAS_COUNTS


def slow_kind(cards: tuple[Card, ...], low_ace: bool) -> HandKind:
    """Another road to the kind: windows of an alphabet of ranks, and pairs counted by comparing."""
    ranks = {card.rank for card in cards}
    windows = [set(range(low, low + 5)) for low in range(2, 11)]
    if low_ace:
        windows.append({14, 2, 3, 4, 5})
    one_suit = len({card.suit for card in cards}) == 1
    if one_suit and ranks == {14, 13, 12, 11, 10}:
        return HandKind.ROYAL_FLUSH
    if ranks in windows:
        return HandKind.STRAIGHT_FLUSH if one_suit else HandKind.STRAIGHT
    if one_suit:
        return HandKind.FLUSH
    equal_pairs = sum(one.rank == other.rank for one, other in combinations(cards, 2))
    return {
        6: HandKind.FOUR_OF_A_KIND,
        4: HandKind.FULL_HOUSE,
        3: HandKind.THREE_OF_A_KIND,
        2: HandKind.TWO_PAIR,
        1: HandKind.PAIR,
        0: HandKind.HIGH_CARD,
    }[equal_pairs]


def in_mixed_suits(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Each further card of a rank takes the next suit; the first card is never of the last's."""
    suits = list(Suit)
    cards = [Card(rank, suits[ranks[:place].count(rank)]) for place, rank in enumerate(ranks)]
    if len({card.suit for card in cards}) == 1:
        cards[0] = Card(ranks[0], Suit.CLUBS)
    return tuple(cards)


def every_class() -> Iterator[tuple[Card, ...]]:
    """A hand for each multiset of ranks, in mixed suits and, where it can be, in one suit."""
    suits = list(Suit)
    for ranks in combinations_with_replacement(range(2, 15), 5):
        if max(Counter(ranks).values()) > 4:
            continue
        yield in_mixed_suits(ranks)
        if len(set(ranks)) == 5:
            for suit in suits:
                yield tuple(Card(rank, suit) for rank in ranks)


@pytest.mark.parametrize("low_ace", [False, True])
def test_every_class_of_hands_agrees_with_an_independent_classifier(low_ace: bool) -> None:
    seen = 0
    for hand in every_class():
        assert len(set(hand)) == 5
        kind = classify(hand, ace_low_in_straights=low_ace).kind
        assert kind is slow_kind(hand, low_ace), hand
        seen += 1
    assert seen == 6_175 + 4 * 1_287


def test_CAN_2_1_a_suited_five_high_is_only_a_flush() -> None:
    assert canarias("As 2s 3s 4s 5s").kind is HandKind.FLUSH
    assert canarias("As 2s 3s 4s 5d").kind is HandKind.HIGH_CARD


def test_GAL_3_a_suited_five_high_is_the_lowest_straight_flush() -> None:
    assert galicia("As 2s 3s 4s 5s") == HandValue(HandKind.STRAIGHT_FLUSH, (5,))
    assert galicia("As 2s 3s 4s 5s") < galicia("2d 3d 4d 5d 6d")
    assert galicia("As 2s 3s 4s 5d") == HandValue(HandKind.STRAIGHT, (5,))


def test_GAL_3_no_straight_runs_round_the_corner() -> None:
    assert galicia("Qs Ks As 2s 3s").kind is HandKind.FLUSH
    assert galicia("Ks As 2s 3s 4d").kind is HandKind.HIGH_CARD


def test_article_5_1_each_kind_beats_the_next() -> None:
    falling = [
        "As Ks Qs Js Ts",
        "6d 5d 4d 3d 2d",
        "2c 2d 2h 2s 3c",
        "2c 2d 2h 3c 3d",
        "7h 5h 4h 3h 2h",
        "6d 5d 4d 3d 2c",
        "2c 2d 2h 3c 4d",
        "3c 3d 2h 2s 4d",
        "2c 2d 3h 4s 5d",
        "7c 5d 4h 3s 2d",
    ]
    values = [canarias(hand) for hand in falling]
    assert [value.kind for value in values] == sorted(HandKind, reverse=True)
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Kd Qd Jd Td 9d", "Qs Js Ts 9s 8s"),  # 5.2 d
        ("Ac Ad Ah As 2c", "Kc Kd Kh Ks Qc"),  # 5.2 a
        ("3c 3d 3h 2c 2d", "2h 2s 2c Ac Ad"),  # 5.2 b
        ("Ah 5h 4h 3h 2h", "Ks Qs Js Ts 8s"),  # 5.2 c
        ("7d 6d 5d 4d 3c", "6s 5s 4s 3s 2h"),  # 5.2 d
        ("3c 3d 3h 4c 5d", "2c 2d 2h Ac Kd"),  # 5.2 e
        ("Ac Ad 2h 2s 3c", "Kc Kd Qh Qs Jc"),  # 5.2 f, the higher pair
        ("Ac Ad 3h 3s 2c", "Ah As 2h 2d Kc"),  # 5.2 f, the other pair
        ("Ac Ad 3h 3s 4c", "Ah As 3c 3d 2c"),  # 5.2 f, the fifth card
        ("3c 3d 2h 4s 5c", "2c 2d Ah Ks Qc"),  # 5.2 g, the pair
        ("3c 3d Ah 4s 5c", "3h 3s Kh Qs Jc"),  # 5.2 g, the highest other card
        ("Ac Qd 3h 4s 5c", "Ah Js Th 9s 8c"),  # 5.1 j
    ],
)
def test_article_5_2_the_higher_of_two_hands_of_one_kind(higher: str, lower: str) -> None:
    assert canarias(higher).kind is canarias(lower).kind
    assert canarias(higher) > canarias(lower)


def test_CAN_8_6_straight_flushes_led_by_the_same_rank_are_equal() -> None:
    assert canarias("9h 8h 7h 6h 5h") == canarias("9s 8s 7s 6s 5s")


def test_CAN_8_3_three_kinds_earn_an_award() -> None:
    awarded = {kind: awarded_hand(kind) for kind in HandKind if awarded_hand(kind)}
    assert awarded == {
        HandKind.ROYAL_FLUSH: AwardedHand.ROYAL_FLUSH,
        HandKind.STRAIGHT_FLUSH: AwardedHand.STRAIGHT_FLUSH,
        HandKind.FOUR_OF_A_KIND: AwardedHand.FOUR_OF_A_KIND,
    }


@pytest.mark.parametrize(
    ("hand", "spanish", "english"),
    [
        ("As Ks Qs Js Ts", "escalera real", "royal flush"),
        ("Kd Qd Jd Td 9d", "escalera de color al rey", "king-high straight flush"),
        ("7c 7d 7h 7s 2h", "póker de sietes", "four sevens"),
    ],
)
def test_a_hand_has_a_name_on_the_screen(hand: str, spanish: str, english: str) -> None:
    assert canarias(hand).name("es") == spanish
    assert canarias(hand).name("en") == english
