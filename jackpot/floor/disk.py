"""The log's store: one list, one winner for each place; and copies of it that forget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jackpot.link.entries import AwardDecided, AwardUndone
from jackpot.link.log import entry_of
from jackpot.link.messages import Entry


class LogStore:
    """Compare-and-append, as SQLite and JetStream do it. ``appended`` hears what stands in it."""

    def __init__(self, appended: Callable[[Entry], None]) -> None:
        self._entries: list[Entry] = []
        self._appended = appended
        self._decisions: dict[int, Entry] = {}

    def append(self, entries: Sequence[Entry], after: int) -> bool:
        """All of them after position ``after``, or none."""
        if after != len(self._entries):
            return False
        for sealed in entries:
            self._entries.append(sealed)
            self._appended(sealed)
            entry = entry_of(sealed) if '"award_' in sealed.body[-40:] else None
            if isinstance(entry, AwardDecided | AwardUndone):
                self._decisions[entry.decision] = sealed
        return True

    def read(self, after: int) -> list[Entry]:
        """Everything after a position."""
        return self._entries[after:]

    def decision(self, number: int) -> Entry | None:
        """The entry of a decision."""
        return self._decisions.get(number)
