"""Virtual time and chance: everything that happens on the floor happens here, in one order."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable

LOOKS_EVERY = 16
"""Whether it is time to end is asked after so many events."""


class World:
    """A clock in milliseconds, what is to happen, and the dice. The same seed, the same floor."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.now_ms = 0
        self.dice = random.Random(seed)  # noqa: S311 - repeatable, nobody's money
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def after(self, delay_ms: int, what: Callable[[], None]) -> None:
        """Let ``what`` happen ``delay_ms`` from now."""
        self._count += 1
        heapq.heappush(self._due, (self.now_ms + delay_ms, self._count, what))

    def run(self, until: Callable[[], bool], *, at_most_ms: int) -> bool:
        """Let things happen until ``until`` says so; False if ``at_most_ms`` went by before."""
        end_ms = self.now_ms + at_most_ms
        due, count = self._due, 0
        while due and due[0][0] <= end_ms:
            self.now_ms, _, what = heapq.heappop(due)
            what()
            count += 1
            if count % LOOKS_EVERY == 0 and until():
                return True
        return until()

    def some_ms(self, least: int, most: int) -> int:
        """A time from ``least`` to just below ``most``."""
        return least + int(self.dice.random() * (most - least))

    def chance(self, per_thousand: int) -> bool:
        """Whether something happens that happens so often in a thousand times."""
        return self.dice.random() * 1_000 < per_thousand
