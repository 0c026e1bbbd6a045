"""The words and the way of writing amounts that the law needs in both languages.

Screens speak Spanish first; English by a switch. A text here is always a pair: Spanish, English.
"""

from __future__ import annotations

from enum import StrEnum

from jackpot.money import MICROCENTS_PER_EURO, PPM_WHOLE

_GROUP_AND_POINT = {"es": (".", ","), "en": (",", ".")}


class Language(StrEnum):
    """The languages of every screen and derivation."""

    ES = "es"
    EN = "en"


class Text(tuple[str, str]):
    """One text in both languages: ``Text(("mesa", "table"))``."""

    __slots__ = ()

    def text(self, language: str) -> str:
        """The text in ``es`` or ``en``; ``ValueError`` for any other language."""
        return self[0] if Language(language) is Language.ES else self[1]


def cents_text(cents: int, language: str) -> str:
    """``1234567`` cents as ``12.345,67 €`` (es) or ``12,345.67 €`` (en)."""
    return _euros(cents * (MICROCENTS_PER_EURO // 100), language)


def microcents_text(microcents: int, language: str) -> str:
    """Micro-cents in euros, at least two decimals and every further one that is not zero."""
    return _euros(microcents, language)


def percent_text(ppm: int, language: str) -> str:
    """Parts per million as a percentage without idle zeros: ``12,5 %``."""
    whole, part = divmod(ppm, PPM_WHOLE // 100)
    decimals = f"{part:04d}".rstrip("0")
    point = _GROUP_AND_POINT[Language(language)][1]
    return f"{whole}{point}{decimals} %" if decimals else f"{whole} %"


def _euros(microcents: int, language: str) -> str:
    group, point = _GROUP_AND_POINT[Language(language)]
    euros, rest = divmod(abs(microcents), MICROCENTS_PER_EURO)
    decimals = f"{rest:08d}".rstrip("0").ljust(2, "0")
    sign = "-" if microcents < 0 else ""
    return f"{sign}{euros:,}".replace(",", group) + f"{point}{decimals} €"
