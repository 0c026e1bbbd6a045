"""Payment slips (CAN-8.7), and amounts in Spanish words."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_table_book import run, text_of
from typer.testing import CliRunner

from jackpot.audit.table_book.spanish import euros_in_words
from jackpot.cli import build_app

WORDS = {
    0: "cero euros",
    1: "cero euros con un céntimo",
    100: "un euro",
    2_100: "veintiún euros",
    2_233: "veintidós euros con treinta y tres céntimos",
    3_101: "treinta y un euros con un céntimo",
    10_000: "cien euros",
    10_100: "ciento un euros",
    50_002: "quinientos euros con dos céntimos",
    61_733: "seiscientos diecisiete euros con treinta y tres céntimos",
    100_000: "mil euros",
    117_471: "mil ciento setenta y cuatro euros con setenta y un céntimos",
    2_100_000: "veintiún mil euros",
    10_000_000: "cien mil euros",
    12_345_678: "ciento veintitrés mil cuatrocientos cincuenta y seis euros con setenta y ocho céntimos",
    100_000_000: "un millón de euros",
    100_000_100: "un millón un euros",
    210_000_000: "dos millones cien mil euros",
    77_777_777_700: "setecientos setenta y siete millones setecientos setenta y siete mil "
    "setecientos setenta y siete euros",
}


@pytest.mark.parametrize("cents", WORDS)
def test_an_amount_in_words(cents: int) -> None:
    assert euros_in_words(cents) == WORDS[cents]


def test_a_slip_names_all_that_the_payment_is_about(pit_ledger: Path) -> None:
    printed = run("slip", str(pit_ledger), "--award", "3", "--box", "4", "--original").decode()
    for label, value in (
        ("Fecha y hora", "15/01/2027 08:00:43"),
        ("Mesa", "2"),
        ("Paño", "2A"),
        ("Jugada", "2"),
        ("Casilla", "4"),
        ("Combinación", "Escalera de Color"),
        ("Cartas", "K Q J 10 9 de diamantes"),
        ("IMPORTE", "1.174,71 €"),
        ("Confirma las cartas", "J1"),
        ("Paga", "C1"),
    ):
        line = next(line for line in printed.splitlines() if line.startswith(f"{label} "))
        assert line.endswith(f" {value}")
    assert "mil ciento setenta y cuatro euros" in printed
    assert "COPIA" not in printed


def test_a_reprint_is_marked_as_such(pit_ledger: Path, tmp_path: Path) -> None:
    words = ("slip", str(pit_ledger), "--award", "2", "--box", "2")
    assert "COPIA - REIMPRESIÓN" in run(*words).decode()
    text = text_of(run(*words, "--format", "pdf"), tmp_path)
    assert "COPIA - REIMPRESIÓN" in text
    assert "617,33 €" in text


@pytest.mark.parametrize(("award", "box"), [("1", "3"), ("4", "1")])
def test_what_was_taken_back_or_struck_out_is_no_voucher(
    award: str, box: str, pit_ledger: Path
) -> None:
    printed = run("slip", str(pit_ledger), "--award", award, "--box", box, "--original").decode()
    assert "ANULADO: NO SE PAGA" in printed


def test_a_payment_that_is_not_there_is_refused(pit_ledger: Path) -> None:
    words = ["slip", str(pit_ledger), "--award", "9", "--box", "1"]
    assert "no_such_payment" in str(CliRunner().invoke(build_app(["slip"]), words).exception)
