"""Frames of the slot board: COBS, CRC, and a line full of noise."""

from __future__ import annotations

import binascii

import pytest
from board_bench import framed, unframed
from hypothesis import given
from hypothesis import strategies as st

from jackpot.board.frame import Frame, Reader, cobs_decode, cobs_encode, crc16, decode, encode

HELLO = bytes.fromhex("00 06 010101 bcd8 00")
SLOTS_ANSWER = bytes.fromhex("00 07 01832b04 e60a 00")
POLL = bytes.fromhex("00 07 01022aa0bb0d 01 01 01 01 02 05 01 01 02 07 01 01 03 5e7e 00")
"""Serial number 900000, start 5, everything up to event 7 acknowledged, number 2A."""


def test_the_crc_has_the_check_value_of_the_catalogue() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=187))
def test_the_crc_is_the_one_of_the_standard_library(data: bytes) -> None:
    assert crc16(data) == binascii.crc_hqx(data, 0xFFFF)


@pytest.mark.parametrize(
    ("frame", "line"),
    [
        (Frame(0x01, 1), HELLO),
        (Frame(0x83, 0x2B, b"\x04"), SLOTS_ANSWER),
        (
            Frame(2, 0x2A, (900_000).to_bytes(8, "little") + b"\x05\0\0\0" + b"\x07\0\0\0"),
            POLL,
        ),
    ],
)
def test_worked_frames_both_ways(frame: Frame, line: bytes) -> None:
    assert encode(frame) == line
    assert Reader().feed(line) == [frame]


@pytest.mark.parametrize(
    ("raw", "stuffed"),
    [("", "01"), ("00", "01 01"), ("00 00", "01 01 01"), ("11 22 00 33", "03 11 22 02 33"),
     ("11 22 33 44", "05 11 22 33 44"), ("11 00 00 00", "02 11 01 01 01")],
)  # fmt: skip
def test_examples_of_the_paper_on_cobs(raw: str, stuffed: str) -> None:
    assert cobs_encode(bytes.fromhex(raw)) == bytes.fromhex(stuffed)
    assert cobs_decode(bytes.fromhex(stuffed)) == bytes.fromhex(raw)


@given(st.binary(max_size=192))
def test_cobs_holds_no_zero_and_comes_back(data: bytes) -> None:
    stuffed = cobs_encode(data)
    assert 0 not in stuffed
    assert len(stuffed) == len(data) + 1
    assert cobs_decode(stuffed) == data


@pytest.mark.parametrize("broken", ["00", "02", "05 11", "03 11 22 04 33"])
def test_a_distance_past_the_end_is_no_frame(broken: str) -> None:
    assert cobs_decode(bytes.fromhex(broken)) is None


frames = st.builds(
    Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=187), st.just(1)
)


@given(frames)
def test_every_frame_is_read_alike_by_an_independent_reader(frame: Frame) -> None:
    raw = bytes((1, frame.type, frame.seq)) + frame.payload
    assert unframed(encode(frame)) == [raw]
    assert encode(frame) == framed(raw)


@given(st.lists(frames, min_size=1, max_size=4), st.binary(max_size=300), st.data())
def test_after_any_noise_every_frame_is_found_however_it_is_cut(
    sent: list[Frame], noise: bytes, data: st.DataObject
) -> None:
    line = noise + b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=6)))
    reader, found = Reader(), list[Frame]()
    for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True):
        found += reader.feed(line[start:end])
    assert found[-len(sent) :] == sent


@given(frames, st.integers(0, 10_000))
def test_one_wrong_bit_is_never_passed(frame: Frame, where: int) -> None:
    line = bytearray(encode(frame))
    bit = where % (8 * (len(line) - 2)) + 8
    line[bit // 8] ^= 1 << bit % 8
    assert frame not in Reader().feed(bytes(line))
    assert len(Reader().feed(bytes(line))) == 0


def test_a_line_that_never_pauses_holds_no_more_than_a_frame() -> None:
    reader = Reader()
    assert reader.feed(b"\xaa" * 100_000) == []
    assert len(reader._bytes) <= 194
    assert reader.feed(HELLO) == [Frame(1, 1)]
    assert reader.broken == 1


def test_too_short_is_no_frame() -> None:
    assert decode(cobs_encode(b"\x01\x01\xbc\xd8")) is None
