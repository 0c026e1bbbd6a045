"""Pole displays that speak CD5220: two rows of twenty characters. Bytes, no line.

Source: the display's user manual, "CD5220 standard mode command list". Nothing is ever read back.
Only characters that are the same in every national set are sent, so the set does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.visor.sign_frames import Frame
from jackpot.visor.sign_text import Page, plain

ROWS, COLUMNS = 2, 20

CLEAR = b"\x0c"
"""CLR also ends the string mode, in which the display hears nothing else."""

INITIALISE = b"\x1b@"
CURSOR_OFF = b"\x1b_\x00"
UPPER, LOWER = b"\x1bQA", b"\x1bQB"
"""Write a whole line: exactly twenty characters, ended by CR."""

CR = b"\x0d"

SETUP_PAUSE_MS = 250
"""Some units are deaf for a moment after ESC @."""

WRITE_PAUSE_MS = 100
"""The 48 bytes of a page take 50 ms at 9600 baud: written no faster than they are sent."""


@dataclass(frozen=True, slots=True)
class Cd5220Frames:
    """Frames for one pole display."""

    def setup(self) -> tuple[Frame, ...]:
        """Out of the string mode, default settings, no cursor."""
        return (
            Frame(CLEAR + INITIALISE, SETUP_PAUSE_MS),
            Frame(CLEAR + CURSOR_OFF, WRITE_PAUSE_MS),
        )

    def write(self, page: Page) -> Frame:
        """Both lines in one go; the display overwrites them in place."""
        upper, lower = (plain(line)[:COLUMNS].ljust(COLUMNS).encode("ascii") for line in page)
        return Frame(UPPER + upper + CR + LOWER + lower + CR, WRITE_PAUSE_MS)
