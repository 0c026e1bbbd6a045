"""One coin acceptor on the wire: bytes heard and ``now_ns`` in, answers out; no clock and no wire of its own.

Sources are clauses of the ccTalk Generic Specification v4.7 (part, clause).
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_sim import headers
from firmware_sim.device import Device, Model
from firmware_sim.frames import (
    BROADCAST_ADDRESS,
    BUSY,
    HOST_ADDRESS,
    NAK,
    Frame,
    decode,
    encode,
)
from firmware_sim.identity import Identity

MDCES_SLOT_NS = 4_000_000  # part 1, 20.2.1: the address byte comes after 4 ms times the address
MDCES_DEAF_NS = 1_200_000_000  # part 1, 20.2.1: the receiver is off for 1200 ms in all


@dataclass(frozen=True, slots=True)
class Answer:
    """Bytes that the acceptor puts on the wire ``delay_ns`` after the command's last bit."""

    data: bytes
    delay_ns: int = 0


class Acceptor(Device):
    """A device that hears and answers; ``clash_number`` is header 252's random byte, drawn once for its
    life (part 1, 20.2.2)."""

    def __init__(
        self,
        address: int,
        identity: Identity,
        model: Model | None = None,
        clash_number: int = 0,
    ) -> None:
        super().__init__(address, identity, model)
        self._clash_number = clash_number

    def receive(self, data: bytes, now_ns: int) -> list[Answer]:
        """Hear bytes of the line; silence for foreign, spoilt and unknown commands (12, 13)."""
        if now_ns < self.deaf_until_ns:
            self.reader.clear()
            return []
        answers: list[Answer] = []
        for packet in self.reader.feed(data, now_ns):
            if packet[0] != self.address and packet[0] != BROADCAST_ADDRESS:
                continue
            frame = decode(packet, crc16=self.model.crc16)
            if frame is None:
                self.bad_checksums += 1
                continue
            answer = self._answer(frame, now_ns)
            if answer is not None:
                answers.append(answer)
        return answers

    def _answer(self, frame: Frame, now_ns: int) -> Answer | None:
        if frame.header == headers.ADDRESS_POLL:
            return self._raw_address(self.address, now_ns)
        if frame.header == headers.ADDRESS_CLASH:
            return self._raw_address(self._clash_number, now_ns)
        # Part 1, 7.5.1: a reply to a broadcast comes from 0. Taken now, since 251 changes it.
        source = BROADCAST_ADDRESS if frame.destination == BROADCAST_ADDRESS else self.address
        reply = self._refusal() or headers.execute(self, frame.header, frame.data, now_ns)
        if reply is None:
            return None
        crc16 = self.model.crc16
        return Answer(encode(HOST_ADDRESS, source, reply.header, reply.data, crc16=crc16))

    def _raw_address(self, slot: int, now_ns: int) -> Answer:
        """Part 1, 20.2.1 and 20.2.2: one byte without a frame, then deaf to the others' bytes."""
        self.deaf_until_ns = now_ns + MDCES_DEAF_NS
        return Answer(bytes((self.address,)), slot * MDCES_SLOT_NS)

    def _refusal(self) -> headers.Reply | None:
        if self.refusals.busy:
            self.refusals.busy -= 1
            return headers.Reply(BUSY)
        if self.refusals.nak:
            self.refusals.nak -= 1
            return headers.Reply(NAK)
        return None
