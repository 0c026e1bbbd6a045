"""The rows of a ledger's two large tables as columns."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from jackpot.audit.checker.columns.pages import (
    INTEGER_BYTES,
    LONGEST,
    Bytes,
    Flags,
    Numbers,
    Tree,
    gather,
    integers,
    varints,
)
from jackpot.audit.checker.findings import Untidy

TEXT = 13
"""The serial type of an empty text; two more for each byte."""

TWO_BYTES = 0x80
"""From here on a serial type takes two bytes."""

IS_INTEGER = np.zeros(256, np.bool_)
IS_INTEGER[[1, 2, 3, 4, 5, 6, 8, 9]] = True

IS_INTEGER_OR_NULL = IS_INTEGER.copy()
IS_INTEGER_OR_NULL[0] = True

IS_SHORT_TEXT = np.zeros(256, np.bool_)
IS_SHORT_TEXT[TEXT:TWO_BYTES:2] = True

WIDTH = INTEGER_BYTES


class Found(NamedTuple):
    """Rows by their numbers: the pages, where the header of each record stands, its length, and how
    many bytes the record has in all."""

    text: Bytes
    head: Numbers
    payload: Numbers


def _found(tree: Tree, first: int, last: int) -> Found:
    """The rows ``first`` to ``last``, and no others.

    Raises ``Untidy`` where one of them is not there.
    """
    text, at = tree.cells(first, last)
    payload, size = varints(text, at)
    row, more = varints(text, at + size)
    begin = int(np.searchsorted(row, first))
    here = slice(begin, begin + last - first + 1)
    if not np.array_equal(row[here], np.arange(first, last + 1)):
        raise Untidy("numbers that leave a gap")
    return Found(text, (at + size + more)[here], payload[here])


class Batches(NamedTuple):
    """Columns of ``batch``; places and lengths of causes and hashes instead of their texts."""

    text: Bytes
    first: int
    at_ns: Numbers
    hand: Numbers
    """0 where the batch names none."""
    plain_rules: Flags
    """Decided by rules of version 1."""
    cause_at: Numbers
    cause_bytes: Numbers
    first_seq: Numbers
    events: Numbers
    hash_at: Numbers

    def __len__(self) -> int:
        """How many batches there are."""
        return len(self.at_ns)

    @classmethod
    def of(cls, tree: Tree, first: int, last: int) -> Self:
        """The batches ``first`` to ``last``. Raises ``Untidy``."""
        text, head, payload = _found(tree, first, last)
        types = np.ascontiguousarray(gather(text, head, 10).T)
        cause = types[5]
        usual = (
            (types[0] == 10)  # one byte for each column, and one more for the hash
            & (types[1] == 0)
            & IS_INTEGER[types[2]]
            & IS_INTEGER_OR_NULL[types[3]]
            & (types[4] == TEXT + 2)
            & IS_SHORT_TEXT[cause]
            & IS_INTEGER[types[6]]
            & IS_INTEGER[types[7]]
            & (types[8] == 0x81)
            & (types[9] == 0x0D)
        )
        if not bool(usual.all()):
            raise Untidy("a batch of another form")
        at_ns = head + 10
        hand = at_ns + WIDTH[types[2]]
        rules = hand + WIDTH[types[3]]
        cause_bytes = (cause.astype(np.int64) - TEXT) >> 1
        first_seq = rules + 1 + cause_bytes
        events = first_seq + WIDTH[types[6]]
        hashes = events + WIDTH[types[7]]
        if not np.array_equal(hashes + 64 - head, payload):
            raise Untidy("a batch of another length")
        return cls(
            text=text,
            first=first,
            at_ns=integers(text, at_ns, types[2]),
            hand=integers(text, hand, types[3]),
            plain_rules=text[rules] == ord("1"),
            cause_at=rules + 1,
            cause_bytes=cause_bytes,
            first_seq=integers(text, first_seq, types[6]),
            events=integers(text, events, types[7]),
            hash_at=hashes,
        )

    def hashes(self) -> Bytes:
        """The stored hashes, 64 hexadecimal digits each."""
        return gather(self.text, self.hash_at, 64)


class Events(NamedTuple):
    """Columns of ``event``. ``tail_at``: where the record goes on after its batch."""

    text: Bytes
    usual: Flags
    """Where the other columns mean anything."""
    batch: Numbers
    types: Numbers
    """The serial types of kind, box, cents, microcents and info in one number."""
    tail_at: Numbers
    tail_bytes: Numbers
    box: Numbers

    @classmethod
    def of(cls, tree: Tree, first: int, last: int) -> Self:
        """The events ``first`` to ``last``. Raises ``Untidy``."""
        text, head, payload = _found(tree, first, last)
        types = np.ascontiguousarray(gather(text, head, 9).T)
        kind, box, cents, microcents, info, rest = (types[at] for at in range(3, 9))
        long_info = types[0] == 9
        short_info = types[0] == 8
        wide_info = info.astype(np.int64)
        wide_info[long_info] = (wide_info[long_info] & 0x7F) << 7 | rest[long_info]
        usual = (
            (payload < LONGEST)
            & (types[1] == 0)
            & IS_INTEGER[types[2]]
            & IS_SHORT_TEXT[kind]
            & IS_INTEGER_OR_NULL[box]
            & IS_INTEGER_OR_NULL[cents]
            & IS_INTEGER_OR_NULL[microcents]
            & (
                (short_info & ((info == 0) | IS_SHORT_TEXT[info]))
                | (long_info & (info >= TWO_BYTES) & (rest < TWO_BYTES) & (wide_info % 2 == 1))
            )
        )
        integer = np.where(types < 10, types, 0)
        batch_at = head + types[0]
        tail_at = batch_at + WIDTH[integer[2]]
        kind_bytes = (kind.astype(np.int64) - TEXT) >> 1
        box_at = tail_at + kind_bytes
        tail_bytes = (
            kind_bytes
            + WIDTH[integer[4]]
            + WIDTH[integer[5]]
            + WIDTH[integer[6]]
            + np.where(wide_info > 0, (wide_info - TEXT) >> 1, 0)
        )
        usual &= tail_at + tail_bytes - head == payload
        shape = ((kind.astype(np.int64) << 8 | box) << 8 | cents) << 8 | microcents
        return cls(
            text=text,
            usual=usual,
            batch=integers(text, batch_at, integer[2]),
            types=np.where(usual, shape << 16 | wide_info, -1),
            tail_at=tail_at,
            tail_bytes=tail_bytes,
            box=integers(text, np.where(usual, box_at, 0), integer[4]),
        )
