"""After a restart of the daemon: the difference is credited once, or a person is asked."""

from __future__ import annotations

import pytest

from jackpot.cctalk.continuity import BaseLine, Break, Tracker, base_line
from jackpot.cctalk.events import Buffer
from jackpot.invariant import InvariantBroken
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.wire_events import Continuity, Credit, Polled

NONE = (0, 0)
OLD = ((5, 1), (0, 1), (5, 2), NONE, NONE)
RECORD = Resume(serial=1001, epoch=4, count=3, pairs=OLD)


def test_without_a_record_the_counter_found_is_the_base_line() -> None:
    found = Buffer(200, OLD)
    assert base_line(None, 1001, found) == BaseLine(
        Resume(1001, 0, 200, OLD), Continuity.FRESH, False
    )


def test_the_same_acceptor_with_agreeing_events_continues() -> None:
    found = Buffer(5, ((5, 3), (5, 4), (5, 1), (0, 1), (5, 2)))
    assert base_line(RECORD, 1001, found) == BaseLine(RECORD, Continuity.CONTINUED, False)


def test_the_difference_then_comes_as_news_with_its_own_numbers() -> None:
    tracker = Tracker(2, RECORD)
    found = Buffer(5, ((5, 3), (5, 4), (5, 1), (0, 1), (5, 2)))
    assert tracker.present(1001, found) is None, "one reply alone is not believed"
    assert tracker.present(1001, found) == BaseLine(RECORD, Continuity.CONTINUED, False)
    assert tracker.read(5, found) == Polled(
        2, 4, 5, (Credit(2, 4, 4, 5, 4, True), Credit(2, 4, 5, 5, 3, True)), found.pairs
    )
    with pytest.raises(InvariantBroken, match="committed"):
        tracker.read(5, found)
    tracker.committed(4, 5)
    assert tracker.read(5, found) is None


def test_a_restart_is_believed_when_a_second_reply_bears_it_out() -> None:
    tracker = Tracker(2, RECORD)
    broken, restarted = Buffer(0, OLD), Buffer(0, (NONE,) * 5)
    assert tracker.read(5, broken) is Break.UNPROVEN
    assert tracker.read(5, Buffer(3, OLD)) is None
    assert tracker.read(5, restarted) is Break.UNPROVEN
    assert tracker.read(5, Buffer(1, ((5, 1), *(NONE,) * 4))) is Break.RESTARTED
    assert tracker.record == Resume(1001, 5, 0, (NONE,) * 5)
    assert tracker.read(5, Buffer(1, ((5, 1), *(NONE,) * 4))) == Polled(
        2, 5, 1, (Credit(2, 5, 1, 5, 1, True),), ((5, 1), *(NONE,) * 4)
    )


def test_a_contradiction_is_not_borne_out_by_saying_it_twice() -> None:
    tracker = Tracker(2, RECORD)
    other = Buffer(4, ((5, 9), (7, 7), (0, 1), (5, 2), NONE))
    assert [tracker.read(5, other) for _ in range(5)] == [Break.UNPROVEN] * 5
    assert tracker.unproven == 5


def test_a_long_count_is_compared_by_its_counter_byte() -> None:
    record = Resume(1001, 0, 510, OLD)  # counter byte 255
    found = Buffer(1, ((5, 9), (5, 1), (0, 1), (5, 2), NONE))
    assert base_line(record, 1001, found).continuity is Continuity.CONTINUED


@pytest.mark.parametrize(
    ("serial", "found", "restarted"),
    [
        (1002, Buffer(3, OLD), False),
        (1001, Buffer(3, ((5, 1), (0, 2), (5, 2), NONE, NONE)), False),
        (1001, Buffer(8, ((5, 1),) * 5), False),
        (1001, Buffer(60, ((5, 1),) * 5), False),
        (1001, Buffer(0, (NONE,) * 5), True),
        (1002, Buffer(0, (NONE,) * 5), False),
    ],
    ids=["serial", "events", "no overlap", "a gap", "restarted", "another, fresh from the box"],
)
def test_anything_else_is_a_new_base_line_in_a_new_epoch_and_a_question(
    serial: int, found: Buffer, restarted: bool
) -> None:
    assert base_line(RECORD, serial, found) == BaseLine(
        Resume(serial, 5, found.counter, found.pairs), Continuity.DOUBTFUL, restarted
    )


def test_a_record_that_holds_no_events_proves_nothing() -> None:
    record = Resume(1001, 0, 3, ())
    assert base_line(record, 1001, Buffer(3, OLD)).continuity is Continuity.DOUBTFUL
