"""What host and board say to each other, as bytes and as values (``docs/board.md``, "Messages")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from jackpot.mechanism.wire_events import Pair

ANSWER = 0x80
"""Added to the type of the request that is answered."""

REFUSED = 0xFF

COUNT_BYTES = 4
RECORD_BYTES = 7
NAME_BYTES = 12
_HELLO_HEAD_BYTES = 16 + 2 * NAME_BYTES
_EVENTS_HEAD_BYTES = 12


class Type(IntEnum):
    """Requests. Only the host asks, and the board says nothing unasked."""

    HELLO = 0x01
    POLL = 0x02
    SLOTS = 0x03
    LAMPS = 0x04
    SELF_TEST = 0x05


class Refusal(IntEnum):
    """Why a board does not do what it was asked."""

    VERSION = 1
    TYPE = 2
    SIZE = 3
    STRANGER = 4
    NUMBER = 5


class Kind(IntEnum):
    """What happened."""

    CHIP = 1
    FAULT = 2
    BUTTON = 3


UNSPECIFIED_FAULT = 255
"""What an event of a kind that this version does not know is taken for; never a chip."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The answer to HELLO. ``boot`` counts the board's starts, 0 if it cannot; ``acked_counts`` are
    the newest acknowledged counts, by source (0: the board itself, n: slot n)."""

    serial: int
    boot: int
    software: str
    slots: int
    maker: str
    product: str
    acked_counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One event: whose, what, and its number among all events of that source since the start."""

    source: int
    kind: int
    code: int
    count: int

    @property
    def pair(self) -> Pair:
        """The event as the ledger keeps it: a credit of coin 1, or an error code."""
        if self.kind == Kind.CHIP:
            return (1, 1)
        return (0, self.code if self.kind == Kind.FAULT else UNSPECIFIED_FAULT)


@dataclass(frozen=True, slots=True)
class Events:
    """The answer to POLL, of one moment. Masks are sets of slots; ``acked`` and ``last`` are event
    numbers, ``records`` the events from number ``acked`` + 1 on, oldest first."""

    watchdog: bool
    full: bool
    open: frozenset[int]
    busy: frozenset[int]
    faulty: frozenset[int]
    acked: int
    last: int
    counts: tuple[int, ...]
    records: tuple[Record, ...]

    @property
    def complete(self) -> bool:
        """Whether no event is left that this answer had no room for."""
        return self.acked + len(self.records) == self.last


def mask(slots: frozenset[int]) -> int:
    """Slots as the bits of a mask, slot 1 the lowest."""
    return sum(1 << (slot - 1) for slot in slots)


def slots_of(bits: int) -> frozenset[int]:
    """The inverse."""
    return frozenset(slot for slot in range(1, 17) if bits >> (slot - 1) & 1)


def address(serial: int, boot: int) -> bytes:
    """The board, and the start of it, that a request is meant for."""
    return serial.to_bytes(8, "little") + boot.to_bytes(4, "little")


def identity(payload: bytes) -> Identity | None:
    """The answer to HELLO; None if it has another shape."""
    counts = payload[_HELLO_HEAD_BYTES:]
    if len(payload) < _HELLO_HEAD_BYTES or len(counts) != COUNT_BYTES * (payload[14] + 1):
        return None
    return Identity(
        serial=_number(payload[:8]),
        boot=_number(payload[8:12]),
        software=f"{payload[12]}.{payload[13]}",
        slots=payload[14],
        maker=_text(payload[16 : 16 + NAME_BYTES]),
        product=_text(payload[16 + NAME_BYTES : _HELLO_HEAD_BYTES]),
        acked_counts=_counts(counts),
    )


def events(payload: bytes, slots: int) -> Events | None:
    """The answer to POLL of a board with ``slots``; None if it has another shape, or contradicts
    itself: a count that goes back, an event that nobody counted."""
    head = _EVENTS_HEAD_BYTES + COUNT_BYTES * (slots + 1)
    rest = payload[head:]
    if len(payload) < head or len(rest) % RECORD_BYTES:
        return None
    flags = payload[0]
    found = Events(
        watchdog=bool(flags & 1),
        full=bool(flags & 4),
        open=slots_of(payload[1]),
        busy=slots_of(payload[2]),
        faulty=slots_of(payload[3]),
        acked=_number(payload[4:8]),
        last=_number(payload[8:12]),
        counts=_counts(payload[_EVENTS_HEAD_BYTES:head]),
        records=tuple(
            Record(rest[i], rest[i + 1], rest[i + 2], _number(rest[i + 3 : i + RECORD_BYTES]))
            for i in range(0, len(rest), RECORD_BYTES)
        ),
    )
    return found if _consistent(found) else None


def _consistent(found: Events) -> bool:
    if found.acked + len(found.records) > found.last:
        return False
    newest: dict[int, int] = {}
    for record in found.records:
        if record.source >= len(found.counts):
            return False
        if not newest.get(record.source, 0) < record.count <= found.counts[record.source]:
            return False
        newest[record.source] = record.count
    return True


def _counts(data: bytes) -> tuple[int, ...]:
    return tuple(_number(data[i : i + COUNT_BYTES]) for i in range(0, len(data), COUNT_BYTES))


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _text(data: bytes) -> str:
    """Printable ASCII, without its padding."""
    return "".join(chr(b) if 32 <= b < 127 else "?" for b in data.rstrip(b"\x00")).strip()
