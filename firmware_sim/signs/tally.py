"""What a sign was sent that it could not use, counted by reason."""

from __future__ import annotations

from collections import Counter


class Tally:
    """``good`` commands that took effect, ``bad`` ones by reason."""

    def __init__(self) -> None:
        self.good = 0
        self.bad: Counter[str] = Counter()

    def complain(self, reason: str) -> None:
        """One more that was not usable."""
        self.bad[reason] += 1

    def report(self) -> dict[str, object]:
        """For people and tests."""
        return {"good": self.good, "bad": sum(self.bad.values()), "reasons": dict(self.bad)}
