"""A log that others append to faster than it is read: it is read to where it ended, not for ever."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from support.linked_floor import COORDINATOR

from jackpot.config.coordinator import load_coordinator
from jackpot.daemon.link.kept_log import KeptLog
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST

sys.path.insert(0, str(Path(__file__).parents[1] / "contract"))
from decision_log_contract import entry


class Growing:
    """Whenever somebody reads, another coordinator has appended one more."""

    def __init__(self, entries: int) -> None:
        self._entries = [entry(position) for position in range(1, entries + 1)]

    async def read(self, after: int, at_most: int = READ_AT_MOST) -> list[Entry]:
        self._entries.append(entry(len(self._entries) + 1))
        return self._entries[after : after + at_most]

    async def append(self, entries: Sequence[Entry], after: int) -> bool:
        raise NotImplementedError

    async def check(self) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


async def test_all_news_ends_though_the_log_does_not(tmp_path: Path) -> None:
    text = COORDINATOR.format(name="c1", port=1, mqtt="5", embedded="false")
    log = KeptLog(load_coordinator(text, tmp_path), Growing(2 * READ_AT_MOST), None)
    pieces = [len(piece) async for piece in log.all_news()]
    assert pieces == [READ_AT_MOST, READ_AT_MOST, 3]
