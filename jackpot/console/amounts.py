"""Amounts as officers type and read them: euros without thousands separators, to the micro-cent."""

from __future__ import annotations

import re
from decimal import Decimal

from babel.numbers import format_currency

from jackpot.console.language import euros
from jackpot.errors import Refused
from jackpot.law.words import Language
from jackpot.money import MAX_CENTS, MICROCENTS_PER_CENT, MICROCENTS_PER_EURO

_DECIMALS = 8
_AMOUNT = re.compile(r"(?P<euros>[0-9]{1,12})(?:[.,](?P<part>[0-9]{1,2}|[0-9]{4,8}))?")
"""A point or a comma before the decimals. Three decimals are refused: ``1.000`` would be a thousand
to some people and one to others."""
_LOCALES = {Language.ES: "es_ES", Language.EN: "en_GB"}


def microcents_typed(text: str) -> int:
    """Micro-cents from ``1234,56`` or ``1234.56789012``. Refuses ``not_an_amount``."""
    match = _AMOUNT.fullmatch(text.replace("€", "").strip())
    if match is not None:
        part = (match["part"] or "").ljust(_DECIMALS, "0")
        microcents = int(match["euros"]) * MICROCENTS_PER_EURO + int(part)
        if microcents <= MAX_CENTS * MICROCENTS_PER_CENT:
            return microcents
    raise _no_amount("an amount such as 1234,56, without thousands separators", text)


def cents_typed(text: str) -> int:
    """Whole cents. Refuses ``not_an_amount``."""
    cents, rest = divmod(microcents_typed(text), MICROCENTS_PER_CENT)
    if rest:
        raise _no_amount("an amount in whole cents", text)
    return cents


def exact_euros(microcents: int, language: Language) -> str:
    """Like ``euros``, with all eight decimals where there is less than a cent."""
    if microcents % MICROCENTS_PER_CENT == 0:
        return euros(microcents // MICROCENTS_PER_CENT, language)
    amount = Decimal(microcents).scaleb(-_DECIMALS)
    pattern = "#,##0." + "0" * _DECIMALS + "\u00a0¤"
    return format_currency(amount, "EUR", pattern, locale=_LOCALES[language], currency_digits=False)


def _no_amount(expected: str, found: str) -> Refused:
    return Refused(
        reason="not_an_amount",
        expected=expected,
        found=repr(found[:30]),
        to_do="write the amount again",
    )
