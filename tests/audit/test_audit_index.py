"""The sidecar index and the curve: where hands, days, marks and officers stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from jackpot.audit.site.curve import HEIGHT, LEFT, RIGHT, TOP, WIDTH, Point, curve, round_amounts
from jackpot.audit.site.index import build_index
from jackpot.audit.site.index_reader import IndexReader
from jackpot.audit.source import Source


@pytest.fixture(scope="module")
def index(story: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexReader]:
    path = tmp_path_factory.mktemp("index") / "index"
    with Source(story) as source:
        build_index(source, path)
    with IndexReader(path) as reader:
        yield reader


def test_the_hands_stand_where_the_story_played_them(index: IndexReader) -> None:
    second = index.hand(2)
    assert second is not None
    assert (second.batch, second.last_batch, second.seq) == (19, 27, 36)
    assert (second.bets, second.bets_cents, second.how) == (2, 400, "paid")
    assert second.base_microcents == 1_000_250_000_000
    assert (second.meter_microcents, second.paid_cents) == (855_214_000_000, 145_036)
    hows = [hand.how for day in (1, 2) for hand in index.hands(day)]
    assert hows == [
        "no_awards",
        "paid",
        "paid",
        "voided",
        "no_awards",
        "paid",
        *["no_awards"] * 4,
    ]


def test_hands_lie_side_by_side_and_an_event_is_found_in_its_own(index: IndexReader) -> None:
    hands = index.hands(1)
    for before, after in pairwise(hands):
        assert before.last_batch == after.batch - 1
    found = index.hand_at(49)
    assert found is not None
    assert found.hand == 2
    assert index.hand_at(3) is None


def test_the_days_have_their_sums_and_amounts(index: IndexReader) -> None:
    second, first = index.days()
    assert (first.hands, first.bets_cents, first.paid_cents) == (8, 2_800, 1_000_550)
    assert (first.open_microcents, first.close_microcents) == (10**12, 1_200_150_000_000)
    assert (second.hands, second.bets_cents, second.paid_cents) == (1, 200, 0)
    assert second.open_microcents == first.close_microcents
    assert index.totals() == (2, 9, 3_000, 1_000_550)


def test_faults_are_faults_and_no_everyday_things(index: IndexReader) -> None:
    """A clean start, an identified slot and a rejected chip are no faults; a fraud sign is."""
    assert [mark.kind for mark in index.marks(name="fault")] == ["clock_stepped", "slot_event"]


def test_every_officer_who_acted_or_signed_with_another_is_listed(index: IndexReader) -> None:
    assert [(row.officer, row.acts) for row in index.officers()] == [
        ("C1", 47),
        ("D1", 1),
        ("J1", 11),
        ("T1", 2),
    ]


# ---- the curve -------------------------------------------------------------------------------------


def point(euros: int) -> Point:
    return Point(euros * 100_000_000, "", "")


def test_the_curve_goes_from_the_lowest_to_the_highest_amount() -> None:
    drawn = curve([point(100), point(300), point(200)])
    assert drawn is not None
    assert [dot.x for dot in drawn.dots] == [LEFT, (LEFT + WIDTH - RIGHT) // 2, WIDTH - RIGHT]
    low, high, middle = (dot.y for dot in drawn.dots)
    assert (low, high) == (drawn.bottom, TOP)
    assert middle == (low + high) // 2
    amounts = [line.amount_microcents // 100_000_000 for line in drawn.grid]
    assert amounts == [100, 150, 200, 250, 300]


@pytest.mark.parametrize(
    ("low_cents", "high_cents", "lines"),
    [
        (801_400, 1_003_350, [850_000, 900_000, 950_000, 1_000_000]),
        (1_000, 1_200, [1_000, 1_050, 1_100, 1_150, 1_200]),
        (10_001, 10_002, [10_001, 10_002]),
        (500, 500, [500]),
    ],
)
def test_the_lines_behind_the_curve_stand_at_round_amounts(
    low_cents: int, high_cents: int, lines: list[int]
) -> None:
    found = round_amounts(low_cents * 1_000_000, high_cents * 1_000_000)
    assert found == [cents * 1_000_000 for cents in lines]


def test_less_than_a_cent_has_one_line() -> None:
    assert round_amounts(500_000_001, 500_000_003) == [500_000_001]


def test_a_jackpot_that_stands_still_is_one_line_and_so_is_one_hand_alone() -> None:
    still = curve([point(5), point(5)])
    assert still is not None
    assert len(still.grid) == 1
    one = curve([point(5)])
    assert one is not None
    assert 0 < one.dots[0].y < HEIGHT
    assert one.line == still.line == f"{LEFT},{one.bottom} {WIDTH - RIGHT},{one.bottom}"
    assert curve([]) is None
