"""The croupier's key on the board: heard only while we listen, and each press once."""

from __future__ import annotations

from jackpot.board.messages import Events, Kind
from jackpot.mechanism.wire_events import KeyPressed


class Key:
    """How far its presses were told."""

    def __init__(self) -> None:
        self._count = 0

    def begin(self, found: Events) -> None:
        """A board has just presented itself: what was pressed before is over."""
        self._count = found.counts[0]

    def heard(self, found: Events) -> list[KeyPressed]:
        """The presses that are new."""
        told = []
        for record in found.records:
            if record.source == 0 and record.count > self._count:
                self._count = record.count
                if record.kind == Kind.BUTTON and record.code == 1:
                    told.append(KeyPressed())
        return told
