"""The desk: one task decides, commits, publishes and answers; what is not committed did not happen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from desk_fakes import (
    HAND_1,
    OPENING,
    FakeClock,
    FakeRecord,
    accepting,
    chip,
    full,
    opened,
    phase_of,
    running_desk,
    started,
)

from jackpot.console.desk import Done
from jackpot.daemon import table_desk
from jackpot.daemon.requests import CONTROLLER, form_cause
from jackpot.daemon.table_desk import MAX_WAITING, TableDesk
from jackpot.errors import Refused
from jackpot.invariant import InvariantBroken
from jackpot.ledger.errors import CommitUnknown
from jackpot.ledger.machine import Cause
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.event import Event, Fact
from jackpot.table.state import Phase, TableState

SLOT_3 = "slot/3/1003/0"


async def settle() -> None:
    """Let every task that can run do so."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_an_act_is_answered_only_after_its_commit() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        record.gate = asyncio.Event()
        answer = asyncio.create_task(desk.act(OPENING, form="s.1"))
        await settle()
        assert not answer.done()
        assert phase_of(desk) is Phase.CLOSED, "published before COMMIT"
        record.gate.set()
        assert await answer == Done(already=False)
        assert phase_of(desk) is Phase.BETWEEN_HANDS


async def test_what_waits_during_a_commit_goes_into_the_next_one_in_order() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        before = len(record.commits)
        record.gate = asyncio.Event()
        acts = [asyncio.create_task(desk.act(HAND_1, form="s.2"))]
        await settle()
        chips = [desk.submit((chip(3),), SLOT_3, 1), desk.submit((chip(5),), "slot/5/1005/0", 1)]
        await settle()
        record.gate.set()
        await asyncio.gather(*acts, *chips)
    group = record.commits[before : before + 2]
    assert [[batch.cause.text() for batch in commit] for commit in group] == [
        ["form/s#2"],
        ["slot/3/1003/0#1", "slot/5/1005/0#1"],
    ]
    assert [batch.hand for commit in group for batch in commit] == [1, 1, 1]


async def test_a_refused_act_is_told_and_not_recorded() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        count = len(record.batches)
        with pytest.raises(Refused, match="wrong_phase"):
            await desk.act(HAND_1, form="s.1")
        assert len(record.batches) == count
        assert await desk.act(OPENING, form="s.2") == Done()


async def test_the_same_form_twice_is_done_once() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        both = await asyncio.gather(desk.act(OPENING, form="s.1"), desk.act(OPENING, form="s.1"))
        assert list(both) == [Done(already=False), Done(already=True)]
        assert await desk.act(OPENING, form="s.1") == Done(already=True)
        assert [b.cause for b in record.batches if b.cause.source == "form/s"] == [
            Cause("form/s", 1)
        ]


async def test_the_same_poll_reply_twice_is_one_chip() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        await desk.submit((chip(3),), SLOT_3, 1)
        assert await desk.submit((chip(3),), SLOT_3, 1) == Done(already=True)
        assert desk.state.hand is not None
        assert [bet.box for bet in desk.state.hand.bets] == [3]
        assert desk.state.pools.jackpot_microcents == 1_000_050_000_000


async def test_a_refusal_inside_a_group_leaves_the_others_alone() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        results = await asyncio.gather(
            desk.act(f.NoAwardsDeclared(by="C1", hand=0), form="s.2"),
            desk.act(HAND_1, form="t.1"),
            return_exceptions=True,
        )
        assert isinstance(results[0], Refused)
        assert results[1] == Done()


async def test_an_unknown_commit_that_landed_is_found_in_the_reopened_ledger() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        record.lands = True
        record.failures = [CommitUnknown("disk I/O error")]
        await desk.act(HAND_1, form="s.2")
        assert record.reopened == 1
        assert desk.state.hand_number == 1
        assert desk.status.ready
        assert sum(b.cause == Cause("form/s", 2) for b in record.batches) == 1


async def test_an_unknown_commit_that_did_not_land_is_decided_again() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        record.failures = [CommitUnknown("disk I/O error")]
        assert await desk.act(HAND_1, form="s.2") == Done(already=False)
        assert record.reopened == 1
        assert desk.state.hand_number == 1


async def test_amounts_are_not_shown_while_a_commit_is_unknown() -> None:
    record = FakeRecord()
    seen: list[bool] = []
    async with running_desk(record) as desk:
        await opened(desk)
        desk.on_change(lambda: seen.append(desk.status.ready))
        record.failures = [CommitUnknown("disk I/O error")]
        await desk.act(HAND_1, form="s.2")
    assert seen[:2] == [False, True]


async def test_three_unknown_commits_in_a_row_halt_the_table() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        record.failures = [CommitUnknown("disk I/O error")] * 3
        with pytest.raises(Refused, match="table_halted"):
            await desk.act(HAND_1, form="s.2")
        assert "disk I/O error" in desk.status.halted
        assert not desk.status.ready
        assert accepting(desk) == ()


async def test_a_ledger_that_cannot_be_opened_again_halts_the_table() -> None:
    class Broken(FakeRecord):
        async def reopen(self) -> None:
            raise Refused(reason="chain_broken", expected="a", found="b", to_do="c")

    record = Broken()
    async with running_desk(record) as desk:
        await opened(desk)
        record.failures = [CommitUnknown("disk I/O error")]
        with pytest.raises(Refused, match="table_halted"):
            await desk.act(HAND_1, form="s.2")
        assert "chain_broken" in desk.status.halted


async def test_a_broken_invariant_halts_the_table_and_keeps_what_came_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)

        def broken(
            state: TableState, facts: Sequence[Fact]
        ) -> tuple[tuple[Event, ...], TableState]:
            if any(isinstance(fact, f.SlotEventsLost) for fact in facts):
                raise InvariantBroken("2 + 2 = 4")
            return play(state, facts)

        monkeypatch.setattr(table_desk, "play", broken)
        record.gate = asyncio.Event()
        waiting = [desk.submit((f.SlotUp(box=1),), "slots")]
        await settle()
        waiting += [
            desk.submit((f.SlotUp(box=2),), "slots"),
            desk.submit((f.SlotEventsLost(box=3, lost=1),), SLOT_3, 1),
            desk.submit((f.SlotUp(box=4),), "slots"),
        ]
        await settle()
        record.gate.set()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert results[:2] == [Done(), Done()]
        assert all(isinstance(result, Refused) for result in results[2:])
        assert desk.status.halted == "2 + 2 = 4"
        with pytest.raises(Refused, match="table_halted"):
            await desk.act(HAND_1, form="s.2")
        assert record.batches[-1].events == (f.SlotUp(box=2),)


async def test_a_full_disk_takes_no_bets_and_loses_no_chip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_desk, "FULL_RETRY_S", 0.01)
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        assert accepting(desk) == (1, 2, 3, 4, 5, 6, 7)
        record.failures = [full()] * 3
        first = desk.submit((chip(3),), SLOT_3, 1)
        await settle()
        assert desk.disk_is_full
        assert accepting(desk) == ()
        second = desk.submit((chip(5),), "slot/5/1005/0", 1)
        with pytest.raises(Refused, match="ledger_full"):
            await desk.act(f.LockPressed(by="C1", hand=1), form="s.3")
        await asyncio.wait_for(asyncio.gather(first, second), 5)
        assert not desk.disk_is_full
        assert accepting(desk) == (1, 2, 4, 6, 7)
        assert desk.state.hand is not None
        assert [bet.box for bet in desk.state.hand.bets] == [3, 5]
    told = [event.kind for batch in record.batches for event in batch.events]
    assert told.count("alarm_raised") == 1, "the full disk is told once there is room"
    assert told.count("alarm_cleared") == 1


async def test_a_stop_on_a_full_disk_ends_all_the_same() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        record.failures = [full()] * 100
        waiting = desk.submit((chip(3),), SLOT_3, 1)
        await settle()
    with pytest.raises(Refused, match="ledger_full"):
        await waiting


async def test_a_checkpoint_is_signed_at_an_award_at_closing_and_when_asked() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000), form="s.2")
        assert record.signed == [3]
        assert desk.last_checkpoint == "note of batch 3"
        assert await desk.checkpoint() == "note of batch 3"
        assert record.signed == [3, 3]


async def test_too_many_reports_halt_instead_of_growing() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        record.gate = asyncio.Event()
        for count in range(MAX_WAITING + 2):
            desk.submit((chip(3),), SLOT_3, count + 1)
        assert "wait for the disk" in desk.status.halted


async def test_changed_wakes_at_once_and_gives_up_after_its_time() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        version = desk.version
        waiter = asyncio.create_task(desk.changed(version, 5.0))
        await settle()
        assert not waiter.done()
        await started(desk)
        assert await waiter
        assert not await desk.changed(desk.version, 0.0)


async def test_history_tells_the_newest_first() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        newest, *_ = lines = desk.history(3)
        assert [line.kind for line in lines] == ["jackpot_started", "day_opened", "slot_up"]
        assert newest.seq == record.last_seq
        assert (lines[1].by, lines[1].cents) == ("C1", 1_000_000)


async def test_after_stop_nothing_is_taken() -> None:
    record = FakeRecord()
    desk = TableDesk(record, FakeClock())
    task = asyncio.create_task(desk.run())
    await started(desk)
    desk.stop()
    await task
    with pytest.raises(Refused, match="controller_stopping"):
        await desk.act(OPENING, form="s.1")


async def test_the_controller_s_own_numbers_go_on_after_a_start() -> None:
    record = FakeRecord()
    record.numbers[CONTROLLER] = 41
    async with running_desk(record) as desk:
        await started(desk)
    assert record.batches[0].cause == Cause(CONTROLLER, 42)


@pytest.mark.parametrize("form", ["", "1", ".1", "s.", "s.x", "s.-1", "a b.1", "s#1.2", "é.1"])
def test_a_form_of_another_shape_is_refused(form: str) -> None:
    with pytest.raises(Refused, match="bad_form"):
        form_cause(form)


async def test_a_follower_that_fails_halts_the_table_and_is_not_called_again() -> None:
    record = FakeRecord()
    calls: list[int] = []

    def follower() -> None:
        calls.append(1)
        raise KeyError("box 8")

    async with running_desk(record) as desk:
        desk.on_change(follower)
        await started(desk)
        assert "KeyError" in desk.status.halted
    assert len(calls) == 1
