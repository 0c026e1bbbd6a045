"""Spanish words of the table book; the law's own stand in ``docs/rules.md``."""

from __future__ import annotations

from jackpot.law.pools import Pool
from jackpot.law.words import cents_text, microcents_text

POOLS = {Pool.JACKPOT: "Acumulado", Pool.OVERFLOW: "Excedente", Pool.RESERVE: "Reserva"}

HOW = {"no_awards": "sin premios", "paid": "con premio", "voided": "anulada", None: "en juego"}

HANDS = {
    "royal_flush": "Escalera Real",
    "straight_flush": "Escalera de Color",
    "four_of_a_kind": "Póker",
}

ENTRIES = {
    "jackpot_taken_over": "Acumulado del sistema anterior",
    "jackpot_received": "Jackpot recibido de otra mesa o paño",
    "jackpot_moved": "Jackpot trasladado a otra mesa o paño",
    "jackpot_ended": "Fin del Jackpot",
    "jackpot_corrected": "Corrección del acumulado",
    "seed_raised": "Aportación de la casa",
    "total_corrected": "Corrección del total de una jugada",
    "payment_reversed": "Rectificación de un premio",
    "controller_replaced": "Controlador sustituido",
    "carrusel_joined": "Ingreso en un carrusel",
    "carrusel_left": "Salida de un carrusel",
}

DETAILS = {
    "award": "premio",
    "bet": "apuesta",
    "box": "casilla",
    "carrusel": "carrusel",
    "cents": "importe",
    "chips_after": "fichas después",
    "chips_before": "fichas antes",
    "from_layout": "del paño",
    "from_table": "de la mesa",
    "hand": "jugada",
    "jackpot": "Jackpot n.º",
    "microcents": "importe",
    "old_batch": "último lote",
    "old_hash": "huella",
    "old_ledger": "registro anterior",
    "overflow_microcents": "excedente",
    "paid_to": "se entrega a",
    "pool": "fondo",
    "position": "posición en su registro",
    "reserve_microcents": "reserva",
    "to_layout": "al paño",
    "to_table": "a la mesa",
}

SUMS = {
    "opening": "Saldo anterior",
    "contributed": "+ Aportado por apuestas",
    "reversed": "− Devuelto de apuestas",
    "seeds": "+ Cantidades iniciales de la casa",
    "incoming": "+ Recibido",
    "adjusted": "± Correcciones firmadas",
    "borne": "+ Faltas a cargo de la casa",
    "transferred": "± Entre fondos",
    "deducted": "− Premios",
    "given": "− A premios de otras mesas",
    "house": "− Deducción de la casa",
    "outgoing": "− Entregado",
}

RANKS = {"T": "10"}
SUITS = {"s": "picas", "h": "corazones", "d": "diamantes", "c": "tréboles"}


def cents(amount_cents: int) -> str:
    """Cents in euros, the Spanish way."""
    return cents_text(amount_cents, "es")


def micro(amount_microcents: int) -> str:
    """Micro-cents in euros, with every decimal that is not zero."""
    return microcents_text(amount_microcents, "es")


def detail(name: str, value: str | int) -> str:
    """One field of an entry: its word and its value, amounts in euros."""
    word = DETAILS.get(name, name)
    if isinstance(value, int) and name.endswith("microcents"):
        return f"{word} {micro(value)}"
    if isinstance(value, int) and name.endswith("cents"):
        return f"{word} {cents(value)}"
    return f"{word} {POOLS[Pool(str(value))]}" if name == "pool" else f"{word} {value}"


def cards(text: str) -> str:
    """``Kd Qd`` as ``K diamantes, Q diamantes``; equal suits are named once at the end."""
    words = text.split()
    suits = {word[-1:] for word in words}
    ranks = [RANKS.get(word[:-1].upper(), word[:-1].upper()) for word in words]
    if len(suits) == 1:
        return f"{' '.join(ranks)} de {SUITS.get(suits.pop(), '?')}"
    named = (f"{rank} {SUITS.get(word[-1:], '?')}" for rank, word in zip(ranks, words, strict=True))
    return ", ".join(named)
