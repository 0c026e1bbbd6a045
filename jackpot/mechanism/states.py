"""Where a box's detector stands, whatever kind of mechanism it belongs to."""

from __future__ import annotations

from enum import Enum, auto


class State(Enum):
    """Where one acceptor stands."""

    ABSENT = auto()
    """It does not answer: asked now and then, with back-off."""

    IDENTIFYING = auto()
    """It answers: who is it, what does its counter say?"""

    SETTING = auto()
    """Self-check, inhibit mask, master inhibit."""

    READY = auto()
    """Polled in its turn."""

    CHECKING = auto()
    """Polled in its turn, and self-checked once a second until it is clean."""

    UNFIT = auto()
    """It answers, but cannot serve this box: asked again later."""
