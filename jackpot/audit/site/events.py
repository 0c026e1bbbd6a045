"""The list of events by filters: day, box, officer, kind or class, from a place on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import msgspec

from jackpot.audit.site.index import CLASSES
from jackpot.audit.site.index_reader import IndexReader
from jackpot.audit.source import Source
from jackpot.table.event import OfficerAct
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES

PAGE_EVENTS = 200
"""As many lines as people page through."""

WINDOW_EVENTS = 100_000
"""Events that one query looks at: some 30 ms. A page looks at several, then offers to go on."""

WINDOWS_PER_PAGE = 4

OFFICER_KINDS = tuple(kind for kind, cls in FACTS.items() if issubclass(cls, OfficerAct))
ALL_KINDS = (*FACTS, *OUTCOMES)
BOXES = range(1, 8)

_SELECT = """
SELECT e.seq, e.batch, e.kind, e.box, e.cents, e.microcents, e.info, b.at_ns, b.hand, b.hash
FROM event e JOIN batch b ON b.batch = e.batch WHERE e.seq BETWEEN ? AND ?
"""


class EventLine(msgspec.Struct, frozen=True):
    """One event as stored, with the time, hand and hash of its batch."""

    seq: int
    batch: int
    kind: str
    box: int | None
    cents: int | None
    microcents: int | None
    info: str | None
    at_ns: int
    hand: int | None
    hash: str


@dataclass(frozen=True)
class Filters:
    """What a list of events is narrowed to; None is everything."""

    day: int | None = None
    box: int | None = None
    officer: str | None = None
    kind: str | None = None
    name: str | None = None
    hand: int | None = None
    first_seq: int | None = None

    def query(self) -> str:
        """As part of an address."""
        return urlencode({key: value for key, value in vars(self).items() if value is not None})

    def kinds(self) -> tuple[str, ...]:
        """The kinds that may be in the list; none when all may."""
        if self.kind is not None:
            return (self.kind,)
        return OFFICER_KINDS if self.officer is not None else ()


@dataclass(frozen=True)
class Found:
    """One page of events; ``more`` leads to where it goes on."""

    lines: tuple[EventLine, ...]
    more: Filters | None


def filters_from(values: dict[str, str]) -> Filters:
    """Filters from an address; what makes no sense is left out."""

    def number(name: str) -> int | None:
        text = values.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None

    kind, name = values.get("kind", ""), values.get("name", "")
    return Filters(
        day=number("day"),
        box=number("box"),
        officer=values.get("officer") or None,
        kind=kind if kind in ALL_KINDS else None,
        name=name if name in CLASSES else None,
        hand=number("hand"),
        first_seq=number("first_seq"),
    )


def seq_range(source: Source, index: IndexReader, filters: Filters) -> tuple[int, int]:
    """The events that the filters can be about; an empty range when there are none."""
    first, last = 1, source.seq
    if filters.hand is not None:
        hand = index.hand(filters.hand)
        if hand is None:
            return 1, 0
        sql = "SELECT first_seq + events - 1 FROM batch WHERE batch = ?"
        ends = source.rows(sql, (hand.last_batch,))
        first, last = hand.seq, int(ends[0][0]) if ends else 0
    elif filters.day is not None:
        day, following = index.day(filters.day), index.day(filters.day + 1)
        if day is None:
            return 1, 0
        first, last = day.seq, last if following is None else following.seq - 1
    return max(first, filters.first_seq or 0), last


def find_events(
    source: Source, index: IndexReader, filters: Filters, limit: int = PAGE_EVENTS
) -> Found:
    """One page of the events that pass the filters, in order."""
    first, last = seq_range(source, index, filters)
    if filters.name is not None:
        return _marked(source, index, filters, (first, last, limit))
    condition, values = _condition(filters)
    lines: list[EventLine] = []
    windows = 0
    while first <= last and windows < WINDOWS_PER_PAGE:
        end = min(first + WINDOW_EVENTS - 1, last)
        room = limit - len(lines)
        sql = f"{_SELECT}{condition} ORDER BY e.seq LIMIT ?"
        rows = source.rows(sql, (first, end, *values, room + 1))
        lines += [EventLine(*row) for row in rows[:room]]
        if len(rows) > room:
            return Found(tuple(lines), replace(filters, first_seq=rows[room][0]))
        first, windows = end + 1, windows + 1
    more = replace(filters, first_seq=first) if first <= last else None
    return Found(tuple(lines), more)


def _marked(
    source: Source, index: IndexReader, filters: Filters, within: tuple[int, int, int]
) -> Found:
    """The marks of a class: the index knows where they are."""
    first, last, limit = within
    seqs = index.mark_seqs(
        (first, last),
        name=filters.name,
        kind=filters.kind,
        box=filters.box,
        officer=filters.officer,
        limit=limit + 1,
    )
    sql = f"{_SELECT} ORDER BY e.seq"
    lines = tuple(EventLine(*row) for seq in seqs[:limit] for row in source.rows(sql, (seq, seq)))
    return Found(lines, replace(filters, first_seq=seqs[limit]) if len(seqs) > limit else None)


def _condition(filters: Filters) -> tuple[str, tuple[Any, ...]]:
    """The filters as SQL; a row whose JSON was damaged is in no officer's list."""
    sql, values = "", []
    if kinds := filters.kinds():
        sql += f" AND e.kind IN ({', '.join('?' * len(kinds))})"
        values += list(kinds)
    if filters.box is not None:
        sql += " AND e.box = ?"
        values.append(filters.box)  # type: ignore[arg-type]  # numbers among texts
    if filters.officer is not None:
        sql += (
            " AND json_valid(e.info) AND ? IN "
            "(json_extract(e.info, '$.by'), json_extract(e.info, '$.second'))"
        )
        values.append(filters.officer)
    return sql, tuple(values)
