"""Whether one box is in service, told once at each change."""

from __future__ import annotations

from jackpot.mechanism.wire_events import Diagnosis, Down, Up, WireEvent


class Service:
    """``reason`` is None while the box works, and before anything is known of it."""

    def __init__(self, box: int) -> None:
        self.reason: Diagnosis | None = None
        self.detail = ""
        self._box = box
        self._announced_up = False

    def down(self, why: Diagnosis, detail: str) -> list[WireEvent]:
        """Out of service, for this reason."""
        if self.reason is why:
            return []
        self.reason, self.detail, self._announced_up = why, detail, False
        return [Down(self._box, why, detail)]

    def up(self) -> list[WireEvent]:
        """In service."""
        if self._announced_up:
            return []
        self.reason, self.detail, self._announced_up = None, "", True
        return [Up(self._box)]
