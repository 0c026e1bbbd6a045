"""Money, in integers only.

Two units, and the unit is always in the name:

* ``_cents``       bets, payments, every amount that a person is shown or handed;
* ``_microcents``  meters and pools, one millionth of a cent.

A rate is a whole number of parts per million (``_ppm``) of the bet, so a contribution is
``bet_cents * rate_ppm`` micro-cents, exactly: nothing is rounded on the way in.
There is no ``float`` in this module nor anywhere near an amount.
"""

from __future__ import annotations

import re

from jackpot.errors import Refused

MICROCENTS_PER_CENT = 1_000_000
MICROCENTS_PER_EURO = 100 * MICROCENTS_PER_CENT
PPM_WHOLE = 1_000_000
"""One hundred percent, in parts per million."""

MAX_CENTS = 9_000_000_000_000
"""Ninety thousand million euros: what still fits an SQLite integer when counted in micro-cents."""

_EUROS = re.compile(r"(?P<euros>[0-9]{1,11})(?:\.(?P<cents>[0-9]{2}))?")
_PERCENT = re.compile(r"(?P<whole>[0-9]{1,3})(?:\.(?P<part>[0-9]{1,4}))?")


def microcents_from_cents(cents: int) -> int:
    """``cents`` in micro-cents."""
    return cents * MICROCENTS_PER_CENT


def cents_rounded_down(microcents: int) -> int:
    """The whole cents in ``microcents``; what a display may show, never more than is owed."""
    return microcents // MICROCENTS_PER_CENT


def contribution_microcents(bet_cents: int, rate_ppm: int) -> int:
    """The exact share of a bet that goes to a pool (CAN-8.b)."""
    return bet_cents * rate_ppm


def share_microcents(amount_microcents: int, share_ppm: int) -> int:
    """``share_ppm`` of an amount, rounded down to the micro-cent."""
    return amount_microcents * share_ppm // PPM_WHOLE


def payable_cents(amount_microcents: int, payable_unit_cents: int) -> int:
    """An amount rounded *down* to what the table can pay; the rest stays in the meter."""
    return cents_rounded_down(amount_microcents) // payable_unit_cents * payable_unit_cents


def euros_text(cents: int) -> str:
    """``1234567`` as ``12345.67``: for machines and for English; screens format by locale."""
    sign = "-" if cents < 0 else ""
    euros, rest = divmod(abs(cents), 100)
    return f"{sign}{euros}.{rest:02d}"


def microcents_text(microcents: int) -> str:
    """The full amount in euros with all eight decimals, so that no micro-cent hides."""
    sign = "-" if microcents < 0 else ""
    euros, rest = divmod(abs(microcents), MICROCENTS_PER_EURO)
    return f"{sign}{euros}.{rest:08d}"


def cents_from_text(text: str) -> int:
    """Cents from ``100000.00`` or ``100000``.

    Raises ``Refused`` for anything else: signs, thousands separators, commas, one or three
    decimals, or more than ``MAX_CENTS``.
    """
    match = _EUROS.fullmatch(text.strip())
    cents = -1 if match is None else int(match["euros"]) * 100 + int(match["cents"] or 0)
    if not 0 <= cents <= MAX_CENTS:
        raise Refused(
            reason="not_an_amount",
            expected="euros with a point and two decimals, as in 100000.00, from 0 to 90000000000.00",
            found=repr(text),
            to_do="write the amount without thousands separators",
        )
    return cents


def ppm_from_percent_text(text: str) -> int:
    """Parts per million from a percentage such as ``25`` or ``12.5``.

    Raises ``Refused`` when the setting is no whole number of parts per million or exceeds 100 %.
    """
    match = _PERCENT.fullmatch(text.strip())
    digits = "" if match is None else match["whole"] + (match["part"] or "").ljust(4, "0")
    ppm = int(digits or "-1")
    if not 0 <= ppm <= PPM_WHOLE:
        raise Refused(
            reason="not_a_percentage",
            expected="a percentage from 0 to 100 with at most four decimals, as in 12.5",
            found=repr(text),
            to_do="state the authorised percentage in whole parts per million of the bet",
            rule="CAN-8.b",
        )
    return ppm
