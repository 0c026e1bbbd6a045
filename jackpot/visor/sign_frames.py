"""What every kind of sign is to the one who writes to it: how to set it up, how to write a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from jackpot.visor.sign_text import Page


@dataclass(frozen=True, slots=True)
class Frame:
    """Bytes for the sign, and how long it must be left alone afterwards."""

    data: bytes
    pause_ms: int


class SignFrames(Protocol):
    """The protocol of one kind of sign, without any line: values in, bytes out."""

    def setup(self) -> tuple[Frame, ...]:
        """From an unknown state to an empty sign that shows the next page."""

    def write(self, page: Page) -> Frame:
        """Show this page instead of the one before, all rows at once."""
