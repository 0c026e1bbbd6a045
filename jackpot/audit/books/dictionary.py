"""The data dictionary that lies beside every export."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.audit.books.tables import TABLES
from jackpot.audit.checker.one_line import one_line
from jackpot.audit.source import Source
from jackpot.law.words import Language

UNITS = {
    "_microcents": "millionths of a euro cent",
    "_cents": "euro cents",
    "_utc": "UTC, ISO 8601",
    "_ns": "nanoseconds since 1970, UTC",
    "cents": "euro cents",
    "microcents": "millionths of a euro cent",
}
"""The unit of a column, by the end of its name; the longest that fits."""


def unit_of(column: str) -> str:
    """The unit of a column, or nothing."""
    ends = [end for end in UNITS if column.endswith(end)]
    return UNITS[max(ends, key=len)] if ends else ""


def dictionary(source: Source) -> str:
    """The page: which ledger this is, then every table with every column."""
    return "".join(f"{one_line(line)}\n" for line in _lines(source))


def _lines(source: Source) -> Iterator[str]:
    yield "# What is in these tables"
    yield ""
    yield f"Exported from ledger `{source.about.get('id', '')}` of `{source.about.get('origin', '')}`,"
    yield f"batches 1 to {source.batch}; the last one has the hash `{source.hash}`. Whether the"
    yield "ledger itself is whole and right is found out by `jackpot verify`, not by an export."
    if warning := source.standing.warning(Language.EN):
        yield ""
        yield f"**{warning}**"
    yield ""
    yield "An empty field is a value that there is not. Officers are ids; PINs, names and players are"
    yield "nowhere in a ledger."
    for table in TABLES:
        yield ""
        yield f"## {table.name}"
        yield f"One row is {table.rows}."
        yield ""
        yield "| column | type | unit | meaning |"
        yield "| --- | --- | --- | --- |"
        for name, kind, meaning in table.columns:
            yield f"| `{name}` | {kind} | {unit_of(name)} | {meaning} |"
