"""Whether enough people are on the list for the acts that two or three of them sign."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from jackpot.authority.roles import STANDS_IN_FOR, Officers, Role, may_act_as
from jackpot.law.words import Text


class Lacking(StrEnum):
    """What cannot be signed with too few people."""

    DAY = "day"
    AWARD = "award"
    ENTRIES = "entries"

    def text(self, language: str) -> str:
        """What lacks, and what to do."""
        return f"{_TEXTS[self].text(language)} {_TO_DO.text(language)}"


SIGNED_BY: Mapping[Lacking, tuple[Role, ...]] = {
    Lacking.DAY: (Role.CROUPIER, Role.TABLE_CHIEF),
    Lacking.AWARD: (Role.CROUPIER, Role.TABLE_CHIEF, Role.TABLE_CHIEF),
    Lacking.ENTRIES: (Role.TABLE_CHIEF, Role.GAMES_DIRECTOR),
}
"""Who signs, each a different person. An award is declared, confirmed, and above the threshold signed
by a third (CAN-8.7)."""

_TEXTS: Mapping[Lacking, Text] = {
    Lacking.DAY: Text(
        (
            "Faltan oficiales para abrir y cerrar la mesa: firman croupier y jefe de mesa, "
            "dos personas.",
            "Too few officers to open and close the table: a croupier and a table chief sign, "
            "two people.",
        )
    ),
    Lacking.AWARD: Text(
        (
            "Faltan oficiales para un premio por encima del límite: firman croupier, jefe de mesa "
            "y otro jefe o director, tres personas.",
            "Too few officers for an award above the threshold: a croupier, a table chief and "
            "another chief or director sign, three people.",
        )
    ),
    Lacking.ENTRIES: Text(
        (
            "Faltan oficiales para correcciones y traslados: firman jefe de mesa y director de "
            "juegos, dos personas.",
            "Too few officers for corrections and moves: a table chief and a games director sign, "
            "two people.",
        )
    ),
}
_TO_DO = Text(("Añádanlos con `jackpot officers add`.", "Add some with `jackpot officers add`."))


def lacking(officers: Officers) -> tuple[Lacking, ...]:
    """The acts for which there are not enough different people; none: all can be signed."""
    return tuple(act for act, roles in SIGNED_BY.items() if not _enough(officers, roles))


def _enough(officers: Officers, roles: tuple[Role, ...]) -> bool:
    """Whoever may act in a higher role may in the lower ones, so it is enough to count for each role
    the people that it and the roles above it need."""
    return all(
        sum(may_act_as(officers, officer, role) for officer in officers)
        >= sum(role in STANDS_IN_FOR[needed] for needed in roles)
        for role in roles
    )
