"""``jackpot book`` and ``jackpot slip``: the table book of a ledger, and the slip of a payment.

Exit status: 0 done; 1 a book does not balance; 2 refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
import typer

from jackpot.errors import EXIT_FINDINGS, Refused

if TYPE_CHECKING:
    from jackpot.audit.table_book.blocks import Block, Form
    from jackpot.audit.table_book.pages import Book


class BookFormat(StrEnum):
    """What a book can be written as."""

    TEXT = "text"
    PDF = "pdf"
    XLSX = "xlsx"
    CSV = "csv"
    JSON = "json"


class SlipFormat(StrEnum):
    """What a slip can be written as."""

    TEXT = "text"
    PDF = "pdf"


class Paper(StrEnum):
    """Sheets, or the roll of a small printer."""

    A4 = "a4"
    ROLL = "80mm"


Ledger = Annotated[Path, typer.Argument(help="The ledger of a table, or a copy of it.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="A file; else standard output.")]
Zone = Annotated[
    str | None,
    typer.Option("--zone", help="The time zone of the printed times; else the configuration's."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command("book")(book_command)
    app.command("slip")(slip_command)


def book_command(
    ledger: Ledger,
    day: Annotated[str | None, typer.Option(help="One gaming day, as in 2026-11-30.")] = None,
    layout: Annotated[str | None, typer.Option(help="One layout; else all.")] = None,
    kind: Annotated[BookFormat, typer.Option("--format")] = BookFormat.TEXT,
    paper: Annotated[Paper, typer.Option()] = Paper.A4,
    out: Out = None,
    zone: Zone = None,
) -> None:
    """The table book (CAN-8.7): opening, bets, awards, corrections, closing; whether it balances."""
    form = _form(ledger, paper, zone)
    books = _books(
        ledger,
        lambda book: day in (None, book.day) and layout in (None, book.terms.layout),
    )
    if not books:
        raise Refused(
            reason="no_such_book",
            expected="a gaming day and layout that this ledger knows",
            found=f"day {day or 'any'}, layout {layout or 'any'}",
            to_do="leave --day and --layout out to see all books",
            rule="CAN-8.7",
        )
    _write(_rendered(books, kind, form), out)
    if any(book.differences() for book in books):
        raise typer.Exit(EXIT_FINDINGS)


def slip_command(
    ledger: Ledger,
    award: Annotated[int, typer.Option(help="The number of the award.")],
    box: Annotated[int, typer.Option(help="The box that is paid.")],
    bet: Annotated[int, typer.Option(help="The bet, where a box may have several.")] = 1,
    kind: Annotated[SlipFormat, typer.Option("--format")] = SlipFormat.TEXT,
    paper: Annotated[Paper, typer.Option()] = Paper.ROLL,
    original: Annotated[
        bool, typer.Option("--original", help="The first print; else it is marked as a copy.")
    ] = False,
    out: Out = None,
    zone: Zone = None,
) -> None:
    """The slip of one payment, with the amount in words."""
    from jackpot.audit.table_book.slip import slip_of, slip_sheet

    form = _form(ledger, paper, zone)
    books = _books(ledger, lambda book: any(row.award == award for row in book.awards))
    slip = slip_of(books, award, box, bet, copy=not original)
    blocks = slip_sheet(slip, form)
    title = f"Comprobante {award}-{box}"
    _write(_printed(blocks, form, kind.value, slip.award.at_ns, title), out)


def _books(ledger: Path, keep: Callable[[Book], bool]) -> list[Book]:
    """The wanted books; the chain of the ledger is checked on the way (``LedgerAltered``)."""
    from jackpot.audit.table_book.folding import books_of
    from jackpot.ledger.read import Reader
    from jackpot.ledger.table_ledger import TABLE

    with Reader(ledger, TABLE.events) as reader:
        return books_of(reader.about, reader.checked(), keep)


def _form(ledger: Path, paper: Paper, zone: str | None) -> Form:
    """Times are those of the casino, as its recorded configuration has them, unless a zone is named."""
    from jackpot.audit.casino_time import casino_zone
    from jackpot.audit.source import Source
    from jackpot.audit.table_book.blocks import Form

    narrow = paper is Paper.ROLL
    if zone is None:
        with Source(ledger) as source:
            return Form(narrow=narrow, zone=casino_zone(source))
    try:
        return Form(narrow=narrow, zone=ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused(
            reason="no_such_zone",
            expected='a time zone by name, as in "Atlantic/Canary"',
            found=repr(zone),
            to_do="write the name as the IANA data base has it",
        ) from None


def _rendered(books: list[Book], kind: BookFormat, form: Form) -> bytes:
    from jackpot.audit.table_book import tables
    from jackpot.audit.table_book.blocks import PageEnd
    from jackpot.audit.table_book.sheet import sheet

    if kind is BookFormat.JSON:
        told = [{**msgspec.to_builtins(book), "differences": book.differences()} for book in books]
        return msgspec.json.format(msgspec.json.encode(told)) + b"\n"
    if kind is BookFormat.CSV:
        return tables.as_csv(books, form).encode()
    if kind is BookFormat.XLSX:
        return tables.as_xlsx(books, form)
    blocks: list[Block] = []
    for book in books:
        blocks += [*([PageEnd()] if blocks else []), *sheet(book, form)]
    return _printed(blocks, form, kind.value, books[-1].opened.at_ns, "Libro del Jackpot")


def _printed(blocks: list[Block], form: Form, kind: str, at_ns: int, title: str) -> bytes:
    if kind == "text":
        from jackpot.audit.table_book.plain import plain

        return plain(blocks, narrow=form.narrow).encode()
    from jackpot.audit.table_book.paper import pdf

    return pdf(blocks, narrow=form.narrow, at_ns=at_ns, title=title)


def _write(content: bytes, out: Path | None) -> None:
    if out is None:
        sys.stdout.buffer.write(content)
        return
    try:
        out.write_bytes(content)
    except OSError as error:
        raise Refused(
            reason="cannot_write",
            expected="a file that can be written",
            found=str(error),
            to_do="name another file with --out",
        ) from error
