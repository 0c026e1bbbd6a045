"""The book as a table of movements: CSV for programs, XLSX for people who add up themselves.

One row a movement of a pool, opening and closing balances included, so that the column of
micro-cents of a pool adds up to its closing balance.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import xlsxwriter  # type: ignore[import-untyped]  # it brings no types

from jackpot.audit.reasons import reason_text
from jackpot.audit.table_book import words as w
from jackpot.audit.table_book.blocks import Form
from jackpot.audit.table_book.pages import (
    AwardRow,
    Book,
    CountRow,
    EntryRow,
    SettlementRow,
)
from jackpot.law.pools import Pool
from jackpot.money import MICROCENTS_PER_EURO, microcents_text

TITLES = (
    "mesa",
    "paño",
    "jornada",
    "hora",
    "sección",
    "jugada",
    "premio",
    "casilla",
    "concepto",
    "fondo",
    "apostado_céntimos",
    "pagado_céntimos",
    "fondo_microcéntimos",
    "firma",
    "segunda_firma",
    "motivo",
)
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula when it opens a CSV."""


class Row(NamedTuple):
    """One line; amounts are None where the line has none."""

    at_ns: int
    section: str
    hand: int | None = None
    award: int | None = None
    box: int | None = None
    concept: str = ""
    pool: Pool | None = None
    bets_cents: int | None = None
    paid_cents: int | None = None
    microcents: int | None = None
    by: str = ""
    second: str = ""
    why: str = ""


def rows(book: Book) -> Iterator[Row]:
    """All lines of a book, in its order."""
    at_ns = book.opened.at_ns
    for pool in Pool:
        opening = book.sums[pool].opening
        concept = w.SUMS["opening"]
        yield Row(at_ns, "apertura", concept=concept, pool=pool, microcents=opening)
    yield from _starting(book)
    for entry in book.entries:
        yield from _entry(entry)
    for hand in book.hands:
        yield Row(
            hand.at_ns,
            "apuestas",
            hand=hand.hand,
            concept=f"{hand.bets} fichas, {w.HOW[hand.how]}",
            bets_cents=hand.bets_cents,
            by="" if hand.voided is None else hand.voided.by,
            second="" if hand.voided is None else hand.voided.second or "",
            why=hand.voided_why,
        )
        for pool, amount in hand.moved_microcents.items():
            concept = "aportación"
            yield Row(
                hand.at_ns, "apuestas", hand.hand, concept=concept, pool=pool, microcents=amount
            )
    for award in book.awards:
        yield from _award(award)
    yield from _restarts(book)
    for settlement in book.settlements:
        yield from _settlement(settlement)
    for count in book.counts:
        yield _count(count)


def _count(count: CountRow) -> Row:
    own = "sin contador" if count.accepted is None else f"contador {count.accepted}"
    return Row(
        count.signed.at_ns,
        "recuento",
        box=count.box,
        concept=f"contadas {count.counted}, registradas {count.detected}, {own}",
        by=count.signed.by,
        second=count.signed.second or "",
    )


def _starting(book: Book) -> Iterator[Row]:
    """What the opening itself moved: the seed of a jackpot that starts with it."""
    for pool, amount in book.opening_moved.items():
        yield Row(
            book.opened.at_ns,
            "apertura",
            concept="inicio del Jackpot",
            pool=pool,
            microcents=amount,
            by=book.opened.by,
            second=book.opened.second or "",
        )


def _entry(entry: EntryRow) -> Iterator[Row]:
    concept = w.ENTRIES.get(entry.kind, entry.kind)
    signed = entry.signed
    moves: list[tuple[Pool | None, int | None]] = list(entry.moved_microcents.items())
    for number, (pool, amount) in enumerate(moves or [(None, None)]):
        yield Row(
            signed.at_ns,
            "asiento",
            concept=concept,
            pool=pool,
            bets_cents=(entry.bets_cents or None) if number == 0 else None,
            microcents=amount,
            by=signed.by,
            second=signed.second or "",
            why=entry.why,
        )


def _award(award: AwardRow) -> Iterator[Row]:
    undone = award.undone is not None
    for payment in award.payments:
        yield Row(
            award.at_ns if payment.paid is None else payment.paid.at_ns,
            "premio",
            hand=award.hand,
            award=award.award,
            box=payment.box,
            concept=f"{w.HANDS.get(payment.hand, payment.hand)} ({payment.cards}) {payment.rule}",
            paid_cents=0 if payment.paid is None else payment.cents,
            by="" if payment.paid is None else payment.paid.by,
        )
    yield Row(
        award.at_ns,
        "deducción",
        hand=award.hand,
        award=award.award,
        concept="decisión anulada" if undone else "premios y deducción de la casa",
        pool=Pool.JACKPOT,
        microcents=0 if undone else -award.deducted_microcents - award.house_microcents,
        by=award.declared_by,
        second=", ".join(filter(None, (award.confirmed_by, award.signed_by))),
        why=award.undone_why,
    )


def _restarts(book: Book) -> Iterator[Row]:
    for award in book.awards:
        if award.undone is None:
            for pool, amount in award.restart_moved.items():
                yield Row(
                    award.at_ns,
                    "deducción",
                    hand=award.hand,
                    award=award.award,
                    concept="nuevo Jackpot",
                    pool=pool,
                    microcents=amount,
                )


def _settlement(row: SettlementRow) -> Iterator[Row]:
    """What a decision of the carrusel moved here beside the award of this table (CAN-9)."""
    what = f"deshace la decisión {row.undoes}" if row.undoes else "premio"
    concept = f"decisión {row.decision} del carrusel: {what} de la mesa {row.table}"
    for pool, amount in row.moved_microcents.items():
        yield Row(row.at_ns, "liquidación", concept=concept, pool=pool, microcents=amount)
    if row.mine:
        for share in row.shares:
            text = f"{concept}; mesa {share.table} aporta {w.micro(share.microcents)}"
            yield Row(row.at_ns, "liquidación", hand=row.hand, concept=text)


def _cells(book: Book, row: Row, form: Form) -> tuple[Any, ...]:
    return (
        book.terms.table,
        book.terms.layout,
        book.day,
        form.moment(row.at_ns),
        row.section,
        row.hand,
        row.award,
        row.box,
        row.concept,
        None if row.pool is None else w.POOLS[row.pool],
        row.bets_cents,
        row.paid_cents,
        row.microcents,
        row.by,
        row.second,
        reason_text(row.why, "es"),
    )


def as_csv(books: Sequence[Book], form: Form) -> str:
    """UTF-8, comma, one line a row; text that looks like a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(TITLES)
    for book in books:
        for row in rows(book):
            writer.writerow([_harmless(cell) for cell in _cells(book, row, form)])
    return out.getvalue()


def _harmless(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_SIGNS) else cell


def as_xlsx(books: Sequence[Book], form: Form) -> bytes:
    """Sheets of movements, of balances, and of counted chips; euros beside the exact micro-cents."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as workbook:
        at_ns = max((book.opened.at_ns for book in books), default=0)
        made = datetime.fromtimestamp(at_ns // 1_000_000_000, UTC).replace(tzinfo=None)
        workbook.set_properties({"created": made, "title": "Libro del Jackpot"})
        strong = workbook.add_format({"bold": True})
        euros = workbook.add_format({"num_format": "#,##0.00######"})
        _movements_sheet(workbook, books, form, strong, euros)
        _balance_sheet(workbook, books, strong, euros)
        _counts_sheet(workbook, books, form, strong)
    return out.getvalue()


def _movements_sheet(
    workbook: Any, books: Sequence[Book], form: Form, strong: Any, euros: Any
) -> None:
    sheet = workbook.add_worksheet("Movimientos")
    sheet.write_row(0, 0, (*TITLES, "fondo_euros"), strong)
    sheet.freeze_panes(1, 0)
    lines = [(book, row) for book in books for row in rows(book)]
    for line, (book, row) in enumerate(lines, 1):
        sheet.write_row(line, 0, _cells(book, row, form))
        if row.microcents is not None:
            _euros(sheet, line, len(TITLES), row.microcents, euros)
    sheet.autofilter(0, 0, max(len(lines), 1), len(TITLES))
    sheet.set_column(0, len(TITLES), 16)


def _balance_sheet(workbook: Any, books: Sequence[Book], strong: Any, euros: Any) -> None:
    sheet = workbook.add_worksheet("Balance")
    labels = (*w.SUMS.values(), "= Saldo")
    sheet.write_row(0, 0, ("paño", "jornada", "fondo", *labels, "cuadra"), strong)
    line = 0
    for book in books:
        verdict = "; ".join(book.differences()) or "sí"
        for pool in Pool:
            line += 1
            sums = book.sums[pool]
            amounts = [getattr(sums, name) for name in w.SUMS] + [sums.closing()]
            sheet.write_row(line, 0, (book.terms.layout, book.day, w.POOLS[pool]))
            for at, microcents in enumerate(amounts, 3):
                _euros(sheet, line, at, microcents, euros)
            sheet.write_string(line, 3 + len(amounts), verdict)
    sheet.set_column(0, 3 + len(labels), 18)


_COUNT_TITLES = (
    "paño",
    "jornada",
    "hora",
    "casilla",
    "contadas",
    "registradas",
    "contador",
    "firma",
    "segunda_firma",
)


def _counts_sheet(workbook: Any, books: Sequence[Book], form: Form, strong: Any) -> None:
    sheet = workbook.add_worksheet("Recuento")
    sheet.write_row(0, 0, _COUNT_TITLES, strong)
    counts = [(book, row) for book in books for row in book.counts]
    for line, (book, row) in enumerate(counts, 1):
        moment, by, second = form.moment(row.signed.at_ns), row.signed.by, row.signed.second
        place = "mesa" if row.box is None else row.box
        numbers = (row.counted, row.detected, row.accepted)
        sheet.write_row(line, 0, (book.terms.layout, book.day, moment, place, *numbers, by, second))
    sheet.set_column(0, len(_COUNT_TITLES), 16)


def _euros(sheet: Any, line: int, column: int, microcents: int, form: Any) -> None:
    """A formula that divides the exact micro-cents: the spreadsheet computes it anew."""
    formula = f"={microcents}/{MICROCENTS_PER_EURO}"
    sheet.write_formula(line, column, formula, form, microcents_text(microcents))
