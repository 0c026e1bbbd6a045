"""The event counter (part 2, 3.27): pure arithmetic, and a device that counts along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.cctalk.events import (
    Buffer,
    News,
    decode,
    new_events,
    news,
    overlap_agrees,
    wire_counter,
)


@pytest.mark.parametrize(
    ("last", "now", "new"),
    [
        (23, 23, 0), (102, 104, 2), (255, 1, 1), (253, 3, 5), (48, 54, 6),
        (0, 0, 0), (0, 1, 1), (0, 7, 7), (0, 255, 255), (1, 255, 254), (255, 255, 0), (2, 1, 254),
    ],
)  # fmt: skip
def test_new_events_as_in_the_table_of_the_specification(last: int, now: int, new: int) -> None:
    assert new_events(last, now) == new


@pytest.mark.parametrize("last", [1, 67, 254, 255])
def test_0_where_it_was_not_is_a_restart_and_no_wrap(last: int) -> None:
    assert new_events(last, 0) is None


def test_the_counter_byte_of_a_count() -> None:
    assert [wire_counter(c) for c in (0, 1, 255, 256, 510, 511)] == [0, 1, 255, 1, 255, 1]


@given(st.integers(0, 2000), st.integers(0, 254))
def test_the_counter_tells_up_to_254_events_apart(count: int, new: int) -> None:
    assert new_events(wire_counter(count), wire_counter(count + new)) == new


def test_the_reply_is_a_counter_and_five_pairs_newest_first() -> None:
    data = bytes.fromhex("03 05 05 01 05 01 05 00 00 00 00")
    assert decode(data) == Buffer(3, ((5, 5), (1, 5), (1, 5), (0, 0), (0, 0)))


def test_models_that_send_b_before_a_are_turned_round() -> None:
    data = bytes.fromhex("02 01 05 02 00 00 00 00 00 00 00")
    assert decode(data, swapped=True).pairs[:2] == ((5, 1), (0, 2))


def test_news_is_oldest_first() -> None:
    pairs = ((9, 1), (0, 2), (5, 1), (0, 0), (0, 0))
    assert news(3, pairs) == News(lost=0, readable=((5, 1), (0, 2), (9, 1)))


def test_more_than_five_are_the_five_readable_ones_and_a_loss_of_the_rest() -> None:
    pairs = ((5, 1), (5, 2), (5, 3), (5, 4), (5, 5))
    found = news(8, pairs)
    assert found == News(lost=3, readable=((5, 5), (5, 4), (5, 3), (5, 2), (5, 1)))
    assert found.total == 8


EVENTS = st.tuples(st.integers(0, 16), st.integers(0, 8))


@given(st.lists(EVENTS, max_size=30), st.lists(EVENTS, max_size=9))
def test_a_device_that_counts_along_is_read_rightly(
    before: list[tuple[int, int]], after: list[tuple[int, int]]
) -> None:
    def shown(events: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        return tuple([*reversed(events), *[(0, 0)] * 5][:5])

    old, now = shown(before), shown(before + after)
    new = new_events(wire_counter(len(before)), wire_counter(len(before) + len(after)))
    assert new == len(after)
    assert overlap_agrees(old, now, len(after))
    assert news(len(after), now).readable == tuple(after[-5:])


def test_an_overlap_that_disagrees_is_seen() -> None:
    old = ((5, 1), (5, 2), (0, 0), (0, 0), (0, 0))
    assert overlap_agrees(old, ((7, 1), (5, 1), (5, 2), (0, 0), (0, 0)), 1)
    assert not overlap_agrees(old, ((7, 1), (5, 2), (5, 2), (0, 0), (0, 0)), 1)
    assert not overlap_agrees(old, ((5, 1), (5, 3), (0, 0), (0, 0), (0, 0)), 0)
