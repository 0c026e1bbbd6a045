"""The adjacent table of the same table chief (CAN-3.1): another box, on the same screen.

Each half of that screen is the other box's own console in a frame: its own origin, session and
forms, so no act can reach the wrong table. The lower number stands on the left, on both boxes alike.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

Side = Literal["left", "right"]
_LABELS_OF_A_SITE = 2


@dataclass(frozen=True)
class Neighbour:
    """``origin`` and number of the adjacent table; ``ours`` is the side on which this table stands."""

    origin: str
    table: str
    ours: Side

    @property
    def theirs(self) -> Side:
        """The side on which the adjacent table stands."""
        return "right" if self.ours == "left" else "left"


def neighbour_of(own_table: str, origin: str, table: str) -> Neighbour:
    """The neighbour of ``own_table``: numbers are ordered as numbers, other names as text."""
    return Neighbour(origin, table, "left" if _order(own_table) < _order(table) else "right")


def _order(table: str) -> tuple[int, str]:
    return (int(table) if table.isascii() and table.isdecimal() else 0, table)


def same_site(host: str, origin: str) -> bool:
    """Whether a browser takes two boxes for one site; else it keeps no login of a framed one."""
    other = urlsplit(origin).hostname or ""
    if host == other:
        return True
    if _is_address(host) or _is_address(other):
        return False
    ours, theirs = host.split("."), other.split(".")
    long_enough = min(len(ours), len(theirs)) > _LABELS_OF_A_SITE
    return long_enough and ours[-_LABELS_OF_A_SITE:] == theirs[-_LABELS_OF_A_SITE:]


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
