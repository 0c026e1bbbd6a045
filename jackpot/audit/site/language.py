"""Spanish first, English by a switch: the texts of the audit room, amounts and times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from jackpot.law.words import Language, cents_text, microcents_text

SPANISH: Mapping[str, str] = {
    "Audit room": "Sala de auditoría",
    "Table": "Mesa",
    "Layout": "Paño",
    "Overview": "Resumen",
    "Events": "Sucesos",
    "Go to": "Ir a",
    "hand, seq:4711, 2026-11-30, officer": "jugada, seq:4711, 2026-11-30, responsable",
    "Read only: nothing here can change the ledger.": "Solo lectura: aquí nada puede cambiar el registro.",
    "Chain of hashes": "Cadena de huellas",
    "Checkpoints and signatures": "Puntos firmados",
    "Amounts and rules": "Importes y reglas",
    "Replay with the table's rules": "Repetición con las reglas de la mesa",
    "holds": "se sostiene",
    "finding": "hallazgo",
    "findings": "hallazgos",
    "difference": "diferencia",
    "differences": "diferencias",
    "not read to the end": "no leído hasta el final",
    "being checked": "comprobando",
    "being replayed": "repitiendo",
    "Findings": "Hallazgos",
    "Notes": "Notas",
    "Differences": "Diferencias",
    "expected": "se esperaba",
    "recorded": "registrado",
    "the rules decide": "las reglas deciden",
    "Place": "Lugar",
    "Not readable": "No se puede leer",
    "Days": "Jornadas",
    "Day": "Jornada",
    "Hands": "Jugadas",
    "Hand": "Jugada",
    "Bets": "Apuestas",
    "Paid": "Pagado",
    "Meter": "Acumulado",
    "Overflow": "Excedente",
    "Reserve": "Reserva",
    "Batches": "Lotes",
    "The jackpot, hand by hand": "El Jackpot, jugada a jugada",
    "Opened": "Apertura",
    "Closed": "Cierre",
    "open": "abierta",
    "Awards": "Premios",
    "Faults": "Averías",
    "Corrections": "Correcciones",
    "Day and terms": "Jornada y condiciones",
    "Officers": "Responsables",
    "Officer": "Responsable",
    "acts": "actos",
    "All": "Todo",
    "Time": "Hora",
    "Event": "Suceso",
    "Box": "Casilla",
    "Amount": "Importe",
    "Batch": "Lote",
    "Hash": "Huella",
    "rules": "reglas",
    "Details": "Detalles",
    "Result": "Resultado",
    "Base": "Base",
    "After it": "Después",
    "Earlier": "Anterior",
    "Later": "Siguiente",
    "Earlier hand": "Jugada anterior",
    "Later hand": "Jugada siguiente",
    "Earlier day": "Jornada anterior",
    "Later day": "Jornada siguiente",
    "What everybody saw": "Lo que todos veían",
    "Step by step": "Paso a paso",
    "Cards": "Cartas",
    "Declared by": "Declara",
    "Confirmed by": "Confirma",
    "How it was computed": "Cómo se calculó",
    "Rows as stored": "Filas tal como están",
    "Jackpot bet": "Apuesta del Jackpot",
    "PENDING": "PENDIENTE",
    "LAST HANDS": "ÚLTIMAS JUGADAS",
    "TABLE CLOSED": "MESA CERRADA",
    "Kind": "Clase de suceso",
    "Class": "Grupo",
    "any": "cualquiera",
    "From event": "Desde el suceso",
    "Show": "Mostrar",
    "More": "Más",
    "Nothing passes these filters here.": "Nada pasa estos filtros aquí.",
    "Export": "Exportar",
    "paid out": "pagado",
    "not paid yet": "sin pagar",
    "This is not in the ledger.": "Esto no está en el registro.",
    "This part of the file is damaged.": "Esta parte del archivo está dañada.",
    "The index has not reached this yet. Wait a moment.": "El índice aún no llega aquí. Espere un momento.",
    "The replay ended before this. See the overview.": "La repetición no llegó hasta aquí. Vea el resumen.",
    "Back to the overview": "Volver al resumen",
    "in the casino's time": "en la hora del casino",
    "Head of the chain": "Cabeza de la cadena",
    "Public key": "Clave pública",
    "signed up to batch": "firmado hasta el lote",
    "The visor of this moment": "El visor de este momento",
}
"""What the pages say, by the English that stands in them."""

CLASS_NAMES: Mapping[str, str] = {
    "award": "Awards",
    "fault": "Faults",
    "correction": "Corrections",
    "day": "Day and terms",
}
"""The classes of marks, in English."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def translated(text: str, language: Language) -> str:
    """A text of the pages in a language; English stands in the pages themselves."""
    return SPANISH.get(text, text) if language is Language.ES else text


def euros(cents: int | None, language: Language) -> str:
    """Cents as ``12.345,67 €``; dashes where there is no amount."""
    return "–" if cents is None else cents_text(cents, language)


def exact_euros(microcents: int | None, language: Language) -> str:
    """Micro-cents with every decimal that is not zero."""
    return "–" if microcents is None else microcents_text(microcents, language)


def local(at_ns: int, zone: ZoneInfo) -> datetime:
    """A stored moment in the casino's time."""
    return (_EPOCH + timedelta(microseconds=at_ns // 1_000)).astimezone(zone)


def clock(at_ns: int | None, zone: ZoneInfo) -> str:
    """``21:04:05``."""
    return "–" if at_ns is None else local(at_ns, zone).strftime("%H:%M:%S")


def clock_exact(at_ns: int, zone: ZoneInfo) -> str:
    """``2026-11-30 21:04:05.123``."""
    return local(at_ns, zone).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
