"""The lock («no va más», CAN-7.1) on the board: all closed, whatever had passed a gate has fallen, then
each slot heard once more."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.board.bounds import CHIP_FALL_NS, DRAIN_NS
from jackpot.board.messages import Events
from jackpot.board.tracker import Tracker
from jackpot.mechanism.wire_events import Drained


class Lock:
    """One lock under way, or none (``deadline_ns`` is None then)."""

    def __init__(self) -> None:
        self.deadline_ns: int | None = None
        self._fallen_ns: int | None = None
        self._waiting: set[int] = set()
        self._unknown: set[int] = set()

    def start(self, boxes: Iterable[int], in_service: bool, now_ns: int) -> None:
        """Close and listen; a board out of service makes every box unknown at once."""
        self.deadline_ns = now_ns + DRAIN_NS
        self._fallen_ns = None
        self._waiting = set(boxes) if in_service else set()
        self._unknown = set() if in_service else set(boxes)

    def give_up(self, boxes: Iterable[int]) -> None:
        """These boxes cannot be told any more: the board is gone, or the box opens again."""
        if self.deadline_ns is not None:
            given_up = self._waiting & set(boxes)
            self._waiting -= given_up
            self._unknown |= given_up

    def closed(self, now_ns: int) -> None:
        """The board confirms that every slot is closed."""
        if self._fallen_ns is None:
            self._fallen_ns = now_ns + CHIP_FALL_NS

    def heard(self, found: Events, trackers: Iterable[Tracker], asked_ns: int) -> None:
        """The board answered a poll of ``asked_ns``. A slot is done when every chip that had passed its
        gate has reached its credit line, nothing of it is left to be told, and the line is quiet."""
        if self._fallen_ns is None or asked_ns < self._fallen_ns or found.open:
            return
        for tracker in trackers:
            told = tracker.record.count == found.counts[tracker.box]
            if told and tracker.box not in found.busy:
                self._waiting.discard(tracker.box)

    def answer(self, now_ns: int) -> Drained | None:
        """The end of the lock, once; after ``DRAIN_NS`` whoever is still waited for is unknown."""
        if self.deadline_ns is None or (self._waiting and now_ns < self.deadline_ns):
            return None
        self.deadline_ns = None
        return Drained(tuple(sorted(self._unknown | self._waiting)))
