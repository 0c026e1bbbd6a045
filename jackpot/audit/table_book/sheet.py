"""One book as a printed page: opening, bets, awards, entries, closing, balance, signatures."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.audit.reasons import reason_text
from jackpot.audit.table_book import words as w
from jackpot.audit.table_book.blocks import Block, Form, Grid, Heading, Note, Pair, Signatures
from jackpot.audit.table_book.pages import (
    AwardRow,
    Book,
    CountRow,
    EntryRow,
    HandRow,
    Signed,
)
from jackpot.audit.table_book.settlement_sheet import settlement_blocks
from jackpot.law.pools import Pool


def sheet(book: Book, form: Form) -> list[Block]:
    """The blocks of one book."""
    return [
        *_head(book, form),
        *_opening(book, form),
        *_hands(book, form),
        *_voided(book, form),
        *_awards(book, form),
        *settlement_blocks(book, form),
        *_entries(book, form),
        *_closing(book, form),
        *_counts(book, form),
        *_balance(book),
        Signatures(("Croupier", "Jefe de mesa", "Director de juegos")),
    ]


def _head(book: Book, form: Form) -> Iterator[Block]:
    terms = book.terms
    yield Heading("LIBRO DE CONTABILIDAD DEL JACKPOT", 1)
    yield Pair("Mesa", terms.table)
    yield Pair("Paño", terms.layout)
    yield Pair("Jornada", book.day)
    yield Pair("Autorización", terms.authorisation or "—")
    yield Pair("Apuesta del Jackpot", w.cents(terms.bet_cents))
    yield Pair("Registro", book.ledger)
    yield Pair("Horas", str(form.zone))


def _signed(signed: Signed, form: Form) -> str:
    who = signed.by if signed.second is None else f"{signed.by} y {signed.second}"
    return f"{form.moment(signed.at_ns)}, {who}"


def _opening(book: Book, form: Form) -> Iterator[Block]:
    yield Heading("Apertura")
    yield Pair("Saldo anterior", w.micro(book.sums[Pool.JACKPOT].opening))
    for row in book.entries:
        if row.before_opening:
            yield from _entry(row, form)
    for pool, amount in book.opening_moved.items():
        yield Pair(f"Inicio del Jackpot: {w.POOLS[pool]}", w.micro(amount))
    yield Pair("Acumulado en el visor", w.cents(book.opened_cents), strong=True)
    yield Pair("Firmado", _signed(book.opened, form))


def _hands(book: Book, form: Form) -> Iterator[Block]:
    yield Heading("Apuestas por jugada (art. 8)")
    if not book.hands:
        yield Note("Ninguna jugada.")
        return
    jackpot = sum(row.moved_microcents.get(Pool.JACKPOT, 0) for row in book.hands)
    bets, cents = sum(row.bets for row in book.hands), sum(row.bets_cents for row in book.hands)
    if form.narrow:
        rows = tuple(_narrow_hand(row) for row in book.hands)
        sums = ("Total", str(bets), w.cents(cents), w.micro(jackpot))
        titles = ("Jug.", "Fichas", "Apostado", "Acumulado")
        yield Grid(titles, (3, 3, 5, 5), frozenset({1, 2, 3}), rows, sums)
        return
    hidden = sum(_hidden(row) for row in book.hands)
    yield Grid(
        ("Jugada", "Hora", "Modo", "Fichas", "Apostado", "Al acumulado", "Otros fondos", "Final"),
        (6, 7, 8, 5, 9, 10, 9, 9),
        frozenset({3, 4, 5, 6}),
        tuple(_wide_hand(row, form) for row in book.hands),
        ("Total", "", "", str(bets), w.cents(cents), w.micro(jackpot), w.micro(hidden), ""),
    )


def _voided(book: Book, form: Form) -> Iterator[Block]:
    """Why a hand was voided, and who signed it (CAN-10.1)."""
    rows = [(row, row.voided) for row in book.hands if row.voided is not None]
    if rows:
        yield Heading("Jugadas anuladas (art. 10.1)")
    for row, signed in rows:
        why = reason_text(row.voided_why, "es")
        yield Note(f"Jugada {row.hand}. Motivo: {why}. Firman {_signed(signed, form)}.")


def _hidden(row: HandRow) -> int:
    return sum(amount for pool, amount in row.moved_microcents.items() if pool is not Pool.JACKPOT)


def _narrow_hand(row: HandRow) -> tuple[str, ...]:
    moved = w.micro(row.moved_microcents.get(Pool.JACKPOT, 0))
    return (str(row.hand), str(row.bets), w.cents(row.bets_cents), moved)


def _wide_hand(row: HandRow, form: Form) -> tuple[str, ...]:
    return (
        str(row.hand),
        form.time(row.at_ns),
        "manual" if row.manual else "ranuras",
        str(row.bets),
        w.cents(row.bets_cents),
        w.micro(row.moved_microcents.get(Pool.JACKPOT, 0)),
        w.micro(_hidden(row)),
        w.HOW[row.how],
    )


def _awards(book: Book, form: Form) -> Iterator[Block]:
    yield Heading("Premios y deducciones (art. 8)")
    if not book.awards:
        yield Note("Ningún premio.")
    for award in book.awards:
        yield from _award(award, form)


def _award(award: AwardRow, form: Form) -> Iterator[Block]:
    title = f"Premio {award.award}, jugada {award.hand}, {form.time(award.at_ns)}"
    yield Pair(title, w.cents(award.total_cents), strong=True)
    for payment in award.payments:
        hand = w.HANDS.get(payment.hand, payment.hand)
        yield Pair(f"Casilla {payment.box}: {hand}", w.cents(payment.cents))
        state = "sin pagar" if payment.paid is None else f"pagado {_signed(payment.paid, form)}"
        if payment.struck or award.undone is not None:
            state = "no se pagó"
        yield Note(f"{w.cards(payment.cards)}. {payment.rule}; {state}.")
    for line in award.derivation:
        yield Note(f"· {line.text('es')} [{line.rule}]")
    for pool, amount in award.restart_moved.items():
        yield Pair(f"Nuevo Jackpot: {w.POOLS[pool]}", w.micro(amount))
    yield Note(f"Declara {award.declared_by}, confirma {award.confirmed_by}{_third(award)}.")
    if award.undone is not None:
        who = _signed(award.undone, form)
        what = "DECISIÓN ANULADA antes de pagarse" if award.payments else "PREMIO RETIRADO"
        yield Note(f"{what}: {who}. Motivo: {reason_text(award.undone_why, 'es')}")
    elif not award.payments and not award.derivation:
        yield Note("PENDIENTE de la decisión del carrusel.")


def _third(award: AwardRow) -> str:
    return "" if award.signed_by is None else f", firma el importe {award.signed_by}"


def _entries(book: Book, form: Form) -> Iterator[Block]:
    rows = [row for row in book.entries if not row.before_opening]
    yield Heading("Correcciones y otros asientos firmados")
    if not rows:
        yield Note("Ninguno.")
    for row in rows:
        yield from _entry(row, form)


def _entry(row: EntryRow, form: Form) -> Iterator[Block]:
    yield Pair(w.ENTRIES.get(row.kind, row.kind), form.time(row.signed.at_ns), strong=True)
    for pool, amount in row.moved_microcents.items():
        yield Pair(w.POOLS[pool], w.micro(amount))
    if row.bets_cents:
        yield Pair("Apuestas", w.cents(row.bets_cents))
    if row.house_microcents:
        yield Pair("A cargo de la casa", w.micro(row.house_microcents))
    details = ", ".join(w.detail(name, value) for name, value in row.details.items())
    authorisation = f" Autorización {row.authorisation}." if row.authorisation else ""
    why = reason_text(row.why, "es")
    yield Note(f"{details}. Motivo: {why}.{authorisation} Firman {_signed(row.signed, form)}.")


def _closing(book: Book, form: Form) -> Iterator[Block]:
    yield Heading("Cierre")
    if book.closed is None:
        yield Note("LA JORNADA SIGUE ABIERTA: esta hoja no es definitiva.")
    else:
        yield Pair("Acumulado en el visor", w.cents(book.closed_cents), strong=True)
        yield Pair("Firmado", _signed(book.closed, form))
    voided = sum(row.how == "voided" for row in book.hands)
    besides = f" y {voided} anulada{'' if voided == 1 else 's'}" if voided else ""
    yield Pair("Jugadas", f"{book.hands_played}{besides}")
    yield Pair("Apostado", w.cents(book.bets_cents))
    yield Pair("Premios pagados", w.cents(book.paid_cents))


def _counts(book: Book, form: Form) -> Iterator[Block]:
    """The chips of the day: counted by people, recorded, and counted by the slots themselves."""
    yield Heading("Recuento de fichas")
    if not book.counts:
        yield Note("Sin recuento.")
        return
    standing = book.standing_counts()
    yield Grid(
        ("Cas.", "Cont.", "Reg.", "Ranura", "")
        if form.narrow
        else ("Casilla", "Contadas", "Registradas", "Contador de la ranura", ""),
        (6, 7, 8, 10, 10),
        frozenset({1, 2, 3}),
        tuple(_count(row) for row in standing),
    )
    for row in standing:
        place = "Mesa" if row.box is None else f"Casilla {row.box}"
        yield Note(f"{place}: firman {_signed(row.signed, form)}.")
    if len(standing) < len(book.counts):
        again = len(book.counts) - len(standing)
        yield Note(f"Recuentos anteriores, sustituidos por estos: {again}.")


def _count(row: CountRow) -> tuple[str, ...]:
    own = "—" if row.accepted is None else str(row.accepted)
    numbers = (str(row.counted), str(row.detected), own)
    place = "mesa" if row.box is None else str(row.box)
    return (place, *numbers, "DIFIERE" if row.differs else "coincide")


def _balance(book: Book) -> Iterator[Block]:
    yield Heading("Balance")
    pools = [pool for pool in Pool if _is_used(book, pool)]
    for pool in pools:
        sums = book.sums[pool]
        if len(pools) > 1:
            yield Pair(w.POOLS[pool], "", strong=True)
        for name, label in w.SUMS.items():
            amount = getattr(sums, name)
            if amount or name == "opening":
                yield Pair(label, w.micro(amount))
        yield Pair("= Saldo", w.micro(sums.closing()), strong=True)
    differences = book.differences()
    if differences:
        yield Note("NO CUADRA: " + "; ".join(differences))
    else:
        yield Note("CUADRA: saldo anterior más entradas menos salidas es el saldo del registro.")
    yield Note(f"Último lote {book.head_batch}, huella {_in_groups(book.head_hash)}")


def _is_used(book: Book, pool: Pool) -> bool:
    sums = book.sums[pool]
    return pool is Pool.JACKPOT or any(getattr(sums, name) for name in w.SUMS)


def _in_groups(digest: str) -> str:
    """A hash in groups of eight, so that it breaks between them."""
    return " ".join(digest[at : at + 8] for at in range(0, len(digest), 8))
