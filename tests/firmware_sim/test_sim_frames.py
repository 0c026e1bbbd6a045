"""Packets, against the worked examples of the ccTalk Generic Specification v4.7."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_sim.frames import Frame, PacketReader, decode, encode

MS_NS = 1_000_000


def test_part_1_chapter_7_simple_poll_and_its_acknowledgement() -> None:
    assert encode(2, 1, 254, b"") == bytes.fromhex("02 00 01 fe ff")
    assert decode(bytes.fromhex("01 00 02 00 fd")) == Frame(1, 2, 0, b"")


def test_part_1_chapter_7_serial_number_12345678_least_byte_first() -> None:
    assert encode(1, 2, 0, bytes((78, 97, 188))) == bytes.fromhex("01 03 02 00 4e 61 bc 8f")


def test_part_3_appendix_9_crc_of_the_reset_command_and_of_its_acknowledgement() -> None:
    assert encode(40, 1, 1, b"", crc16=True) == bytes((40, 0, 70, 1, 63))
    assert encode(1, 40, 0, b"", crc16=True) == bytes((1, 0, 48, 0, 55))
    assert decode(bytes((40, 0, 70, 1, 63)), crc16=True) == Frame(40, 1, 1, b"")
    assert decode(bytes((40, 0, 70, 1, 62)), crc16=True) is None


def test_a_wrong_checksum_is_no_frame() -> None:
    assert decode(bytes.fromhex("01 00 02 00 fc")) is None


def test_more_than_255_data_bytes_are_refused() -> None:
    assert len(encode(2, 1, 1, bytes(255))) == 260
    with pytest.raises(ValueError, match="at most 255"):
        encode(2, 1, 1, bytes(256))


def test_part_1_11_1_a_pause_over_50_ms_throws_the_begun_packet_away() -> None:
    reader = PacketReader()
    assert reader.feed(bytes.fromhex("02 00 01"), 0) == []
    assert reader.feed(bytes.fromhex("02 00 01 fe ff"), 50 * MS_NS + 1) == [
        bytes.fromhex("02 00 01 fe ff")
    ]
    assert reader.timeouts == 1


def test_part_1_11_1_a_pause_of_50_ms_is_still_the_same_packet() -> None:
    reader = PacketReader()
    reader.feed(bytes.fromhex("02 00 01"), 0)
    assert reader.feed(bytes.fromhex("fe ff"), 50 * MS_NS) == [bytes.fromhex("02 00 01 fe ff")]
    assert reader.timeouts == 0


def test_the_misprinted_reply_of_appendix_11_is_one_byte_short_and_never_ends() -> None:
    reader = PacketReader()
    assert reader.feed(bytes.fromhex("01 0b 02 00 00 00 00 00 00 00 00 00 00 00 f2"), 0) == []


@given(data=st.binary(max_size=255), address=st.integers(2, 255), header=st.integers(0, 255))
def test_every_packet_sums_to_zero_and_reads_back_byte_by_byte(
    data: bytes, address: int, header: int
) -> None:
    packet = encode(address, 1, header, data)
    assert sum(packet) % 256 == 0
    reader = PacketReader()
    read = [one for value in packet for one in reader.feed(bytes((value,)), 0)]
    assert read == [packet]
    assert decode(packet) == Frame(address, 1, header, data)
