"""PINs: which are too weak, and how long somebody waits after a miss. Pure; no secrets here.

A wrong PIN never locks an officer out, because that would stop the table: it slows the next try
down, twice as long after each further miss, up to a bound (``docs/screens.md``).
"""

from __future__ import annotations

import re
from itertools import pairwise

from jackpot.errors import Refused

MIN_PIN_DIGITS = 6
MAX_PIN_DIGITS = 12
"""A bound, so that nobody makes the server hash a novel."""

FREE_MISSES = 2
"""A slip of the finger costs nothing."""
FIRST_WAIT_S = 1
LONGEST_WAIT_S = 30
"""At one try each 30 s half of all six-digit PINs take 170 days."""

_PIN = re.compile(r"[0-9]+")
_OFFICER_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,15}")


def wait_s(misses: int) -> int:
    """How long after the last of ``misses`` in a row the next try is looked at, in seconds."""
    over = misses - FREE_MISSES
    if over <= 0:
        return 0
    doublings = min(over - 1, LONGEST_WAIT_S.bit_length())
    return min(LONGEST_WAIT_S, FIRST_WAIT_S << doublings)


def check_officer_id(officer: str) -> None:
    """Refuse (``not_an_officer_id``) an id that is not 1 to 16 letters, digits and hyphens."""
    if not _OFFICER_ID.fullmatch(officer):
        raise Refused(
            reason="not_an_officer_id",
            expected="1 to 16 letters, digits or hyphens, as in jefe-2 or 4711",
            found=repr(officer),
            to_do="use the staff number, not a name",
        )


def check_new_pin(pin: str) -> None:
    """Refuse (``pin_weak``) a PIN that is too short, no number, or among the first to be guessed."""
    fault = _fault(pin)
    if fault:
        raise Refused(
            reason="pin_weak",
            expected=f"{MIN_PIN_DIGITS} to {MAX_PIN_DIGITS} digits that nobody guesses",
            found=fault,
            to_do="choose another PIN",
        )


def _fault(pin: str) -> str:
    """What is wrong with ``pin``, without repeating it; empty when nothing is."""
    if not _PIN.fullmatch(pin):
        return "something else than digits"
    if not MIN_PIN_DIGITS <= len(pin) <= MAX_PIN_DIGITS:
        return f"{len(pin)} digits"
    if _repeats(pin):
        return "a repeated pattern"
    if _runs(pin):
        return "digits in a row"
    if _is_a_date(pin):
        return "a date"
    return ""


def _repeats(pin: str) -> bool:
    """111111, 121212, 123123: the PIN is some shorter part over and over; or only two digits."""
    whole = any(pin == pin[:n] * (len(pin) // n) for n in range(1, len(pin) // 2 + 1))
    return whole or len(set(pin)) < 3


def _runs(pin: str) -> bool:
    """123456, 654321, 890123: each digit is the neighbour of the one before, ten after nine."""
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    return steps in ({1}, {9})


def _is_a_date(pin: str) -> bool:
    """Eight digits that read as a day of a life: 24121975 or 19751224."""
    if len(pin) != 8:
        return False
    day_first = (pin[4:8], pin[2:4], pin[0:2])
    year_first = (pin[0:4], pin[4:6], pin[6:8])
    return any(
        "1920" <= year <= "2029" and "01" <= month <= "12" and "01" <= day <= "31"
        for year, month, day in (day_first, year_first)
    )
