"""How one value of the configuration is read: each reader returns it checked, or raises ``Bad``.

Amounts and percentages are strings, so that no TOML float ever comes near money.
"""

from __future__ import annotations

import ipaddress
import re
import zoneinfo
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from jackpot.errors import Refused
from jackpot.law.terms import AwardedHand
from jackpot.money import cents_from_text, ppm_from_percent_text

Reader = Callable[[object], Any]
E = TypeVar("E", bound=StrEnum)

LONGEST_FOUND = 60
"""Characters of a wrong value that a finding repeats."""

LONGEST_TEXT = 200
"""Characters of a name or a path; more is a slip of the keyboard."""


class Bad(Exception):
    """A value that is not what its key wants; ``expected`` says what that is."""

    def __init__(self, expected: str) -> None:
        self.expected = expected
        super().__init__(expected)


def found_text(value: object) -> str:
    """A value as a finding repeats it, shortened."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= LONGEST_FOUND else f"{text[:LONGEST_FOUND]}…"


def text(value: object) -> str:
    """A short text that is not empty."""
    if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST_TEXT:
        raise Bad(f"a text in quotes, of 1 to {LONGEST_TEXT} characters")
    return value


def matching(pattern: str, expected: str) -> Reader:
    """A text of a fixed shape."""

    def read(value: object) -> str:
        if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
            raise Bad(expected)
        return value

    return read


def origin(value: object) -> str:
    """The address of another box's screens: scheme, host, perhaps a port, and nothing else."""
    expected = 'an address without a path, as in "https://mesa-8.casino.example:8080"'
    return str(matching(r"https?://[a-z0-9.-]{1,200}(?::[0-9]{1,5})?", expected)(value))


def anything(value: object) -> str:
    """A text that may be empty."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise Bad("a text in quotes")
    return value


def flag(value: object) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, bool):
        raise Bad("true or false, without quotes")
    return value


def whole(least: int, most: int) -> Reader:
    """A whole number within bounds, both included."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise Bad(f"a whole number from {least} to {most}, without quotes")
        return value

    return read


def wholes(least: int, most: int, longest: int) -> Reader:
    """A list of different whole numbers within bounds, at least one."""
    one = whole(least, most)
    expected = f"1 to {longest} different whole numbers from {least} to {most}, as in [{least}]"

    def read(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= longest:
            raise Bad(expected)
        try:
            numbers = tuple(one(entry) for entry in value)
        except Bad:
            raise Bad(expected) from None
        if len(set(numbers)) != len(numbers):
            raise Bad(expected)
        return numbers

    return read


def euros(value: object) -> int:
    """An amount such as ``"2.00"``, in cents."""
    expected = 'an amount in quotes, with a point and two decimals, as in "100000.00"'
    if not isinstance(value, str):
        raise Bad(expected)
    try:
        return cents_from_text(value)
    except Refused:
        raise Bad(expected) from None


def percent(value: object) -> int:
    """A percentage such as ``"12.5"``, in parts per million."""
    expected = 'a percentage in quotes from "0" to "100", with at most four decimals, as in "12.5"'
    if not isinstance(value, str):
        raise Bad(expected)
    try:
        return ppm_from_percent_text(value)
    except Refused:
        raise Bad(expected) from None


def choice(kind: type[E]) -> Reader:
    """One of the values of an enum."""
    expected = "one of " + ", ".join(f'"{member.value}"' for member in kind)

    def read(value: object) -> E:
        if not isinstance(value, str) or value not in {member.value for member in kind}:
            raise Bad(expected)
        return kind(value)

    return read


def shares(value: object) -> dict[AwardedHand, int]:
    """A table of awards: hands with their percentage of the base, in parts per million."""
    hands = ", ".join(hand.value for hand in AwardedHand)
    if not isinstance(value, dict):
        raise Bad(f"a section with any of {hands}")
    read: dict[AwardedHand, int] = {}
    for name, share in value.items():
        if name not in {hand.value for hand in AwardedHand}:
            raise Bad(f"only hands of the law: {hands}")
        read[AwardedHand(name)] = percent(share)
    return {hand: read[hand] for hand in AwardedHand if hand in read}


def address(value: object) -> str:
    """An IP address of this machine to listen at."""
    try:
        return str(ipaddress.ip_address(value if isinstance(value, str) else ""))
    except ValueError:
        raise Bad('an IP address in quotes, as in "127.0.0.1"') from None


def time_zone(value: object) -> str:
    """A time zone by its name in the IANA data base."""
    expected = 'a time zone by name, as in "Atlantic/Canary"'
    if not isinstance(value, str):
        raise Bad(expected)
    try:
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise Bad(expected) from None
    return value
