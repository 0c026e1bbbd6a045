"""The settlement between the tables of a carrusel in the books of table 2 (CAN-9), by hand.

Decision 1: table 2 won 3,000.00, table 1 gives 999.925, table 3 1,500.00. Then table 2 gives
950.1425 (2, table 1), 8,552.2825 (5, table 3), 10,000.50 (6, table 1), and while it is closed
500.00 (7, table 3). Decision 3 was taken back by 4.
"""

from __future__ import annotations

import csv
import io
from contextlib import closing
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from jackpot.audit.books.extract import extract
from jackpot.audit.books.period import period
from jackpot.audit.books.report import report_pdf
from jackpot.audit.books.tables import COLUMNS
from jackpot.audit.source import Source
from jackpot.audit.table_book import folding
from jackpot.audit.table_book.blocks import Form
from jackpot.audit.table_book.pages import Book
from jackpot.audit.table_book.plain import plain
from jackpot.audit.table_book.sheet import sheet
from jackpot.audit.table_book.tables import as_csv
from jackpot.law.pools import Pool
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE

FORM = Form(narrow=False, zone=ZoneInfo("Atlantic/Canary"))


def books_of(path: Path) -> list[Book]:
    with Reader(path, TABLE.events) as reader:
        return folding.books_of(reader.about, reader.checked())


def test_CAN_9_the_book_of_a_member_balances_with_what_it_gave_to_others(
    carrusel_ledger: Path,
) -> None:
    first, second = books_of(carrusel_ledger)
    sums = first.sums[Pool.JACKPOT]
    assert sums.seeds == 3_000_000_000_000
    assert sums.contributed == 300_000_000
    assert sums.reversed == 50_000_000
    assert sums.deducted == 50_007_500_000
    assert sums.given == 1_950_292_500_000
    assert sums.borne == 50_000_000
    assert sums.closing() == 1_000_000_000_000
    assert first.differences() == second.differences() == []


def test_CAN_9_who_owes_whom_after_the_day(carrusel_ledger: Path) -> None:
    first, second = books_of(carrusel_ledger)
    assert [
        (row.decision, row.table, row.undoes, row.owed_microcents("2")) for row in first.settlements
    ] == [
        (1, "2", 0, 249_992_500_000),
        (2, "1", 0, -95_014_250_000),
        (3, "2", 0, 213_743_587_500),
        (4, "2", 3, -213_743_587_500),
        (5, "3", 0, -855_228_250_000),
        (6, "1", 0, -1_000_050_000_000),
    ]
    assert first.settled_microcents == -1_700_300_000_000
    assert second.settled_microcents == -50_000_000_000


def test_what_reaches_a_closed_table_opens_the_next_days_book(carrusel_ledger: Path) -> None:
    second = books_of(carrusel_ledger)[1]
    assert [(row.decision, row.before_opening) for row in second.settlements] == [(7, True)]
    assert second.sums[Pool.JACKPOT].opening == 1_000_000_000_000
    assert second.opened_cents == 950_000
    assert [entry.kind for entry in second.entries] == ["seed_raised", "carrusel_left"]


def test_awards_of_a_carrusel_stand_with_their_base_and_what_became_of_them(
    carrusel_ledger: Path,
) -> None:
    paid, withdrawn, undone = books_of(carrusel_ledger)[0].awards
    assert (paid.base_microcents, paid.total_cents) == (6_000_000_000_000, 300_000)
    assert paid.deducted_microcents == 50_007_500_000
    assert (withdrawn.payments, withdrawn.undone_why) == ([], "a full house")
    assert (undone.total_cents, undone.undone_why) == (256_505, "box 3")


def test_the_sheet_says_what_each_table_gave(carrusel_ledger: Path) -> None:
    text = plain(sheet(books_of(carrusel_ledger)[0], FORM), narrow=False)
    assert "LIQUIDACIÓN ENTRE MESAS" in text.upper()
    assert "Mesa 1 aporta" in text
    assert "999,925 €" in text
    assert "Esta mesa aporta" in text
    assert "950,1425 €" in text
    assert "Esta mesa debe a las otras" in text
    assert "17.003,00 €" in text
    assert "PREMIO RETIRADO" in text
    assert "Ingreso en un carrusel" in text
    assert "CUADRA" in text


def test_the_rows_of_a_pool_add_up_to_its_closing(carrusel_ledger: Path) -> None:
    for book in books_of(carrusel_ledger):
        rows = list(csv.DictReader(io.StringIO(as_csv([book], FORM))))
        meter = [row for row in rows if row["fondo"] == "Acumulado" and row["fondo_microcéntimos"]]
        total = sum(int(row["fondo_microcéntimos"]) for row in meter)
        assert total == book.sums[Pool.JACKPOT].closing()


def test_the_report_of_a_period_lists_what_went_between_the_tables(carrusel_ledger: Path) -> None:
    """Own shares in own awards are no settlement; the award taken back stands with its taking back."""
    with closing(Source(carrusel_ledger)) as source:
        figures = period(source, date(2026, 11, 30), date(2026, 12, 1))
        told = [
            (
                row["decision"],
                row["undoes"],
                row["won_by"],
                row["table"],
                row["deducted_microcents"],
            )
            for row in figures.settlements.rows
        ]
        paper = report_pdf(source, figures, "es")
    assert told == [
        (1, None, "2", "1", 99_992_500_000),
        (1, None, "2", "3", 150_000_000_000),
        (2, None, "1", "2", 95_014_250_000),
        (3, None, "2", "1", 85_493_587_500),
        (3, None, "2", "3", 128_250_000_000),
        (4, 3, "2", "1", 85_493_587_500),
        (4, 3, "2", "3", 128_250_000_000),
        (5, None, "3", "2", 855_228_250_000),
        (6, None, "1", "2", 1_000_050_000_000),
        (7, None, "3", "2", 50_000_000_000),
    ]
    assert paper.startswith(b"%PDF")


def test_an_award_of_the_carrusel_is_exported_with_its_base(carrusel_ledger: Path) -> None:
    with closing(Source(carrusel_ledger)) as source:
        rows = [values for table, values in extract(source) if table == "awards"]
    columns = COLUMNS["awards"]
    found = [dict(zip(columns, row, strict=True)) for row in rows]
    assert [(one["award"], one["base_microcents"], one["total_cents"]) for one in found] == [
        (1, 6_000_000_000_000, 300_000),
        (3, 5_130_100_000_000, 256_505),
    ]
