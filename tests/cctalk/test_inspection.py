"""What a technician looks at: asked between the polls, of whoever knows it, and only when wanted."""

from __future__ import annotations

from wire_bench import CHIP, MS, Bench, FakeAcceptor, S, seven, summed

from jackpot.cctalk import Down, Up
from jackpot.mechanism.wire_events import Counters, CountersRead

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


def test_a_look_brings_what_the_maker_wrote_down() -> None:
    """15 March 2024 with base year 2020 is 15 + 3 * 32 + 4 * 512 = 2159 = 086F hex (part 2, 3.58)."""
    maker = {197: b"\x5a\x17\xc0\xde", 170: b"2020", 196: b"\x6f\x08", 195: b"\x00\x00"}
    bench = Bench([FakeAcceptor(answers={**maker, 4: b"\x01\x04\x07", 2: b"\x03\x00\xff"})])
    bench.run_until_up()
    bench.host.inspect(bench.now_ns)
    bench.run(8 * S)
    slot = bench.host.report().slots[0]
    assert (slot.rom_checksum, slot.made, slot.changed) == ("5a17c0de", "2024-03-15", "")
    assert (slot.protocol, slot.comms_errors) == ("1.4.7", (3, 0, 255))


def test_of_four_ways_through_the_sorter_the_first_is_shown() -> None:
    bench = Bench([FakeAcceptor(answers={209: b"\x03\x05\x06\x07"})])
    bench.run_until_up()
    bench.host.inspect(bench.now_ns)
    bench.run(8 * S)
    assert bench.host.report().slots[0].sorter_path == 3


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


COUNTERS = {226: b"\x0a\x01\x00", 225: b"\x09\x01\x00"}


def test_the_counters_are_asked_when_the_ledger_wants_them_and_told_in_one_piece() -> None:
    bench = Bench(seven(answers=COUNTERS))
    bench.run_until_up()
    bench.host.read_counters([1, 2, 3, 4, 5, 6, 7], bench.now_ns)
    bench.run(S)
    told = [event for event in bench.events if isinstance(event, CountersRead)]
    assert told == [CountersRead(tuple(Counters(box, 266, 265) for box in range(1, 8)))]
    at_ns = next(at for at, event in bench.timed if isinstance(event, CountersRead))
    assert at_ns < bench.now_ns - 100 * MS


def test_a_counter_that_is_broken_in_spite_of_its_checksum_is_not_believed() -> None:
    fake = FakeAcceptor(answers=COUNTERS)
    bench = Bench([fake])
    bench.run_until_up()
    broken = iter([summed(1, 3, 2, 0, 10, 129, 0)])

    def disturb(reply: bytes) -> bytes:
        return next(broken, reply) if fake.heard[-1][0] == 226 else reply

    bench.disturb_reply = disturb
    bench.host.read_counters([1], bench.now_ns)
    bench.run(S)
    assert bench.of(CountersRead) == [CountersRead((Counters(1, 266, 265),))]


def test_only_the_boxes_that_were_named_are_asked() -> None:
    fakes = seven(answers=COUNTERS)
    bench = Bench(fakes)
    bench.run_until_up()
    bench.host.read_counters([3], bench.now_ns)
    bench.run(S)
    assert bench.of(CountersRead) == [CountersRead((Counters(3, 266, 265),))]
    assert [bool({226, 225} & {h for h, _ in fake.heard}) for fake in fakes].count(True) == 1


def test_an_acceptor_without_counters_is_left_out_and_not_asked_a_second_time() -> None:
    fakes = [FakeAcceptor(), FakeAcceptor(address=11, serial=2, answers=COUNTERS)]
    bench = Bench(fakes)
    bench.run_until_up()
    for _ in range(2):
        bench.host.read_counters([1, 2], bench.now_ns)
        bench.run(2 * S)
    assert bench.of(CountersRead) == [CountersRead((Counters(2, 266, 265),))] * 2
    assert [header for header, _ in fakes[0].heard].count(226) == 3
    assert not bench.of(Down)


def test_a_dead_acceptor_holds_nobody_up_and_old_figures_are_not_told_for_new() -> None:
    fakes = seven(answers=COUNTERS)
    bench = Bench(fakes)
    bench.run_until_up()
    bench.host.read_counters([1, 2], bench.now_ns)
    bench.run(S)
    fakes[0].dead = True
    bench.run(2 * S)
    bench.host.read_counters([1, 2], bench.now_ns)
    bench.run(S)
    assert bench.of(CountersRead)[-1] == CountersRead((Counters(2, 266, 265),))


def test_an_acceptor_that_falls_silent_while_it_is_asked_is_given_up_after_a_second() -> None:
    fake = FakeAcceptor(answers=COUNTERS)
    bench = Bench([fake])
    bench.run_until_up()
    fake.dead = True
    asked_ns = bench.now_ns
    bench.host.read_counters([1], asked_ns)
    bench.run(2 * S)
    at_ns, event = next((at, e) for at, e in bench.timed if isinstance(e, CountersRead))
    assert event == CountersRead(())
    assert at_ns - asked_ns <= S


def test_a_broken_answer_is_asked_for_again() -> None:
    bench = Bench([FakeAcceptor(answers=COUNTERS)])
    bench.run_until_up()
    spoilt = iter([True, True])

    def disturb(reply: bytes) -> bytes:
        counter = len(reply) == 8
        return reply[:-1] + b"\xaa" if counter and next(spoilt, False) else reply

    bench.disturb_reply = disturb
    bench.host.read_counters([1], bench.now_ns)
    bench.run(S)
    assert bench.of(CountersRead) == [CountersRead((Counters(1, 266, 265),))]
