"""One exchange: a request goes out, perhaps its echo comes back, then a reply or nothing.

Half duplex: nothing else is on the wire meanwhile. An exchange always ends, and says how.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.cctalk.frame import HOST_ADDRESS, INTER_BYTE_GAP_NS, Checksum, Frame, FrameReader
from jackpot.cctalk.headers import Header, Reply
from jackpot.cctalk.setup import LineSetup
from jackpot.mechanism.wire_events import Diagnosis

BABBLE_NS = 250_000_000
"""The longest that one exchange may go on after its request, whatever arrives: a 16-byte reply at
the slowest pace allowed (10 ms between bytes; part 1, 11.1) takes 177 ms."""

QUIET_NS = 30_000_000
"""After a spoilt echo or answer, silence this long means that no more comes: an immediate reply
starts within 10 ms (part 1, 11.2), and a USB adapter may sit on it for 16 ms."""

LONGEST_ANSWER_BYTES = 36
"""The most data that any answer to our headers carries: texts, with room. A length byte above it is
corrupt, and the reader goes on at once. Not per header: a late answer must be read as a whole."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of one acceptor, and how long (in data bytes) a right answer is."""

    address: int
    header: Header
    data: bytes = b""
    shortest_reply: int = 0
    longest_reply: int = 0
    reply_timeout_ns: int | None = None
    """Instead of the line's own, for a header that takes longer."""


@dataclass(frozen=True, slots=True)
class Result:
    """How an exchange ended: ``diagnosis`` is None when ``data`` is the answer."""

    diagnosis: Diagnosis | None
    data: bytes = b""
    round_trip_ns: int = 0


class Exchange:
    """Feed it the bytes that arrive, wake it at ``deadline_ns``; it is over when ``result`` is set.

    ``echo``: True or False when known; None while it is being found out. After the end ``echo``
    holds what was learned. Only a frame to the host, from the acceptor asked (in CRC mode the wire
    does not say), with a right checksum and length is an answer; all else is noise.
    """

    def __init__(self, request: Request, line: LineSetup, echo: bool | None, now_ns: int) -> None:
        self.request = request
        self.sent = Frame(request.address, HOST_ADDRESS, int(request.header), request.data).encode(
            line.checksum
        )
        self.started_ns = now_ns
        self.echo = echo
        self.result: Result | None = None
        self.foreign_frames = 0
        timeout_ns = request.reply_timeout_ns or line.reply_timeout_ns
        self._timeout_ns = timeout_ns
        self._crc = line.checksum is Checksum.CRC16
        sent_ns = now_ns + len(self.sent) * line.byte_ns
        self.deadline_ns = sent_ns + timeout_ns
        self._cap_ns = sent_ns + timeout_ns + BABBLE_NS
        self._head = bytearray()
        self._head_done = echo is False
        self._collided = False
        self._wrong_shape = False
        self._bytes_seen = 0
        self._reader = FrameReader(
            line.checksum, destination=HOST_ADDRESS, longest_data=LONGEST_ANSWER_BYTES
        )

    @property
    def bad_checksums(self) -> int:
        """Broken frames seen in this exchange."""
        return self._reader.bad_checksums

    @property
    def spoilt(self) -> bool:
        """Whether anything but the echo and one whole answer was heard, or a part of them was not."""
        noise = self.bad_checksums or self.foreign_frames or self._reader.dropped_bytes
        return bool(noise or self._collided or self._wrong_shape)

    def receive(self, data: bytes, now_ns: int) -> None:
        """Bytes arrived at ``now_ns``."""
        self._bytes_seen += len(data)
        rest = data if self._head_done else self._match_echo(data, now_ns)
        if rest and not self._collided:
            self._read_reply(rest, now_ns)
        if self.result is None and data:
            self._wait_on(now_ns)

    def advance(self, now_ns: int) -> None:
        """Time passed; past the deadline the exchange is over."""
        if self.result is None and now_ns >= self.deadline_ns:
            self.result = Result(self._diagnose(), b"", now_ns - self.started_ns)

    def _match_echo(self, data: bytes, now_ns: int) -> bytes:
        """Compare what comes first with what was sent; what follows the echo is returned."""
        self._head += data
        head, sent = bytes(self._head), self.sent
        if head.startswith(sent):
            self._head_done, self.echo = True, True
            # The echo's last byte is when the request was really out: wait for the reply from here.
            self.deadline_ns = now_ns + self._timeout_ns
            return head[len(sent) :]
        if sent.startswith(head):
            return b""
        if self.echo is None:
            # No echo so far: perhaps a reply on a line without one; only a good reply proves it.
            self._head_done = True
            return head
        self._collided = True
        return b""

    def _read_reply(self, data: bytes, now_ns: int) -> None:
        for frame in self._reader.feed(data, now_ns):
            self._judge(frame, now_ns)
            if self.result is not None:
                if self.echo is None and not self._reader.dropped_bytes:
                    # Only a clean answer proves it: before this one there might be a broken echo.
                    self.echo = False
                return

    def _judge(self, frame: Frame, now_ns: int) -> None:
        request = self.request
        if not self._crc and frame.source != request.address:
            self.foreign_frames += 1
            return
        elapsed_ns = now_ns - self.started_ns
        if frame.header == Reply.NAK and not frame.data:
            self.result = Result(Diagnosis.REFUSED, b"", elapsed_ns)
        elif frame.header == Reply.BUSY and not frame.data:
            self.result = Result(Diagnosis.BUSY, b"", elapsed_ns)
        elif frame.header != Reply.ACK:
            self.foreign_frames += 1
        elif request.shortest_reply <= len(frame.data) <= request.longest_reply:
            self.result = Result(None, frame.data, elapsed_ns)
        else:
            # A late answer to an earlier question, perhaps: the right one may still follow.
            self._wrong_shape = True

    def _wait_on(self, now_ns: int) -> None:
        """While bytes come, wait for more, but not for ever."""
        if self._collided or (self.bad_checksums and not self._reader.pending_bytes):
            self.deadline_ns = min(now_ns + QUIET_NS, self._cap_ns)
            return
        unfinished = self._reader.pending_bytes or not self._head_done
        wait_ns = INTER_BYTE_GAP_NS if unfinished else self._timeout_ns
        self.deadline_ns = min(max(self.deadline_ns, now_ns + wait_ns), self._cap_ns)

    def _diagnose(self) -> Diagnosis:
        if self._collided or self.foreign_frames:
            return Diagnosis.COLLISION
        if not self._head_done and self._bytes_seen:
            return Diagnosis.COLLISION
        if self.echo and not self._head_done:
            return Diagnosis.NO_ECHO
        if self._wrong_shape:
            return Diagnosis.WRONG_SHAPE
        if self.bad_checksums or self._reader.pending_bytes:
            return Diagnosis.BAD_CHECKSUM
        return Diagnosis.NO_REPLY
