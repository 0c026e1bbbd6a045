"""When a coordinator gives its sign of life, and when it tells the total."""

from __future__ import annotations

BEAT_MS = 1_000
"""A sign of life each second, with the total, in case the broker dropped one."""

TOTAL_MS = 112
"""Between two totals that changed, of which the first is told at once: nine a second, and with each beat
another one that holds up no change. Nobody reads faster than ten."""


class Rhythm:
    """The times at which something is due; ``deadline_ms`` is the next of them."""

    def __init__(self, now_ms: int) -> None:
        self._beat_due_ms = now_ms
        self._total_due_ms: int | None = None
        self._next_total_ms = now_ms

    @property
    def deadline_ms(self) -> int:
        """When to ask again."""
        return min(self._beat_due_ms, self._total_due_ms or self._beat_due_ms)

    def changed(self, now_ms: int, wait_ms: int) -> None:
        """The total is another one, to be told after ``wait_ms`` or when it may be."""
        due_ms = max(now_ms + wait_ms, self._next_total_ms)
        self._total_due_ms = min(due_ms, self._total_due_ms or due_ms)

    def beats(self, now_ms: int) -> bool:
        """Whether a sign of life is due; it is not any more."""
        due = now_ms >= self._beat_due_ms
        if due:
            self._beat_due_ms = now_ms + BEAT_MS
        return due

    def tells(self, now_ms: int) -> bool:
        """Whether a changed total is due; it is not any more."""
        due = self._total_due_ms is not None and now_ms >= self._total_due_ms
        if due:
            self._total_due_ms, self._next_total_ms = None, now_ms + TOTAL_MS
        return due
