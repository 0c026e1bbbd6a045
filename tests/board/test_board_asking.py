"""One question, one answer, or the reason why there is none."""

from __future__ import annotations

from board_bench import framed

from jackpot.board.asking import Asking
from jackpot.board.messages import Type
from jackpot.mechanism.wire_events import Diagnosis

TIMEOUT_NS = 70_000_000


def test_the_answer_to_the_question_is_taken_once() -> None:
    asking = Asking(TIMEOUT_NS)
    assert asking.ask(Type.HELLO, b"", 0) == framed(b"\x01\x01\x01")
    reply = asking.receive(framed(b"\x01\x81\x01me") * 2, 5_000_000)
    assert reply is not None
    assert (reply.payload, reply.round_trip_ns, reply.diagnosis) == (b"me", 5_000_000, None)
    assert not asking.busy
    assert asking.unasked_frames == 1


def test_an_answer_to_an_earlier_question_is_thrown_away() -> None:
    asking = Asking(TIMEOUT_NS)
    asking.ask(Type.POLL, b"", 0)
    assert asking.advance(TIMEOUT_NS) is not None
    asking.ask(Type.POLL, b"", TIMEOUT_NS)
    assert asking.receive(framed(b"\x01\x82\x01old"), TIMEOUT_NS) is None
    assert asking.busy
    reply = asking.receive(framed(b"\x01\x82\x02new"), TIMEOUT_NS)
    assert reply is not None
    assert reply.payload == b"new"


def test_an_answer_to_another_kind_of_question_is_thrown_away() -> None:
    asking = Asking(TIMEOUT_NS)
    asking.ask(Type.POLL, b"", 0)
    assert asking.receive(framed(b"\x01\x83\x01\x7f"), 0) is None
    assert asking.unasked_frames == 1


def test_silence_and_a_broken_answer_are_different_diagnoses() -> None:
    asking = Asking(TIMEOUT_NS)
    asking.ask(Type.POLL, b"", 0)
    assert asking.advance(TIMEOUT_NS - 1) is None
    silence = asking.advance(TIMEOUT_NS)
    assert silence is not None
    assert silence.diagnosis is Diagnosis.NO_REPLY
    asking.ask(Type.POLL, b"", TIMEOUT_NS)
    asking.receive(framed(b"\x01\x82\x02")[:-2] + b"\xff\x00", TIMEOUT_NS)
    broken = asking.advance(2 * TIMEOUT_NS)
    assert broken is not None
    assert broken.diagnosis is Diagnosis.BAD_CHECKSUM


def test_a_refusal_says_why() -> None:
    asking = Asking(TIMEOUT_NS)
    asking.ask(Type.SLOTS, b"", 0)
    reply = asking.receive(framed(b"\x01\xff\x01\x04"), 0)
    assert reply is not None
    assert (reply.diagnosis, reply.refusal, reply.detail) == (
        Diagnosis.REFUSED,
        4,
        "SLOTS: stranger",
    )


def test_a_board_of_another_version_says_which() -> None:
    asking = Asking(TIMEOUT_NS)
    asking.ask(Type.HELLO, b"", 0)
    reply = asking.receive(framed(b"\x02\xff\x01\x01"), 0)
    assert reply is not None
    assert reply.detail == "the board speaks version 2 of the protocol, not this one"


def test_a_refusal_that_nobody_knows_is_a_refusal() -> None:
    asking = Asking(TIMEOUT_NS)
    asking.ask(Type.LAMPS, b"", 0)
    reply = asking.receive(framed(b"\x01\xff\x01"), 0)
    assert reply is not None
    assert (reply.diagnosis, reply.detail) == (Diagnosis.REFUSED, "LAMPS")
