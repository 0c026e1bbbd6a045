"""ccTalk message packets as a slave device sees them (specification part 1, chapters 7 and 8).

Simple packet: ``[destination][n][source][header][n data bytes][checksum]``, all bytes summing to 0
modulo 256 (7.10). CRC packet: the source is replaced by the low byte of a CRC-CCITT, its high byte
comes last (7.2, 7.11; part 3, appendix 9).
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass

BROADCAST_ADDRESS = 0  # 7.5.1: every device answers
HOST_ADDRESS = 1  # 7.5: the default master
OVERHEAD_BYTES = 5  # 7.6: a packet without data
MAX_DATA_BYTES = 255  # 7.6: the length is one byte
INTER_BYTE_GAP_NS = 50_000_000  # 11.1: "wait up to 50ms for another byte"

ACK = 0  # 7.8 and 8: the null header of every reply
NAK = 5  # 8.1
BUSY = 6  # 8.2


@dataclass(frozen=True, slots=True)
class Frame:
    """One packet whose checksum was right; ``source`` is 1 under CRC (7.2: always the host)."""

    destination: int
    source: int
    header: int
    data: bytes


def encode(
    destination: int, source: int, header: int, data: bytes, *, crc16: bool = False
) -> bytes:
    """The packet's bytes with a right checksum; ``ValueError`` over 255 data bytes (7.6)."""
    if len(data) > MAX_DATA_BYTES:
        raise ValueError(f"expected at most {MAX_DATA_BYTES} data bytes, found {len(data)}")
    if crc16:
        crc = _crc(destination, header, data)
        return bytes((destination, len(data), crc & 0xFF, header)) + data + bytes((crc >> 8,))
    body = bytes((destination, len(data), source, header)) + data
    return body + bytes((-sum(body) & 0xFF,))


def decode(packet: bytes, *, crc16: bool = False) -> Frame | None:
    """The frame in a packet of full length, or None when its checksum is wrong (part 1, 12)."""
    destination, source, header, data = packet[0], packet[2], packet[3], packet[4:-1]
    if crc16:
        if _crc(destination, header, data) != source | packet[-1] << 8:
            return None
        return Frame(destination, HOST_ADDRESS, header, data)
    if sum(packet) & 0xFF:
        return None
    return Frame(destination, source, header, data)


def _crc(destination: int, header: int, data: bytes) -> int:
    """CRC-CCITT, x^16+x^12+x^5+1 from 0 (appendix 9), over all but the checksum's own bytes."""
    return binascii.crc_hqx(bytes((destination, len(data), header)) + data, 0)


class PacketReader:
    """Cuts what a slave hears into packets by their length byte and by nothing else (part 1, 10).

    A wrong length byte therefore swallows what follows, as in a real device, until the count is
    filled or the line pauses for more than 50 ms. It never holds more than one packet (260 bytes).
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._last_byte_ns = 0
        self.timeouts = 0

    def feed(self, data: bytes, now_ns: int) -> list[bytes]:
        """The packets that ``data``, heard at ``now_ns``, completes; no checksum is looked at."""
        buffer = self._buffer
        if buffer and now_ns - self._last_byte_ns > INTER_BYTE_GAP_NS:
            buffer.clear()
            self.timeouts += 1
        self._last_byte_ns = now_ns
        buffer += data
        packets: list[bytes] = []
        while len(buffer) >= OVERHEAD_BYTES and len(buffer) >= OVERHEAD_BYTES + buffer[1]:
            length_bytes = OVERHEAD_BYTES + buffer[1]
            packets.append(bytes(buffer[:length_bytes]))
            del buffer[:length_bytes]
        return packets

    def clear(self) -> None:
        """Forget a packet begun (the receiver was switched off)."""
        self._buffer.clear()
