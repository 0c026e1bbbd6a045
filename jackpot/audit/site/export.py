"""What is shown, as CSV or JSON: plain columns, amounts in the units that their names say."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
"""The forms of an export."""

MOST_ROWS = 100_000
"""What a spreadsheet still opens; `jackpot` has other commands for a whole ledger."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Comma-separated text in UTF-8 with a mark, so that spreadsheets read its accents."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return b"\xef\xbb\xbf" + buffer.getvalue().encode()


def as_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A list of objects."""
    return msgspec.json.encode([dict(zip(columns, row, strict=True)) for row in rows])


def exported(form: str, structs: Sequence[msgspec.Struct], cls: type[msgspec.Struct]) -> bytes:
    """Structs with their fields as columns."""
    columns = cls.__struct_fields__
    rows = (msgspec.structs.astuple(struct) for struct in structs)
    return as_csv(columns, rows) if form == "csv" else as_json(columns, rows)


def _cell(value: object) -> object:
    """A text that a spreadsheet would run as a formula is kept a text."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value
