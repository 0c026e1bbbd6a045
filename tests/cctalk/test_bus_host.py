"""Seven acceptors on one wire, in virtual time."""

from __future__ import annotations

from functools import partial

import pytest
from wire_bench import BYTE_NS, CHIP, MS, Bench, FakeAcceptor, S, seven, summed

from jackpot.cctalk import (
    BusHost,
    Continuity,
    Credit,
    Diagnosis,
    Down,
    Drained,
    Echo,
    Identified,
    LineFault,
    LineSetup,
    Lost,
    Polled,
    Restarted,
    Resume,
    SlotSetup,
    Up,
)
from jackpot.cctalk.bounds import DRAIN_NS, WATCHDOG_NS
from jackpot.errors import Refused
from jackpot.invariant import InvariantBroken

EXCHANGE_NS = 21 * BYTE_NS + 2 * MS
"""What the wire dictates for one poll: 5 + 16 bytes and the fake's own 2 ms."""

TRANSPORTS = ("direct", "bytewise", "lossy", "late")


def open_table(**options: object) -> Bench:
    """Seven boxes, set up and open."""
    fakes = options.pop("fakes", None) or seven()
    bench = Bench(fakes, **options)  # type: ignore[arg-type]
    bench.run_until_up()
    for box in range(1, len(bench.fakes) + 1):
        bench.host.accept(box, True, bench.now_ns)
    bench.run(2 * S)
    return bench


def credits_of(bench: Bench) -> list[tuple[int, int, int]]:
    """(box, epoch, count) of every credit."""
    return [
        (e.box, e.epoch, e.count)
        for p in bench.of(Polled)
        if isinstance(p, Polled)
        for e in p.events
        if isinstance(e, Credit)
    ]


@pytest.mark.parametrize("echo", [True, False], ids=["echo", "no echo"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_every_chip_is_credited_exactly_once_over_any_transport(transport: str, echo: bool) -> None:
    bench = open_table(transport=transport, echo=echo, seed=7)
    accepted = [0] * 7
    start_ns = bench.now_ns

    def chip(i: int) -> None:
        accepted[i] += bench.fakes[i].chip()

    for i in range(7):
        for n in range(20):
            bench.at(start_ns + n * 700 * MS + i * 90 * MS, partial(chip, i))
    bench.run(25 * S)
    expected = sorted(
        (box, 0, e.count)
        for box in range(1, 8)
        for p in bench.of(Polled)
        if isinstance(p, Polled) and p.box == box
        for e in p.events
        if isinstance(e, Credit)
    )
    assert sorted(credits_of(bench)) == expected
    assert len(set(credits_of(bench))) == sum(accepted)
    if transport != "lossy":
        assert accepted == [20] * 7


@pytest.mark.parametrize("seed", range(8))
def test_a_bad_line_doubles_nothing_and_loses_nothing_without_a_word(seed: int) -> None:
    bench = open_table(transport="lossy", seed=seed)
    accepted = [0] * 7
    for _ in range(40):
        for i, fake in enumerate(bench.fakes):
            accepted[i] += fake.chip()
            bench.run(37 * MS)
    bench.run(10 * S)
    told = credits_of(bench)
    assert len(told) == len(set(told))
    asked = {
        e.box
        for e in bench.of(Identified)
        if isinstance(e, Identified) and e.continuity is Continuity.DOUBTFUL
    } | {
        e.box
        for p in bench.of(Polled)
        if isinstance(p, Polled)
        for e in p.events
        if isinstance(e, Lost)
    }
    for box in range(1, 8):
        credited = sum(credit[0] == box for credit in told)
        assert credited == accepted[box - 1] or (box in asked and credited < accepted[box - 1])
    assert len(asked) <= 2


def test_the_wire_is_never_idle_and_a_chip_is_known_within_one_round() -> None:
    bench = open_table()
    before = {box: s.polls for box, s in bench.host.statistics().items()}
    bench.run(10 * S)
    polls = sum(s.polls - before[box] for box, s in bench.host.statistics().items())
    assert polls >= 0.95 * 10 * S / EXCHANGE_NS

    start_ns, waits = bench.now_ns, []
    for n in range(70):
        at_ns = start_ns + n * 311 * MS
        bench.at(at_ns, bench.fakes[n % 7].chip)
    bench.run(25 * S)
    for n in range(70):
        at_ns = start_ns + n * 311 * MS
        waits.append(
            next(
                t - at_ns
                for t, e in bench.timed
                if isinstance(e, Polled) and e.box == n % 7 + 1 and t > at_ns
            )
        )
    # At worst the chip just misses its own poll, waits for all seven, and one inhibit in between.
    assert max(waits) <= 1.1 * 8 * EXCHANGE_NS
    assert sum(waits) / len(waits) <= 1.1 * (7 * EXCHANGE_NS / 2 + EXCHANGE_NS)


def test_closed_slots_leave_the_wire_to_the_open_ones() -> None:
    bench = open_table()
    for box in range(2, 8):
        bench.host.accept(box, False, bench.now_ns)
    bench.run(S)
    polls = {box: s.polls for box, s in bench.host.statistics().items()}
    bench.run(10 * S)
    polled = {box: s.polls - polls[box] for box, s in bench.host.statistics().items()}
    # 10 s hold 418 exchanges; six closed slots take at most 50 each.
    assert polled[1] >= 120
    assert all(45 <= polled[box] <= 50 for box in range(2, 8))


@pytest.mark.parametrize("dead", [1, 6])
def test_dead_acceptors_do_not_starve_the_living(dead: int) -> None:
    bench = open_table()
    for fake in bench.fakes[:dead]:
        fake.dead = True
    living = range(dead + 1, 8)
    for box in living:
        bench.host.statistics()[box].longest_poll_gap_ns = 0
    bench.run(20 * S)
    gaps = [bench.host.statistics()[box].longest_poll_gap_ns for box in living]
    assert max(gaps) <= (300 if dead == 1 else 600) * MS < WATCHDOG_NS
    assert sorted(e.box for e in bench.of(Down) if isinstance(e, Down)) == list(range(1, dead + 1))


def test_the_longest_reply_timeout_still_leaves_the_living_their_second() -> None:
    bench = open_table(line=LineSetup(echo=Echo.ON, reply_timeout_ms=120))
    for fake in bench.fakes[:6]:
        fake.dead = True
    bench.host.statistics()[7].longest_poll_gap_ns = 0
    bench.run(20 * S)
    assert bench.host.statistics()[7].longest_poll_gap_ns < WATCHDOG_NS


def test_an_inhibit_jumps_the_queue() -> None:
    bench = open_table()
    for _ in range(20):
        bench.run(57 * MS)
        asked_ns = bench.now_ns
        bench.host.accept(4, False, asked_ns)
        while bench.fakes[3].accepting:
            bench.run(MS)
        # The exchange under way, then 6 bytes of request.
        assert bench.now_ns - asked_ns <= EXCHANGE_NS + 6 * BYTE_NS + 2 * MS
        bench.host.accept(4, True, bench.now_ns)


def test_the_lock_inhibits_all_then_polls_all_then_says_so() -> None:
    bench = open_table()
    heard_before = [len(fake.heard) for fake in bench.fakes]
    bench.fakes[2].chip()
    asked_ns = bench.now_ns
    bench.host.drain(asked_ns)
    bench.run(DRAIN_NS)
    assert bench.events[-1] == Drained(())
    at_ns = next(t for t, e in bench.timed if isinstance(e, Drained))
    assert at_ns - asked_ns <= 300 * MS
    assert credits_of(bench) == [(3, 0, 1)]
    for fake, before in zip(bench.fakes, heard_before, strict=True):
        assert fake.accepting is False
        headers = [header for header, _ in fake.heard[before:]]
        assert 229 in headers[headers.index(228) :]


def test_a_chip_between_the_last_poll_and_the_inhibit_is_in_the_lock() -> None:
    bench = open_table()
    fake = bench.fakes[6]
    hears = fake.hears

    def falls_in_just_before(frame: bytes) -> bytes | None:
        if frame[0] == fake.address and frame[3] == 228 and frame[4] == 0 and not fake.counter:
            assert fake.chip()
        return hears(frame)

    fake.hears = falls_in_just_before  # type: ignore[method-assign]
    bench.host.drain(bench.now_ns)
    bench.run(DRAIN_NS)
    kinds = [type(e) for e in bench.events if isinstance(e, Polled | Drained)]
    assert kinds == [Polled, Drained]


def test_a_chip_after_the_lock_is_still_told_with_its_number() -> None:
    bench = open_table()
    bench.host.drain(bench.now_ns)
    bench.run(DRAIN_NS)
    bench.fakes[0].happens(CHIP, 1)
    bench.run(300 * MS)
    assert [type(e) for e in bench.events[-2:]] == [Drained, Polled]


def test_the_lock_names_the_boxes_that_it_does_not_know_about() -> None:
    bench = open_table()
    bench.fakes[1].dead = True
    bench.run(S)
    bench.fakes[4].dead = True
    asked_ns = bench.now_ns
    bench.host.drain(asked_ns)
    bench.run(DRAIN_NS + MS)
    (drained,) = bench.of(Drained)
    assert drained == Drained((2, 5))
    assert next(t for t, e in bench.timed if e is drained) - asked_ns <= DRAIN_NS


def test_the_lock_waits_for_a_commit_but_not_longer_than_a_second() -> None:
    bench = open_table(commit=False)
    bench.fakes[0].chip()
    bench.run(300 * MS)
    asked_ns = bench.now_ns
    bench.host.drain(asked_ns)
    bench.run(DRAIN_NS + MS)
    assert bench.events[-1] == Drained((1,))
    assert bench.timed[-1][0] - asked_ns == DRAIN_NS


def test_echo_is_found_out() -> None:
    for echo in (True, False):
        bench = Bench(seven(), echo=echo, line=LineSetup(echo=Echo.AUTO))
        bench.run_until_up()
        bench.run(S)
        assert not bench.of(LineFault)
        assert all(s.timeouts == 0 for s in bench.host.statistics().values())


def test_no_echo_at_all_is_the_lines_fault_and_is_said_once() -> None:
    bench = open_table()
    bench.disturb_echo = lambda echo: b""
    bench.disturb_reply = lambda reply: b""
    bench.run(10 * S)
    (fault,) = bench.of(LineFault)
    assert isinstance(fault, LineFault)
    assert fault.reason is Diagnosis.NO_ECHO
    assert {e.reason for e in bench.of(Down) if isinstance(e, Down)} == {Diagnosis.NO_ECHO}
    bench.disturb_echo = bench.disturb_reply = bytes
    bench.run(10 * S)
    assert len(bench.of(Up)) == 14


def test_trouble_that_takes_nobody_down_is_no_fault_of_the_line() -> None:
    """Who raises an alarm at a line fault clears it at the next ``Up``: there must be one."""
    bench = open_table()
    echoes = iter([b""] * 4)
    replies = iter([b""] * 4)
    bench.disturb_echo = lambda echo: next(echoes, echo)
    bench.disturb_reply = lambda reply: next(replies, reply)
    bench.run(2 * S)
    assert sum(s.no_echoes for s in bench.host.statistics().values()) >= 3
    assert not bench.of(LineFault)
    assert not bench.of(Down)


def test_one_collision_costs_one_more_attempt_and_nobody_his_service() -> None:
    bench = open_table()
    echoes = iter([b"\x02\xff\x01\xe5\x18"])
    bench.disturb_echo = lambda echo: next(echoes, echo)
    bench.run(S)
    assert sum(s.collisions for s in bench.host.statistics().values()) == 1
    assert not bench.of(Down)
    assert not bench.of(LineFault)


def test_a_late_talker_does_not_take_its_neighbour_down() -> None:
    """Its answers come when the next one is asked; that one is innocent."""
    bench = open_table()
    bench.fakes[2].delay_ns = 52 * MS
    bench.run(15 * S)
    assert {e.box for e in bench.of(Down) if isinstance(e, Down)} <= {3}


def test_a_constant_talker_is_a_collision_of_the_line() -> None:
    bench = open_table()
    bench.disturb_echo = lambda echo: bytes((echo[0] ^ 0x55, *echo[1:]))
    bench.run(5 * S)
    fault = bench.of(LineFault)[0]
    assert isinstance(fault, LineFault)
    assert fault.reason is Diagnosis.COLLISION


def test_bad_checksums_get_silence_from_the_acceptor_and_disbelief_from_the_host() -> None:
    bench = open_table()
    bench.disturb_request = lambda frame: frame[:-1] + bytes((frame[-1] ^ 1,))
    bench.run(200 * MS)
    assert sum(s.timeouts for s in bench.host.statistics().values()) >= 2
    bench.disturb_request = bytes
    bench.run(5 * S)
    bench.fakes[0].chip()
    bench.disturb_reply = lambda reply: reply[:-1] + bytes((reply[-1] ^ 1,))
    bench.run(200 * MS)
    assert credits_of(bench) == []
    bench.disturb_reply = bytes
    bench.run(5 * S)
    assert credits_of(bench) == [(1, 0, 1)]


def test_a_glitch_that_turns_into_a_broadcast_reset_is_seen_and_healed() -> None:
    """``02 01 01 E4 01 17`` with the wrong bytes is a reset for all: seven answers at once."""
    bench = open_table()
    for fake in bench.fakes:
        fake.chip()
    bench.run(S)
    assert len(credits_of(bench)) == 7
    glitch = iter([summed(0, 0, 1, 1)])
    bench.disturb_request = lambda frame: next(glitch, frame)
    bench.run(5 * S)
    assert sorted(e.box for e in bench.of(Restarted) if isinstance(e, Restarted)) == [*range(1, 8)]
    assert all(fake.accepting and fake.mask == b"\x10\x00" for fake in bench.fakes)
    assert len(credits_of(bench)) == 7


def test_frames_that_nobody_asked_for_are_never_trusted() -> None:
    line = LineSetup(echo=Echo.OFF)
    host = BusHost([SlotSetup(1, 2, CHIP)], line, {}, 0)
    host.line_lost(0)
    host.take_events()
    forged = summed(1, 11, 2, 0, 1, CHIP, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    host.receive(forged, MS)
    assert host.unasked_bytes == len(forged)
    assert host.take_events() == []
    bench = open_table(echo=False)
    bench.run(5 * MS)
    for address in (2, 11, 12, 13, 14, 15, 16):
        bench.inject(summed(1, 11, address, 0, 99, CHIP, 1, 0, 0, 0, 0, 0, 0, 9, 9)[:-1] + b"\x00")
    bench.run(S)
    assert credits_of(bench) == []


def test_noise_between_exchanges_does_no_harm() -> None:
    bench = open_table()
    for _ in range(50):
        bench.run(41 * MS)
        bench.inject(b"\xff\x01\x00")
    bench.run(5 * S)
    bench.fakes[0].chip()
    bench.run(S)
    assert credits_of(bench) == [(1, 0, 1)]


def test_a_lost_adapter_takes_all_down_and_all_come_back() -> None:
    bench = open_table()
    bench.host.line_lost(bench.now_ns)
    bench.host.line_lost(bench.now_ns)
    assert bench.run(3 * S) == [
        LineFault(Diagnosis.LINE_LOST, "the serial adapter is gone"),
        *[Down(box, Diagnosis.LINE_LOST) for box in range(1, 8)],
    ]
    assert bench.host.deadline_ns() is None
    bench.host.drain(bench.now_ns)
    bench.run(MS)
    assert bench.events[-1] == Drained((1, 2, 3, 4, 5, 6, 7))
    for box in range(1, 8):
        bench.host.accept(box, True, bench.now_ns)
    bench.host.line_restored(bench.now_ns)
    bench.run(5 * S)
    again = [e for e in bench.of(Identified) if isinstance(e, Identified)][7:]
    assert [e.continuity for e in again] == [Continuity.CONTINUED] * 7
    assert all(fake.accepting for fake in bench.fakes)


def test_a_restarted_daemon_credits_what_fell_in_meanwhile_once() -> None:
    bench = open_table()
    bench.fakes[3].chip()
    bench.run(S)
    resume = {4: Resume(1004, 0, 1, ((CHIP, 1), (0, 0), (0, 0), (0, 0), (0, 0)))}
    bench.fakes[3].chip()
    again = Bench(bench.fakes, resume=resume)
    again.run_until_up()
    again.run(S)
    assert credits_of(again) == [(4, 0, 2)]
    how = {e.box: e.continuity for e in again.of(Identified) if isinstance(e, Identified)}
    assert how[4] is Continuity.CONTINUED
    assert how[1] is Continuity.FRESH


def test_crc_mode_on_the_whole_bus() -> None:
    """Requests as in part 3, appendix 9; the answers carry no source."""
    host = BusHost([SlotSetup(1, 2, CHIP)], LineSetup(echo=Echo.OFF, crc16=True), {}, 0)
    assert len(host.bytes_to_send()) == 5
    host.receive(bytes.fromhex("01 00 30 00 37"), 10 * MS)
    assert host.bytes_to_send()[3] == 245


@pytest.mark.parametrize(
    ("slots", "line", "reason"),
    [
        ([SlotSetup(1, 2, 5), SlotSetup(1, 11, 5)], LineSetup(), "bad_box"),
        ([SlotSetup(1, 2, 5), SlotSetup(2, 2, 5)], LineSetup(), "bad_address"),
        ([SlotSetup(1, 3, 5)], LineSetup(), "bad_address"),
        ([SlotSetup(1, 2, 17)], LineSetup(), "bad_coin_position"),
        ([SlotSetup(1, 2, 5)], LineSetup(reply_timeout_ms=121), "bad_reply_timeout"),
        ([SlotSetup(1, 2, 5)], LineSetup(reply_timeout_ms=9), "bad_reply_timeout"),
        ([SlotSetup(1, 2, 5)], LineSetup(baud=300), "bad_baud"),
    ],
)
def test_a_setup_that_cannot_work_is_refused(
    slots: list[SlotSetup], line: LineSetup, reason: str
) -> None:
    with pytest.raises(Refused) as refused:
        BusHost(slots, line, {}, 0)
    assert refused.value.reason == reason


def test_a_resume_that_no_acceptor_can_have_left_is_refused() -> None:
    with pytest.raises(Refused, match="bad_resume"):
        BusHost([SlotSetup(1, 2, 5)], LineSetup(), {1: Resume(1, 0, -1, ())}, 0)


def test_a_box_that_is_not_on_the_bus_is_our_own_fault() -> None:
    host = BusHost([SlotSetup(1, 2, 5)], LineSetup(), {}, 0)
    with pytest.raises(InvariantBroken, match="box 9"):
        host.accept(9, True, 0)


def test_acceptors_of_one_table_may_be_fewer_than_seven() -> None:
    bench = Bench([FakeAcceptor(address=17)])
    bench.run_until_up()
    assert bench.of(Up) == [Up(1)]
