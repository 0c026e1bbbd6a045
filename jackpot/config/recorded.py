"""A configuration as a ledger recorded it: one text, of a reversible table that of both files."""

from __future__ import annotations

import tomllib

from jackpot.errors import Refused
from jackpot.money import cents_from_text

_OTHER_FILE = "\n# ---- "
"""Begins the line between the texts of the two files; the name of the second one follows."""


def text_of_both(text: str, other_name: str, other_text: str) -> str:
    """What is recorded of a reversible table."""
    return f"{text}{_OTHER_FILE}{other_name} ----\n{other_text}"


def table_minimums_cents(recorded_text: str) -> dict[str, int]:
    """The table minimum of each layout as the files said; what this version cannot read is left out."""
    first, *others = recorded_text.split(_OTHER_FILE)
    minimums = {}
    for text in (first, *(other.partition("\n")[2] for other in others)):
        try:
            table = tomllib.loads(text)["table"]
            minimums[table.get("layout", "1")] = cents_from_text(table["minimum"])
        except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError, Refused):
            continue
    return minimums
