"""The slot keeper: wire events become facts, each once; the table's wishes become inhibits."""

from __future__ import annotations

import asyncio

import pytest
from desk_fakes import HAND_1, FakeBus, FakeRecord, alarms_of, full, opened, running_desk, started

from jackpot.daemon import slot_keeper, table_desk
from jackpot.daemon.slot_keeper import SlotKeeper, resume_records
from jackpot.daemon.table_desk import TableDesk
from jackpot.mechanism import wire_events as w
from jackpot.mechanism.resume import Resume
from jackpot.table import facts as f
from jackpot.table.event import Event, Fact
from jackpot.table.state import Phase

BOXES = range(1, 8)


def keeper_of(desk: TableDesk) -> tuple[SlotKeeper, FakeBus]:
    bus = FakeBus()
    keeper = SlotKeeper(desk, BOXES)
    keeper.attach(bus)
    return keeper, bus


def identity(
    box: int = 3,
    *,
    epoch: int = 0,
    count: int = 0,
    continuity: w.Continuity = w.Continuity.FRESH,
) -> w.Identified:
    return w.Identified(
        box, 1_000 + box, "Test", "Bench", "1.0", 1, ((1, "TK200A"),), epoch, count, (), continuity
    )


def credit(count: int, *, box: int = 3, epoch: int = 0, expected: bool = True) -> w.Credit:
    return w.Credit(box, epoch, count, 1 if expected else 2, 1, expected)


def reply(*events: w.SlotEvent, count: int | None = None, box: int = 3, epoch: int = 0) -> w.Polled:
    return w.Polled(box, epoch, events[-1].count if count is None else count, events, ())


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def newest(record: FakeRecord, kind: type[Event]) -> list[Event]:
    return [e for e in record.batches[-1].events if isinstance(e, kind)]


async def test_one_poll_reply_is_one_batch_and_frees_its_acceptor_after_the_commit() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        keeper, bus = keeper_of(desk)
        record.gate = asyncio.Event()
        bus.take()
        keeper.on_events([reply(credit(1), w.Fault(3, 0, 2, 20))])
        await settle()
        assert bus.take() == [], "told before the commit"
        record.gate.set()
        await settle()
        assert record.batches[-1].cause.text() == "slot/3/1003/0#2"
        assert newest(record, Fact) == [
            f.ChipSeen(box=3, expected=True, a=1, b=1),
            f.SlotEvent(box=3, a=0, b=20, name="Coin on string", fraud=True),
        ]
        assert bus.take() == [("accept", 3, False), ("committed", 3, 0, 2)]
        assert desk.state.slots[2].count == 2


async def test_slots_open_for_the_betting_close_with_their_bet_and_at_the_lock() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, bus = keeper_of(desk)
        assert bus.take() == [], "between hands every slot is closed"
        await desk.act(HAND_1, form="s.2")
        assert bus.take() == [("accept", box, True) for box in BOXES]
        keeper.on_events([reply(credit(1))])
        await settle()
        assert bus.take() == [("accept", 3, False), ("committed", 3, 0, 1)]
        await desk.act(f.LockPressed(by="C1", hand=1), form="s.3")
        closing = [("accept", box, False) for box in BOXES if box != 3]
        assert bus.take() == [*closing, ("drain",)]
        keeper.on_events([w.Drained(())])
        await settle()
        assert desk.state.phase is Phase.LOCKED
        assert record.batches[-1].cause.text() == "lock#1"


async def test_CAN_7_1_a_chip_drained_before_the_lock_is_reached_is_a_bet() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, _ = keeper_of(desk)
        await desk.act(HAND_1, form="s.2")
        await desk.act(f.LockPressed(by="C1", hand=1), form="s.3")
        keeper.on_events([reply(credit(1)), w.Drained(())])
        await settle()
        assert desk.state.hand is not None
        assert [bet.box for bet in desk.state.hand.bets] == [3]
        assert desk.state.hand.lock_meter_microcents == 1_000_050_000_000


async def test_a_silent_slot_is_unknown_at_the_lock_unless_its_box_is_closed() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, _ = keeper_of(desk)
        await desk.act(f.BoxClosed(by="J1", box=5, why="jam"), form="s.2")
        await desk.act(HAND_1, form="s.3")
        await desk.act(f.LockPressed(by="C1", hand=1), form="s.4")
        keeper.on_events([w.Drained((2, 5))])
        await settle()
        assert desk.state.hand is not None
        assert desk.state.hand.unknown_boxes == (2,)


async def test_after_a_start_in_the_middle_of_the_lock_everybody_is_waited_for() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        await desk.act(f.LockPressed(by="C1", hand=1), form="s.3")
        keeper, bus = keeper_of(desk)
        assert bus.take() == []
        for box in range(1, 7):
            keeper.on_events([identity(box, continuity=w.Continuity.CONTINUED), w.Up(box)])
        assert bus.take() == []
        keeper.on_events([w.Down(7, w.Diagnosis.NO_REPLY)])
        assert bus.take() == [("drain",)]


async def test_after_a_start_in_the_lock_nobody_is_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slot_keeper, "RESUME_WAIT_S", 0.0)
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        await desk.act(f.LockPressed(by="C1", hand=1), form="s.3")
        _, bus = keeper_of(desk)
        await asyncio.sleep(0.01)
        assert bus.take() == [("drain",)]


async def test_lost_events_are_recorded_and_the_count_goes_on() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, _ = keeper_of(desk)
        lost = w.Lost(3, 0, 4, 4)
        keeper.on_events([reply(lost, *(credit(count) for count in range(5, 10)))])
        await settle()
        assert newest(record, f.SlotEventsLost) == [f.SlotEventsLost(box=3, lost=4)]
        assert len(newest(record, f.ChipSeen)) == 5
        assert desk.state.slots[2].count == 9


async def test_an_event_that_shows_two_zeros_still_counts() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, _ = keeper_of(desk)
        keeper.on_events([reply(credit(2), count=3)])
        await settle()
        assert [e.kind for e in newest(record, Fact)] == ["slot_event", "chip_seen", "slot_event"]
        assert desk.state.slots[2].count == 3


async def test_news_told_again_after_a_broken_line_is_one_chip() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        keeper, bus = keeper_of(desk)
        record.gate = asyncio.Event()
        keeper.on_events([reply(credit(1))])
        keeper.on_events([identity(continuity=w.Continuity.CONTINUED)])
        keeper.on_events([reply(credit(1), credit(2))])
        keeper.on_events([reply(credit(1))])
        await settle()
        record.gate.set()
        await settle()
        chips = [e for b in record.batches for e in b.events if isinstance(e, f.ChipSeen)]
        assert len(chips) == 2
        assert desk.state.slots[2].count == 2
        assert [asked for asked in bus.take() if asked[0] == "committed"] == [
            ("committed", 3, 0, 1),
            ("committed", 3, 0, 2),
            ("committed", 3, 0, 1),
        ]


async def test_a_restarted_acceptor_counts_anew_in_its_next_epoch() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        keeper, _ = keeper_of(desk)
        keeper.on_events([reply(credit(1))])
        keeper.on_events([w.Restarted(3, 1), reply(credit(1, epoch=1), epoch=1)])
        await settle()
        assert record.batches[-1].cause.text() == "slot/3/1003/1#1"
        assert (desk.state.slots[2].epoch, desk.state.slots[2].count) == (1, 1)


async def test_service_is_told_when_it_changes_and_only_then() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        keeper, _ = keeper_of(desk)
        count = len(record.batches)
        keeper.on_events([w.Up(3)])
        await settle()
        assert len(record.batches) == count, "it was up before"
        keeper.on_events([w.Down(3, w.Diagnosis.NO_REPLY, "silent")] * 2)
        keeper.on_events([w.Up(3)])
        await settle()
        assert [e for b in record.batches[count:] for e in b.events] == [
            f.SlotDown(box=3, why="no_reply"),
            f.SlotUp(box=3),
        ]


async def test_a_line_fault_is_an_alarm_until_a_slot_answers_again() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        keeper, _ = keeper_of(desk)
        keeper.on_events([w.LineFault(w.Diagnosis.LINE_LOST, "the serial adapter is gone")])
        await settle()
        assert desk.status.line_fault == "line_lost: the serial adapter is gone"
        assert alarms_of(desk) == ("slot_line",)
        keeper.on_events([w.Up(1)])
        await settle()
        assert desk.status.line_fault == ""
        assert alarms_of(desk) == ()


async def test_a_full_disk_closes_every_slot_and_polls_no_acceptor_with_news(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_desk, "FULL_RETRY_S", 0.01)
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, bus = keeper_of(desk)
        await desk.act(HAND_1, form="s.2")
        bus.take()
        record.failures = [full()]
        keeper.on_events([reply(credit(1))])
        await settle()
        assert bus.take() == [("accept", box, False) for box in BOXES]
        while desk.disk_is_full:
            await asyncio.sleep(0.01)
        await settle()
        opening = [("accept", box, True) for box in BOXES if box != 3]
        assert bus.take() == [*opening, ("committed", 3, 0, 1)]


async def test_the_wire_resumes_where_the_ledger_stands() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        assert resume_records(desk.state) == {}
        await opened(desk)
        await desk.act(HAND_1, form="s.2")
        keeper, _ = keeper_of(desk)
        keeper.on_events([reply(credit(1), w.Fault(3, 0, 2, 1))])
        await settle()
        records = resume_records(desk.state)
        assert records[3] == Resume(serial=1_003, epoch=0, count=2, pairs=((0, 1), (1, 1)))
        assert records[1] == Resume(serial=1_001, epoch=0, count=0, pairs=())


async def test_a_stopping_table_closes_its_slots() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        _, bus = keeper_of(desk)
        await desk.act(HAND_1, form="s.2")
        bus.take()
        desk.pause()
        assert bus.take() == [("accept", box, False) for box in BOXES]
