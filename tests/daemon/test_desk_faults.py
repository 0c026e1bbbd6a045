"""Any mixture of commits that pass, find no room, or stay unknown: every report is recorded once."""

from __future__ import annotations

import asyncio

from desk_fakes import HAND_1, FakeRecord, chip, full, opened, running_desk
from hypothesis import given
from hypothesis import strategies as st

from jackpot.console.desk import Done
from jackpot.daemon import table_desk
from jackpot.errors import Refused
from jackpot.ledger.errors import CommitUnknown
from jackpot.table import facts as f
from jackpot.table.evolve import evolve
from jackpot.table.state import INITIAL, conserved

FATES = ("passes", "full", "unknown_landed", "unknown_lost")


class FatefulRecord(FakeRecord):
    """Each append meets the next fate; when they are used up, all pass."""

    def __init__(self) -> None:
        super().__init__()
        self.fates: list[str] = []

    async def append(self, batches):  # type: ignore[no-untyped-def]
        fate = self.fates.pop(0) if self.fates else "passes"
        self.lands = fate == "unknown_landed"
        if fate == "full":
            self.failures = [full()]
        elif fate != "passes":
            self.failures = [CommitUnknown(fate)]
        await asyncio.sleep(0)
        return await super().append(batches)


def bounded(fates: list[str]) -> list[str]:
    """At most two unknown commits in a row; a third one halts the table, as it should."""
    kept: list[str] = []
    for fate in fates:
        last = kept[-2:]
        if fate.startswith("unknown") and len(last) == 2 and all(x.startswith("u") for x in last):
            kept.append("passes")
        kept.append(fate)
    return kept


@given(
    fates=st.lists(st.sampled_from(FATES), max_size=12).map(bounded),
    boxes=st.lists(st.integers(1, 7), min_size=1, max_size=12),
    again=st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_every_report_is_recorded_exactly_once_and_in_its_order(
    fates: list[str], boxes: list[int], again: list[bool]
) -> None:
    async def play() -> None:
        record = FatefulRecord()
        async with running_desk(record) as desk:
            await opened(desk)
            await desk.act(HAND_1, form="s.2")
            record.fates = list(fates)
            counts = dict.fromkeys(range(1, 8), 0)
            answers: list[asyncio.Future[Done]] = []
            for box, twice in zip(boxes, again, strict=False):
                counts[box] += 1
                for _ in range(1 + twice):
                    answers.append(desk.submit((chip(box),), f"slot/{box}/1/0", counts[box]))
                await asyncio.sleep(0)
            await asyncio.wait_for(asyncio.gather(*answers), 10)
            assert not desk.status.halted
            assert desk.state == record.state
            assert conserved(desk.state)
            state = INITIAL
            for batch in record.batches:
                for event in batch.events:
                    state = evolve(state, event)
            assert state == desk.state
            numbers = [
                batch.cause for batch in record.batches if batch.cause.source.startswith("slot/")
            ]
            expected = [
                (f"slot/{box}/1/0", number)
                for box in range(1, 8)
                for number in range(1, counts[box] + 1)
            ]
            assert sorted(numbers) == sorted(expected)
            chips = [e for b in record.batches for e in b.events if isinstance(e, f.ChipSeen)]
            assert [chip.box for chip in chips] == boxes[: len(chips)]

    old, table_desk.FULL_RETRY_S = table_desk.FULL_RETRY_S, 0.001
    try:
        asyncio.run(play())
    except Refused as refused:
        raise AssertionError(refused.text()) from refused
    finally:
        table_desk.FULL_RETRY_S = old
