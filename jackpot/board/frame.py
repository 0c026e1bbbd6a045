"""Frames on the board's line: COBS between zero bytes, a CRC at the end (``docs/board.md``)."""

from __future__ import annotations

from dataclasses import dataclass

VERSION = 1
"""Of the protocol. A board of another version refuses, and says so."""

HEAD_BYTES = 3
CRC_BYTES = 2

RAW_BYTES = 192
"""Longest frame before COBS; more between two zeros is noise and is not kept. Below 254 bytes every
COBS distance fits its byte, so there is never more than one byte of overhead."""

_CRC_POLYNOMIAL = 0x1021
_CRC_START = 0xFFFF


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: what it is, which question it belongs to, what it says."""

    type: int
    seq: int
    payload: bytes = b""
    version: int = VERSION


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740 of the catalogue of CRC algorithms (also known as CCITT-FALSE).

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = _CRC_START
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ _CRC_POLYNOMIAL if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def cobs_encode(data: bytes) -> bytes:
    """``data`` (below 254 bytes) without its zeros: each becomes the distance to the next one."""
    return b"".join(bytes((len(group) + 1,)) + group for group in data.split(b"\x00"))


def cobs_decode(data: bytes) -> bytes | None:
    """The inverse; None if a distance points past the end, or nowhere."""
    groups = []
    at = 0
    while at < len(data):
        end = at + data[at]
        if end == at or end > len(data):
            return None
        groups.append(data[at + 1 : end])
        at = end
    return b"\x00".join(groups)


def encode(frame: Frame) -> bytes:
    """The frame as it goes over the line, a zero before it to end whatever noise there was."""
    raw = bytes((frame.version, frame.type, frame.seq)) + frame.payload
    return b"\x00" + cobs_encode(raw + crc16(raw).to_bytes(CRC_BYTES, "little")) + b"\x00"


def decode(encoded: bytes) -> Frame | None:
    """The frame in the bytes between two zeros; None if they are not a whole and right one."""
    raw = cobs_decode(encoded)
    if raw is None or not HEAD_BYTES + CRC_BYTES <= len(raw) <= RAW_BYTES:
        return None
    body, crc = raw[:-CRC_BYTES], raw[-CRC_BYTES:]
    if crc16(body) != int.from_bytes(crc, "little"):
        return None
    return Frame(body[1], body[2], body[3:], body[0])


class Reader:
    """Cuts the line into frames. ``broken`` counts what lay between two zeros and was none."""

    def __init__(self) -> None:
        self.broken = 0
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that are complete with ``data``."""
        *ended, rest = data.split(b"\x00")
        frames = []
        for piece in ended:
            self._keep(piece)
            if self._bytes:
                frame = decode(bytes(self._bytes))
                self._bytes.clear()
                if frame is None:
                    self.broken += 1
                else:
                    frames.append(frame)
        self._keep(rest)
        return frames

    def start_over(self) -> None:
        """The line was cut: what came before belongs to nothing."""
        self._bytes.clear()

    def _keep(self, piece: bytes) -> None:
        # One byte too many is kept, so that what is too long is seen to be so.
        self._bytes += piece[: RAW_BYTES + 2 - len(self._bytes)]
