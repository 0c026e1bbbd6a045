"""THE SLOT BOARD: seven parallel chip selectors behind a small microcontroller (``docs/board.md``).
Sans-IO, and behind the same port as ``jackpot.cctalk``: ``jackpot.mechanism.port``."""

from __future__ import annotations

from jackpot.board.host import BoardHost
from jackpot.board.setup import BoardSetup

__all__ = ["BoardHost", "BoardSetup"]
