"""Exports: every format holds the same rows, read back by programs that are not ours."""

from __future__ import annotations

import csv
import importlib
import json
import re
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from jackpot.audit.books import export as export_module
from jackpot.audit.books.export import export
from jackpot.audit.books.formats import ExportFormat
from jackpot.audit.books.tables import COLUMNS, TABLES
from jackpot.audit.source import Source
from jackpot.cli import build_app
from jackpot.errors import Refused

ROOT = Path(__file__).parents[2]


def exported(ledger: Path, form: ExportFormat, folder: Path) -> Path:
    with Source(ledger) as source:
        export(source, form, folder)
    return folder


def by_csv(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def tables(story: Path, tmp_path: Path) -> Path:
    return exported(story, ExportFormat.CSV, tmp_path / "csv")


def test_events_and_batches_are_the_very_rows_of_the_ledger(tables: Path, story: Path) -> None:
    with closing(sqlite3.connect(f"file:{story}?mode=ro", uri=True)) as connection:
        events = connection.execute(
            "SELECT seq, batch, kind, box, cents, microcents, info FROM event ORDER BY seq"
        ).fetchall()
        hashes = connection.execute("SELECT hash FROM batch ORDER BY batch").fetchall()
    as_text = [tuple("" if value is None else str(value) for value in row) for row in events]
    assert [tuple(row.values()) for row in by_csv(tables, "events")] == as_text
    assert [(row["hash"],) for row in by_csv(tables, "batches")] == hashes


def test_the_awards_and_payments_of_a_hand_worked_out_by_hand(tables: Path) -> None:
    """CAN-8.5: base 10,002.50; 1,000.25 for the straight flush, then 450.11 for four aces."""
    (award,) = [row for row in by_csv(tables, "awards") if row["hand"] == "2"]
    assert (award["base_microcents"], award["total_cents"]) == ("1000250000000", "145036")
    assert (award["declared_by"], award["confirmed_by"]) == ("C1", "J1")
    assert award["restart"] == "false"
    payments = [row for row in by_csv(tables, "payments") if row["hand"] == "2"]
    assert [(row["box"], row["cents"], row["cards"]) for row in payments] == [
        ("1", "100025", "Kd Qd Jd Td 9d"),
        ("2", "45011", "As Ah Ad Ac 3h"),
    ]
    words = [row["spanish"] for row in by_csv(tables, "derivations") if row["hand"] == "2"]
    assert any("450,1125 €" in line for line in words)


def test_hands_and_days_add_up(tables: Path) -> None:
    """Nine hands on the first day: 3 + 2 + 2 bets, none of the voided one, 1 and 1 asserted, 2, and
    one in each of the last three: 14 bets of 2.00."""
    hands = {row["hand"]: row for row in by_csv(tables, "hands")}
    assert [hands[n]["bets"] for n in ("1", "2", "3", "4", "5", "6")] == [
        "3", "2", "2", "0", "2", "2",
    ]  # fmt: skip
    assert hands["4"]["how"] == "voided"
    assert hands["2"]["paid_cents"] == "145036"
    assert hands["2"]["lock_meter_microcents"] == "1000250000000"
    first, second = by_csv(tables, "days")
    assert (first["hands"], second["hands"]) == ("8", "1")
    assert (first["bets"], first["bets_cents"]) == ("14", "2800")
    assert first["paid_cents"] == "1000550"
    # hand 4 was voided, so it is none of the eight
    assert (first["opened_by"], first["closed_second"]) == ("C1", "J1")


def test_a_carried_bet_counts_in_the_hand_that_played_it(carried: Path, tmp_path: Path) -> None:
    """CAN-10.1: three bets of hand 1 wait; one goes back, two are bets of hand 2."""
    tables = exported(carried, ExportFormat.CSV, tmp_path / "csv")
    assert [row["bets"] for row in by_csv(tables, "hands")] == ["0", "2"]
    assert [row["bets"] for row in by_csv(tables, "days")] == ["2"]


@pytest.mark.parametrize("name", ["story", "carried", "pit_ledger"])
def test_the_pools_end_at_the_ledgers_meters(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    ledger = request.getfixturevalue(name)
    tables = exported(ledger, ExportFormat.CSV, tmp_path / "csv")
    last = {row["pool"]: int(row["after_microcents"]) for row in by_csv(tables, "pools")}
    with Source(ledger) as source:
        meters = source.meters()
    for name, amount in meters.items():
        layout, _, pool = name.partition("/")
        assert last.get(f"Liabilities:Pools:{layout}:{pool.capitalize()}", 0) == amount


def test_a_void_is_a_correction_and_a_string_is_a_fault(tables: Path) -> None:
    (void,) = by_csv(tables, "corrections")
    assert (void["kind"], void["by"], void["second"]) == ("hand_voided", "C1", "J1")
    assert void["why"] == "misdeal"
    faults = by_csv(tables, "faults")
    assert [row["box"] for row in faults if row["kind"] == "slot_event"] == ["2"]
    assert "clock_stepped" in {row["kind"] for row in faults}


def test_json_lines_say_the_same_as_csv(story: Path, tables: Path, tmp_path: Path) -> None:
    folder = exported(story, ExportFormat.JSONL, tmp_path / "jsonl")
    for table in COLUMNS:
        lines = (folder / f"{table}.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        assert [list(row) for row in rows] == [list(COLUMNS[table])] * len(rows)
        assert [as_csv(row) for row in rows] == [plain(row) for row in by_csv(tables, table)]


def as_csv(row: dict[str, Any]) -> dict[str, str]:
    """A row of another format in the words of CSV; JSON within it compared as JSON elsewhere."""
    words = {True: "true", False: "false", None: ""}
    return plain(
        {
            name: words[value] if value is None or isinstance(value, bool) else str(value)
            for name, value in row.items()
        }
    )


def plain(row: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if name not in ("info", "terms")}


def test_parquet_says_the_same_as_csv(story: Path, tables: Path, tmp_path: Path) -> None:
    parquet = importlib.import_module("pyarrow.parquet")
    folder = exported(story, ExportFormat.PARQUET, tmp_path / "parquet")
    for table in COLUMNS:
        read = parquet.read_table(folder / f"{table}.parquet")
        assert read.column_names == list(COLUMNS[table])
        rows = read.to_pylist()
        assert [as_csv(row) for row in rows] == [plain(row) for row in by_csv(tables, table)]


def sheet(book: zipfile.ZipFile, number: int) -> Iterator[list[tuple[str, str]]]:
    """The cells of a sheet as (type, text), by the standard library alone."""
    name = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    root = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
    for row in root.iter(f"{name}row"):
        yield [(cell.get("t", "n"), "".join(cell.itertext())) for cell in row.iter(f"{name}c")]


def test_a_workbook_has_the_dictionary_and_a_sheet_for_each_table(
    story: Path, tables: Path, tmp_path: Path
) -> None:
    folder = exported(story, ExportFormat.XLSX, tmp_path / "xlsx")
    with zipfile.ZipFile(folder / "ledger.xlsx") as book:
        names = re.findall(r'<sheet name="(\w+)"', book.read("xl/workbook.xml").decode())
        assert names == ["dictionary", *COLUMNS]
        for number, table in enumerate(COLUMNS, 2):
            rows = list(sheet(book, number))
            assert [text for _, text in rows[0]] == list(COLUMNS[table])
            assert len(rows) - 1 == len(by_csv(tables, table))
        batches = list(sheet(book, 3))[1:]
    # nanoseconds have 19 digits: as a number a spreadsheet would round them
    assert {row[1][0] for row in batches} == {"inlineStr"}
    assert [row[1][1] for row in batches] == [row["at_ns"] for row in by_csv(tables, "batches")]
    assert {row[0][0] for row in batches} == {"n"}


def test_nothing_in_a_workbook_is_a_formula(tmp_path: Path) -> None:
    from scripted import opened

    from jackpot.table import facts as f

    table = opened(tmp_path / "ledger")
    table.play(f.AlarmRaised(alarm="=1+1", detail="http://example.org"))
    table.hand(1)
    table.play(f.HandVoided(by="C1", second="J1", hand=table.number, why='=HYPERLINK("http://x")'))
    folder = exported(table.close(), ExportFormat.XLSX, tmp_path / "xlsx")
    with zipfile.ZipFile(folder / "ledger.xlsx") as book:
        text = "".join(book.read(n).decode() for n in book.namelist() if "sheet" in n)
    assert "HYPERLINK" in text
    assert "<f>" not in text
    assert "<hyperlink" not in text


def test_every_column_of_every_file_is_in_the_dictionary(tables: Path) -> None:
    page = (tables / "dictionary.md").read_text("utf-8")
    for table in COLUMNS:
        section = page.split(f"\n## {table}\n")[1].split("\n## ")[0]
        named = re.findall(r"^\| `(\w+)` \|", section, re.M)
        with (tables / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            assert next(csv.reader(file)) == named
    assert "| `total_cents` | integer | euro cents |" in page
    assert "| `after_microcents` | integer | millionths of a euro cent |" in page


def test_every_column_of_the_dictionary_has_a_meaning() -> None:
    assert [(t.name, c.name) for t in TABLES for c in t.columns if not c.meaning] == []


def test_the_page_names_every_table() -> None:
    page = (ROOT / "docs" / "exports.md").read_text("utf-8")
    section = page.split("## The tables")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.M) == list(COLUMNS)


def test_sqlite_imports_the_csv_and_adds_up(tables: Path) -> None:
    """The shell alone: what was paid is what was handed over."""
    script = (
        f".mode csv\n.import {tables / 'payments.csv'} payments\n"
        f".import {tables / 'handovers.csv'} handovers\n"
        "SELECT (SELECT sum(cents) FROM payments), (SELECT sum(cents) FROM handovers);"
    )
    done = subprocess.run(
        ["sqlite3", ":memory:"], input=script, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1000550,1000550"


def test_a_folder_with_something_in_it_is_left_alone(story: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("private", encoding="utf-8")
    with pytest.raises(Refused, match=r"letter\.txt in it"):
        exported(story, ExportFormat.CSV, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_without_pyarrow_a_clear_word_and_no_folder(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    with pytest.raises(Refused, match=r"jackpot-controller\[parquet\]"):
        exported(story, ExportFormat.PARQUET, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_ledger_that_is_too_long_for_a_sheet_is_refused(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_module, "SHEET_ROWS", 100)
    with pytest.raises(Refused, match="export as csv or parquet"):
        exported(story, ExportFormat.XLSX, tmp_path / "out")


def test_the_command_line_writes_csv_and_says_how_much(story: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        build_app(("export",)), ["export", str(story), "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    assert "        10  hands" in done.stdout
    assert (tmp_path / "out" / "hands.csv").is_file()
