"""Corrupted exchanges in virtual time: no credit that did not happen, none lost that was readable.

The full million is ``benchmarks/corrupted_exchanges.py``.
"""

from __future__ import annotations

import pytest
from support.virtual_table import MS, UNREAD_AT_MOST, S, VirtualTable, play_under_noise, sums
from wire_bench import Bench, FakeAcceptor

from jackpot.cctalk import Credit, Fault, Identified, Polled
from jackpot.cctalk.continuity import Break, Tracker
from jackpot.cctalk.events import Buffer

EXCHANGES = 12_000


@pytest.mark.parametrize(("seed", "crc16"), [(1, False), (2, False), (3, True)])
def test_noise_makes_no_credit_and_takes_none_that_was_readable(seed: int, crc16: bool) -> None:
    table = play_under_noise(seed, EXCHANGES, crc16=crc16)
    told = sums(list(table.truth.values()))
    assert table.false_credits == []
    assert told["accepted"] > 300
    assert told["credited"] == told["accepted"] - told["gone"] - told["asked"]
    assert told["lost"] == 0


def test_the_judge_finds_a_planted_false_credit() -> None:
    table = VirtualTable(boxes=1)
    table.run(3 * S)
    table.chip(1)
    table.truth[1].happened[-1] = (0, 2)
    table.run(S)
    assert len(table.false_credits) == 1


def test_more_than_the_buffer_holds_is_lost_and_said() -> None:
    table = VirtualTable(boxes=1)
    table.run(3 * S)
    for _ in range(UNREAD_AT_MOST + 4):
        table.chip(1)
    table.run(2 * S)
    assert (table.truth[1].lost, table.truth[1].credited) == (3, 5)
    assert table.false_credits == []


def test_a_serial_number_broken_in_spite_of_its_checksum_does_not_break_the_count() -> None:
    fake = FakeAcceptor(serial=1000)
    bench = Bench([fake])
    bench.run_until_up()
    fake.dead = True
    bench.run(3 * S)
    broken = iter([b"\x01\x02\x03"])
    right = fake._answer

    def answer(header: int, data: bytes) -> bytes | None:
        return next(broken, right(242, b"")) if header == 242 else right(header, data)

    fake._answer = answer  # type: ignore[method-assign]
    fake.happens(5, 1)
    fake.dead = False
    bench.run(3 * S)
    last = [event for event in bench.events if isinstance(event, Identified)][-1]
    assert (last.serial, last.continuity.value) == (1000, "fresh" if last.epoch else "continued")


def test_another_acceptor_is_believed_when_it_says_so_twice() -> None:
    fake = FakeAcceptor(serial=1000)
    bench = Bench([fake])
    bench.run_until_up()
    fake.dead = True
    bench.run(3 * S)
    fake.dead, fake.serial = False, 2000
    bench.run(3 * S + 50 * MS)
    last = [event for event in bench.events if isinstance(event, Identified)][-1]
    assert (last.serial, last.continuity.value) == (2000, "doubtful")


def test_a_restart_with_an_event_before_the_next_poll_is_a_restart_and_no_gap_of_events() -> None:
    table = VirtualTable(boxes=1)
    table.run(3 * S)
    for _ in range(9):
        table.chip(1)
        table.run(S)
    table.reset(1)
    table.fault(1, 3)
    table.run(3 * S)
    assert table.false_credits == []
    assert (table.truth[1].lost, table.unread(1)) == (0, 0)


def shows(counter: int, *pairs: tuple[int, int]) -> Buffer:
    return Buffer(counter, (*pairs, *(((0, 0),) * 5))[:5])


def tracker_at(*told: tuple[int, int]) -> Tracker:
    """An acceptor of serial number 1 that has told these events, newest first."""
    tracker = Tracker(1, None)
    for _ in range(2):
        tracker.present(1, shows(len(told), *told))
    assert tracker.read(5, shows(len(told), *told)) is None
    return tracker


REJECTED, CHIP_IN, BROKEN = (0, 1), (5, 1), (5, 252)
"""The last is a rejected coin whose two bytes were spoilt so that the checksum is right again."""


def test_on_a_clean_line_an_event_counts_at_once() -> None:
    news = tracker_at(CHIP_IN).read(5, shows(2, CHIP_IN, CHIP_IN))
    assert isinstance(news, Polled)
    assert [event.count for event in news.events] == [2]


def test_on_a_line_in_doubt_an_event_counts_when_it_has_been_told_twice() -> None:
    tracker = tracker_at(CHIP_IN)
    tracker.in_doubt = True
    assert tracker.read(5, shows(2, CHIP_IN, CHIP_IN)) is Break.UNPROVEN
    news = tracker.read(5, shows(2, CHIP_IN, CHIP_IN))
    assert isinstance(news, Polled)
    assert [event.count for event in news.events] == [2]


def test_a_broken_pair_with_a_right_checksum_is_no_credit_on_a_line_in_doubt() -> None:
    tracker = tracker_at(CHIP_IN)
    tracker.in_doubt = True
    assert tracker.read(5, shows(2, BROKEN, CHIP_IN)) is Break.UNPROVEN
    assert tracker.read(5, shows(2, REJECTED, CHIP_IN)) is Break.UNPROVEN
    news = tracker.read(5, shows(2, REJECTED, CHIP_IN))
    assert isinstance(news, Polled)
    assert news.events == (Fault(1, 0, 2, 1),)


def test_a_credit_of_a_channel_that_is_shut_must_be_told_twice_on_any_line() -> None:
    tracker = tracker_at(CHIP_IN)
    assert tracker.read(5, shows(2, (6, 1), CHIP_IN)) is Break.UNPROVEN
    news = tracker.read(5, shows(2, CHIP_IN, CHIP_IN))
    assert isinstance(news, Polled)
    assert [event.expected for event in news.events if isinstance(event, Credit)] == [True]


def test_a_hand_quicker_than_the_proof_loses_nothing() -> None:
    """Each reply bears out the one before it, and the newest chip waits for the next."""
    tracker = tracker_at(CHIP_IN)
    tracker.in_doubt = True
    told = []
    for counter in range(2, 9):
        news = tracker.read(5, shows(counter, *(CHIP_IN,) * 5))
        if isinstance(news, Polled):
            told += [event.count for event in news.events]
            tracker.committed(0, news.count)
            assert tracker.behind
    assert told == [2, 3, 4, 5, 6, 7]


def test_a_line_that_spoilt_an_answer_is_in_doubt_for_ten_seconds() -> None:
    fake = FakeAcceptor()
    bench = Bench([fake])
    bench.run_until_up()
    bench.host.accept(1, True, bench.now_ns)
    bench.run(S)
    bench.inject(b"\xaa")
    for wait_ns, polls in ((S, 2), (11 * S, 1)):
        before = len(fake.heard)
        fake.chip()
        while not any(isinstance(e, Polled) for e in bench.run(5 * MS)):
            pass
        told = [header for header, _ in fake.heard[before:] if header == 229]
        assert len(told) == polls
        bench.run(wait_ns + 9 * S)
