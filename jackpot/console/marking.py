"""How a text is marked for the catalogues."""

from __future__ import annotations


def mark(text: str) -> str:
    """A text that the catalogues must have; ``jackpot.console.language`` translates it."""
    return text
