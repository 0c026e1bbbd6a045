"""What each named policy and each of its values means, in both languages, and how to set one.

The policies themselves are in ``jackpot.law.policies``; this is what ``jackpot rules`` shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import get_type_hints

import msgspec

from jackpot.errors import Refused
from jackpot.law.policies import Policies
from jackpot.law.words import Text

PAYABLE_UNIT = "payable_unit"
_PAYABLE_UNIT_FIELD = "payable_unit_cents"
MAX_PAYABLE_UNIT_CENTS = 100_000
"""A thousand euros: no casino pays in larger steps, and a slip of the keyboard is caught."""

POLICY_TEXTS: Mapping[str, Text] = {
    "base_of_hand": Text(("importe base de los premios", "the amount that awards are based on")),
    "manual_total": Text(
        (
            "cuándo entra el total de la jugada (b.1)",
            "when the total of a hand goes in (b.1)",
        )
    ),
    "below_royal": Text(
        ("jugadas inferiores a una escalera real", "hands below a royal flush"),
    ),
    "equal_straight_flushes": Text(
        ("escaleras de color iguales", "equal straight flushes"),
    ),
    "void_bets": Text(("apuestas de una jugada anulada", "the bets of a voided hand")),
    "extra_chip": Text(
        ("ficha tardía, doble o equivocada", "a late, second or wrong chip"),
    ),
    "broken_slot": Text(("ranura averiada", "a slot out of service")),
    "payable_unit": Text(
        (
            "unidad de pago en céntimos; lo que no llega se queda en el acumulado",
            "payable unit in cents; what is cut off stays in the meter",
        )
    ),
    "seed_source": Text(("quién aporta la cantidad inicial", "who pays the seed")),
    "config_change": Text(
        ("cuándo rige un cambio autorizado", "when an authorised change comes into force"),
    ),
    "carrusel_order": Text(
        ("orden de los premios en un carrusel", "the order of awards in a carrusel"),
    ),
    "link_lost": Text(("carrusel sin enlace", "a carrusel that cannot be reached")),
}

VALUE_TEXTS: Mapping[str, Text] = {
    "at_lock": Text(("lo que mostraba el visor al «no va más»", "what the visor showed at lock")),
    "at_hand_start": Text(("lo que mostraba al empezar", "what it showed at the start")),
    "at_payment": Text(("lo que muestra al pagar", "what it shows at the payment")),
    "after_awards": Text(("después de los premios de la jugada", "after the awards of the hand")),
    "before_awards": Text(("antes de los premios de la jugada", "before the awards of the hand")),
    "nothing": Text(("no cobran: nada queda", "are paid nothing: nothing remains")),
    "from_seed": Text(("cobran del nuevo acumulado", "are paid from the restarted meter")),
    "of_base": Text(
        ("cada una, de la cantidad inicial de la jugada", "each of the base of the hand")
    ),
    "of_remainder": Text(("cada una, de lo que queda", "each of what remains")),
    "refund": Text(
        ("se devuelven y su aportación se deshace", "handed back, contributions reversed")
    ),
    "carry": Text(
        ("casilla por casilla, valen para la repetición", "box by box, kept for the replay")
    ),
    "hand_back": Text(("se devuelve en mano", "handed back to the player")),
    "next_hand": Text(
        (
            "vale para la siguiente, si hay apuesta inicial",
            "counts for the next hand, given an initial bet",
        )
    ),
    "box_closed": Text(("esa casilla no juega al Jackpot", "that box does not play")),
    "table_manual": Text(("toda la mesa pasa a manual", "the whole table goes manual")),
    "box_manual": Text(
        ("solo esa casilla, donde esté autorizado", "only that box, where authorised")
    ),
    "house": Text(("la casa", "the house")),
    "reserve": Text(
        ("la reserva; la casa pone lo que falte", "the reserve; the house adds what is lacking")
    ),
    "at_restart": Text(("solo cuando el Jackpot vuelve a empezar", "only when a jackpot restarts")),
    "at_opening": Text(
        (
            "en una apertura, con autorización y dos firmas",
            "at an opening, with authorisation and two signatures",
        )
    ),
    "arrival": Text(("el de llegada al registro", "in the order of the log")),
    "lock_position": Text(
        ("primero la jugada que se cerró antes", "hands that were locked earlier first")
    ),
    "stop_bets": Text(("no se admiten apuestas", "no bets are taken")),
    "queue": Text(("se juega y se envía al volver", "play goes on, sent when the link is back")),
}


class PolicyInfo(msgspec.Struct, frozen=True):
    """One policy for people: its name, every value it may have (the default first), its value."""

    name: str
    values: tuple[str, ...]
    value: str


def policy_infos(policies: Policies) -> tuple[PolicyInfo, ...]:
    """Every policy with all alternatives and the value in force."""
    infos = []
    for field, kind in get_type_hints(Policies).items():
        value = str(getattr(policies, field))
        if field == _PAYABLE_UNIT_FIELD:
            infos.append(PolicyInfo(PAYABLE_UNIT, ("1",), value))
        else:
            infos.append(PolicyInfo(field, tuple(_enum_values(kind)), value))
    return tuple(infos)


def with_policy(policies: Policies, setting: str) -> Policies:
    """The policies with one of them set, written ``name=value``.

    Raises ``Refused``: ``unknown_policy``, ``unknown_policy_value``.
    """
    name, _, value = setting.partition("=")
    name, value = name.strip(), value.strip()
    field = _PAYABLE_UNIT_FIELD if name == PAYABLE_UNIT else name
    hints = get_type_hints(Policies)
    if field not in hints:
        raise Refused(
            reason="unknown_policy",
            expected=f"name=value with one of {', '.join(POLICY_TEXTS)}",
            found=repr(setting),
            to_do="see `jackpot rules` for every policy and its values",
        )
    if field == _PAYABLE_UNIT_FIELD:
        return msgspec.structs.replace(policies, payable_unit_cents=_payable_unit(value))
    values = _enum_values(hints[field])
    if value not in values:
        raise Refused(
            reason="unknown_policy_value",
            expected=f"{name} as one of {', '.join(values)}",
            found=repr(value),
            to_do="see `jackpot rules` for every policy and its values",
        )
    return msgspec.structs.replace(policies, **{field: hints[field](value)})


def _enum_values(kind: type[StrEnum]) -> list[str]:
    return [member.value for member in kind]


def _payable_unit(value: str) -> int:
    cents = int(value) if value.isascii() and value.isdecimal() and len(value) <= 9 else 0
    if not 1 <= cents <= MAX_PAYABLE_UNIT_CENTS:
        raise Refused(
            reason="unknown_policy_value",
            expected=f"payable_unit as whole cents from 1 to {MAX_PAYABLE_UNIT_CENTS}",
            found=repr(value),
            to_do="state the smallest step that the table pays in, 50 for 0.50 €",
        )
    return cents
