"""The settlement between the tables of a carrusel, as a printed section (CAN-9)."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.audit.table_book import words as w
from jackpot.audit.table_book.blocks import Block, Form, Heading, Note, Pair
from jackpot.audit.table_book.pages import Book, SettlementRow
from jackpot.law.pools import Pool


def settlement_blocks(book: Book, form: Form) -> Iterator[Block]:
    """Decision by decision: who won, what each table gives; then what is owed. Nothing alone."""
    if not book.settlements:
        return
    yield Heading("Liquidación entre mesas (carrusel, art. 9)")
    for row in book.settlements:
        yield from _settlement(row, book.terms.table, form)
    owed = book.settled_microcents
    label = "Las otras mesas deben a esta" if owed >= 0 else "Esta mesa debe a las otras"
    yield Pair(label, w.micro(abs(owed)), strong=True)


def _settlement(row: SettlementRow, own_table: str, form: Form) -> Iterator[Block]:
    what = f"deshace la decisión {row.undoes}" if row.undoes else "premio"
    place = f"mesa {row.table}, jugada {row.hand}"
    title = f"Decisión {row.decision}, {form.time(row.at_ns)}: {what}, {place}"
    yield Pair(title, w.cents(row.paid_cents), strong=True)
    if row.before_opening:
        yield Note("Recibida con la mesa cerrada.")
    if row.mine:
        for share in row.shares:
            if share.table != own_table:
                yield Pair(f"Mesa {share.table} aporta", w.micro(share.microcents))
    else:
        yield Pair("Esta mesa aporta", w.micro(row.given_microcents))
    if row.house_microcents:
        yield Pair("Deducción de la casa", w.micro(row.house_microcents))
    if row.borne_microcents:
        yield Pair("Falta a cargo de la casa", w.micro(row.borne_microcents))
    restart = _restart(row)
    if restart:
        yield Pair("Nuevo Jackpot de esta mesa", w.micro(restart))


def _restart(row: SettlementRow) -> int:
    """What the meter gained beside the share: a new seed, or below zero one that went back."""
    if row.mine:
        return 0
    share = row.given_microcents + row.house_microcents - row.borne_microcents
    return row.moved_microcents.get(Pool.JACKPOT, 0) + share
