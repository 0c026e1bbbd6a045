"""Corrupted exchanges in virtual time: no credit that did not happen, none lost that was readable.

The full million is ``benchmarks/corrupted_exchanges.py``.
"""

from __future__ import annotations

import pytest
from support.virtual_table import MS, UNREAD_AT_MOST, S, VirtualTable, play_under_noise, sums
from wire_bench import Bench, FakeAcceptor

from jackpot.cctalk import Identified

EXCHANGES = 12_000


@pytest.mark.parametrize(("seed", "crc16"), [(1, False), (2, False), (3, True)])
def test_noise_makes_no_credit_and_takes_none_that_was_readable(seed: int, crc16: bool) -> None:
    table = play_under_noise(seed, EXCHANGES, crc16=crc16)
    told = sums(list(table.truth.values()))
    assert table.false_credits == []
    assert told["accepted"] > 300
    assert told["credited"] == told["accepted"] - told["gone"]
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
