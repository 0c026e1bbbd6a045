"""One question at a time: its frame, its answer, and what it means when none comes."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.board.frame import Frame, Reader, encode
from jackpot.board.messages import ANSWER, REFUSED, Refusal, Type
from jackpot.mechanism.wire_events import Diagnosis


@dataclass(frozen=True, slots=True)
class Reply:
    """How a question ended: with a payload, with a refusal, or without an answer."""

    type: Type
    asked: bytes
    payload: bytes
    round_trip_ns: int
    diagnosis: Diagnosis | None = None
    refusal: int = 0

    @property
    def detail(self) -> str:
        """For people."""
        if self.refusal == Refusal.VERSION:
            return f"the board speaks version {self.payload[1]} of the protocol, not this one"
        why = f": {Refusal(self.refusal).name.lower()}" if self.refusal in set(Refusal) else ""
        return f"{self.type.name}{why}"


class Asking:
    """The host's end of the line. Sequence numbers tell an answer from one that comes late."""

    def __init__(self, timeout_ns: int) -> None:
        self.unasked_frames = 0
        self._timeout_ns = timeout_ns
        self._reader = Reader()
        self._broken_before = 0
        self._seq = 0
        self._type: Type | None = None
        self._asked = b""
        self._sent_ns = 0

    @property
    def busy(self) -> bool:
        """Whether a question is under way."""
        return self._type is not None

    @property
    def deadline_ns(self) -> int:
        """When the question under way has gone unanswered."""
        return self._sent_ns + self._timeout_ns

    def ask(self, kind: Type, payload: bytes, now_ns: int) -> bytes:
        """The bytes of a question; its sequence number is the next one."""
        self._seq = (self._seq + 1) % 256
        self._type, self._asked, self._sent_ns = kind, payload, now_ns
        self._broken_before = self._reader.broken
        return encode(Frame(kind, self._seq, payload))

    def receive(self, data: bytes, now_ns: int) -> Reply | None:
        """Bytes came; the reply if they complete it. What was not asked for is never trusted."""
        reply = None
        for frame in self._reader.feed(data):
            kind = self._type
            fits = kind is not None and frame.type in (kind | ANSWER, REFUSED)
            if kind is None or not fits or frame.seq != self._seq:
                self.unasked_frames += 1
                continue
            reply = self._reply(kind, frame, now_ns)
            self._type = None
        return reply

    def advance(self, now_ns: int) -> Reply | None:
        """Time passed; the failure if it was too much."""
        kind = self._type
        if kind is None or now_ns < self.deadline_ns:
            return None
        self._type = None
        heard = self._reader.broken > self._broken_before
        why = Diagnosis.BAD_CHECKSUM if heard else Diagnosis.NO_REPLY
        return Reply(kind, self._asked, b"", now_ns - self._sent_ns, why)

    def start_over(self) -> None:
        """The line was cut: nothing is under way."""
        self._type = None
        self._reader.start_over()

    def _reply(self, kind: Type, frame: Frame, now_ns: int) -> Reply:
        took_ns = now_ns - self._sent_ns
        if frame.type != REFUSED:
            return Reply(kind, self._asked, frame.payload, took_ns)
        refusal = frame.payload[0] if frame.payload else 0
        told = frame.payload[:1].ljust(1, b"\x00") + bytes((frame.version,))
        return Reply(kind, self._asked, told, took_ns, Diagnosis.REFUSED, refusal)
