"""Frames against the worked examples of the specification, and the reader against anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jackpot.cctalk.frame import (
    LONGEST_FRAME_BYTES,
    SOURCE_NOT_CARRIED,
    Checksum,
    Frame,
    FrameError,
    FrameReader,
)

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "cctalk-spec.json").read_text(encoding="utf-8")
)
MS = 1_000_000
MODES = st.sampled_from(Checksum)
FRAMES = st.builds(
    Frame,
    destination=st.integers(0, 255),
    source=st.just(SOURCE_NOT_CARRIED),
    header=st.integers(0, 255),
    data=st.binary(max_size=255),
)


def test_the_vector_file_is_whole() -> None:
    assert len(VECTORS) == 50
    assert sum(not vector["valid"] for vector in VECTORS) == 1


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['dir']} {v['bytes'][:14]}")
def test_a_worked_frame_of_the_specification_reads_and_writes_the_same(
    vector: dict[str, object],
) -> None:
    raw = bytes.fromhex(str(vector["bytes"]))
    if not vector["valid"]:
        with pytest.raises(FrameError):
            Frame.decode(raw)
        assert FrameReader().feed(raw, 0) == []
        return
    frame = Frame.decode(raw)
    assert frame.destination == (1 if vector["dir"] == "RX" else 2)
    assert frame.source == (2 if vector["dir"] == "RX" else 1)
    assert frame.encode() == raw
    assert FrameReader().feed(raw, 0) == [frame]


def test_what_the_specification_says_in_the_frames() -> None:
    serial = Frame.decode(bytes.fromhex("01 03 02 00 4e 61 bc 8f"))
    assert int.from_bytes(serial.data, "little") == 12_345_678
    category = Frame.decode(bytes.fromhex("01 0d 02 00 43 6f 69 6e 20 41 63 63 65 70 74 6f 72 16"))
    assert category.data == b"Coin Acceptor"


@pytest.mark.parametrize(
    ("frame", "raw"),
    [(Frame(40, 1, 1), "28 00 46 01 3f"), (Frame(1, 40, 0), "01 00 30 00 37")],
    ids=["reset device", "its ACK"],
)
def test_crc_frames_as_in_part_3_appendix_9(frame: Frame, raw: str) -> None:
    assert frame.encode(Checksum.CRC16) == bytes.fromhex(raw)
    read = Frame.decode(bytes.fromhex(raw), Checksum.CRC16)
    assert read == Frame(frame.destination, SOURCE_NOT_CARRIED, frame.header)


def test_a_frame_has_5_to_260_bytes() -> None:
    assert len(Frame(2, 1, 254).encode()) == 5
    assert len(Frame(2, 1, 255, bytes(255)).encode()) == LONGEST_FRAME_BYTES == 260
    with pytest.raises(FrameError, match="at most 255"):
        Frame(2, 1, 255, bytes(256)).encode()


@given(FRAMES, MODES)
def test_every_frame_survives_the_wire(frame: Frame, mode: Checksum) -> None:
    assert Frame.decode(frame.encode(mode), mode) == frame


@given(FRAMES, MODES, st.data())
def test_no_single_wrong_byte_passes(frame: Frame, mode: Checksum, data: st.DataObject) -> None:
    raw = bytearray(frame.encode(mode))
    where = data.draw(st.integers(0, len(raw) - 1))
    raw[where] ^= data.draw(st.integers(1, 255))
    try:
        assert Frame.decode(bytes(raw), mode) != frame
        pytest.fail("a wrong byte passed")
    except FrameError:
        pass


@given(st.binary(max_size=600), FRAMES, MODES)
@example(b"\x01\xff", Frame(1, 0, 0), Checksum.SUM8)
def test_after_any_garbage_and_a_gap_of_50_ms_the_next_frame_is_found(
    garbage: bytes, frame: Frame, mode: Checksum
) -> None:
    reader = FrameReader(mode)
    reader.feed(garbage, 0)
    assert reader.pending_bytes <= LONGEST_FRAME_BYTES
    assert reader.feed(frame.encode(mode), 51 * MS) == [frame]
    assert reader.pending_bytes == 0


@given(st.binary(max_size=40).filter(lambda g: 1 not in g))
def test_a_reader_that_knows_its_address_needs_no_gap(garbage: bytes) -> None:
    reader = FrameReader(destination=1)
    reply = bytes.fromhex("01 03 02 00 4e 61 bc 8f")
    assert reader.feed(garbage + reply, 0) == [Frame(1, 2, 0, b"\x4e\x61\xbc")]


def test_a_corrupt_length_byte_does_not_wedge_the_reader() -> None:
    reader = FrameReader(destination=1, longest_data=36)
    broken = bytes.fromhex("01 fb 02 00 4e 61 bc 8f")
    reply = bytes.fromhex("01 03 02 00 4e 61 bc 8f")
    assert reader.feed(broken + reply, 0) == [Frame(1, 2, 0, b"\x4e\x61\xbc")]


def test_a_corrupt_length_byte_costs_at_most_the_gap_for_a_reader_that_knows_nothing() -> None:
    reader = FrameReader()
    assert reader.feed(bytes.fromhex("01 fb 02 00 4e 61 bc 8f"), 0) == []
    assert reader.feed(bytes.fromhex("01 00 02 00 fd"), 50 * MS + 1) == [Frame(1, 2, 0)]


def test_a_gap_of_just_50_ms_is_still_waited_for() -> None:
    reader = FrameReader()
    assert reader.feed(b"\x01\x00", 0) == []
    assert reader.feed(b"\x02\x00\xfd", 50 * MS) == [Frame(1, 2, 0)]


@given(st.lists(FRAMES, max_size=4), st.integers(1, 7))
def test_frames_come_out_however_the_bytes_are_cut(frames: list[Frame], size: int) -> None:
    raw = b"".join(frame.encode() for frame in frames)
    reader, found = FrameReader(), []
    for i in range(0, len(raw), size):
        found += reader.feed(raw[i : i + size], i)
    # In checksum mode the source that was written (0) is the source that is read.
    assert found == frames
