"""Whole pieces of a ledger by their columns: are they numbered as in an untouched one?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain, repeat

from jackpot.audit.checker.chain import StoredBatch
from jackpot.audit.checker.findings import Untidy
from jackpot.audit.checker.judge import EventRow

Part = tuple[list[StoredBatch], list[list[EventRow]]]
"""Batches as stored, and the rows of the events of each."""


def numbered(batches: list[StoredBatch], rows: list[EventRow], batch: int, seq: int) -> None:
    """Batches go on after ``batch``, events after ``seq``; each stands in its batch, none is empty.

    Raises ``Untidy``.
    """
    numbers, _, _, _, _, firsts, counts, _ = zip(*batches, strict=True)
    if not (
        min(counts) > 0
        and numbers == tuple(range(batch + 1, batch + 1 + len(batches)))
        and firsts == tuple(accumulate(counts[:-1], initial=seq + 1))
        and [row[0] for row in rows] == list(range(seq + 1, seq + 1 + sum(counts)))
        and [row[1] for row in rows] == list(chain.from_iterable(map(repeat, numbers, counts)))
    ):
        raise Untidy("numbers that leave a gap, or an event out of its place")


def parts(batches: list[StoredBatch], rows: list[EventRow], stops: set[int]) -> Iterator[Part]:
    """The events of a numbered piece by batch; a part ends with each batch of ``stops``."""
    seq, groups = rows[0][0], []
    for _, _, _, _, _, first, count, _ in batches:
        at = first - seq
        groups.append(rows[at : at + count])
    first_batch, begin = batches[0][0], 0
    for stop in sorted(stops.intersection(range(first_batch, first_batch + len(batches)))):
        end = stop - first_batch + 1
        yield batches[begin:end], groups[begin:end]
        begin = end
    if begin < len(batches):
        yield batches[begin:], groups[begin:]
