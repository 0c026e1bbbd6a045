"""One ccTalk frame, both ways (ccTalk Generic Specification v4.7, part 1, section 7).

``[destination][n][source][header][data x n][checksum]``. In CRC mode the source byte's place holds
the low byte of the CRC and the last byte its high byte (part 3, appendix 9).
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from enum import Enum

HOST_ADDRESS = 1
"""Where replies go; part 1, 7.7: there should be no reason to use another."""

SHORTEST_FRAME_BYTES = 5
LONGEST_DATA_BYTES = 255
LONGEST_FRAME_BYTES = SHORTEST_FRAME_BYTES + LONGEST_DATA_BYTES

INTER_BYTE_GAP_NS = 50_000_000
"""Part 1, 11.1: after 50 ms without the next byte, throw away what was begun."""

SOURCE_NOT_CARRIED = 0
"""The source of a frame read in CRC mode: the wire does not say it."""


class Checksum(Enum):
    """How a bus protects its frames; one mode for the whole bus."""

    SUM8 = "sum8"
    CRC16 = "crc16"


class FrameError(ValueError):
    """Bytes that are no ccTalk frame: too short, wrong length byte, or wrong checksum."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole frame. ``source`` is ``SOURCE_NOT_CARRIED`` when it was read in CRC mode."""

    destination: int
    source: int
    header: int
    data: bytes = b""

    def encode(self, mode: Checksum = Checksum.SUM8) -> bytes:
        """The bytes for the wire. Raises ``FrameError`` when the data is longer than 255 bytes."""
        if len(self.data) > LONGEST_DATA_BYTES:
            raise FrameError(f"a frame carries at most 255 data bytes, not {len(self.data)}")
        if mode is Checksum.CRC16:
            crc = _crc16(self.destination, self.header, self.data)
            head = bytes((self.destination, len(self.data), crc & 0xFF, self.header))
            return head + self.data + bytes((crc >> 8,))
        head = bytes((self.destination, len(self.data), self.source, self.header))
        return head + self.data + bytes((-sum(head + self.data) & 0xFF,))

    @classmethod
    def decode(cls, raw: bytes, mode: Checksum = Checksum.SUM8) -> Frame:
        """The frame that ``raw`` is, all of it. Raises ``FrameError`` otherwise."""
        if len(raw) < SHORTEST_FRAME_BYTES or len(raw) != SHORTEST_FRAME_BYTES + raw[1]:
            raise FrameError(f"no whole frame: {raw.hex(' ')}")
        destination, _, source, header = raw[:4]
        data = bytes(raw[4:-1])
        if mode is Checksum.CRC16:
            crc = _crc16(destination, header, data)
            if (source, raw[-1]) != (crc & 0xFF, crc >> 8):
                raise FrameError(f"wrong CRC: {raw.hex(' ')}")
            return cls(destination, SOURCE_NOT_CARRIED, header, data)
        if sum(raw) & 0xFF:
            raise FrameError(f"wrong checksum: {raw.hex(' ')}")
        return cls(destination, source, header, data)


def _crc16(destination: int, header: int, data: bytes) -> int:
    """CRC-CCITT (0x1021, start 0) over everything but the CRC's own two places."""
    return binascii.crc_hqx(bytes((destination, len(data), header)) + data, 0)


class FrameReader:
    """Finds frames in a stream of bytes that may hold anything.

    It never waits for a byte that cannot come: a start that turns out wrong costs one byte, and a
    gap of more than 50 ms costs what was begun. It never holds more than one longest frame.

    ``destination`` (if given) is the only address that a frame may begin with, and ``longest_data``
    the most data that one may carry: a reader that knows what it waits for gets over a corrupt
    length byte at once instead of swallowing the next 255 bytes.
    """

    def __init__(
        self,
        mode: Checksum = Checksum.SUM8,
        *,
        destination: int | None = None,
        longest_data: int = LONGEST_DATA_BYTES,
    ) -> None:
        self.bad_checksums = 0
        self.dropped_bytes = 0
        self._mode = mode
        self._destination = destination
        self._longest_data = longest_data
        self._buffer = bytearray()
        self._last_byte_ns: int | None = None

    @property
    def pending_bytes(self) -> int:
        """How many bytes of an unfinished frame are held."""
        return len(self._buffer)

    def feed(self, data: bytes, now_ns: int) -> list[Frame]:
        """Take bytes that arrived at ``now_ns``; the frames that they complete, in order."""
        if self._last_byte_ns is not None and now_ns - self._last_byte_ns > INTER_BYTE_GAP_NS:
            self.reset()
        if data:
            self._last_byte_ns = now_ns
        frames: list[Frame] = []
        for byte in data:
            self._buffer.append(byte)
            self._take_frames(frames)
        return frames

    def reset(self) -> None:
        """Throw away what was begun."""
        self.dropped_bytes += len(self._buffer)
        self._buffer.clear()

    def _take_frames(self, frames: list[Frame]) -> None:
        while self._buffer:
            if not self._may_be_a_start():
                self._drop_first()
                continue
            if len(self._buffer) < 2 or len(self._buffer) < SHORTEST_FRAME_BYTES + self._buffer[1]:
                return
            length = SHORTEST_FRAME_BYTES + self._buffer[1]
            try:
                frames.append(Frame.decode(bytes(self._buffer[:length]), self._mode))
            except FrameError:
                self.bad_checksums += 1
                self._drop_first()
            else:
                del self._buffer[:length]

    def _may_be_a_start(self) -> bool:
        if self._destination is not None and self._buffer[0] != self._destination:
            return False
        return len(self._buffer) < 2 or self._buffer[1] <= self._longest_data

    def _drop_first(self) -> None:
        del self._buffer[0]
        self.dropped_bytes += 1
