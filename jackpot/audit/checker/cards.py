"""Five cards and what they are worth, by CAN-2.1, CAN-8.3 and GAL-3: the checker's own reading.

Only the awarded kinds matter here: everything below four of a kind is ``None``.
"""

from __future__ import annotations

from functools import lru_cache

RANKS = "..23456789TJQKA"
"""The index of a letter is its rank: 2 to 14."""
SUITS = "shdc"

ROYAL_FLUSH = "royal_flush"
STRAIGHT_FLUSH = "straight_flush"
FOUR_OF_A_KIND = "four_of_a_kind"

_ORDER = {ROYAL_FLUSH: 3, STRAIGHT_FLUSH: 2, FOUR_OF_A_KIND: 1}

Value = tuple[int, int, int]
"""Comparable: kind, leading rank, fifth card."""


def cards_of(text: str) -> frozenset[tuple[int, str]]:
    """Five different cards from ``Kd Qd Jd Td 9d``. Raises ``ValueError``."""
    cards = []
    for word in text.split():
        rank_text, suit = word[:-1].upper().replace("10", "T"), word[-1:].lower()
        rank = RANKS.find(rank_text) if len(rank_text) == 1 else -1
        if rank < 2 or suit not in SUITS or not suit:
            raise ValueError(f"{word!r} is no card")
        cards.append((rank, suit))
    if len(cards) != 5 or len(set(cards)) != 5:
        raise ValueError(f"{text!r} is not five different cards")
    return frozenset(cards)


@lru_cache(maxsize=4096)
def awarded(text: str, ace_low: bool) -> tuple[str, Value] | None:
    """The awarded kind of five cards with its comparable value, or None (CAN-8.2, CAN-8.3)."""
    cards = cards_of(text)
    ranks = sorted(rank for rank, _ in cards)
    lowest, highest = ranks[0], ranks[-1]
    for rank in (lowest, highest):
        if ranks.count(rank) == 4:
            fifth = highest if rank == lowest else lowest
            return FOUR_OF_A_KIND, (_ORDER[FOUR_OF_A_KIND], rank, fifth)
    if len({suit for _, suit in cards}) > 1:
        return None
    if ranks == list(range(lowest, lowest + 5)):
        kind = ROYAL_FLUSH if highest == 14 else STRAIGHT_FLUSH
        return kind, (_ORDER[kind], highest, 0)
    if ace_low and ranks == [2, 3, 4, 5, 14]:
        return STRAIGHT_FLUSH, (_ORDER[STRAIGHT_FLUSH], 5, 0)
    return None
