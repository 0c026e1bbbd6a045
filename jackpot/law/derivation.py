"""Why an award is what it is: lines that a person can recompute by hand, in both languages.

A line holds a rule id, a key and whole numbers; its words are made from them when it is shown, so
the ledger keeps numbers and no prose. The unit of a number is the end of its name.
"""

from __future__ import annotations

import msgspec

from jackpot.law.hands import HandKind, HandValue
from jackpot.law.words import Text, cents_text, microcents_text, percent_text

TEXTS = {
    "base.at_lock": Text(
        (
            "Base de la jugada, lo que mostraba el visor al «no va más»: {base_microcents}",
            "Base of the hand, as the visor showed it at the lock: {base_microcents}",
        )
    ),
    "base.at_hand_start": Text(
        (
            "Base de la jugada, lo que mostraba el visor al empezar: {base_microcents}",
            "Base of the hand, as the visor showed it at its start: {base_microcents}",
        )
    ),
    "base.at_payment": Text(
        (
            "Base de la jugada, lo que mostraba el visor al pagar: {base_microcents}",
            "Base of the hand, as the visor showed it at the payment: {base_microcents}",
        )
    ),
    "outside_base": Text(
        (
            "Acumulado fuera de la base, que se queda: {outside_microcents}",
            "In the meter but outside the base, stays: {outside_microcents}",
        )
    ),
    "house": Text(
        (
            "Deducción previa para el establecimiento: {share_ppm} de {of_microcents} = "
            "{exact_microcents}, por defecto {house_microcents}; la base queda en "
            "{base_microcents}",
            "The house's deduction first: {share_ppm} of {of_microcents} = {exact_microcents}, "
            "rounded down {house_microcents}; leaves a base of {base_microcents}",
        )
    ),
    "no_award": Text(("{place}: {hand}, sin premio", "{place}: {hand}, no award")),
    "ace_high_only": Text(
        (
            "{place}: As-2-3-4-5 no es escalera, el as solo vale como carta mayor; sin premio",
            "{place}: A-2-3-4-5 is no straight, the ace is high only; no award",
        )
    ),
    "share_of_remainder": Text(
        (
            "{place}: {hand}, {share_ppm} de {of_microcents} = {exact_microcents}",
            "{place}: {hand}, {share_ppm} of {of_microcents} = {exact_microcents}",
        )
    ),
    "share_of_base": Text(
        (
            "{place}: {hand}, una de {count} iguales, {share_ppm} de la base {of_microcents} = "
            "{exact_microcents}",
            "{place}: {hand}, one of {count} equal ones, {share_ppm} of the base {of_microcents} "
            "= {exact_microcents}",
        )
    ),
    "equal_parts": Text(
        (
            "{place}: {hand}, {share_ppm} de {of_microcents} entre {count} a partes iguales = "
            "{exact_microcents}",
            "{place}: {hand}, {share_ppm} of {of_microcents} shared equally by {count} = "
            "{exact_microcents}",
        )
    ),
    "no_more_than_remains": Text(
        (
            "{place}: {hand}, los premios superan lo que queda, {of_microcents} entre {count} = "
            "{exact_microcents}",
            "{place}: {hand}, the awards exceed what remains, {of_microcents} shared by {count} = "
            "{exact_microcents}",
        )
    ),
    "rounded_down": Text(
        (
            "{place}: se pagan {paid_cents} (unidad de pago {unit_cents}); "
            "{cut_microcents} se queda en el acumulado; quedan {remaining_microcents} de la base",
            "{place}: paid {paid_cents} (payable unit {unit_cents}); "
            "{cut_microcents} stays in the meter; {remaining_microcents} of the base remain",
        )
    ),
    "below_whole": Text(
        (
            "{place}: {hand}, la jugada superior se llevó todo; nada queda para esta",
            "{place}: {hand}, a higher hand took the whole; nothing remains for this one",
        )
    ),
    "below_whole_from_seed": Text(
        (
            "Las jugadas inferiores se pagan del nuevo acumulado: {base_microcents}",
            "Lower hands are paid from the restarted meter: {base_microcents}",
        )
    ),
    "below_unit": Text(
        (
            "{place}: {hand}, {exact_microcents} no llega a la unidad de pago {unit_cents}",
            "{place}: {hand}, {exact_microcents} is less than the payable unit {unit_cents}",
        )
    ),
    "deducted": Text(
        (
            "Deducción en el visor: {before_microcents} - {deducted_microcents} = "
            "{after_microcents}",
            "Deducted on the visor: {before_microcents} - {deducted_microcents} = "
            "{after_microcents}",
        )
    ),
    "restart": Text(
        (
            "El Jackpot vuelve a empezar: {house_microcents} de la casa, {reserve_microcents} de "
            "la reserva, {overflow_microcents} del excedente; acumulado {after_microcents}",
            "The jackpot restarts: {house_microcents} from the house, {reserve_microcents} from "
            "the reserve, {overflow_microcents} from the overflow; meter {after_microcents}",
        )
    ),
}


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a derivation: the rule (or ``policy:name``), which sentence, its numbers."""

    rule: str
    key: str
    numbers: tuple[tuple[str, int], ...] = ()

    def number(self, name: str) -> int:
        """One of the numbers by name. Raises ``KeyError``."""
        return dict(self.numbers)[name]

    def text(self, language: str = "es") -> str:
        """The line for people, in ``es`` or ``en``; without the rule id."""
        numbers = dict(self.numbers)
        words = {name: _word(name, value, language) for name, value in numbers.items()}
        if "box" in numbers:
            words["place"] = _place(numbers, language)
        if "kind" in numbers:
            value = HandValue(HandKind(numbers["kind"]), (numbers["rank"],))
            words["hand"] = value.name(language)
        return TEXTS[self.key].text(language).format_map(words)


def line(rule: str, key: str, **numbers: int) -> Line:
    """A line with its numbers by name, each with its unit at the end."""
    return Line(rule, key, tuple(numbers.items()))


def hand_numbers(box: int, bet: int, value: HandValue) -> dict[str, int]:
    """The numbers that name a hand at its place: box, bet, kind, leading rank."""
    return {"box": box, "bet": bet, "kind": int(value.kind), "rank": value.ranks[0]}


def _place(numbers: dict[str, int], language: str) -> str:
    box = Text((f"Casilla {numbers['box']}", f"Box {numbers['box']}")).text(language)
    if numbers["bet"] == 1:
        return box
    return box + Text((f", apuesta {numbers['bet']}", f", bet {numbers['bet']}")).text(language)


def _word(name: str, number: int, language: str) -> str:
    """A number as its unit wants it written."""
    if name.endswith("_microcents"):
        return microcents_text(number, language)
    if name.endswith("_cents"):
        return cents_text(number, language)
    if name.endswith("_ppm"):
        return percent_text(number, language)
    return str(number)
