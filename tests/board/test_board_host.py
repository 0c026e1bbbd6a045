"""The board's host against the real firmware, in virtual time."""

from __future__ import annotations

import pytest
from board_bench import MS, SERIAL, Rig, S, address, ask, framed, unframed

from firmware_sim.board.workbench import Workbench
from jackpot.board import BoardHost, BoardSetup
from jackpot.errors import Refused
from jackpot.invariant import InvariantBroken
from jackpot.mechanism.port import MechanismHost
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.states import State
from jackpot.mechanism.wire_events import (
    Continuity,
    Credit,
    Diagnosis,
    Down,
    Drained,
    Fault,
    Identified,
    KeyPressed,
    LineFault,
    Lost,
    Polled,
    Restarted,
    Up,
)

SECOND_EPOCH = 2**32
"""One break, and below it the number of the board's start."""


def test_it_fits_the_port_of_every_mechanism() -> None:
    host: MechanismHost = BoardHost(BoardSetup((1, 2)), {}, 0)
    assert host.deadline_ns() is not None


def test_from_the_first_question_to_a_credit(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    assert [(e.box, e.serial, e.epoch, e.count) for e in rig.of(Identified)] == [
        (box, SERIAL, 1, 0) for box in range(1, 8)
    ]
    assert {e.continuity for e in rig.of(Identified)} == {Continuity.FRESH}
    assert [e.box for e in rig.of(Up)] == [1, 2, 3, 4, 5, 6, 7]
    assert bench.gates == bench.lamps == 0x7F
    assert rig.chip(3)
    rig.run(200)
    assert rig.of(Polled) == [
        Polled(3, 1, 1, (Credit(3, 1, 1, 1, 1, True),), ((1, 1),)),
    ]
    assert rig.host.statistics()[3].state is State.READY
    assert rig.host.statistics()[3].polls > 5


def test_a_chip_is_told_within_its_pulse_and_30_ms(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(3)
    rig.run(60 + 5 + 20 + 4 + 2)
    assert len(rig.inner(Credit)) == 1


def test_nothing_more_of_a_box_is_told_before_its_commit_and_others_go_on(
    bench: Workbench,
) -> None:
    rig = Rig(bench)
    rig.open()
    rig.commits = False
    for _ in range(3):
        rig.chip(1)
        rig.chip(2)
        rig.run(200)
        rig.chip(3)
    assert [(e.box, e.count) for e in rig.inner(Credit)] == [(1, 1), (2, 1), (3, 1)]
    rig.commits = True
    rig.run(500)
    assert sorted((e.box, e.count) for e in rig.inner(Credit)) == [
        (box, count) for box in (1, 2, 3) for count in (1, 2, 3)
    ]


def test_a_host_that_starts_again_credits_the_difference_once(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(4)
    rig.run(200)
    rig.commits = False
    rig.chip(4)
    rig.run(200)
    assert len(rig.inner(Credit)) == 2
    rig.restart_controller()
    rig.commits = True
    rig.run(500)
    assert [e.continuity for e in rig.of(Identified)[7:]] == [Continuity.CONTINUED] * 7
    assert rig.ledger.credits == [(4, SERIAL, 1, 1), (4, SERIAL, 1, 2)]


def test_a_chip_in_the_instant_of_a_stop_is_credited_at_the_next_start(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    assert rig.chip(2)
    rig.host.accept(2, False, rig.now_ns)
    bench.receive(rig.host.bytes_to_send())
    assert bench.gates == 0x7D, "closed before the chip's first millisecond"
    rig.restart_controller()
    rig.run(500)
    assert [e.continuity for e in rig.of(Identified)[7:]] == [Continuity.CONTINUED] * 7
    assert rig.ledger.credits == [(2, SERIAL, 1, 1)]


def test_a_lost_answer_and_a_lost_acknowledgement_cost_nothing(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.wire.mute = True
    rig.chip(4)
    rig.run(90)
    rig.wire.mute = False
    rig.run(100)
    rig.wire.silent = True
    rig.run(100)
    rig.wire.silent = False
    rig.run(300)
    assert rig.ledger.credits == [(4, SERIAL, 1, 1)]
    assert rig.of(Down) == []


def test_a_restart_before_our_eyes_is_told_and_counting_goes_on(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(4)
    rig.run(200)
    bench.restart()
    rig.run(200)
    assert [(e.box, e.epoch) for e in rig.of(Restarted)] == [
        (box, SECOND_EPOCH + 2) for box in range(1, 8)
    ]
    assert len(rig.of(Identified)) == 7
    assert bench.gates == 0x7F, "open again without being told"
    rig.chip(4)
    rig.run(200)
    assert rig.ledger.credits == [(4, SERIAL, 1, 1), (4, SERIAL, SECOND_EPOCH + 2, 1)]
    assert rig.of(Down) == []


def test_a_restart_while_nobody_listened_is_doubtful(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(4)
    rig.run(200)
    bench.restart()
    rig.restart_controller()
    rig.run(200)
    again = rig.of(Identified)[7:]
    assert {e.continuity for e in again} == {Continuity.DOUBTFUL}
    assert {e.epoch for e in again} == {SECOND_EPOCH + 2}
    assert len(rig.of(Restarted)) == 7


def test_a_restart_of_a_board_that_was_out_of_service_is_doubtful(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.wire.silent = True
    rig.run(1_500)
    bench.restart()
    rig.wire.silent = False
    rig.run(5_000)
    assert {e.continuity for e in rig.of(Identified)[7:]} == {Continuity.DOUBTFUL}


def test_what_a_restarted_board_told_another_host_is_doubtful(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    bench.restart()
    assert ask(bench, 0x03, address(boot=2) + b"\x08") == b"\x83\x08"
    bench.chip(4)
    bench.advance(100)
    ask(bench, 0x02, address(boot=2) + b"\x01\x00\x00\x00")
    rig.run(300)
    assert [(e.box, e.continuity) for e in rig.of(Identified)[7:]] == [(4, Continuity.DOUBTFUL)]
    assert rig.ledger.credits == []


def test_another_board_is_doubtful_though_it_has_started_as_often(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    bench.replace(SERIAL + 1, 0)
    rig.run(200)
    assert [(e.serial, e.epoch, e.continuity) for e in rig.of(Identified)[7:]] == [
        (SERIAL + 1, SECOND_EPOCH + 1, Continuity.DOUBTFUL)
    ] * 7
    assert rig.of(Restarted) == []


def test_the_ledger_of_an_older_copy_is_doubtful_and_credits_nothing(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(4)
    rig.run(300)
    rig.ledger.records[4] = Resume(SERIAL, 1, 0, ())
    rig.restart_controller()
    rig.open()
    found = {e.box: e.continuity for e in rig.of(Identified)[7:]}
    assert found.pop(4) is Continuity.DOUBTFUL
    assert set(found.values()) == {Continuity.CONTINUED}
    assert len(rig.ledger.credits) == 1


def test_a_board_that_has_counted_less_than_the_ledger_is_doubtful(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.ledger.records[4] = Resume(SERIAL, 1, 3, ())
    rig.restart_controller()
    rig.run(200)
    assert [e.continuity for e in rig.of(Identified) if e.box == 4] == [Continuity.DOUBTFUL]


def test_a_record_of_another_mechanism_is_doubtful(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.ledger.records[4] = Resume(700_004, 5, 17, ((5, 1),))
    rig.restart_controller()
    rig.run(200)
    doubtful = [e for e in rig.of(Identified) if e.continuity is Continuity.DOUBTFUL]
    assert [(e.box, e.epoch, e.count) for e in doubtful] == [(4, SECOND_EPOCH + 1, 0)]


def test_the_lock_waits_for_a_chip_under_way(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(5)
    rig.run(10)
    rig.host.drain(rig.now_ns)
    rig.run(300)
    assert rig.of(Drained) == [Drained(())]
    kinds = [type(e) for e in rig.events if isinstance(e, Polled | Drained)]
    assert kinds == [Polled, Drained]
    assert bench.gates == 0


def test_an_answer_from_before_the_lock_is_no_answer_to_it(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    while not (asked := rig.host.bytes_to_send()):
        rig.host.advance(rig.now_ns)
        rig.now_ns += MS
    answer = bench.receive(asked)
    rig.host.drain(rig.now_ns)
    rig.host.receive(answer, rig.now_ns)
    rig.take()
    assert bench.gates == 0x7F
    assert rig.of(Drained) == [], "a chip may still go in"
    rig.run(250)
    assert rig.of(Drained) == [Drained(())]
    assert bench.gates == 0


def test_the_lock_of_quiet_slots_takes_the_fall_of_a_chip_and_a_poll(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.host.drain(rig.now_ns)
    rig.run(200)
    assert rig.of(Drained) == []
    rig.run(30)
    assert rig.of(Drained) == [Drained(())]


@pytest.mark.parametrize("fall_ms", [0, 60, 140, 190])
def test_a_chip_that_passed_the_gate_as_it_shut_is_told_before_the_lock(
    bench: Workbench, fall_ms: int
) -> None:
    rig = Rig(bench)
    rig.open()
    assert bench.chip(5, 60, fall_ms)
    rig.host.drain(rig.now_ns)
    rig.run(400)
    kinds = [(type(e), e.box if isinstance(e, Polled) else 0) for e in rig.events]
    assert [kind for kind in kinds if kind[0] in (Polled, Drained)] == [(Polled, 5), (Drained, 0)]
    assert rig.of(Drained) == [Drained(())]


def test_a_chip_that_hung_in_the_selector_longer_is_told_after_the_lock(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    assert bench.chip(5, 60, 400)
    rig.host.drain(rig.now_ns)
    rig.run(700)
    assert [type(e) for e in rig.events if isinstance(e, Polled | Drained)] == [Drained, Polled]


def test_the_lock_is_answered_after_a_second_at_the_latest(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    bench.hold_line(2, True)
    rig.run(50)
    rig.wire.silent = True
    rig.host.drain(rig.now_ns)
    rig.run(1_000)
    rig.take()
    assert rig.of(Drained) == [Drained((1, 2, 3, 4, 5, 6, 7))]


def test_a_jammed_slot_alone_is_unknown_at_the_lock(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    bench.hold_line(2, True)
    rig.run(800)
    rig.host.drain(rig.now_ns)
    rig.run(1_010)
    assert rig.of(Drained) == [Drained((2,))]


def test_a_slot_that_opens_again_is_unknown_at_the_lock(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.host.drain(rig.now_ns)
    rig.host.accept(6, True, rig.now_ns)
    rig.run(1_010)
    (drained,) = rig.of(Drained)
    assert 6 in drained.unknown_boxes


def test_a_jam_takes_one_slot_out_of_service_until_it_is_seen_to(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    bench.hold_line(2, True)
    rig.run(800)
    assert rig.inner(Fault) == [Fault(2, 1, 1, 14)]
    assert [(e.box, e.reason) for e in rig.of(Down)] == [(2, Diagnosis.SELF_CHECK)]
    assert bench.gates == 0b1111101
    bench.hold_line(2, False)
    rig.run(1_100)
    assert [e.box for e in rig.of(Up)][7:] == [2]
    assert bench.gates == 0x7F


def test_events_without_room_are_lost_and_never_guessed(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.wire.silent = True
    for _ in range(70):  # a selector that does not obey its inhibit line
        bench.hold_line(3, True)
        bench.advance(60)
        bench.hold_line(3, False)
        bench.advance(10)
    rig.now_ns += 70 * 70 * MS
    rig.wire.silent = False
    rig.run(5_000)
    assert len(rig.inner(Credit)) == 64
    assert rig.inner(Lost) == [Lost(3, 1, 70, 6)]
    assert rig.host.statistics()[3].lost_events == 6


def test_silence_takes_every_box_out_of_service_and_back(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.wire.silent = True
    rig.run(1_500)
    assert [(e.box, e.reason) for e in rig.of(Down)] == [
        (box, Diagnosis.NO_REPLY) for box in range(1, 8)
    ]
    assert bench.gates == 0, "its watchdog"
    rig.wire.silent = False
    rig.run(5_000)
    assert len(rig.of(Up)) == 14
    assert {e.continuity for e in rig.of(Identified)[7:]} == {Continuity.CONTINUED}
    assert bench.gates == bench.lamps == 0x7F


def test_noise_is_told_from_silence(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.wire.noise = 0.02
    rig.run(2_000)
    rig.wire.noise = 0.0
    assert {e.reason for e in rig.of(Down)} <= {Diagnosis.BAD_CHECKSUM, Diagnosis.NO_REPLY}
    assert rig.host.statistics()[1].checksum_errors > 0


def test_a_vanished_adapter_is_told_and_nothing_is_asked(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.host.line_lost(rig.now_ns, "gone")
    rig.host.line_lost(rig.now_ns, "gone again")
    assert rig.host.deadline_ns() is None
    rig.run(2_000)
    assert rig.of(LineFault) == [LineFault(Diagnosis.LINE_LOST, "gone")]
    assert {e.reason for e in rig.of(Down)} == {Diagnosis.LINE_LOST}
    rig.host.line_restored(rig.now_ns)
    rig.run(200)
    assert len(rig.of(Up)) == 14


def test_the_key_is_heard_once_and_never_from_the_past(bench: Workbench) -> None:
    rig = Rig(bench)
    bench.hold_key(True)
    bench.advance(50)
    bench.hold_key(False)
    rig.open()
    assert rig.of(KeyPressed) == [], "pressed before anybody listened"
    bench.hold_key(True)
    rig.run(500)
    bench.hold_key(False)
    rig.run(500)
    assert rig.of(KeyPressed) == [KeyPressed()]
    rig.restart_controller()
    rig.run(500)
    assert len(rig.of(KeyPressed)) == 1


def test_a_late_answer_is_never_taken_for_another(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.late = True
    rig.run(400)
    rig.late = False
    rig.chip(2)
    rig.run(5_000)
    assert len(rig.ledger.credits) <= 1
    assert rig.inner(Lost) == []


def next_poll(rig: Rig) -> bytes:
    """The host asks for events; the real answer, which it has not heard yet."""
    while True:
        rig.take()
        asked = rig.host.bytes_to_send()
        if asked and unframed(asked)[0][1] == 0x02:
            return rig.bench.receive(asked)
        if asked:
            rig.host.receive(rig.bench.receive(asked), rig.now_ns)
        else:
            rig.bench.advance(1)
            rig.now_ns += MS
            rig.host.advance(rig.now_ns)


def forged(answer: bytes, at: int, value: int) -> bytes:
    """One byte of the payload another one, and the CRC right all the same."""
    raw = bytearray(unframed(answer)[0])
    raw[3 + at] = value
    return framed(bytes(raw))


@pytest.mark.parametrize(("at", "value"), [(12 + 4 * 3, 0), (8, 0), (4, 0)])
def test_a_count_that_goes_back_is_not_believed(bench: Workbench, at: int, value: int) -> None:
    rig = Rig(bench)
    rig.open()
    rig.chip(3)
    rig.run(300)
    rig.host.receive(forged(next_poll(rig), at, value), rig.now_ns)
    rig.run(500)
    assert rig.ledger.credits == [(3, SERIAL, 1, 1)]
    assert rig.of(Down) == []
    assert rig.host.statistics()[3].replies > 0
    assert len(rig.of(Polled)) == 1


def test_a_ring_that_is_full_is_emptied_before_slots_open_again(bench: Workbench) -> None:
    rig = Rig(bench)
    rig.open()
    rig.commits = False
    for _ in range(8):
        for box in range(1, 8):
            rig.chip(box)
        rig.run(100)
    assert bench.gates == 0
    asked = rig.host.statistics()[1].replies
    polls = rig.host.statistics()[1].polls
    rig.run(200)
    assert rig.host.statistics()[1].replies - asked == rig.host.statistics()[1].polls - polls
    rig.commits = True
    rig.take()
    rig.run(500)
    assert len(rig.ledger.credits) == 56
    assert bench.gates == 0x7F


def test_a_board_with_too_few_slots_never_comes_into_service(bench: Workbench) -> None:
    rig = Rig(bench)
    bench.replace(SERIAL, 0, 5)
    rig.run(25_000)
    assert rig.of(Up) == []
    assert {e.reason for e in rig.of(Down)} == {Diagnosis.NO_CHIP_CHANNEL}
    assert len(rig.of(Down)) == 7
    assert rig.host.statistics()[1].state is State.UNFIT


def test_a_board_that_cannot_count_its_starts_is_refused(bench: Workbench) -> None:
    rig = Rig(bench)
    bench.wear_out(True)
    bench.restart()
    rig.run(500)
    assert {(e.reason, e.detail) for e in rig.of(Down)} == {
        (
            Diagnosis.SELF_CHECK,
            "the board cannot count its starts: its memory has failed, replace it",
        )
    }


def test_fewer_boxes_than_slots_leave_the_others_shut(bench: Workbench) -> None:
    rig = Rig(bench, slots=5)
    bench.replace(SERIAL, 0, 7)
    rig.open()
    assert bench.gates == 0b11111


@pytest.mark.parametrize("boxes", [(), (1, 3), (2, 1), (1, 2, 3, 4, 5, 6, 7, 8)])
def test_boxes_that_no_board_can_have_are_refused(boxes: tuple[int, ...]) -> None:
    with pytest.raises(Refused, match="bad_boxes"):
        BoardHost(BoardSetup(boxes), {}, 0)


def test_a_speed_that_no_board_has_is_refused() -> None:
    with pytest.raises(Refused, match="bad_baud"):
        BoardHost(BoardSetup((1,), baud=300), {}, 0)


def test_a_box_of_another_table_is_our_own_fault() -> None:
    host = BoardHost(BoardSetup((1,)), {}, 0)
    with pytest.raises(InvariantBroken):
        host.accept(2, True, S)
