"""Bytes of a ccTalk line in words, for a technician: what was asked, what was answered, what is noise."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.cctalk.events import REPLY_BYTES, decode
from jackpot.cctalk.frame import (
    HOST_ADDRESS,
    INTER_BYTE_GAP_NS,
    SHORTEST_FRAME_BYTES,
    Checksum,
    Frame,
    FrameError,
)
from jackpot.cctalk.headers import Header, Reply
from jackpot.cctalk.identity import printable
from jackpot.mechanism.fault_codes import fault_code, self_check_text

_TEXTS = frozenset(
    {
        Header.REQUEST_MANUFACTURER_ID,
        Header.REQUEST_EQUIPMENT_CATEGORY,
        Header.REQUEST_PRODUCT_CODE,
        Header.REQUEST_SOFTWARE_REVISION,
        Header.REQUEST_BUILD_CODE,
        Header.REQUEST_COIN_ID,
    }
)
_NUMBERS = frozenset(
    {
        Header.REQUEST_SERIAL_NUMBER,
        Header.REQUEST_INSERTION_COUNTER,
        Header.REQUEST_ACCEPT_COUNTER,
        Header.REQUEST_REJECT_COUNTER,
        Header.REQUEST_FRAUD_COUNTER,
    }
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that belong together: a frame, or (``frame`` None) bytes that are none."""

    raw: bytes
    frame: Frame | None


class Splitter:
    """Cuts a stream into frames and noise, in order. It holds at most one longest frame."""

    def __init__(self, checksum: Checksum = Checksum.SUM8) -> None:
        self._checksum = checksum
        self._buffer = bytearray()
        self._noise = bytearray()
        self._last_ns = 0

    def feed(self, data: bytes, now_ns: int) -> list[Piece]:
        """What ``data`` completes; a gap of 50 ms completes whatever was begun."""
        pieces = self.flush() if now_ns - self._last_ns > INTER_BYTE_GAP_NS else []
        self._last_ns = now_ns
        self._buffer += data
        self._cut(pieces, whole=False)
        return pieces

    def flush(self) -> list[Piece]:
        """Nothing more comes: what is held is said now."""
        pieces: list[Piece] = []
        self._cut(pieces, whole=True)
        self._say_noise(pieces)
        return pieces

    def _cut(self, pieces: list[Piece], *, whole: bool) -> None:
        buffer = self._buffer
        while buffer:
            length = SHORTEST_FRAME_BYTES + buffer[1] if len(buffer) > 1 else SHORTEST_FRAME_BYTES
            if len(buffer) < length and not whole:
                return
            raw = bytes(buffer[:length])
            try:
                frame = Frame.decode(raw, self._checksum)
            except FrameError:
                self._noise.append(buffer.pop(0))
                continue
            self._say_noise(pieces)
            pieces.append(Piece(raw, frame))
            del buffer[:length]

    def _say_noise(self, pieces: list[Piece]) -> None:
        if self._noise:
            pieces.append(Piece(bytes(self._noise), None))
            self._noise.clear()


class Interpreter:
    """Puts pieces into words; it remembers the last question, since an answer does not repeat it."""

    def __init__(self, checksum: Checksum = Checksum.SUM8) -> None:
        self._crc = checksum is Checksum.CRC16
        self._asked: Frame | None = None

    def words(self, piece: Piece) -> str:
        """One line for people."""
        frame = piece.frame
        if frame is None:
            return f"{len(piece.raw)} bytes that are no frame: noise, or a broken checksum"
        if frame.destination != HOST_ADDRESS:
            self._asked = frame
            to = "all" if frame.destination == 0 else str(frame.destination)
            return f"host -> {to}: {_header(frame.header)}{_request(frame)}"
        asked, self._asked = self._asked, None
        whose = str(asked.destination if self._crc and asked else frame.source)
        if frame.header == Reply.NAK:
            return f"{whose} -> host: NAK, the command was not carried out"
        if frame.header == Reply.BUSY:
            return f"{whose} -> host: BUSY, ask again"
        if frame.header != Reply.ACK:
            return f"{whose} -> host: reply header {frame.header}, which no command has"
        fits = asked is not None and (self._crc or asked.destination in (0, frame.source))
        if not fits or asked is None:
            return f"{whose} -> host: an answer to a question that is not seen here"
        return f"{whose} -> host: {_answer(asked.header, frame.data)}"


def _header(number: int) -> str:
    try:
        return f"{number} {Header(number).name.lower().replace('_', ' ')}"
    except ValueError:
        return f"{number} unknown header"


def _request(frame: Frame) -> str:
    data = frame.data
    if frame.header == Header.MODIFY_MASTER_INHIBIT and data:
        return ": accept" if data[0] & 1 else ": accept nothing"
    if frame.header == Header.MODIFY_INHIBIT_STATUS:
        return f": enable {_channels(data)}"
    if frame.header == Header.MODIFY_SORTER_PATHS and len(data) >= 2:
        return f": position {data[0]} by path {data[1]}"
    if frame.header == Header.REQUEST_COIN_ID and data:
        return f" of position {data[0]}"
    if frame.header == Header.ADDRESS_CHANGE and data:
        return f": to {data[0]}"
    return f": {data.hex(' ')}" if data else ""


def _answer(header: int, data: bytes) -> str:
    if header == Header.READ_BUFFERED_CREDIT and len(data) == REPLY_BYTES:
        return _events(data)
    if not data:
        return "ACK"
    if header in _TEXTS:
        return f'"{printable(data)}"'
    if header in _NUMBERS:
        return str(int.from_bytes(data, "little"))
    if header == Header.PERFORM_SELF_CHECK:
        return f"self-check {data[0]}: {self_check_text(data[0])[0]}"
    if header == Header.REQUEST_INHIBIT_STATUS:
        return f"enabled: {_channels(data)}"
    if header == Header.REQUEST_MASTER_INHIBIT:
        return "accepting" if data[0] & 1 else "accepting nothing"
    if header == Header.READ_OPTO_STATES:
        return f"optos {data.hex(' ')}, {'blocked' if any(data) else 'all clear'}"
    return data.hex(" ")


def _events(data: bytes) -> str:
    buffer = decode(data)
    said = []
    for a, b in buffer.pairs:
        if a:
            said.append(f"credit of coin {a} by path {b}")
        elif b:
            said.append(f"error {b} ({fault_code(b).en})")
    return f"events, counter {buffer.counter}, newest first: {'; '.join(said) or 'none'}"


def _channels(mask: bytes) -> str:
    bits = int.from_bytes(mask, "little")
    numbers = [str(n) for n in range(1, 8 * len(mask) + 1) if bits >> (n - 1) & 1]
    return f"channels {', '.join(numbers)}" if numbers else "no channel"


def hex_bytes(text: str) -> bytes:
    """The bytes of a capture: hex digits with anything but letters between them; ``#`` begins a
    remark. Raises ``ValueError`` with the line that holds no hex."""
    found = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.partition("#")[0].replace("0x", " ")
        clean = "".join(c if c.isalnum() else " " for c in plain)
        try:
            for word in clean.split():
                found += bytes.fromhex(word)
        except ValueError:
            raise ValueError(f"line {number} is no hex: {line.strip()[:60]!r}") from None
    return bytes(found)
