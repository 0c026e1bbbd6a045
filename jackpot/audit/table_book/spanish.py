"""An amount of money in Spanish words, as a slip states it beside the figures."""

from __future__ import annotations

from jackpot.invariant import invariant

_UNITS = (
    *("cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
    *("diez", "once", "doce", "trece", "catorce", "quince"),
    *("dieciséis", "diecisiete", "dieciocho", "diecinueve"),
    *("veinte", "veintiún", "veintidós", "veintitrés", "veinticuatro"),
    *("veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve"),
)
_TENS = (
    *("", "diez", "veinte", "treinta", "cuarenta"),
    *("cincuenta", "sesenta", "setenta", "ochenta", "noventa"),
)
_HUNDREDS = (
    *("", "ciento", "doscientos", "trescientos", "cuatrocientos"),
    *("quinientos", "seiscientos", "setecientos", "ochocientos", "novecientos"),
)
_MILLION = 1_000_000


def euros_in_words(cents: int) -> str:
    """``61733`` as ``seiscientos diecisiete euros con treinta y tres céntimos``; not negative."""
    invariant(cents >= 0, f"an amount on a slip is not negative: {cents}")
    euros, rest = divmod(cents, 100)
    of = "de " if euros and euros % _MILLION == 0 else ""
    words = f"{_number(euros)} {of}{'euro' if euros == 1 else 'euros'}"
    if rest:
        words += f" con {_number(rest)} {'céntimo' if rest == 1 else 'céntimos'}"
    return words


def _number(number: int) -> str:
    """Before a noun: «veintiún», not «veintiuno»."""
    millions, rest = divmod(number, _MILLION)
    words = []
    if millions:
        words.append("un millón" if millions == 1 else f"{_number(millions)} millones")
    thousands, rest = divmod(rest, 1_000)
    if thousands:
        words.append("mil" if thousands == 1 else f"{_below_thousand(thousands)} mil")
    if rest or not words:
        words.append(_below_thousand(rest))
    return " ".join(words)


def _below_thousand(number: int) -> str:
    if number == 100:
        return "cien"
    hundreds, rest = divmod(number, 100)
    words = [_HUNDREDS[hundreds]] if hundreds else []
    if rest or not words:
        words.append(_below_hundred(rest))
    return " ".join(words)


def _below_hundred(number: int) -> str:
    if number < len(_UNITS):
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return _TENS[tens] + (f" y {_UNITS[unit]}" if unit else "")
