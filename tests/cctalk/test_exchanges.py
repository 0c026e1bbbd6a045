"""One exchange at a time: echoes, answers, and why there is none."""

from __future__ import annotations

import pytest

from jackpot.cctalk.exchange import Exchange, Request
from jackpot.cctalk.headers import Header
from jackpot.cctalk.setup import LineSetup
from jackpot.mechanism.wire_events import Diagnosis

MS = 1_000_000
SENT = bytes.fromhex("02 00 01 f2 0b")
REPLY = bytes.fromhex("01 03 02 00 4e 61 bc 8f")
SERIAL = bytes.fromhex("4e 61 bc")
ASK_SERIAL = Request(2, Header.REQUEST_SERIAL_NUMBER, b"", 3, 4)


def exchange(echo: bool | None, *, crc16: bool = False) -> Exchange:
    return Exchange(ASK_SERIAL, LineSetup(crc16=crc16), echo, 0)


def over(e: Exchange) -> tuple[Diagnosis | None, bytes]:
    if e.result is None:
        e.advance(e.deadline_ns)
    assert e.result is not None
    return e.result.diagnosis, e.result.data


def test_it_sends_the_frame_of_the_specification() -> None:
    assert exchange(True).sent == SENT


@pytest.mark.parametrize("echo", [True, None], ids=["echo on", "echo unknown"])
def test_an_echo_and_an_answer_in_one_piece_or_byte_by_byte(echo: bool | None) -> None:
    for size in (1, 3, 13):
        e = exchange(echo)
        stream = SENT + REPLY
        for i in range(0, len(stream), size):
            assert e.result is None
            e.receive(stream[i : i + size], i * MS)
        assert over(e) == (None, SERIAL)
        assert e.echo is True


def test_an_answer_without_an_echo_shows_that_there_is_none() -> None:
    e = exchange(None)
    e.receive(REPLY, 10 * MS)
    assert over(e) == (None, SERIAL)
    assert e.echo is False


def test_a_broken_echo_before_a_good_answer_does_not_pass_for_a_line_without_echo() -> None:
    e = exchange(None)
    e.receive(b"\x02\xff" + SENT[2:] + REPLY, 10 * MS)
    assert over(e) == (None, SERIAL)
    assert e.echo is None


def test_silence_decides_nothing_about_the_echo() -> None:
    e = exchange(None)
    assert over(e) == (Diagnosis.NO_REPLY, b"")
    assert e.echo is None


def test_no_echo_and_no_reply_are_different_diagnoses() -> None:
    assert over(exchange(True))[0] is Diagnosis.NO_ECHO
    echoed = exchange(True)
    echoed.receive(SENT, 6 * MS)
    assert over(echoed)[0] is Diagnosis.NO_REPLY
    assert over(exchange(False))[0] is Diagnosis.NO_REPLY


def test_the_reply_timeout_runs_from_the_end_of_the_echo() -> None:
    e = exchange(True)
    assert e.deadline_ns == 5 * 1_041_666 + 50 * MS
    e.receive(SENT, 20 * MS)
    assert e.deadline_ns == 70 * MS


@pytest.mark.parametrize("heard", ["02 00 01 f3", "ff", "02 00 01", "02 00 01 f2 0a"])
def test_a_wrong_echo_is_a_collision_whatever_follows(heard: str) -> None:
    e = exchange(True)
    e.receive(bytes.fromhex(heard), 5 * MS)
    if heard != "02 00 01":
        e.receive(REPLY, 15 * MS)
    assert over(e) == (Diagnosis.COLLISION, b"")


def test_an_answer_where_the_echo_should_be_is_a_collision_too() -> None:
    e = exchange(True)
    e.receive(REPLY, 10 * MS)
    assert over(e)[0] is Diagnosis.COLLISION


def test_a_broken_answer_is_not_an_answer() -> None:
    e = exchange(True)
    e.receive(SENT + REPLY[:-1] + b"\x00", 10 * MS)
    assert over(e) == (Diagnosis.BAD_CHECKSUM, b"")


def test_half_an_answer_is_thrown_away_after_the_gap() -> None:
    e = exchange(True)
    e.receive(SENT + REPLY[:5], 10 * MS)
    assert e.deadline_ns >= 60 * MS
    assert over(e)[0] is Diagnosis.BAD_CHECKSUM


def test_noise_before_a_good_answer_does_no_harm() -> None:
    e = exchange(True)
    e.receive(SENT + b"\x01\xfb\x00\x07" + REPLY, 10 * MS)
    assert over(e) == (None, SERIAL)


def test_another_acceptors_frame_is_never_the_answer() -> None:
    e = exchange(True)
    e.receive(SENT + bytes.fromhex("01 03 0b 00 4e 61 bc 86"), 10 * MS)
    assert over(e) == (Diagnosis.COLLISION, b"")


def test_a_late_answer_to_another_question_is_passed_over() -> None:
    e = exchange(False)
    e.receive(bytes.fromhex("01 00 02 00 fd"), 10 * MS)
    e.receive(REPLY, 20 * MS)
    assert over(e) == (None, SERIAL)
    only_late = exchange(False)
    only_late.receive(bytes.fromhex("01 00 02 00 fd"), 10 * MS)
    assert over(only_late)[0] is Diagnosis.WRONG_SHAPE


@pytest.mark.parametrize(
    ("raw", "diagnosis"),
    [("01 00 02 05 f8", Diagnosis.REFUSED), ("01 00 02 06 f7", Diagnosis.BUSY)],
)
def test_nak_and_busy(raw: str, diagnosis: Diagnosis) -> None:
    e = exchange(False)
    e.receive(bytes.fromhex(raw), 10 * MS)
    assert over(e) == (diagnosis, b"")


def test_in_crc_mode_the_answer_carries_no_source() -> None:
    e = Exchange(Request(2, Header.SIMPLE_POLL), LineSetup(crc16=True), False, 0)
    e.receive(bytes.fromhex("01 00 30 00 37"), 10 * MS)
    assert over(e) == (None, b"")


def test_an_endless_babbler_ends_at_the_cap() -> None:
    e = exchange(True)
    e.receive(SENT, 6 * MS)
    now_ns = 6 * MS
    while now_ns < e.deadline_ns:
        now_ns += 5 * MS
        e.receive(b"\x00", now_ns)
    assert now_ns < 400 * MS
    assert over(e)[0] is Diagnosis.NO_REPLY
