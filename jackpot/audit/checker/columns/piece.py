"""A piece of a ledger as columns: what each batch is, what it stores, and whether that was hashed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jackpot.audit.checker.columns.lines import (
    digit_counts,
    digits,
    from_hexadecimal,
    hashed,
    joined,
)
from jackpot.audit.checker.columns.pages import Bytes, Numbers, Read, Tree, gather
from jackpot.audit.checker.columns.rows import Batches, Events
from jackpot.audit.checker.columns.shapes import Hole, Seen, Shape, Shapes
from jackpot.audit.checker.findings import Untidy

SHAPE_BITS = 10
MOST_EVENTS = 6
"""A usual batch has at most so many events: their shapes then make one number of 60 bits."""

CAUSE_BITS = 6
"""Short texts have less than 64 bytes (``rows.IS_SHORT_TEXT``)."""

DIGITS_BITS = 5
"""A number has at most 19 digits."""

MAX_EVENTS = 32
"""On average; a forged number must not fetch the whole file at once."""


Form = tuple[Shape, ...]
"""Batches that are alike: the shapes of their events."""


class Source(NamedTuple):
    """Where causes come from, and the number of each of them, by the places of their batches."""

    name: str
    at: Numbers
    number: Numbers


class Piece(NamedTuple):
    """Some batches one after the other, numbered without a gap as their events are."""

    first: int
    first_seq: int
    at_ns: Numbers
    hand: Numbers
    """What the batch names as its hand, or the last one before it in the piece that names one."""
    events: Numbers
    form: Numbers
    """Of each batch: its place in ``forms``; there the stored hash is right. 0 is anything else."""
    forms: list[Form]
    box: Numbers
    """The one box that the events of a batch have; 0 if they have none."""
    cents: Numbers
    microcents: Numbers
    """What ``hand_locked`` tells."""
    hashes: Bytes
    sources: list[Source]

    def __len__(self) -> int:
        """How many batches there are."""
        return len(self.at_ns)


class Columns:
    """Reads pieces of one ledger; where a table stands in the file is looked up once."""

    def __init__(self, read: Read, batch_root: int, event_root: int) -> None:
        """``read`` gives the bytes of the file; the roots are pages. Raises ``Untidy``."""
        self._batches = Tree(read, batch_root)
        self._events = Tree(read, event_root)
        self._shapes = Shapes()
        self._forms: list[Form] = [()]
        self._by_key: dict[int, int] = {0: 0}

    def piece(self, first: int, last: int, before: str) -> Piece:
        """The batches ``first`` to ``last``; ``before`` is the hash before them, of batch 0.

        Raises ``Untidy``: at a gap, a stored hash of a known form that is wrong, or any other form
        of the record itself than the usual one.
        """
        if first > 1:
            before = Batches.of(self._batches, first - 1, first - 1).hashes().tobytes().decode()
        batches = Batches.of(self._batches, first, last)
        counts, first_seqs = batches.events, batches.first_seq
        if int(counts.min()) < 1 or int(counts.sum()) > MAX_EVENTS * len(batches):
            raise Untidy("no events, or more than batches have")
        if not np.array_equal(first_seqs[1:], first_seqs[:-1] + counts[:-1]):
            raise Untidy("numbers that leave a gap")
        last_seq = int(first_seqs[-1] + counts[-1]) - 1
        events = Events.of(self._events, int(first_seqs[0]), last_seq)
        numbers = np.arange(first, last + 1)
        if not np.array_equal(events.batch, np.repeat(numbers, counts)):
            raise Untidy("an event out of its place")
        hand = _carried(batches.hand)
        seen = self._shapes.of(events, np.repeat(hand, counts))
        form, box = self._forms_of(batches, events, seen)
        form[hand == 0] = 0
        hashes = batches.hashes()
        lines = _Lines(batches, seen, hand, box, hashes, before)
        lines.check(form, self._forms)
        return Piece(
            first=first,
            first_seq=int(first_seqs[0]),
            at_ns=batches.at_ns,
            hand=hand,
            events=counts,
            form=form,
            forms=self._forms,
            box=box,
            cents=lines.holes[Hole.CENTS],
            microcents=lines.holes[Hole.MICROCENTS],
            hashes=hashes,
            sources=list(_sources(batches)),
        )

    def _forms_of(self, batches: Batches, events: Events, seen: Seen) -> tuple[Numbers, Numbers]:
        """The form of each batch, and its box."""
        at = batches.first_seq - batches.first_seq[0]
        counts, last = batches.events, len(events.types) - 1
        keys = np.zeros(len(batches), np.int64)
        box = np.zeros(len(batches), np.int64)
        usual = (counts <= MOST_EVENTS) & batches.plain_rules & (batches.at_ns > 0)
        for place in range(min(MOST_EVENTS, int(counts.max()))):
            there = counts > place
            here = np.minimum(at + place, last)
            shape = np.where(there, seen.shape[here], 0)
            usual &= ~there | (shape > 0)
            box_here = np.where(there & (shape > 0), events.box[here], 0)
            usual &= (box_here == 0) | (box == box_here) | (box == 0)
            box = np.maximum(box, box_here)
            keys |= shape << SHAPE_BITS * place
        if max(len(self._shapes.met), len(self._forms)) >= 1 << SHAPE_BITS:
            raise Untidy("more shapes and forms than a table has")
        keys[~usual] = 0
        found, which = np.unique(keys, return_inverse=True)
        return np.array([self._form(int(key)) for key in found], np.int64)[which], box

    def _form(self, key: int) -> int:
        if key not in self._by_key:
            shapes = []
            rest = key
            while rest:
                shapes.append(self._shapes.met[(rest & (1 << SHAPE_BITS) - 1) - 1])
                rest >>= SHAPE_BITS
            self._by_key[key] = len(self._forms)
            self._forms.append(tuple(shapes))
        return self._by_key[key]


class _Lines:
    """The lines of the batches of a piece."""

    def __init__(
        self,
        batches: Batches,
        seen: Seen,
        hand: Numbers,
        box: Numbers,
        hashes: Bytes,
        before: str,
    ) -> None:
        last = batches.first_seq - batches.first_seq[0] + batches.events - 1
        self._batches = batches
        self._number = np.arange(batches.first, batches.first + len(batches))
        self._stored = from_hexadecimal(hashes)
        self._before = np.vstack([np.frombuffer(before.encode(), np.uint8), hashes[:-1]])
        self.holes = {
            Hole.HAND: hand,
            Hole.BOX: box,
            Hole.CENTS: seen.cents[last],
            Hole.MICROCENTS: seen.microcents[last],
        }

    def check(self, form: Numbers, forms: list[Form]) -> None:
        """Hash every batch of a known form. Raises ``Untidy`` where another hash is stored."""
        for here in self._alike(form):
            which = int(form[here[0]])
            if which:
                rows = joined(self._parts(forms[which], here), len(here))
                if not np.array_equal(hashed(rows), self._stored[here]):
                    raise Untidy("a batch is not what was hashed")

    def _alike(self, form: Numbers) -> Iterator[Numbers]:
        """The places of the batches of one form whose lines have one length."""
        batches = self._batches
        last_seq = batches.first_seq + batches.events - 1
        told = (self._number, batches.at_ns, batches.first_seq, last_seq, *self.holes.values())
        key = (form << CAUSE_BITS | batches.cause_bytes) << 1 | (batches.hand > 0)
        for values in told:
            key = key << DIGITS_BITS | digit_counts(values)
        key[form == 0] = 0
        order = np.argsort(key, kind="stable")
        yield from np.split(order, np.flatnonzero(np.diff(key[order])) + 1)

    def _parts(self, form: Form, here: Numbers) -> list[bytes | Bytes]:
        """The text that is hashed of some batches, with what differs between them as rows."""
        batches = self._batches
        batch, first_seq = _told(self._number[here]), batches.first_seq[here]
        cause_bytes = int(batches.cause_bytes[here[0]])
        holes = {Hole.HAND}.union(
            part for shape in form for part in shape.line if isinstance(part, Hole)
        )
        told = {hole: _told(self.holes[hole][here]) for hole in holes}
        parts: list[bytes | Bytes] = [
            self._before[here],
            b"\n[",
            batch,
            b",",
            _told(batches.at_ns[here]),
            b",",
            told[Hole.HAND] if batches.hand[here[0]] else b"null",
            b',"1","',
            gather(batches.text, batches.cause_at[here], cause_bytes),
            b'",',
            _told(first_seq),
            b",%d]\n" % len(form),
        ]
        for place, shape in enumerate(form):
            parts += [b"[", _told(first_seq + place), b",", batch, b","]
            parts += [part if isinstance(part, bytes) else told[part] for part in shape.line]
            parts.append(b"\n")
        return parts


def _carried(hand: Numbers) -> Numbers:
    """The last hand that was named up to each batch; 0 before the first one."""
    named = np.where(hand > 0, np.arange(len(hand)), 0)
    return hand[np.maximum.accumulate(named)]


def _told(values: Numbers) -> Bytes:
    """Numbers of one length as text."""
    return digits(values, len(str(int(values[0]))))


def _sources(batches: Batches) -> Iterator[Source]:
    """Where the causes come from: ``source#number``. Raises ``Untidy`` where one is malformed."""
    for width in np.unique(batches.cause_bytes).tolist():
        here = np.flatnonzero(batches.cause_bytes == width)
        rows = gather(batches.text, batches.cause_at[here], width)
        while len(here):
            first = rows[0].tobytes()
            name, mark, number = first.rpartition(b"#")
            if not mark or not number or not _harmless(name):
                raise Untidy("a malformed cause")
            begin = len(name) + 1
            same = (rows[:, :begin] == rows[0, :begin]).all(axis=1)
            digit = rows[same, begin:] - ord("0")
            if not bool((digit <= 9).all()) or len(number) > 18:
                raise Untidy("a malformed cause")
            value = np.zeros(len(digit), np.int64)
            for place in range(len(number)):
                value = value * 10 + digit[:, place]
            yield Source(name.decode(), here[same], value)
            here, rows = here[~same], rows[~same]


def _harmless(name: bytes) -> bool:
    """Whether JSON writes a text as it is."""
    return name.isascii() and name.decode().isprintable() and not {*b'"\\'}.intersection(name)
