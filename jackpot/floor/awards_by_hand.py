"""Canarias' awards worked out by hand for the deals of the floor, and shares by largest remainder.

Written from the rules alone, in fractions, for the few deals that the floor's croupiers know.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

ROYAL, STRAIGHT_FLUSH, FOUR = "royal", "straight flush", "four"

_BY_CARDS = {"AKQJT": ROYAL, "KQJT9": STRAIGHT_FLUSH, "77772": FOUR}
_PART = {STRAIGHT_FLUSH: Fraction(1, 10), FOUR: Fraction(1, 20)}
_MICROCENTS_PER_CENT = 1_000_000


def kind_of(cards: str) -> str:
    """What ``As Ks Qs Js Ts`` is; the floor knows three kinds of winning hands."""
    return _BY_CARDS["".join(card[0] for card in cards.split())]


def expected_payments(
    hands: Sequence[tuple[int, str]], base_microcents: int
) -> set[tuple[int, int]]:
    """Box and cents of every payment (CAN-8.3 to 8.5, nothing below a royal flush)."""
    base = Fraction(base_microcents, _MICROCENTS_PER_CENT)
    kinds = [(box, kind_of(cards)) for box, cards in hands]
    royals = [box for box, kind in kinds if kind == ROYAL]
    if royals:
        each = int(base / len(royals))
        return {(box, each) for box in royals if each}
    paid: set[tuple[int, int]] = set()
    for kind in (STRAIGHT_FLUSH, FOUR):
        for box in [box for box, found in kinds if found == kind]:
            cents = int(base * _PART[kind])
            base -= cents
            paid |= {(box, cents)} if cents else set()
    return paid


def largest_remainder(amount: int, weights: Sequence[int]) -> list[int]:
    """``amount`` in whole parts as near as can be to the proportion of ``weights``."""
    if not amount:
        return [0] * len(weights)
    exact = [Fraction(amount * weight, sum(weights)) for weight in weights]
    parts = [int(one) for one in exact]
    by_rest = sorted(enumerate(exact), key=lambda pair: (int(pair[1]) - pair[1], pair[0]))
    for place, _ in by_rest[: amount - sum(parts)]:
        parts[place] += 1
    return parts
