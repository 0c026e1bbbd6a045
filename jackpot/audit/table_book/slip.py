"""The payment slip of one award and box: what the player gets, the amount also in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jackpot.audit.table_book import words as w
from jackpot.audit.table_book.blocks import Block, Form, Heading, Note, Pair, Signatures
from jackpot.audit.table_book.pages import AwardRow, Book, PaymentRow
from jackpot.audit.table_book.spanish import euros_in_words
from jackpot.errors import Refused


class Slip(NamedTuple):
    """One payment with its award and book; ``copy``: not the slip that was handed over first."""

    book: Book
    award: AwardRow
    payment: PaymentRow
    copy: bool


def slip_of(books: Sequence[Book], award: int, box: int, bet: int, *, copy: bool) -> Slip:
    """Raises ``Refused`` (``no_such_payment``) when the ledger has no such payment."""
    for book in books:
        for row in book.awards:
            for payment in row.payments:
                if (row.award, payment.box, payment.bet) == (award, box, bet):
                    return Slip(book, row, payment, copy)
    raise Refused(
        reason="no_such_payment",
        expected="an award of this ledger and a box that it paid",
        found=f"award {award}, box {box}, bet {bet}",
        to_do="look the award up in the table book",
        rule="CAN-8.7",
    )


def slip_sheet(slip: Slip, form: Form) -> list[Block]:
    """The blocks of a slip."""
    return [*_head(slip), *_place(slip, form), *_amount(slip)]


def _head(slip: Slip) -> Iterator[Block]:
    yield Heading("COMPROBANTE DE PAGO DEL JACKPOT", 1)
    if slip.copy:
        yield Heading("COPIA - REIMPRESIÓN")
    if slip.award.undone is not None or slip.payment.struck:
        yield Heading("ANULADO: NO SE PAGA")
    elif slip.payment.paid is None:
        yield Heading("PENDIENTE DE PAGO")


def _place(slip: Slip, form: Form) -> Iterator[Block]:
    book, award, payment = slip.book, slip.award, slip.payment
    at_ns = award.at_ns if payment.paid is None else payment.paid.at_ns
    yield Pair("Fecha y hora", form.moment(at_ns))
    yield Pair("Jornada", book.day)
    yield Pair("Mesa", book.terms.table)
    yield Pair("Paño", book.terms.layout)
    yield Pair("Premio", str(award.award))
    yield Pair("Jugada", str(award.hand))
    bet = f", apuesta {payment.bet}" if payment.bet != 1 else ""
    yield Pair("Casilla", f"{payment.box}{bet}")
    yield Pair("Combinación", w.HANDS.get(payment.hand, payment.hand))
    yield Pair("Cartas", w.cards(payment.cards))
    yield Pair("Base de la jugada", w.micro(award.base_microcents))
    yield Pair("Regla", payment.rule)


def _amount(slip: Slip) -> Iterator[Block]:
    award, payment = slip.award, slip.payment
    yield Pair("IMPORTE", w.cents(payment.cents), strong=True)
    yield Note(f"Son {euros_in_words(payment.cents)}.")
    yield Pair("Declara", award.declared_by)
    yield Pair("Confirma las cartas", award.confirmed_by)
    if award.signed_by is not None:
        yield Pair("Firma el importe", award.signed_by)
    if payment.paid is not None:
        yield Pair("Paga", payment.paid.by)
    yield Pair("Registro", slip.book.ledger)
    yield Signatures(("Recibí", "Jefe de mesa"))
