"""Whole pieces of a ledger as the very lines that are hashed, made by SQLite itself.

``json_array`` is what the chain is defined by, so two queries give the lines of some thousand batches,
and every other thing that the short way looks at is cut out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, repeat
from typing import NamedTuple, Self

import msgspec

from jackpot.audit.checker.chain import Header
from jackpot.audit.checker.findings import Untidy
from jackpot.audit.checker.judge import EventRow

HEADERS = """
    SELECT group_concat(
        json_array(batch, at_ns, hand, rules, cause, first_seq, events), char(10)
    ), group_concat(hash, char(10))
    FROM batch WHERE batch BETWEEN ? AND ?"""
"""The lines of some batches, and their hashes."""

EVENTS = """
    SELECT group_concat(
        json_array(seq, batch, kind, box, cents, microcents, info), char(10)
    ), json_group_array(batch)
    FROM event WHERE seq BETWEEN ? AND ?"""
"""The lines of some events, and the batch that each of them names."""

PIECE_BATCHES = 4_096
"""About a megabyte of text: large enough to be quick, small enough for any machine."""

MAX_EVENTS = 32 * PIECE_BATCHES
"""Batches have two or three events each; a forged number must not fetch the whole file at once."""

HASH_LENGTH = 64
"""A SHA-256 in hexadecimal."""

_headers = msgspec.json.Decoder(Header).decode_lines
_row = msgspec.json.Decoder(EventRow).decode
_numbers = msgspec.json.Decoder(list[int]).decode


class Piece(NamedTuple):
    """Some batches one after the other, with all events from their first to their last."""

    headers: list[Header]
    lines: list[bytes]
    """The headers as they are hashed."""
    hashes: list[str]
    """What is stored."""
    events: list[bytes]
    """The events as they are hashed."""

    @classmethod
    def of(cls, headers: list[Header], lines: str, hashes: str, events: str, batches: str) -> Self:
        """Cut what the two queries gave.

        Raises ``Untidy`` where an event does not name the batch that has it, ``UNREADABLE``.
        """
        named = chain.from_iterable([repeat(one[0], one[6]) for one in headers])
        if _numbers(batches) != list(named):
            raise Untidy("an event out of its place")
        piece = cls(headers, _cut(lines), hashes.split("\n"), _cut(events))
        if {len(one) for one in piece.hashes} != {HASH_LENGTH}:
            raise Untidy("no hash")
        return piece

    def texts(self, before: str) -> list[bytes]:
        """What is hashed of each batch; ``before`` is the hash before the first one."""
        chained = [before, *self.hashes]
        return [
            b"\n".join([last.encode(), line, *events, b""])
            for last, line, events in zip(
                chained, self.lines, self._groups(self.events), strict=False
            )
        ]

    def rows(self, at: int) -> list[EventRow]:
        """The events of one batch."""
        begin = self.headers[at][5] - self.headers[0][5]
        return [_row(line) for line in self.events[begin : begin + self.headers[at][6]]]

    def bodies(self) -> list[bytes]:
        """The events of each batch from their kinds on: before the first quote there are numbers."""
        begin = self.events[0].index(b'"')
        if self.events[-1].index(b'"') == begin:  # numbers grow, so none between has more digits
            bodies = [line[begin:] for line in self.events]
        else:
            bodies = [line[line.index(b'"') :] for line in self.events]
        return [b"\n".join(group) for group in self._groups(bodies)]

    def parts(self, stops: set[int]) -> Iterator[Piece]:
        """The same in parts, of which each ends with a batch of ``stops``; the last one need not."""
        first, begin = self.headers[0][0], 0
        for stop in sorted(stops.intersection(range(first, first + len(self.headers)))):
            yield self._part(begin, stop - first + 1)
            begin = stop - first + 1
        if begin < len(self.headers):
            yield self._part(begin, len(self.headers))

    def _part(self, begin: int, end: int) -> Piece:
        first = self.headers[begin][5] - self.headers[0][5]
        last = self.headers[end - 1][5] + self.headers[end - 1][6] - self.headers[0][5]
        batches = slice(begin, end)
        return Piece(
            self.headers[batches],
            self.lines[batches],
            self.hashes[batches],
            self.events[first:last],
        )

    def _groups(self, events: list[bytes]) -> Iterable[list[bytes]]:
        """Something of every event, by batch."""
        begin = 0
        for header in self.headers:
            end = begin + header[6]
            yield events[begin:end]
            begin = end


Pieces = Generator[Piece, None, None]
"""All pieces of a ledger in their order."""

Ahead = Callable[[Pieces], Pieces]
"""The same pieces, the next one read by somebody else while one is looked at."""


def headers_of(lines: str) -> list[Header]:
    """The headers by their lines.

    Raises ``Untidy`` where one has no events, or all have more than so many batches have.
    """
    headers = _headers(lines)
    counts = [header[6] for header in headers]
    if min(counts) < 1 or sum(counts) > MAX_EVENTS:
        raise Untidy("no events, or more than batches have")
    return headers


def _cut(lines: str) -> list[bytes]:
    return lines.encode().split(b"\n")
