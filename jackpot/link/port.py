"""Where a carrusel's log is kept: one port, several stores (an SQLite file, a NATS stream).

One contract suite holds all of them to the same behaviour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from jackpot.errors import JackpotError
from jackpot.link.messages import Entry

READ_AT_MOST = 1_000
"""Entries in one read: a few megabytes at most, and few enough not to hold anybody up."""


class LogUnavailable(JackpotError):
    """The store does not answer: an append may be in the log or not, and reading tells."""


class DecisionLog(Protocol):
    """An ordered list of sealed entries at positions 1, 2, 3 …, to which entries are only appended.

    What ``append`` said yes to is durable and never changes. A failure whose outcome is not known
    (a timeout, a lost leader) raises; the caller then reads again to learn what became of it.
    """

    async def append(self, entries: Sequence[Entry], after: int) -> bool:
        """Append ``entries``, the first at position ``after + 1``, all of them or none.

        False, and nothing appended, when the log does not end at ``after`` (any more): of several
        writers exactly one wins.
        """
        ...

    async def read(self, after: int, at_most: int = READ_AT_MOST) -> list[Entry]:
        """Up to ``at_most`` entries from position ``after + 1`` on, in order; a fresh read, never a
        stale copy's."""
        ...

    async def check(self) -> None:
        """Return only if the store could take an append now (a quorum answers, the disk is
        there); raise otherwise."""
        ...

    async def close(self) -> None:
        """Let go of files and connections."""
        ...
