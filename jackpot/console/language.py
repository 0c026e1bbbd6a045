"""Spanish first, English by a switch: catalogues, amounts, days and times for the screens."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time
from babel.numbers import format_currency
from babel.support import Translations

from jackpot.console.words import mark
from jackpot.law.policy_texts import POLICY_TEXTS
from jackpot.law.words import Language, percent_text

LOCALE_FOLDER = Path(__file__).parent / "locale"
DOMAIN = "console"
LANGUAGE_NAMES = {Language.ES: "Español", Language.EN: "English"}
_LOCALES = {Language.ES: "es_ES", Language.EN: "en_GB"}
POLICY = mark("policy")
"""Said before the name of a policy, where a rule is cited."""
_NS_PER_S = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def translations(language: Language) -> Translations:
    """The catalogue of ``language``, read once."""
    return cast(Translations, Translations.load(LOCALE_FOLDER, [language.value], DOMAIN))


def gettext(language: Language, text: str) -> str:
    """``text``, which stands in English in the code, in ``language``."""
    return str(translations(language).ugettext(text))


def language_from(text: str | None, default: Language) -> Language:
    """``es`` or ``en``; anything else is ``default``."""
    return Language(text) if text in set(Language) else default


def euros(cents: int | None, language: Language) -> str:
    """``1234567`` as ``12.345,67 €``; dashes for an amount that nobody may be shown."""
    if cents is None:
        return "– – –"
    amount = Decimal(cents).scaleb(-2)
    return format_currency(amount, "EUR", "#,##0.00\u00a0¤", locale=_LOCALES[language])


def percent(ppm: int, language: Language) -> str:
    """A share as ``12,5 %``."""
    return percent_text(ppm, language)


def clock_text(at_ns: int, zone: ZoneInfo, language: Language) -> str:
    """A moment, stored in UTC, as ``21:04:05`` in the casino's zone."""
    return format_time(_local(at_ns, zone), "HH:mm:ss", locale=_LOCALES[language])


def day_name(at_ns: int, zone: ZoneInfo) -> str:
    """The date in the casino's zone as ``2026-11-30``: the name of a gaming day."""
    return _local(at_ns, zone).date().isoformat()


def day_text(day: str, language: Language) -> str:
    """``2026-11-30`` written out: ``30 de noviembre de 2026``."""
    return format_date(date.fromisoformat(day), "long", locale=_LOCALES[language])


def rule_text(rule: str, language: Language) -> str:
    """``CAN-8.3`` as it is; ``policy:base_of_hand`` in words: «criterio: importe base …»."""
    policy = POLICY_TEXTS.get(rule.removeprefix("policy:"))
    if policy is None:
        return rule
    return f"{gettext(language, POLICY)}: {policy.text(language).partition(';')[0]}"


def local_date(at_ns: int, zone: ZoneInfo) -> date:
    """The date in the casino's zone."""
    return _local(at_ns, zone).date()


def _local(at_ns: int, zone: ZoneInfo) -> datetime:
    return (_EPOCH + timedelta(seconds=at_ns // _NS_PER_S)).astimezone(zone)
