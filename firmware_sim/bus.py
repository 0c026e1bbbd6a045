"""The wire between the host and the acceptors: timing, echo, collisions and everything hostile.

Pure: bytes and ``now_ns`` in, bytes and a deadline out. The line is one wire, 9600 8N1, half duplex
(part 1 of the ccTalk Generic Specification v4.7): whoever sends is heard by everybody else, and the
host hears itself when its interface echoes.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from firmware_sim.acceptor import Acceptor, Answer
from firmware_sim.frames import BROADCAST_ADDRESS, HOST_ADDRESS, encode

BAUD = 9600
BITS_PER_BYTE = 10  # 8N1: start, eight data, stop
BYTE_NS = BITS_PER_BYTE * 1_000_000_000 // BAUD
# The longest packet: more than that waiting to be sent stays with the host's own driver.
HOST_BACKLOG_NS = 260 * BYTE_NS
RESET_HEADER = 1
BAD_SUM_XOR = 0x55  # any pattern but 0 makes a right checksum wrong
FREE_HIGH = 0xFF  # an idle open-collector line reads as ones; zeros win

HOST = -1
INTERFERENCE = -2  # bytes of nobody, and the sum of several answers at once
GLITCH_ADDRESS = 2  # with one data byte, `02 01 01 h d c` behind a 00 is a reset for everybody


@dataclass(frozen=True, slots=True)
class WireSetup:
    """The interface and the pace; ``reply_ns``: every device's own delay before its answer."""

    echo: bool = True
    paced: bool = True
    crc16: bool = False
    reply_ns: int = 0
    seed: int = 0


@dataclass(slots=True)
class Trouble:
    """What is wrong with one acceptor's end of the wire."""

    silent: bool = False  # cut: neither hears nor is heard
    mute: bool = False  # hears, and is not heard
    late_ns: int = 0
    bad_sums: int = 0  # how many of its next answers carry a wrong checksum


class Bus:
    """One wire with its acceptors; box ``n`` of the table is ``acceptors[n - 1]``."""

    def __init__(self, acceptors: Sequence[Acceptor], setup: WireSetup | None = None) -> None:
        self.acceptors = list(acceptors)
        self.setup = setup or WireSetup()
        self.troubles = [Trouble() for _ in self.acceptors]
        self.noise = 0.0  # probability that a byte of the line is corrupted
        self.drop = 0.0  # probability that a byte of the line is lost
        self.glitch_armed = False
        self._random = random.Random(self.setup.seed)  # noqa: S311 - repeatable, not secret
        self._queue: list[tuple[int, int, int, bytes]] = []  # end of byte, order, origin, bytes
        self._order = 0
        self._host_free_ns = 0
        self._last = (INTERFERENCE, -BYTE_NS, FREE_HIGH)  # origin, end and value of the last byte

    # The host's side --------------------------------------------------------------------------

    def receive(self, data: bytes, now_ns: int) -> None:
        """The host's driver hands over bytes for the wire."""
        data = self._glitched(data)
        if not self.setup.paced:
            self._push(now_ns, HOST, data)
            return
        start_ns = max(now_ns, self._host_free_ns)
        self._host_free_ns = self._send(start_ns, HOST, data)

    def accepts_host_bytes(self, now_ns: int) -> bool:
        """Whether the interface has room; else leave the bytes with the host's driver."""
        return self._host_free_ns - now_ns < HOST_BACKLOG_NS

    def advance(self, now_ns: int) -> bytes:
        """Let time pass; what the host hears up to ``now_ns``."""
        heard = bytearray()
        while self._queue and self._queue[0][0] <= now_ns:
            at_ns, _, origin, data = heapq.heappop(self._queue)
            heard += self._pass(at_ns, origin, data)
        return bytes(heard)

    def deadline_ns(self) -> int | None:
        """When ``advance`` next has something to do; None while the line is idle."""
        return self._queue[0][0] if self._queue else None

    # The wire ---------------------------------------------------------------------------------

    def _push(self, at_ns: int, origin: int, data: bytes) -> None:
        self._order += 1
        heapq.heappush(self._queue, (at_ns, self._order, origin, data))

    def _send(self, start_ns: int, origin: int, data: bytes) -> int:
        """Put bytes on the paced wire one behind the other; returns when the last one ends."""
        for value in data:
            start_ns += BYTE_NS
            self._push(start_ns, origin, bytes((value,)))
        return start_ns

    def _pass(self, at_ns: int, origin: int, data: bytes) -> bytes:
        """Bytes complete on the wire: everybody but the sender hears them, perhaps spoilt."""
        if self.setup.paced:
            data = self._collided(at_ns, origin, data)
        if self.noise or self.drop:
            data = self._spoilt(data)
        answers: dict[int, list[tuple[int, Answer]]] = {}
        for index, acceptor in enumerate(self.acceptors):
            trouble = self.troubles[index]
            if index == origin or trouble.silent or not data:
                continue
            for answer in acceptor.receive(data, at_ns):
                if not trouble.mute:
                    start_ns = at_ns + self.setup.reply_ns + trouble.late_ns + answer.delay_ns
                    answers.setdefault(start_ns, []).append((index, answer))
        for start_ns, together in answers.items():
            self._reply(start_ns, together)
        return data if origin != HOST or self.setup.echo else b""

    def _reply(self, start_ns: int, together: list[tuple[int, Answer]]) -> None:
        """Answers that begin at the same instant: one is itself, several are each other's noise."""
        sent = [self._summed(index, answer.data) for index, answer in together]
        origin = together[0][0] if len(together) == 1 else INTERFERENCE
        data = sent[0] if len(sent) == 1 else _wired_and(sent)
        if self.setup.paced:
            self._send(start_ns, origin, data)
        else:
            self._push(start_ns, origin, data)

    def _summed(self, index: int, data: bytes) -> bytes:
        trouble = self.troubles[index]
        if not trouble.bad_sums:
            return data
        trouble.bad_sums -= 1
        return data[:-1] + bytes((data[-1] ^ BAD_SUM_XOR,))

    def _collided(self, at_ns: int, origin: int, data: bytes) -> bytes:
        """A byte that overlaps another sender's is what remains of the two."""
        last_origin, last_ns, last_value = self._last
        self._last = (origin, at_ns, data[0])
        if origin == last_origin or at_ns - last_ns >= BYTE_NS:
            return data
        return bytes((data[0] & last_value,))

    def _spoilt(self, data: bytes) -> bytes:
        kept = bytearray()
        for value in data:
            if self._random.random() < self.drop:
                continue
            noisy = self._random.random() < self.noise
            kept.append(value ^ self._random.randrange(1, 256) if noisy else value)
        return bytes(kept)

    # The glitch -------------------------------------------------------------------------------

    def glitch_bytes(self) -> bytes:
        """What a glitch puts before the next host packet: one 00 where that suffices.

        Before `02 01 01 h d c` it makes `00 02 01 01 h d c`, a broadcast reset with two data bytes
        and a right checksum. No other address and no CRC packet can be turned so with one byte;
        there the burst is the whole broadcast reset.
        """
        at_two = any(acceptor.address == GLITCH_ADDRESS for acceptor in self.acceptors)
        if at_two and not self.setup.crc16:
            return b"\x00"
        return encode(BROADCAST_ADDRESS, HOST_ADDRESS, RESET_HEADER, b"", crc16=self.setup.crc16)

    def _glitched(self, data: bytes) -> bytes:
        if not self.glitch_armed:
            return data
        glitch = self.glitch_bytes()
        if len(glitch) == 1 and data[:2] != bytes((GLITCH_ADDRESS, 1)):
            return data  # stays armed until a packet comes that one byte can turn
        self.glitch_armed = False
        return glitch + data


def _wired_and(sent: list[bytes]) -> bytes:
    """Several devices on an open-collector line: a zero of any of them is a zero."""
    merged = bytearray()
    for values in zip_longest(*sent, fillvalue=FREE_HIGH):
        value = FREE_HIGH
        for one in values:
            value &= one
        merged.append(value)
    return bytes(merged)
