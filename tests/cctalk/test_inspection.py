"""What a technician looks at: asked between the polls, of whoever knows it, and only when wanted."""

from __future__ import annotations

import pytest
from wire_bench import CHIP, MS, Bench, FakeAcceptor, S, seven

from jackpot.cctalk import BusHost, Down, LineSetup, SlotSetup, Up
from jackpot.errors import Refused

FIGURES = {236: b"\x04", 226: b"\x0a\x01\x00", 225: b"\x09\x01\x00", 194: b"\x01", 193: b"\x02"}
STATES = {230: b"\x10\x00", 227: b"\x01", 209: b"\x03"}


def test_nobody_looks_nobody_asks() -> None:
    fake = FakeAcceptor()
    bench = Bench([fake])
    bench.run_until_up()
    bench.run(10 * S)
    assert not {header for header, _ in fake.heard} & {236, 226, 225, 194, 193, 230, 227, 209}


def test_a_look_brings_optos_counters_mask_path_and_the_whole_coin_table() -> None:
    bench = Bench([FakeAcceptor(answers={**FIGURES, **STATES})])
    bench.run_until_up()
    bench.host.inspect(bench.now_ns)
    bench.run(6 * S)
    slot = bench.host.report().slots[0]
    assert slot.optos_blocked == 4
    assert (slot.acceptor_inserted, slot.acceptor_accepted) == (266, 265)
    assert (slot.acceptor_rejected, slot.acceptor_frauds) == (1, 2)
    assert (slot.mask, slot.master_on, slot.sorter_path) == (0x10, True, 3)
    assert (len(slot.coins), slot.coins[1], slot.coins[CHIP]) == (16, "EU200A", "TK001A")
    assert (slot.serial, slot.maker, slot.product, slot.software) == (
        1000,
        "Makers",
        "SR5i",
        "V1.0 STD",
    )


def test_an_acceptor_that_knows_none_of_it_stays_in_service_and_is_asked_once() -> None:
    fake = FakeAcceptor()
    bench = Bench([fake])
    bench.run_until_up()
    for _ in range(3):
        bench.host.inspect(bench.now_ns)
        bench.run(5 * S)
    assert [header for header, _ in fake.heard].count(236) == 1
    assert not bench.of(Down)
    assert bench.host.report().slots[0].optos_blocked is None


def test_a_look_never_takes_an_acceptor_two_turns_from_its_poll() -> None:
    fakes = seven(answers={**FIGURES, **STATES})
    bench = Bench(fakes)
    bench.run_until_up()
    for box in range(1, 8):
        bench.host.accept(box, True, bench.now_ns)
    bench.run(3 * S)
    for statistics in bench.host.statistics().values():
        statistics.longest_poll_gap_ns = 0
    bench.host.inspect(bench.now_ns)
    bench.run(5 * S)
    gaps = [s.longest_poll_gap_ns for s in bench.host.statistics().values()]
    # Seven polls of 24 ms, one question of 20 to each of the seven, and a confirmation of 15.
    assert max(gaps) < 325 * MS
    assert sorted(s.polls for s in bench.host.statistics().values())[0] > 5 * 5


def test_an_adapter_pulled_in_the_middle_of_a_look_leaves_nothing_behind() -> None:
    bench = Bench(seven(answers={**FIGURES, **STATES}), coin_position=None)
    bench.run_until_up()
    bench.host.inspect(bench.now_ns)
    bench.run(40 * MS)
    bench.host.line_lost(bench.now_ns)
    bench.run(S)
    bench.host.line_restored(bench.now_ns)
    bench.run(5 * S)
    assert len(bench.of(Up)) == 14


def test_the_chip_s_way_through_the_sorter_is_set_and_confirmed_before_the_slot_opens() -> None:
    fake = FakeAcceptor(answers={210: b""})
    bench = Bench([fake])
    slot = SlotSetup(box=1, address=2, coin_position=CHIP, sorter_path=3)
    bench.host = BusHost([slot], LineSetup(), {}, bench.now_ns)
    bench.host.accept(1, True, bench.now_ns)
    bench.run(3 * S)
    headers = [header for header, _ in fake.heard]
    assert (210, bytes((CHIP, 3))) in fake.heard
    assert headers.index(231) < headers.index(210) < len(headers) - headers[::-1].index(228)
    assert len(bench.of(Up)) == 1


def test_an_acceptor_without_a_sorter_is_out_of_service_when_a_path_is_configured() -> None:
    bench = Bench([FakeAcceptor()])
    slot = SlotSetup(box=1, address=2, coin_position=CHIP, sorter_path=3)
    bench.host = BusHost([slot], LineSetup(), {}, bench.now_ns)
    bench.run(5 * S)
    assert [e.detail for e in bench.events if isinstance(e, Down)] == ["header 210"]


def test_a_path_that_no_sorter_has_is_refused() -> None:
    slot = SlotSetup(box=1, address=2, coin_position=1, sorter_path=9)
    with pytest.raises(Refused, match="sorter_path"):
        BusHost([slot], LineSetup(), {}, 0)
