"""The table book (CAN-8.7) of the stories, with amounts worked out by hand in ``pit_story``."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import zipfile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from forgery import CENTS, Forgery
from scripted import opened
from support.table import ROYAL_SPADES
from typer.testing import CliRunner

from jackpot.audit.table_book import folding
from jackpot.audit.table_book.pages import Book
from jackpot.cli import build_app
from jackpot.law.pools import Pool
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f


def books_of(path: Path) -> list[Book]:
    with Reader(path, TABLE.events) as reader:
        return folding.books_of(reader.about, reader.checked())


def run(*words: str, status: int = 0) -> bytes:
    done = CliRunner().invoke(build_app(words[:1]), list(words))
    assert done.exit_code == status, done.output
    return done.stdout_bytes


def text_of(pdf: bytes, folder: Path) -> str:
    """What a reader of the PDF finds."""
    (folder / "book.pdf").write_bytes(pdf)
    read = ["pdftotext", "-layout", str(folder / "book.pdf"), "-"]
    return subprocess.run(read, capture_output=True, text=True, check=True).stdout


def test_CAN_8_7_a_day_with_everything_balances(pit_ledger: Path) -> None:
    """Meter: 12,345.67 in, 6.50 by bets, 0.50 back, 24.00 from the house, 17.33 and −0.96 by
    corrections, 1,792.04 paid: 10,600.00."""
    book = books_of(pit_ledger)[0]
    assert (book.terms.layout, book.day) == ("2A", "2026-11-30")
    sums = book.sums[Pool.JACKPOT]
    assert sums.opening == 0
    assert sums.incoming == 1_234_567_000_000
    assert sums.contributed == 650_000_000
    assert sums.reversed == 50_000_000
    assert sums.seeds == 2_400_000_000
    assert sums.adjusted == 1_733_000_000 - 96_000_000
    assert sums.deducted == 179_204_000_000
    assert sums.closing() == 1_060_000_000_000
    assert [(row.hand, row.bets, row.bets_cents, row.manual, row.how) for row in book.hands] == [
        (1, 3, 600, False, "paid"),
        (2, 6, 1_200, True, "paid"),
        (3, 4, 800, True, "no_awards"),
        (4, 0, 0, True, "voided"),
    ]
    assert (book.hands_played, book.bets_cents, book.paid_cents) == (3, 2_400, 179_204)
    assert book.differences() == []


def test_CAN_2_2_each_layout_has_a_book_of_its_own(pit_ledger: Path) -> None:
    second, third = books_of(pit_ledger)[1:]
    assert (second.terms.layout, second.opened_cents, second.closed_cents) == (
        "2B",
        1_000_000,
        1_000_050,
    )
    assert second.paid_cents == 0
    assert second.awards[0].payments[0].struck
    assert third.terms.layout == "2A"
    assert third.sums[Pool.JACKPOT].opening == 1_060_000_000_000
    assert third.sums[Pool.JACKPOT].outgoing == 1_060_000_000_000
    assert third.sums[Pool.JACKPOT].closing() == 500_000_000_007
    assert [entry.before_opening for entry in third.entries] == [True, True]
    assert [book.differences() for book in (second, third)] == [[], []]


def test_CAN_8_7_awards_stand_with_their_derivation_and_officers(pit_ledger: Path) -> None:
    undone, paid, straight_flush = books_of(pit_ledger)[0].awards
    assert undone.undone is not None
    assert (undone.undone.by, undone.undone.second, undone.undone_why) == (
        "J1",
        "D1",
        "box 2, not 3",
    )
    assert (paid.base_microcents, paid.total_cents) == (1_234_667_000_000, 61_733)
    assert paid.payments[0].paid is not None
    assert (straight_flush.declared_by, straight_flush.confirmed_by) == ("C1", "J1")
    assert straight_flush.payments[0].cards == "Kd Qd Jd Td 9d"
    assert straight_flush.derivation[1].text() == (
        "Casilla 4: escalera de color al rey, 10 % de 11.747,17 € = 1.174,717 €"
    )


def test_books_of_carried_bets_ceiling_and_restart_balance(story: Path, carried: Path) -> None:
    """Carried: three bets under a ceiling of 10,001.00; one goes back; a royal flush takes
    10,001.00, four sevens 5 % of the new 10,000.00."""
    one = books_of(carried)[0]
    assert one.sums[Pool.JACKPOT].seeds == 2_000_000_000_000
    assert one.sums[Pool.JACKPOT].deducted == 1_050_100_000_000
    assert one.sums[Pool.JACKPOT].closing() == 950_000_000_000
    assert [book.differences() for book in (one, *books_of(story))] == [[], [], []]
    first, second = books_of(story)
    assert second.sums[Pool.JACKPOT].opening == first.sums[Pool.JACKPOT].closing()


def test_a_book_that_does_not_balance_says_so_and_is_status_1(
    pit_ledger: Path, tmp_path: Path
) -> None:
    """One payment of a cent more than was decided: hashed and signed well, but not balanced."""
    forgery = Forgery(pit_ledger, tmp_path / "forged")
    forgery.event("award_paid", 0)[CENTS] += 1
    forgery.event("payment_decided", 1)[CENTS] += 1
    path = forgery.well_made()
    printed = run("book", str(path), "--day", "2026-11-30", status=1).decode()
    assert "NO CUADRA: premios pagados: libro 179205, registro 179204" in printed


def test_a_running_day_is_no_final_sheet(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().no_awards()
    printed = run("book", str(table.close())).decode()
    assert "LA JORNADA SIGUE ABIERTA" in printed
    assert "CUADRA" in printed


def test_the_text_names_opening_bets_awards_corrections_closing(pit_ledger: Path) -> None:
    printed = run("book", str(pit_ledger), "--layout", "2A", "--day", "2026-11-30").decode()
    for words in (
        "LIBRO DE CONTABILIDAD DEL JACKPOT",
        "Apertura",
        "Apuestas por jugada (art. 8)",
        "Premios y deducciones (art. 8)",
        "DECISIÓN ANULADA antes de pagarse",
        "Motivo: typed wrongly. Autorización A-8.",
        "Cierre",
        "CUADRA: ",
        "Director de juegos: ....",
    ):
        assert words in printed
    assert printed.count("LIBRO DE CONTABILIDAD") == 1


def counted(path: Path) -> Path:
    """Second day: one bet in box 3, then hand 2 voided with a bet in box 5. After the closing one chip
    is counted in box 3, as its slot counted (91 − 90); in box 5 two, then the one that went in."""
    table = opened(path).close_day()
    table.play(f.SlotCountersRead(box=3, insertions=100, accepts=90))
    table.play(f.DayOpened(by="C1", second="J1", day="2026-12-01", displayed_cents=SEED_CENTS))
    table.hand(3).lock().no_awards()
    table.hand(5)
    table.play(f.HandVoided(by="C1", second="J1", hand=2, why="Exposed card"))
    table.settle()
    table.play(f.SlotCountersRead(box=3, insertions=102, accepts=91))
    table.close_day()
    for box, chips in ((3, 1), (5, 2), (5, 1)):
        table.play(f.DropCounted(by="C1", second="J1", day="2026-12-01", box=box, chips=chips))
    return table.close()


SEED_CENTS = 1_000_000


def test_CAN_8_7_counted_chips_stand_beside_the_recorded_ones_and_the_slots_own(
    tmp_path: Path,
) -> None:
    path = counted(tmp_path / "ledger")
    first, second = books_of(path)
    assert first.counts == []
    assert [(row.box, row.counted, row.detected, row.accepted) for row in second.counts] == [
        (3, 1, 1, 1),
        (5, 2, 1, None),
        (5, 1, 1, None),
    ]
    assert [(row.box, row.differs) for row in second.standing_counts()] == [(3, False), (5, False)]
    assert second.counts[1].differs
    printed = run("book", str(path), "--day", "2026-12-01").decode()
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert "3 1 1 1 coincide" in lines
    assert "5 1 1 — coincide" in lines
    assert "Recuentos anteriores, sustituidos por estos: 1." in lines
    assert "Sin recuento." in run("book", str(path), "--day", "2026-11-30").decode()


def test_CAN_10_1_a_voided_hand_stands_with_its_reason_and_signers(tmp_path: Path) -> None:
    path = counted(tmp_path / "ledger")
    voided = books_of(path)[1].hands[1]
    assert voided.voided is not None
    assert (voided.voided.by, voided.voided.second) == ("C1", "J1")
    printed = run("book", str(path), "--day", "2026-12-01").decode()
    assert "Jugadas anuladas (art. 10.1)" in printed
    assert "Jugada 2. Motivo: Carta descubierta. Firman " in printed
    assert printed.count("Motivo: ") == 1
    assert "Jugadas 1 y 1 anulada" in [" ".join(line.split()) for line in printed.splitlines()]


def test_counts_and_voided_hands_stand_in_every_format(tmp_path: Path) -> None:
    path, out = counted(tmp_path / "ledger"), tmp_path / "book.xlsx"
    day = ("book", str(path), "--day", "2026-12-01")
    rows = list(csv.DictReader(io.StringIO(run(*day, "--format", "csv").decode())))
    counts = [(row["casilla"], row["concepto"]) for row in rows if row["sección"] == "recuento"]
    assert counts == [
        ("3", "contadas 1, registradas 1, contador 1"),
        ("5", "contadas 2, registradas 1, sin contador"),
        ("5", "contadas 1, registradas 1, sin contador"),
    ]
    (voided,) = [row for row in rows if row["motivo"]]
    told = (voided["jugada"], voided["motivo"], voided["firma"], voided["segunda_firma"])
    assert told == ("2", "Carta descubierta", "C1", "J1")
    (book,) = json.loads(run(*day, "--format", "json"))
    assert [one["accepted"] for one in book["counts"]] == [1, None, None]
    assert book["hands"][1]["voided_why"] == "Exposed card"
    run(*day, "--format", "xlsx", "--out", str(out))
    with zipfile.ZipFile(out) as archive:
        assert "Recuento" in archive.read("xl/workbook.xml").decode()
        sheet = archive.read("xl/worksheets/sheet3.xml").decode()
    assert sheet.count("<row ") == 4  # titles and three counts
    for paper in ("a4", "80mm"):
        text = text_of(run(*day, "--format", "pdf", "--paper", paper), tmp_path)
        assert "Recuento de fichas" in text
        assert "Carta descubierta" in " ".join(text.split())


@pytest.mark.parametrize("paper", ["a4", "80mm"])
def test_the_printed_page_says_the_same(paper: str, pit_ledger: Path, tmp_path: Path) -> None:
    words = ("book", str(pit_ledger), "--day", "2026-11-30", "--format", "pdf", "--paper", paper)
    pdf = run(*words)
    text = text_of(pdf, tmp_path)
    for amount in ("12.345,67 €", "617,33 €", "1.174,71 €", "10.600,00 €", "1.792,04 €"):
        assert amount in text
    assert "CUADRA" in text
    assert "Croupier" in text
    assert run(*words) == pdf, "the same book is the same file"
    size = subprocess.run(["pdfinfo", str(tmp_path / "book.pdf")], capture_output=True, text=True)
    assert ("595 x 842" if paper == "a4" else "227 x ") in size.stdout
    assert "Pages:           1" in size.stdout or paper == "a4"


def test_the_csv_adds_up_to_the_closing_balance(pit_ledger: Path) -> None:
    printed = run("book", str(pit_ledger), "--day", "2026-11-30", "--format", "csv").decode()
    rows = list(csv.DictReader(io.StringIO(printed)))
    meter = [int(row["fondo_microcéntimos"]) for row in rows if row["fondo"] == "Acumulado"]
    assert sum(meter) == 1_060_000_000_000
    assert sum(int(row["apostado_céntimos"] or 0) for row in rows) == 2_400
    assert sum(int(row["pagado_céntimos"] or 0) for row in rows) == 179_204


def test_every_day_of_every_story_adds_up_in_its_csv(
    story: Path, carried: Path, pit_ledger: Path
) -> None:
    for path in (story, carried, pit_ledger):
        for book in books_of(path):
            words = ("book", str(path), "--day", book.day, "--layout", book.terms.layout)
            printed = run(*words, "--format", "csv").decode()
            sums = {"Acumulado": 0, "Excedente": 0, "Reserva": 0}
            for row in csv.DictReader(io.StringIO(printed)):
                if row["fondo"]:
                    sums[row["fondo"]] += int(row["fondo_microcéntimos"])
            held = [book.sums[pool].closing() for pool in Pool]
            same_day = [one for one in books_of(path) if one.day == book.day]
            assert len(same_day) > 1 or list(sums.values()) == held


def test_a_reason_that_looks_like_a_formula_stays_text(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.play(
        f.SeedRaised(by="J1", second="D1", cents=100, authorisation="A", why='=HYPERLINK("x")')
    )
    path = table.close_day().close()
    assert "\"'=HYPERLINK" in run("book", str(path), "--format", "csv").decode()
    run("book", str(path), "--format", "xlsx", "--out", str(tmp_path / "book.xlsx"))
    with zipfile.ZipFile(tmp_path / "book.xlsx") as archive:
        assert b"HYPERLINK" not in archive.read("xl/worksheets/sheet1.xml")


def test_the_workbook_holds_movements_and_a_balance(pit_ledger: Path, tmp_path: Path) -> None:
    out = tmp_path / "book.xlsx"
    run("book", str(pit_ledger), "--format", "xlsx", "--out", str(out))
    with zipfile.ZipFile(out) as archive:
        balance = archive.read("xl/worksheets/sheet2.xml").decode()
        movements = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>1060000000000/100000000</f><v>10600.00000000</v>" in balance
    assert "<v>5000.00000007</v>" in balance
    assert "<v>-1174.71000000</v>" in movements


def test_the_json_is_the_whole_book(pit_ledger: Path) -> None:
    told = json.loads(run("book", str(pit_ledger), "--format", "json"))
    assert [(one["terms"]["layout"], one["day"], one["differences"]) for one in told] == [
        ("2A", "2026-11-30", []),
        ("2B", "2026-12-01", []),
        ("2A", "2026-12-02", []),
    ]
    assert told[0]["sums"]["jackpot"]["deducted"] == 179_204_000_000


def test_times_are_those_of_the_recorded_configuration_or_of_a_named_zone(
    pit_ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*words: str) -> str:
        done = CliRunner().invoke(build_app(["book"]), ["book", str(pit_ledger), *words])
        return " ".join(done.stdout.replace(".", " ").split())

    assert "Horas Atlantic/Canary" in said()
    recorded = "jackpot.audit.casino_time.casino_zone"
    monkeypatch.setattr(recorded, lambda source: ZoneInfo("Europe/Madrid"))
    assert "Horas Europe/Madrid" in said()
    assert "Horas Atlantic/Azores" in said("--zone", "Atlantic/Azores")


def test_a_day_that_is_not_there_is_refused(pit_ledger: Path) -> None:
    done = CliRunner().invoke(build_app(["book"]), ["book", str(pit_ledger), "--day", "2020-01-01"])
    assert "no_such_book" in str(done.exception)


def test_a_royal_flush_names_the_next_jackpot(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().declare(box1=ROYAL_SPADES).confirm().sign().pay(1, 1_000_050)
    printed = run("book", str(table.close_day().close())).decode()
    assert "Nuevo Jackpot: Acumulado" in printed
    assert "firma el importe D1" in printed
