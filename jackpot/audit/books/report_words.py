"""The words of the report of a period, Spanish and English."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.law.words import Text

WORDS: Mapping[str, Text] = {
    "title": Text(("Informe del Jackpot", "Jackpot report")),
    "period": Text(("Del {first} al {last}", "From {first} to {last}")),
    "ledger": Text(("Registro", "Ledger")),
    "table": Text(("Mesa", "Table")),
    "key": Text(("Clave pública", "Public key")),
    "end": Text(("Final del registro", "End of the ledger")),
    "end_is": Text(("lote {batch}, huella {hash}", "batch {batch}, hash {hash}")),
    "summary": Text(("Resumen", "Summary")),
    "start": Text(("Acumulado al principio", "Meter at the beginning")),
    "finish": Text(("Acumulado al final", "Meter at the end")),
    "hands": Text(("Jugadas", "Hands")),
    "bets": Text(("Apuestas", "Bets")),
    "bets_amount": Text(("Importe de las apuestas", "Amount of the bets")),
    "awards_amount": Text(("Premios pagados", "Awards paid")),
    "curve": Text(("Curva del Jackpot", "The jackpot's curve")),
    "days": Text(("Jornadas", "Gaming days")),
    "day": Text(("Jornada", "Day")),
    "opening": Text(("Apertura", "Opening")),
    "closing": Text(("Cierre", "Closing")),
    "signed": Text(("Firmas", "Signed by")),
    "open": Text(("abierta", "open")),
    "by_box": Text(("Fichas por casilla", "Chips by box")),
    "box": Text(("Casilla", "Box")),
    "whole_table": Text(("mesa", "table")),
    "detected": Text(("Detectadas", "Detected")),
    "own_counter": Text(("Contador de la ranura", "Counter of the slot")),
    "counted": Text(("Contadas", "Counted")),
    "difference": Text(("Diferencia", "Difference")),
    "counted_in_all": Text(
        (
            "En total, de las jornadas en que se contaron fichas:",
            "In all, of the days on which chips were counted:",
        )
    ),
    "counted_by_day": Text(
        (
            "Jornada a jornada; con guion, sin contar o sin contador leído:",
            "Day by day; a dash means not counted, or no counter read:",
        )
    ),
    "no_drop": Text(
        (
            "En este periodo no se registró ningún recuento de fichas: no hay con qué comparar.",
            "No count of chips was recorded in this period: there is nothing to compare with.",
        )
    ),
    "awards": Text(("Premios", "Awards")),
    "number": Text(("N.º", "No.")),
    "hand": Text(("Jugada", "Hand")),
    "time": Text(("Hora (UTC)", "Time (UTC)")),
    "times_are": Text(("Horas", "Times")),
    "beside_utc": Text(("las de {zone}; entre paréntesis, UTC", "{zone}; UTC in parentheses")),
    "base": Text(("Base", "Base")),
    "total": Text(("Total", "Total")),
    "officers": Text(("Declarado / confirmado", "Declared / confirmed")),
    "undone": Text(("anulado", "taken back")),
    "payments": Text(("Pagos", "Payments")),
    "combination": Text(("Combinación", "Combination")),
    "cards": Text(("Cartas", "Cards")),
    "rule": Text(("Regla", "Rule")),
    "amount": Text(("Importe", "Amount")),
    "settlements": Text(
        ("Liquidación entre las mesas del carrusel", "Settlement between the carrusel's tables")
    ),
    "decision": Text(("Decisión", "Decision")),
    "won_by": Text(("Mesa que gana (jugada)", "Won by table (hand)")),
    "gives": Text(("Mesa que aporta", "Given by table")),
    "takes_back": Text(("Deshace la", "Takes back")),
    "faults": Text(("Averías y avisos", "Faults and warnings")),
    "event": Text(("Suceso", "Event")),
    "times": Text(("Veces", "Times")),
    "corrections": Text(("Anulaciones y correcciones", "Voided hands and corrections")),
    "why": Text(("Motivo", "Reason")),
    "none": Text(("No hay.", "None.")),
    "no_days": Text(
        ("No se abrió ninguna jornada en este periodo.", "No day was opened in this period.")
    ),
    "more": Text(
        ("… y {more} más; véase `jackpot export`.", "… and {more} more; see `jackpot export`.")
    ),
    "signatures": Text(("Firmas del informe", "Signatures under this report")),
    "director": Text(("Director de juegos", "Games director")),
    "inspector": Text(("Inspección", "Inspector")),
    "place": Text(("Lugar y fecha", "Place and date")),
    "proof": Text(
        (
            "Este informe se calcula del registro y no lo prueba: «jackpot verify» comprueba la "
            "cadena, las firmas y cada premio desde el primer lote.",
            "This report is computed from the ledger and does not prove it: `jackpot verify` checks "
            "the chain, the signatures and every award from the first batch.",
        )
    ),
    "page": Text(("Página {page} de {{nb}}", "Page {page} of {{nb}}")),
}
"""Every text by its name."""
