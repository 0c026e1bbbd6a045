"""The firmware itself, asked directly: nothing here uses the host's code."""

from __future__ import annotations

import pytest
from board_bench import SERIAL, address, ask, framed, unframed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_sim.board.build import STRICT, build
from firmware_sim.board.workbench import Workbench, WorkbenchError

HELLO, POLL, SLOTS, LAMPS, SELF_TEST, REFUSED = 0x01, 0x02, 0x03, 0x04, 0x05, 0xFF

at_once = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)


def poll(bench: Workbench, acked: int = 0, boot: int = 1, seq: int = 1) -> bytes:
    """The payload of the answer."""
    answer = ask(bench, POLL, address(boot=boot) + acked.to_bytes(4, "little"), seq)
    assert answer[0] == 0x82
    return answer[1:]


def slots(bench: Workbench, mask: int) -> int:
    answer = ask(bench, SLOTS, address() + bytes((mask,)))
    assert answer[0] == 0x83
    return answer[1]


def numbers(answer: bytes) -> tuple[int, int]:
    """Newest acknowledged and newest event."""
    return int.from_bytes(answer[4:8], "little"), int.from_bytes(answer[8:12], "little")


def records(answer: bytes, of_slots: int = 7) -> list[tuple[int, int, int, int]]:
    """Source, kind, code, count of each event shown."""
    rest = answer[12 + 4 * (of_slots + 1) :]
    assert len(rest) % 7 == 0
    return [(*rest[i : i + 3], int.from_bytes(rest[i + 3 : i + 7], "little"))
            for i in range(0, len(rest), 7)]  # fmt: skip


def counts(answer: bytes) -> list[int]:
    return [int.from_bytes(answer[i : i + 4], "little") for i in range(12, 44, 4)]


def drop_chip(bench: Workbench, slot: int, pulse_ms: int = 60) -> None:
    bench.chip(slot, pulse_ms)
    bench.advance(pulse_ms + 40)


def test_it_compiles_without_a_warning_for_any_compiler() -> None:
    assert build(STRICT).exists()


def test_hello_says_who_it_is() -> None:
    with Workbench(build(), 900_000, 4, 2) as board:
        assert ask(board, HELLO) == bytes.fromhex(
            "81 a0bb0d0000000000 05000000 01 00 02 40"
            "6f70656e20736c6f74730000 7265666572656e6365000000"
            "00000000 00000000 00000000"
        )


def test_a_chip_through_an_open_slot_is_shown_until_it_is_acknowledged(bench: Workbench) -> None:
    assert slots(bench, 0b100) == bench.gates == 0b100
    drop_chip(bench, 3)
    for _ in range(3):
        answer = poll(bench)
        assert numbers(answer) == (0, 1)
        assert records(answer) == [(3, 1, 1, 1)]
    assert records(poll(bench, acked=1)) == []
    assert numbers(poll(bench, acked=1)) == (1, 1)
    assert numbers(poll(bench, acked=0)) == (1, 1), "an older acknowledgement says nothing new"
    assert counts(poll(bench, acked=1)) == [0, 0, 0, 1, 0, 0, 0, 0]


def test_a_closed_slot_returns_the_chip(bench: Workbench) -> None:
    drop_chip(bench, 3)
    assert numbers(poll(bench)) == (0, 0)


def test_a_chip_past_the_gate_is_counted_though_the_gate_shuts_at_once(bench: Workbench) -> None:
    slots(bench, 0b100)
    assert bench.chip(3)
    assert slots(bench, 0) == bench.gates == 0, "no millisecond later"
    bench.advance(100)
    assert records(poll(bench)) == [(3, 1, 1, 1)]


def test_a_returned_chip_is_not_counted_though_the_gate_opens_at_once(bench: Workbench) -> None:
    assert not bench.chip(3)
    slots(bench, 0b100)
    bench.advance(100)
    assert numbers(poll(bench)) == (0, 0)


def test_hello_and_the_watchdog_leave_a_chip_past_the_gate_alone(bench: Workbench) -> None:
    slots(bench, 0b101)
    assert bench.chip(1)
    ask(bench, HELLO)
    assert bench.gates == 0
    bench.advance(100)
    slots(bench, 0b101)
    poll(bench)
    bench.advance(1_000)
    assert bench.chip(3)
    bench.advance(1)
    assert bench.gates == 0, "the watchdog, while it falls"
    bench.advance(100)
    assert records(poll(bench)) == [(1, 1, 1, 1), (3, 1, 1, 1)]


def test_chips_behind_one_another_have_a_pulse_each_until_no_more_fit(bench: Workbench) -> None:
    slots(bench, 1)
    assert [bench.chip(1, 20 + i) for i in range(9)] == [True] * 8 + [False]
    slots(bench, 0)
    bench.advance(8 * 60)
    assert counts(poll(bench))[1] == 8


def test_stacked_chips_look_at_the_gate_one_by_one(bench: Workbench) -> None:
    slots(bench, 1)
    bench.stack(1, 5)
    bench.advance(95)
    slots(bench, 0)
    bench.advance(1_000)
    slots(bench, 1)
    bench.advance(500)
    assert counts(poll(bench))[1] == 2, "the second was in, the other three went back"


def test_a_chip_that_a_closed_selector_kept_is_told_all_the_same(bench: Workbench) -> None:
    bench.hold_line(2, True)
    bench.advance(60)
    bench.hold_line(2, False)
    bench.advance(10)
    assert records(poll(bench)) == [(2, 1, 1, 1)]


@pytest.mark.parametrize(
    ("pulse_ms", "shown"),
    [(4, []), (5, [(1, 2, 18, 1)]), (19, [(1, 2, 18, 1)]), (20, [(1, 1, 1, 1)]),
     (500, [(1, 1, 1, 1)]), (501, [(1, 2, 14, 1)]), (800, [(1, 2, 14, 1)])],
)  # fmt: skip
def test_only_a_pulse_of_the_right_length_is_a_chip(
    bench: Workbench, pulse_ms: int, shown: list[tuple[int, int, int, int]]
) -> None:
    slots(bench, 1)
    drop_chip(bench, 1, pulse_ms)
    assert records(poll(bench)) == shown


def test_a_blocked_slot_stays_closed_until_a_clean_self_test(bench: Workbench) -> None:
    slots(bench, 0b111)
    bench.hold_line(2, True)
    bench.advance(510)
    assert bench.gates == 0b101
    assert poll(bench)[1:4] == bytes((0b101, 0b010, 0b010)), "open, busy, faulty"
    assert ask(bench, SELF_TEST, address()) == bytes((0x85, 0, 3, 0, 0, 0, 0, 0))
    bench.hold_line(2, False)
    bench.advance(10)
    assert poll(bench)[3] == 0b010, "it stands"
    assert ask(bench, SELF_TEST, address()) == bytes((0x85, 0, 0, 0, 0, 0, 0, 0))
    assert poll(bench)[1] == 0b111


def test_without_a_poll_for_a_second_every_slot_closes_and_stays_closed(bench: Workbench) -> None:
    slots(bench, 0x7F)
    poll(bench)
    bench.advance(1_000)
    assert bench.gates == 0x7F
    bench.advance(1)
    assert (bench.gates, bench.lamps) == (0, 0)
    assert poll(bench)[0] == 1, "the watchdog did it"
    assert bench.gates == 0
    assert poll(bench)[0] == 0, "said once"


def test_only_a_poll_quietens_the_watchdog(bench: Workbench) -> None:
    poll(bench)
    for _ in range(11):
        slots(bench, 0x7F)
        bench.advance(100)
    assert bench.gates == 0


def test_lamps(bench: Workbench) -> None:
    assert ask(bench, LAMPS, address() + b"\x05\x01") == b"\x84\x05\x01"
    assert bench.lamps == 0x0105


def test_hello_closes_every_slot_and_darkens_the_lamps(bench: Workbench) -> None:
    slots(bench, 0x7F)
    ask(bench, LAMPS, address() + b"\x7f\x00")
    ask(bench, HELLO)
    assert (bench.gates, bench.lamps) == (0, 0)


def test_the_key_is_an_event_of_the_board_itself(bench: Workbench) -> None:
    bench.hold_key(True)
    bench.advance(50)
    assert poll(bench)[0] == 2, "it is down"
    bench.hold_key(False)
    bench.advance(50)
    assert records(poll(bench)) == [(0, 3, 1, 1), (0, 3, 0, 2)]


def test_a_full_ring_closes_every_slot_loses_nothing_readable_and_counts_the_rest(
    bench: Workbench,
) -> None:
    slots(bench, 0x7F)
    for _ in range(8):
        for slot in range(1, 8):
            bench.chip(slot)
        bench.advance(100)
        poll(bench)
    assert bench.gates == 0, "56 events wait"
    assert poll(bench)[0] == 4
    for _ in range(10):  # the selector of slot 1 does not obey
        bench.hold_line(1, True)
        bench.advance(60)
        bench.hold_line(1, False)
        bench.advance(10)
    answer = poll(bench)
    assert numbers(answer) == (0, 64)
    assert counts(answer)[1] == 18, "8 and 10, of which two found no room"
    seen = []
    while True:
        shown = records(answer)
        assert len(shown) <= 16
        if not shown:
            break
        seen += shown
        answer = poll(bench, acked=len(seen))
    assert len(seen) == 64
    assert [count for source, _, _, count in seen if source == 1] == list(range(1, 17))
    assert bench.gates == 0x7F, "room again"


@pytest.mark.parametrize(
    ("kind", "payload", "version", "why"),
    [
        (HELLO, b"", 2, 1),
        (0x06, address(), 1, 2),
        (POLL, address(), 1, 3),
        (SLOTS, address(), 1, 3),
        (HELLO, b"\x00", 1, 3),
        (POLL, b"", 1, 3),
        (SLOTS, address(serial=SERIAL + 1) + b"\x7f", 1, 4),
        (SLOTS, address(boot=2) + b"\x7f", 1, 4),
        (POLL, address() + b"\x01\x00\x00\x00", 1, 5),
    ],
)
def test_what_a_board_refuses(
    bench: Workbench, kind: int, payload: bytes, version: int, why: int
) -> None:
    assert ask(bench, kind, payload, version=version) == bytes((REFUSED, why))
    assert bench.gates == 0


def test_a_copy_that_comes_late_is_not_obeyed(bench: Workbench) -> None:
    opens = framed(bytes((1, SLOTS, 5)) + address() + b"\x7f")
    closes = framed(bytes((1, SLOTS, 6)) + address() + b"\x00")
    bench.receive(opens)
    bench.receive(closes)
    assert bench.receive(opens) == b""
    assert bench.gates == 0
    assert unframed(bench.receive(closes)) == [bytes((1, 0x83, 6, 0))], "the newest, said again"


def test_sequence_numbers_go_round(bench: Workbench) -> None:
    for seq in (250, 255, 0, 3):
        assert poll(bench, seq=seq)
    late = framed(bytes((1, SLOTS, 255)) + address() + b"\x7f")
    assert bench.receive(late) == b""


def test_each_start_has_a_number_of_its_own_and_knows_nothing_of_the_last(
    bench: Workbench,
) -> None:
    slots(bench, 1)
    drop_chip(bench, 1)
    bench.restart()
    assert bench.gates == 0
    assert ask(bench, POLL, address(boot=1) + bytes(4)) == bytes((REFUSED, 4))
    assert numbers(poll(bench, boot=2)) == (0, 0)


def test_a_board_that_cannot_count_its_starts_says_zero(bench: Workbench) -> None:
    bench.wear_out(True)
    bench.restart()
    assert ask(bench, HELLO)[9:13] == bytes(4)


@at_once
@given(noise=st.lists(st.binary(max_size=260), max_size=8))
def test_noise_gets_silence_and_the_next_question_its_answer(
    bench: Workbench, noise: list[bytes]
) -> None:
    for burst in noise:
        bench.receive(burst)
    assert ask(bench, HELLO)[0] == 0x81


def test_a_line_that_never_pauses_overruns_nothing(bench: Workbench) -> None:
    bench.receive(b"\xaa" * 5_000)
    assert ask(bench, HELLO)[0] == 0x81


@at_once
@given(kind=st.integers(0, 255), payload=st.binary(max_size=187), seq=st.integers(0, 255))
def test_every_whole_frame_gets_exactly_one_answer(
    bench: Workbench, kind: int, payload: bytes, seq: int
) -> None:
    ask(bench, HELLO, seq=seq)
    assert ask(bench, kind, payload, seq)


@at_once
@given(st.binary(max_size=187), st.integers(0, 8 * 190))
def test_a_frame_with_a_wrong_bit_gets_silence(
    bench: Workbench, payload: bytes, where: int
) -> None:
    line = bytearray(framed(bytes((1, HELLO, 1)) + payload))
    bit = where % (8 * (len(line) - 2)) + 8
    line[bit // 8] ^= 1 << bit % 8
    assert bench.receive(bytes(line)) == b""


def test_the_workbench_says_what_it_does_not_understand(bench: Workbench) -> None:
    with pytest.raises(WorkbenchError, match="expected 0 to 3600000 ms"):
        bench.advance(-1)
