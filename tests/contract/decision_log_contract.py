"""What every ``DecisionLog`` must do, whichever store it has. Each adapter's test class inherits this."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from jackpot.link.messages import Entry


class Log(Protocol):
    """The part of the port that the contract is about."""

    async def append(self, entries: Sequence[Entry], after: int) -> bool: ...

    async def read(self, after: int, at_most: int) -> list[Entry]: ...

    async def check(self) -> None: ...

    async def close(self) -> None: ...


def entry(position: int, body: str = "{}") -> Entry:
    """An entry that names the hash of the one before; no store looks at signatures."""
    return Entry(
        carrusel="sala",
        position=position,
        previous=f"hash {position - 1}",
        author="c1",
        at_ns=position * 1_000,
        body=body,
        hash=f"hash {position}",
        signature="signed",
    )


class DecisionLogContract:
    """Inherit it, and give a fixture ``log``: an empty log."""

    async def test_an_empty_log_has_no_entry(self, log: Log) -> None:
        assert await log.read(0, 100) == []

    async def test_what_was_appended_is_read_as_it_was_in_order(self, log: Log) -> None:
        assert await log.append([entry(1), entry(2, '{"año":"ñ"}')], after=0)
        assert await log.append([entry(3)], after=2)
        assert await log.read(0, 100) == [entry(1), entry(2, '{"año":"ñ"}'), entry(3)]

    async def test_reading_begins_after_a_position_and_ends_at_a_number(self, log: Log) -> None:
        for position in range(1, 8):
            assert await log.append([entry(position)], after=position - 1)
        assert [e.position for e in await log.read(2, 3)] == [3, 4, 5]
        assert [e.position for e in await log.read(6, 100)] == [7]
        assert await log.read(7, 100) == []
        assert await log.read(99, 100) == []

    async def test_reading_on_in_pieces_tells_each_entry_once_whatever_is_appended_meanwhile(
        self, log: Log
    ) -> None:
        heard: list[int] = []
        for first in range(1, 13, 3):
            new = [entry(first), entry(first + 1), entry(first + 2)]
            assert await log.append(new, after=first - 1)
            heard += [one.position for one in await log.read(len(heard), 2)]
        while piece := await log.read(len(heard), 2):
            heard += [one.position for one in piece]
        assert heard == list(range(1, 13))

    async def test_reading_begins_within_what_was_appended_together(self, log: Log) -> None:
        assert await log.append([entry(1), entry(2), entry(3)], after=0)
        assert await log.append([entry(4), entry(5)], after=3)
        assert [e.position for e in await log.read(1, 3)] == [2, 3, 4]
        assert [e.position for e in await log.read(4, 3)] == [5]

    async def test_an_append_after_another_position_than_the_last_changes_nothing(
        self, log: Log
    ) -> None:
        assert await log.append([entry(1)], after=0)
        assert not await log.append([entry(1, '{"other":1}')], after=0)
        assert not await log.append([entry(3)], after=2)
        assert await log.read(0, 100) == [entry(1)]

    async def test_of_many_at_once_exactly_one_wins(self, log: Log) -> None:
        offers = [[entry(1, f'{{"by":{number}}}')] for number in range(20)]
        won = await asyncio.gather(*(log.append(offer, after=0) for offer in offers))
        assert won.count(True) == 1
        assert await log.read(0, 100) == offers[won.index(True)]

    async def test_entries_appended_together_are_there_whole_or_not_at_all(self, log: Log) -> None:
        first = [entry(position, '{"by":1}') for position in range(1, 51)]
        second = [entry(position, '{"by":2}') for position in range(1, 31)]
        won = await asyncio.gather(log.append(first, after=0), log.append(second, after=0))
        assert sorted(won) == [False, True]
        assert await log.read(0, 100) == (first if won[0] else second)

    async def test_a_check_leaves_the_log_as_it_is(self, log: Log) -> None:
        assert await log.append([entry(1)], after=0)
        for _ in range(5):
            await log.check()
        assert await log.append([entry(2)], after=1)
        assert await log.read(0, 100) == [entry(1), entry(2)]

    async def test_a_long_log_is_read_piece_by_piece(self, log: Log) -> None:
        for start in range(1, 301, 3):
            assert await log.append([entry(start + n) for n in range(3)], after=start - 1)
        found: list[Entry] = []
        while piece := await log.read(len(found), 77):
            found += piece
        assert [e.position for e in found] == list(range(1, 301))
