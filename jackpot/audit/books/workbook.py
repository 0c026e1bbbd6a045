"""Workbooks for spreadsheets, in which every number is exact and nothing is a formula or a link."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

import xlsxwriter  # type: ignore[import-untyped]

SHEET_ROWS = 1_048_576
"""What one sheet holds, its heading included (Excel's specification)."""

SHEET_DIGITS = 15
"""Spreadsheets compute in floating point: of a longer whole number they would lose the end."""

CELL_CHARACTERS = 32_767
"""What one cell holds (Excel's specification)."""

WIDTH = 18
"""Of a column, in characters: a time or an amount fits."""


def new_workbook(target: str | BinaryIO) -> Any:
    """A workbook whose rows are written once, from the first one on; ``close()`` writes the file."""
    return xlsxwriter.Workbook(
        target,
        {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )


def new_sheet(book: Any, name: str, columns: Sequence[str]) -> Any:
    """A sheet with its heading, which stays in sight."""
    sheet, bold = book.add_worksheet(name), book.add_format({"bold": True})
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(columns) - 1, WIDTH)
    for at, column in enumerate(columns):
        sheet.write_string(0, at, column, bold)
    return sheet


def write_row(sheet: Any, number: int, values: Iterable[object]) -> None:
    """A row; numbers as numbers as long as a spreadsheet keeps them exact, else as text."""
    for at, value in enumerate(values):
        if isinstance(value, bool):
            sheet.write_boolean(number, at, value)
        elif isinstance(value, int) and abs(value) < 10**SHEET_DIGITS:
            sheet.write_number(number, at, value)
        elif value is not None:
            sheet.write_string(number, at, _fitting(str(value)))


def _fitting(text: str) -> str:
    """A cell's worth; what was cut says so."""
    if len(text) <= CELL_CHARACTERS:
        return text
    mark = "… (cut: too long for a cell)"
    return text[: CELL_CHARACTERS - len(mark)] + mark
