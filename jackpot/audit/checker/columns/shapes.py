"""Which events are alike: each record is compared, byte for byte, with one that was read before.

Alike are records that differ in nothing but their numbers (event, batch) and in the few values that
change from hand to hand: the box, the number of the hand, and what ``hand_locked`` tells.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from jackpot.audit.checker.columns.lines import digit_counts, digits
from jackpot.audit.checker.columns.pages import (
    INTEGER_BYTES,
    ZERO,
    Bytes,
    Numbers,
    gather,
    integers_of,
)
from jackpot.audit.checker.columns.rows import TEXT, Events


class Hole(Enum):
    """A value that is not the same in records that are alike."""

    BOX = "box"
    HAND = "hand"
    CENTS = "cents"
    MICROCENTS = "microcents"


Line = tuple[bytes | Hole, ...]
"""The ``json_array`` of an event from its kind on."""

OF_A_HAND = re.compile(rb'(\{(?:"by":"[^"\\]+",)?"hand":)([1-9][0-9]*)((?:,"how":"no_awards")?\})')
"""What is told of a hand by its number."""

PRINTABLE = re.compile(rb"[ -~]*")
"""Text in which JSON escapes quotes and backslashes, and nothing else."""

ALIKE = frozenset({b"chip_seen", b"bet_accepted", b"contributed", b"lock_reached"})
WITH_A_HAND = frozenset({b"hand_started", b"lock_pressed", b"no_awards_declared", b"hand_ended"})
AT_THE_LOCK = b"hand_locked"

LAST_BOX = 9
"""A box has one digit."""

INFO_TYPE = 0xFFFF
"""The part of an event's serial types that belongs to info (``Events.types``); 0 is NULL."""

SHAPES_OF_A_KIND = 32
"""A forged ledger must not fill the memory."""


class Shape(NamedTuple):
    """Records that are alike; without the values of their holes."""

    kind: str
    info: str
    """As it is stored; with the number of one hand where there is a hole for it."""
    cents: int | None
    microcents: int | None
    line: Line


class _Pattern(NamedTuple):
    """How a record of a shape looks: its words from the kind on, and a mask that leaves out holes."""

    number: int
    shape: Shape
    words: NDArray[np.uint64]
    mask: NDArray[np.uint64]
    hand_at: int
    hand_digits: int
    amounts: tuple[int, int, int] | None
    """Of ``hand_locked``: where its amounts begin, and their serial types."""


class Seen(NamedTuple):
    """What some events are: the number of each one's shape (0: something else), and its amounts."""

    shape: Numbers
    cents: Numbers
    microcents: Numbers


class Shapes:
    """All shapes that were met."""

    def __init__(self) -> None:
        self.met: list[Shape] = []
        self._by_types: dict[int, list[_Pattern]] = {}

    def of(self, events: Events, hand: Numbers) -> Seen:
        """What each event is; ``hand``: what its batch names as its hand."""
        count = len(events.types)
        seen = Seen(*(np.zeros(count, np.int64) for _ in Seen._fields))
        left = events.usual.copy()
        for types in list(self._by_types):
            here = np.flatnonzero(events.types == types)
            if len(here):
                left[here] = False
                self._compare(types, events, hand, here, seen)
        while left.any():
            types = int(events.types[int(np.argmax(left))])
            here = np.flatnonzero(events.types == types)
            left[here] = False
            self._by_types[types] = []
            self._compare(types, events, hand, here, seen)
        return seen

    def _compare(
        self, types: int, events: Events, hand: Numbers, here: Numbers, seen: Seen
    ) -> None:
        """Tell the records of one layout from each other."""
        width = int(events.tail_bytes[here[0]])
        rows = gather(events.text, events.tail_at[here], -(-width // 8) * 8)
        known = self._by_types[types]
        for pattern in known:
            here, rows = _match(pattern, events, hand, here, rows, seen)
        while len(here) and len(known) < SHAPES_OF_A_KIND:
            new = _pattern(len(self.met) + 1, types, rows[0, :width].tobytes())
            if new is None:
                kind = rows[0, : (types >> 40) - TEXT >> 1]
                other = ~(rows[:, : len(kind)] == kind).all(axis=1)
                other[0] = False
                here, rows = here[other], rows[other]
                continue
            self.met.append(new.shape)
            known.append(new)
            here, rows = _match(new, events, hand, here, rows, seen)


def _match(
    pattern: _Pattern, events: Events, hand: Numbers, here: Numbers, rows: Bytes, seen: Seen
) -> tuple[Numbers, Bytes]:
    """Mark the records of this pattern; those that are left."""
    differs = ((rows.view(np.uint64) ^ pattern.words) & pattern.mask).any(axis=1)
    alike, of_these = (here, rows) if not differs.any() else (here[~differs], rows[~differs])
    right = np.ones(len(alike), np.bool_)
    if Hole.BOX in pattern.shape.line:
        box = events.box[alike]
        right &= (box >= 1) & (box <= LAST_BOX)
    if pattern.hand_digits:
        end = pattern.hand_at + pattern.hand_digits
        named, numbers = of_these[:, pattern.hand_at : end], hand[alike]
        right &= (named == digits(numbers, pattern.hand_digits)).all(axis=1)
        right &= digit_counts(numbers) == pattern.hand_digits
    if pattern.amounts is not None:
        begin, cents, microcents = pattern.amounts
        at = events.tail_at[alike] + begin
        seen.cents[alike] = integers_of(events.text, at, cents)
        seen.microcents[alike] = integers_of(
            events.text, at + int(INTEGER_BYTES[cents]), microcents
        )
        right &= (seen.cents[alike] >= 0) & (seen.microcents[alike] >= 0)
    seen.shape[alike] = np.where(right, pattern.number, 0)
    return here[differs], rows[differs]


class _Record(NamedTuple):
    """One record from its kind on, and the serial types of its integers."""

    kind: bytes
    box: int
    cents: int
    microcents: int
    info: bytes
    begins: tuple[int, ...]
    """Where box, cents, microcents and info begin."""
    tail: bytes

    @classmethod
    def of(cls, types: int, tail: bytes) -> Self:
        """Cut it."""
        kind_type, *serials = (types >> shift & 0xFF for shift in (40, 32, 24, 16))
        begins = [(kind_type - TEXT) >> 1]
        for serial in serials:
            begins.append(begins[-1] + int(INTEGER_BYTES[serial]))
        box, cents, microcents = serials
        kind, info = tail[: begins[0]], tail[begins[3] :]
        return cls(kind, box, cents, microcents, info, tuple(begins), tail)

    def integer(self, place: int) -> int | None:
        """The cents (1) or microcents (2) as they are stored."""
        serial = (self.box, self.cents, self.microcents)[place]
        if not serial:
            return None
        text = self.tail[self.begins[place] : self.begins[place + 1]]
        return serial - ZERO if serial >= ZERO else int.from_bytes(text, "big", signed=True)


def _pattern(number: int, types: int, tail: bytes) -> _Pattern | None:
    """The pattern of one record; None where it is none that is looked at."""
    record = _Record.of(types, tail)
    mask = np.full(-(-len(tail) // 8) * 8, 0xFF, np.uint8)
    mask[len(tail) :] = 0
    hand_at = hand_digits = 0
    amounts = None
    line: Line | None = None
    if record.kind in ALIKE:
        line = _line_alike(record)
        mask[record.begins[0] : record.begins[1]] = 0
    elif record.kind in WITH_A_HAND and (match := OF_A_HAND.fullmatch(record.info)):
        line = _line_of_hand(record, match)
        hand_at, hand_digits = record.begins[3] + match.start(2), len(match[2])
        mask[hand_at : hand_at + hand_digits] = 0
    elif record.kind == AT_THE_LOCK and record.cents and record.microcents:
        if not record.box and not types & INFO_TYPE:
            line = (b'"hand_locked",null,', Hole.CENTS, b",", Hole.MICROCENTS, b",null]")
        amounts = (record.begins[0], record.cents, record.microcents)
        mask[record.begins[0] :] = 0
    if line is None:
        return None
    cents, microcents = (None, None) if amounts else (record.integer(1), record.integer(2))
    shape = Shape(record.kind.decode(), record.info.decode(), cents, microcents, line)
    words = np.frombuffer(tail + bytes(len(mask) - len(tail)), np.uint64)
    masked = mask.view(np.uint64)
    return _Pattern(number, shape, words, masked, hand_at, hand_digits, amounts)


def _line_alike(record: _Record) -> Line | None:
    """A line that is the same but for the box."""
    if not record.info or not PRINTABLE.fullmatch(record.info):
        return None
    amounts = [record.integer(place) for place in (1, 2)]
    told = [b"null" if amount is None else b"%d" % amount for amount in amounts]
    rest = b',%s,%s,"%s"]' % (*told, _escaped(record.info))
    start = b'"%s",' % record.kind
    return (start, Hole.BOX, rest) if record.box else (start + b"null" + rest,)


def _line_of_hand(record: _Record, match: re.Match[bytes]) -> Line | None:
    """A line that is the same but for the number of the hand."""
    if record.box or record.cents or record.microcents or not PRINTABLE.fullmatch(record.info):
        return None
    start = b'"%s",null,null,null,"' % record.kind
    return (start + _escaped(match[1]), Hole.HAND, _escaped(match[3]) + b'"]')


def _escaped(text: bytes) -> bytes:
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
