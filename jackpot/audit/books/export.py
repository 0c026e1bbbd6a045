"""An export: the tables of a ledger as files that spreadsheets, databases and statisticians read."""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, TextIO

from jackpot.audit.books.dictionary import dictionary, unit_of
from jackpot.audit.books.extract import extract
from jackpot.audit.books.formats import ExportFormat
from jackpot.audit.books.tables import COLUMNS, TABLES, Value
from jackpot.audit.books.workbook import SHEET_ROWS, WIDTH, new_sheet, new_workbook, write_row
from jackpot.audit.source import Source
from jackpot.errors import Refused

DICTIONARY = "dictionary.md"
WORKBOOK = "ledger.xlsx"

PARQUET_ROWS = 65_536
"""Rows of one group: some megabytes, and quick to skip."""


class Writer(Protocol):
    """Takes rows of all tables, in any order of the tables."""

    def row(self, table: str, values: tuple[Value, ...]) -> None:
        """One more row."""

    def close(self) -> None:
        """The files are whole after this."""


def export(source: Source, form: ExportFormat, folder: Path) -> dict[str, int]:
    """Write every table into ``folder``, which must be new or empty; the rows of each table.

    Raises ``Refused`` for a folder with something in it, a missing library, or a ledger that is too
    long for a workbook.
    """
    if form is ExportFormat.XLSX and source.seq >= SHEET_ROWS:
        raise Refused(
            reason="too_long_for_a_workbook",
            expected=f"fewer than {SHEET_ROWS} events, the rows of a sheet",
            found=str(source.seq),
            to_do="export as csv or parquet",
        )
    make = _WRITERS[form]
    with ExitStack() as opened:
        prepare = make(opened)
        _new_folder(folder)
        writer = prepare(folder)
        counts = dict.fromkeys(COLUMNS, 0)
        for table, values in extract(source):
            writer.row(table, values)
            counts[table] += 1
        writer.close()
    folder.joinpath(DICTIONARY).write_text(dictionary(source), encoding="utf-8")
    return counts


def _new_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.iterdir(), None)
    except OSError as error:
        raise _no_folder(folder, str(error)) from error
    if taken is not None:
        raise _no_folder(folder, f"{taken.name} in it")


def _no_folder(folder: Path, found: str) -> Refused:
    return Refused(
        reason="folder_not_empty",
        expected=f"a new or empty folder {folder}",
        found=found,
        to_do="choose another folder; an export overwrites nothing",
    )


class _Csv:
    """RFC 4180 with a heading; true and false as words, nothing as nothing."""

    def __init__(self, opened: ExitStack, folder: Path) -> None:
        self._rows: dict[str, Callable[[list[Value]], object]] = {}
        for name, columns in COLUMNS.items():
            file = opened.enter_context(
                (folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
            )
            self._rows[name] = csv.writer(file).writerow
            self._rows[name](list(columns))

    def row(self, table: str, values: tuple[Value, ...]) -> None:
        """One line."""
        self._rows[table]([_word(value) for value in values])

    def close(self) -> None:
        """The stack closes the files."""


def _word(value: Value) -> Value:
    return str(value).lower() if isinstance(value, bool) else value


class _Jsonl:
    """One object a line; what is JSON in the ledger is JSON here."""

    def __init__(self, opened: ExitStack, folder: Path) -> None:
        self._files: dict[str, TextIO] = {
            name: opened.enter_context((folder / f"{name}.jsonl").open("w", encoding="utf-8"))
            for name in COLUMNS
        }

    def row(self, table: str, values: tuple[Value, ...]) -> None:
        """One line."""
        line: dict[str, Any] = dict(zip(COLUMNS[table], values, strict=True))
        for name in ("info", "terms"):
            if isinstance(line.get(name), str):
                line[name] = json.loads(line[name])
        self._files[table].write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """The stack closes the files."""


class _Xlsx:
    """One workbook, the dictionary first, then a sheet a table."""

    def __init__(self, folder: Path) -> None:
        self._book = new_workbook(str(folder.joinpath(WORKBOOK)))
        self._next = dict.fromkeys(COLUMNS, 1)
        self._dictionary()
        self._sheets = {
            table.name: new_sheet(self._book, table.name, [c.name for c in table.columns])
            for table in TABLES
        }

    def _dictionary(self) -> None:
        sheet = new_sheet(self._book, "dictionary", ("table", "column", "type", "unit", "meaning"))
        sheet.set_column(4, 4, 5 * WIDTH)
        lines = (
            (table.name, *c[:2], unit_of(c.name), c[2]) for table in TABLES for c in table.columns
        )
        for number, line in enumerate(lines, 1):
            write_row(sheet, number, line)

    def row(self, table: str, values: tuple[Value, ...]) -> None:
        """One row."""
        write_row(self._sheets[table], self._next[table], values)
        self._next[table] += 1

    def close(self) -> None:
        """Write the file."""
        self._book.close()


class _Parquet:
    """One file a table; whole numbers of 64 bits."""

    def __init__(self, arrow: Any, parquet: Any, folder: Path) -> None:
        types = {"integer": arrow.int64(), "text": arrow.string(), "boolean": arrow.bool_()}
        self._arrow = arrow
        self._schemas = {
            table.name: arrow.schema([(c.name, types[c.type]) for c in table.columns])
            for table in TABLES
        }
        self._rows: dict[str, list[tuple[Value, ...]]] = {name: [] for name in COLUMNS}
        self._files = {
            name: parquet.ParquetWriter(folder / f"{name}.parquet", schema)
            for name, schema in self._schemas.items()
        }

    def row(self, table: str, values: tuple[Value, ...]) -> None:
        """One row; a group is written when it is full."""
        rows = self._rows[table]
        rows.append(values)
        if len(rows) >= PARQUET_ROWS:
            self._write(table)

    def _write(self, table: str) -> None:
        columns = zip(*self._rows[table], strict=True)
        schema = self._schemas[table]
        arrays = [
            self._arrow.array(column, type=kind.type)
            for column, kind in zip(columns, schema, strict=True)
        ]
        self._files[table].write_table(self._arrow.Table.from_arrays(arrays, schema=schema))
        self._rows[table] = []

    def close(self) -> None:
        """Write what is left."""
        for name, rows in self._rows.items():
            if rows:
                self._write(name)
            self._files[name].close()


def _parquet(_: ExitStack) -> Callable[[Path], Writer]:
    """pyarrow is a hundred megabytes, so it comes only to those who ask for it."""
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise Refused(
            reason="parquet_needs_pyarrow",
            expected="the library pyarrow",
            found="an installation without it",
            to_do="pip install 'jackpot-controller[parquet]', or export as csv",
        ) from error
    return lambda folder: _Parquet(arrow, parquet, folder)


_WRITERS: dict[ExportFormat, Callable[[ExitStack], Callable[[Path], Writer]]] = {
    ExportFormat.CSV: lambda opened: lambda folder: _Csv(opened, folder),
    ExportFormat.JSONL: lambda opened: lambda folder: _Jsonl(opened, folder),
    ExportFormat.XLSX: lambda _: _Xlsx,
    ExportFormat.PARQUET: _parquet,
}
"""How each kind of file is begun: what it needs is looked for before the folder is made."""
