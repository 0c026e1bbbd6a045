"""The reasons that a console offers for picking, in Spanish: the ledger holds them in English.

A reason that an officer typed stays as it was typed.
"""

from __future__ import annotations

from collections.abc import Mapping

PICKED: Mapping[str, str] = {
    "Wrong number of cards": "Número de cartas incorrecto",
    "Exposed card": "Carta descubierta",
    "Card twice": "Carta repetida",
    "Other error in the deal": "Otro error en el reparto",
    "Other cards": "Otras cartas",
    "Other box": "Otra casilla",
    "Slot out of service": "Ranura fuera de servicio",
    "Box not in use": "Casilla sin uso",
    "Slots out of service": "Ranuras fuera de servicio",
    "Slots work again": "Las ranuras vuelven a funcionar",
    "No players": "Sin jugadores",
    "Fault at the table": "Avería en la mesa",
    "In order again": "De nuevo en orden",
    "Dispute of a player": "Reclamación de un jugador",
    "Error of the detector": "Error del detector",
    "Counted wrongly": "Mal contado",
    "Entered wrongly": "Mal anotado",
    "As authorised": "Según la autorización",
    "Old controller out of order": "Controlador anterior averiado",
    "End of the authorisation": "Fin de la autorización",
    "Moved to another place": "Traslado a otro lugar",
    "Wrong cards": "Cartas equivocadas",
    "Wrong box": "Casilla equivocada",
}
"""Each as the console's Spanish pages say it."""


def reason_text(why: str, language: str) -> str:
    """``why`` as the pages of ``language`` (``es``, ``en``) say it."""
    return PICKED.get(why, why) if language == "es" else why
