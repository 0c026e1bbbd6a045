"""Where the rows of a table stand in the file: the leaves of its B-tree, and the records in them.

Source: the SQLite file format (``https://www.sqlite.org/fileformat2.html``), 1.6 B-tree pages and
2.1 record format. SQLite itself has found the tree whole before (``PRAGMA integrity_check``); whatever
is not as usual here raises ``Untidy``, and SQLite reads the ledger instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jackpot.audit.checker.findings import Untidy

Bytes: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

Read = Callable[[int, int], bytes]
"""Given an offset and a length in bytes: what stands there in the file."""

INTERIOR, LEAF = 0x05, 0x0D
"""The first byte of a page of a table."""

PAGE_BYTES = 4_096
"""Of every ledger that this project makes."""

CELLS_OF = {INTERIOR: 12, LEAF: 8}
"""Where the places of the cells begin in a page."""

MAX_DEPTH = 8
"""Four are enough for every ledger; a tree without an end must not be climbed."""

LONGEST = 512
"""The longest usual record in bytes; text after the last page may be looked at, and is not there."""

VARINT_BYTES = 5
"""Enough for 34 billion rows."""

INTEGER_BYTES = np.array([0, 1, 2, 3, 4, 6, 8, 8, 0, 0], dtype=np.int64)
"""The width of an integer by its serial type; types 8 and 9 are the numbers 0 and 1."""

ZERO = 8
"""The serial type that is the number 0; the next one is the number 1."""

SCATTERED = 4
"""Leaves of one piece stand close together; only where they don't, each is read alone."""


class Cells(NamedTuple):
    """Some pages one after the other, and where each cell of them begins."""

    text: Bytes
    at: Numbers


class Tree:
    """The leaves of one table, in the order of its rows."""

    def __init__(self, read: Read, root: int) -> None:
        """``root``: the number of the table's first page. Raises ``Untidy``."""
        self._read = read
        self._numbers: list[int] = []
        lasts: list[int] = []
        self._climb(root, 2**62, MAX_DEPTH, lasts)
        self._lasts = np.array(lasts, dtype=np.int64)

    def _page(self, number: int) -> Bytes:
        return np.frombuffer(self._read((number - 1) * PAGE_BYTES, PAGE_BYTES), np.uint8)

    def _climb(self, number: int, last: int, depth: int, lasts: list[int]) -> None:
        """Note each leaf below a page with the greatest key that it may have."""
        page = self._page(number)
        if page[0] == LEAF:
            self._leaves([number], [last], lasts)
            return
        if page[0] != INTERIOR or not depth:
            raise Untidy("a page of no table")
        padded = np.concatenate([page, np.zeros(2 * LONGEST, np.uint8)])
        at = _cells_at(page[np.newaxis], CELLS_OF[INTERIOR])
        rightmost = int(page[8:12].view(">u4")[0])
        children = [*gather(padded, at, 4).view(">u4").ravel().tolist(), rightmost]
        keys = [*varints(padded, at + 4)[0].tolist(), last]
        if self._page(children[0])[0] == LEAF:  # then so are the others: all are at one depth
            self._leaves(children, keys, lasts)
            return
        for child, key in zip(children, keys, strict=True):
            self._climb(child, key, depth - 1, lasts)

    def _leaves(self, numbers: list[int], keys: list[int], lasts: list[int]) -> None:
        self._numbers += numbers
        lasts += keys

    def cells(self, first: int, last: int) -> Cells:
        """All leaves that have the rows ``first`` to ``last``, and others beside them."""
        begin, end = np.searchsorted(self._lasts, [first, last])
        numbers = np.array(self._numbers[begin : end + 1], dtype=np.int64)
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < SCATTERED * len(numbers):
            block = self._read((low - 1) * PAGE_BYTES, (high - low + 1) * PAGE_BYTES)
            pages = np.frombuffer(block, np.uint8).reshape(-1, PAGE_BYTES)[numbers - low]
        else:
            pages = np.stack([self._page(int(number)) for number in numbers])
        if not bool((pages[:, 0] == LEAF).all()):
            raise Untidy("a page of no table")
        text = np.concatenate([pages.ravel(), np.zeros(2 * LONGEST, np.uint8)])
        return Cells(text, _cells_at(pages, CELLS_OF[LEAF]))


def _cells_at(pages: Bytes, begin: int) -> Numbers:
    """Where the cells of some pages stand, counted from the first byte of the first page."""
    counts = pages[:, 3].astype(np.int64) << 8 | pages[:, 4]
    most = int(counts.max())
    if most * 2 + begin > PAGE_BYTES:
        raise Untidy("a page with more cells than it has room for")
    places = pages[:, begin : begin + 2 * most].reshape(len(pages), most, 2)
    at = places[:, :, 0].astype(np.int64) << 8 | places[:, :, 1]
    at += np.arange(len(pages), dtype=np.int64)[:, np.newaxis] * PAGE_BYTES
    return at[np.arange(most) < counts[:, np.newaxis]]


def gather(text: Bytes, at: Numbers, width: int) -> Bytes:
    """The bytes from each place on, a row of ``width`` for each."""
    every = np.ndarray(len(text) - width + 1, f"V{width}", text.data, strides=(1,))
    return every[at].view(np.uint8).reshape(len(at), width)


def varints(text: Bytes, at: Numbers) -> tuple[Numbers, Numbers]:
    """The numbers that stand at some places, and how many bytes each takes.

    Raises ``Untidy`` where one is longer than ``VARINT_BYTES``.
    """
    byte = text[at]
    values, sizes = (byte & 0x7F).astype(np.int64), np.ones(len(at), np.int64)
    more = byte >= 0x80
    for step in range(1, VARINT_BYTES + 1):
        if not more.any():
            return values, sizes
        byte = text[at + step]
        values = np.where(more, values << 7 | (byte & 0x7F), values)
        sizes += more
        more &= byte >= 0x80
    raise Untidy("a number with too many bytes")


def integers(text: Bytes, at: Numbers, types: Bytes) -> Numbers:
    """The integers that stand at some places, by their serial types; others are 0."""
    low, high = (int(types.min()), int(types.max())) if len(types) else (0, 0)
    if low == high:
        return integers_of(text, at, low)
    values = np.zeros(len(at), np.int64)
    for one in range(1, len(INTEGER_BYTES)):
        here = np.flatnonzero(types == one)
        if len(here):
            values[here] = integers_of(text, at[here], one)
    return values


def integers_of(text: Bytes, at: Numbers, serial: int) -> Numbers:
    """The same where all have one serial type."""
    if serial == 0 or serial >= ZERO:
        return np.full(len(at), int(serial == ZERO + 1), np.int64)
    width = int(INTEGER_BYTES[serial])
    bytes_ = np.zeros((len(at), 8), np.uint8)
    bytes_[:, 8 - width :] = gather(text, at, width)
    values = bytes_.view(">i8").ravel().astype(np.int64)
    shift = 64 - 8 * width
    return values << shift >> shift
