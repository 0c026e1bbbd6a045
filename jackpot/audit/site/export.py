"""What is shown, as a workbook, CSV or JSON: plain columns, amounts in the units of their names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from jackpot.audit.site.language import local

MEDIA_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
"""The forms of an export."""

MOST_ROWS = 100_000
"""What a spreadsheet still opens; `jackpot` has other commands for a whole ledger."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

Rows = Iterable[Sequence[Any]]


def exported(
    form: str, structs: Sequence[msgspec.Struct], cls: type[msgspec.Struct], zone: ZoneInfo
) -> bytes:
    """Structs with their fields as columns, and each time in the casino's zone beside it."""
    columns = cls.__struct_fields__
    times = [at for at, name in enumerate(columns) if name.endswith("_ns")]
    named = (*columns, *(columns[at].removesuffix("_ns") + "_local" for at in times))
    rows = (
        (*values, *(_local(values[at], zone) for at in times))
        for values in map(msgspec.structs.astuple, structs)
    )
    return {"xlsx": as_xlsx, "csv": as_csv, "json": as_json}[form](named, rows)


def _local(at_ns: int | None, zone: ZoneInfo) -> str | None:
    """``2026-11-30T21:04:05.123+00:00``."""
    return None if at_ns is None else local(at_ns, zone).isoformat(timespec="milliseconds")


def as_csv(columns: Sequence[str], rows: Rows) -> bytes:
    """Comma-separated text in UTF-8 with a mark, so that spreadsheets read its accents."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return b"\xef\xbb\xbf" + buffer.getvalue().encode()


def as_json(columns: Sequence[str], rows: Rows) -> bytes:
    """A list of objects."""
    return msgspec.json.encode([dict(zip(columns, row, strict=True)) for row in rows])


def as_xlsx(columns: Sequence[str], rows: Rows) -> bytes:
    """A workbook of one sheet; a text is never a formula, and a long number stands as text."""
    from jackpot.audit.books.workbook import new_sheet, new_workbook, write_row  # not at the start

    buffer = io.BytesIO()
    book = new_workbook(buffer)
    sheet = new_sheet(book, "audit", columns)
    for number, row in enumerate(rows, 1):
        write_row(sheet, number, row)
    book.close()
    return buffer.getvalue()


def _cell(value: object) -> object:
    """A text that a spreadsheet would run as a formula is kept a text."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value
