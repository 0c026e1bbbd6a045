"""Checks that survive ``python -O``: what must be true if this program is right."""

from __future__ import annotations

from jackpot.errors import JackpotError


class InvariantBroken(JackpotError):
    """Our own fault. Whoever holds a table locks it and shows this; nobody guesses on."""


def invariant(holds: bool, what: str) -> None:
    """Raise ``InvariantBroken`` unless ``holds``; ``what`` states the truth that was expected."""
    if not holds:
        raise InvariantBroken(what)
