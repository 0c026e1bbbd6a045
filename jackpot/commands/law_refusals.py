"""What ``jackpot rules``, ``award`` and ``replay`` refuse, in Spanish; English is the refusal's own text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jackpot.errors import Refused
from jackpot.law.words import Language

SPANISH: Mapping[str, str] = {
    "bet_out_of_range": "la casilla no admite tantas apuestas; nombre solo las que admite",
    "box_out_of_range": "esta mesa no tiene esa casilla; elija otra",
    "box_twice": "cada apuesta va una sola vez; quite una de las dos",
    "box_with_two_hands": "las apuestas de una casilla son a las mismas cinco cartas; mírelas otra vez",
    "card_twice": "cada carta está una sola vez en la baraja; mire las cartas otra vez",
    "ledger_unreadable": "no es un registro que se pueda leer; mire la ruta y guarde el archivo como está",
    "no_award_table": "el texto de este perfil no fija premios; indique los autorizados, "
    "como en --share royal_flush=100",
    "no_hand": 'falta la mano; indíquela como en --hand "3: Kd Qd Jd Td 9d"',
    "no_such_hand": "el registro no tiene esa jugada, o queda después de --until; `jackpot verify` "
    "dice cuántas hay",
    "no_such_moment": "--until nombra una jugada (12), un suceso (seq:4711), una hora "
    "(2026-11-30T21:04:05) o una fecha (su final) de este registro; escríbalo otra vez",
    "not_a_card": "una carta es su valor (A K Q J T 9 8 7 6 5 4 3 2) y su palo (s h d c), como en Kd; "
    "escríbala otra vez",
    "not_a_hand": 'una mano es la casilla y sus cartas, como en "3: Kd Qd Jd Td 9d"; '
    "escríbala otra vez",
    "not_a_percentage": "no es un tanto por ciento, como 12.5; escríbalo otra vez",
    "not_an_amount": "no es un importe en euros, como 1234.50, sin separador de miles; "
    "escríbalo otra vez",
    "not_five_cards": "una mano son cinco cartas, como en Kd Qd Jd Td 9d",
    "policy_about_people": "un supuesto solo cambia políticas sobre importes; con otra, nadie sabe qué "
    "habrían hecho jugadores y personal",
    "profile_invalid": "el perfil no se puede leer; corrija su fichero",
    "profile_without_awards": "el perfil no tiene tabla de premios; añádala a una copia y nombre ese "
    "fichero",
    "unknown_award": "los premios son royal_flush, straight_flush y four_of_a_kind; "
    "escríbalo como en straight_flush=10",
    "unknown_policy": "no hay tal política; `jackpot rules` las muestra todas",
    "unknown_policy_value": "la política no tiene ese valor; `jackpot rules` los muestra todos",
    "what_if_shows_no_hand": "o una jugada como fue, o un supuesto; quite --hand y --step, o --policy "
    "y --profile",
    "unknown_profile": "no hay tal perfil; son canarias, castilla-y-leon y galicia",
}
"""By ``Refused.reason``: what is wrong and what to do."""

_WORDS = {
    "and": "y",
    "bet": "apuesta",
    "both": "ambas cosas",
    "box": "casilla",
    "hand": "jugada",
    "in": "en",
    "none": "ninguna",
}
"""Between the numbers and cards of what was found; what somebody typed stands in quotes, untouched."""
_PLACE = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")


def refusal_text(refused: Refused, language: Language) -> str:
    """One line for people: the reason by its stable name, what is wrong, what was found, the rule."""
    sentence = SPANISH.get(refused.reason)
    if language is not Language.ES or sentence is None:
        return refused.text()
    found = refused.found.removesuffix(" twice")
    if "'" not in found and '"' not in found:
        found = _PLACE.sub(lambda word: _WORDS[word[0]], found)
    source = f" [{refused.rule}]" if refused.rule else ""
    return f"{refused.reason}: {sentence}; se encontró {found}{source}"
