"""Who bears how much: exactly in proportion, by largest remainder, never above one's own part."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from jackpot.invariant import InvariantBroken
from jackpot.link.base import allocate


@pytest.mark.parametrize(
    ("amount", "weights", "parts"),
    [
        (100, [60, 40], [60, 40]),
        (5, [60, 40], [3, 2]),
        (10, [1, 1, 1, 17], [1, 1, 0, 8]),  # exactly 0.5, 0.5, 0.5 and 8.5: the earlier two
        (1, [5, 5, 5], [1, 0, 0]),
        (2, [3, 3, 3], [1, 1, 0]),
        (7, [0, 10, 0], [0, 7, 0]),
        (0, [4, 4], [0, 0]),
        (0, [], []),
    ],
)
def test_worked_examples(amount: int, weights: list[int], parts: list[int]) -> None:
    """Whole parts, the rest to the largest remainders, equal ones in order of joining."""
    assert allocate(amount, weights) == parts


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=12), st.data())
def test_the_sum_is_exact_and_nobody_bears_more_than_its_part(
    weights: list[int], data: st.DataObject
) -> None:
    """Σ parts = amount, 0 ≤ part ≤ weight, and no part is a whole unit off its exact share."""
    whole = sum(weights)
    amount = data.draw(st.integers(0, whole))
    parts = allocate(amount, weights)
    assert sum(parts) == amount
    for part, weight in zip(parts, weights, strict=True):
        assert 0 <= part <= weight
        assert abs(part * whole - amount * weight) < max(1, whole)


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=8), st.data())
def test_a_larger_weight_never_bears_less(weights: list[int], data: st.DataObject) -> None:
    """In proportion means in order, too."""
    amount = data.draw(st.integers(0, sum(weights)))
    parts = allocate(amount, sorted(weights, reverse=True))
    assert all(before >= after for before, after in pairwise(parts))


def test_more_than_all_parts_together_is_our_own_fault() -> None:
    """Nothing is paid that nobody bears."""
    with pytest.raises(InvariantBroken):
        allocate(11, [5, 5])
