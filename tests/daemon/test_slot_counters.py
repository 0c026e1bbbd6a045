"""The acceptors' own counters stand in the ledger before whatever is held against them (CAN-8.7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from daemon_process import TEXT, installed, recorded
from desk_fakes import OPENING, FakeBus, FakeRecord, opened, running_desk, started

from firmware_sim.process import BOARD_MODULE, AsyncMechanism
from jackpot.audit.checker.verify import verify
from jackpot.config import Config
from jackpot.daemon import slot_counters
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.daemon.slot_keeper import SlotKeeper
from jackpot.daemon.table_desk import TableDesk
from jackpot.mechanism import wire_events as w
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase

F = TypeVar("F")
SEVEN = range(1, 8)
DAY = "2026-11-30"


def told(accepts: int, *boxes: int) -> w.CountersRead:
    """These boxes say that they have accepted so many coins, of so many and two that went in."""
    return w.CountersRead(tuple(w.Counters(box, accepts + 2, accepts) for box in boxes))


def keeper_of(desk: TableDesk) -> tuple[SlotKeeper, FakeBus]:
    bus = FakeBus()
    keeper = SlotKeeper(desk, SEVEN)
    keeper.attach(bus)
    bus.take()
    return keeper, bus


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def kinds(record: FakeRecord) -> list[str]:
    return [event.kind for batch in record.batches for event in batch.events]


async def test_an_opening_waits_until_the_counters_stand_before_it() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        keeper, bus = keeper_of(desk)
        opening = asyncio.create_task(desk.act(OPENING, form="s.1"))
        await settle()
        assert bus.take() == [("read_counters", *SEVEN)]
        assert "day_opened" not in kinds(record)
        keeper.on_events([told(40, *SEVEN)])
        await opening
        at = kinds(record).index("day_opened")
        assert kinds(record)[at - 7 : at] == ["slot_counters_read"] * 7
        assert {drop.accepted for drop in desk.state.drops} == {0}


@pytest.mark.parametrize(
    "act",
    [
        f.DropCounted(by="C1", second="J1", day=DAY, chips=0),
        f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000),
    ],
)
async def test_so_do_a_counted_drop_and_the_closing_of_the_day(
    act: f.DropCounted | f.DayClosed,
) -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, _ = keeper_of(desk)
        doing = asyncio.create_task(desk.act(act, form="s.2"))
        await settle()
        keeper.on_events([told(7, 3)])
        await doing
        at = kinds(record).index(act.kind)
        assert kinds(record)[at - 1] == "slot_counters_read"


async def test_no_other_act_waits() -> None:
    async with running_desk(FakeRecord()) as desk:
        await opened(desk)
        _, bus = keeper_of(desk)
        await desk.act(f.HandStarted(by="C1", hand=1), form="s.2")
        assert not [asked for asked in bus.take() if asked[0] == "read_counters"]


async def test_a_wire_that_does_not_answer_holds_the_opening_up_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slot_counters, "ANSWER_S", 0.01)
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        keeper_of(desk)
        await desk.act(OPENING, form="s.1")
        assert desk.state.phase is Phase.BETWEEN_HANDS
        assert "slot_counters_read" not in kinds(record)


async def test_whoever_waits_goes_on_when_the_bus_goes() -> None:
    async with running_desk(FakeRecord()) as desk:
        await started(desk)
        keeper, _ = keeper_of(desk)
        opening = asyncio.create_task(desk.act(OPENING, form="s.1"))
        await settle()
        keeper.detach()
        await opening


def fault(code: int, count: int) -> w.Polled:
    return w.Polled(3, 0, count, (w.Fault(3, 0, count, code),), ())


@pytest.mark.parametrize(
    ("event", "is_read"),
    [
        (fault(20, 1), True),  # coin on string
        (fault(14, 1), True),  # credit sensor blocked
        (fault(1, 1), False),  # a rejected coin
        (w.Polled(3, 0, 7, (w.Lost(3, 0, 7, 7),), ()), True),
        (w.Restarted(3, 1), True),
    ],
)
async def test_after_a_fault_the_counters_of_its_box_are_read(
    monkeypatch: pytest.MonkeyPatch, event: w.WireEvent, *, is_read: bool
) -> None:
    monkeypatch.setattr(slot_counters, "AFTER_FAULT_S", 0.0)
    async with running_desk(FakeRecord()) as desk:
        await opened(desk)
        keeper, bus = keeper_of(desk)
        keeper.on_events([event])
        await asyncio.sleep(0.01)
        assert (("read_counters", 3) in bus.take()) is is_read


async def test_after_a_time_out_of_service_they_are_read_and_a_swarm_costs_one_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slot_counters, "AFTER_FAULT_S", 0.0)
    async with running_desk(FakeRecord()) as desk:
        await opened(desk)
        keeper, bus = keeper_of(desk)
        for _ in range(3):
            keeper.on_events(
                [w.Down(5, w.Diagnosis.NO_REPLY), w.Up(5), w.Down(2, w.Diagnosis.BUSY)]
            )
        keeper.on_events([w.Up(2)])
        await asyncio.sleep(0.01)
        readings = [asked for asked in bus.take() if asked[0] == "read_counters"]
        assert readings == [("read_counters", 2, 5)]


async def test_counters_that_have_not_moved_since_are_no_news_after_a_fault() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await opened(desk)
        keeper, _ = keeper_of(desk)
        for accepts in (40, 40, 41):
            keeper.on_events([told(accepts, 3)])
            await settle()
        assert kinds(record).count("slot_counters_read") == 2


# ---- end to end ----------------------------------------------------------------------------------------


async def until(desk: TableDesk, holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await desk.changed(desk.version, 1)


async def play_a_hand(table: RunningTable, sim: AsyncMechanism, *boxes: int) -> None:
    """c1 and j1 open the day, these boxes bet, and nobody wins."""
    desk = table.desk
    await until(desk, lambda: all(slot.up for slot in desk.state.slots))
    opening = f.DayOpened(by="c1", second="j1", day=DAY, displayed_cents=1_000_000)
    await desk.act(opening, form="t.1")
    await desk.act(f.HandStarted(by="c1", hand=1), form="t.2")
    for box in boxes:
        assert (await sim.command(f"await {box}"))["open"]
        assert (await sim.chip(box))["accepted"]
    await until(
        desk, lambda: desk.state.hand is not None and len(desk.state.hand.bets) == len(boxes)
    )
    await desk.act(f.LockPressed(by="c1", hand=1), form="t.3")
    await until(desk, lambda: desk.state.phase is Phase.LOCKED)
    await desk.act(f.NoAwardsDeclared(by="c1", hand=1), form="t.4")


def of(config: Config, kind: type[F]) -> list[F]:
    return [e for batch in recorded(config) for e in batch.events if isinstance(e, kind)]


async def test_CAN_8_7_the_drop_is_held_against_what_the_acceptors_themselves_counted(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path, TEXT)
    around = Surroundings(lock_directory=tmp_path / "locks", screens=False)
    async with (
        AsyncMechanism(tmp_path / "line", "--no-pace") as sim,
        running_table(config, around) as table,
    ):
        await sim.command("events 3 5")  # five coins of another day, all handed back
        await play_a_hand(table, sim, 3, 5)
        await table.desk.act(counted(2), form="t.5")
        closing = f.DayClosed(by="c1", second="j1", displayed_cents=1_000_100)
        await table.desk.act(closing, form="t.6")
        await table.desk.act(counted(1, box=3), form="t.7")
    whole, third = of(config, o.DropCompared)
    assert whole == o.DropCompared(counted=2, detected=2, accepted=2)
    assert third == o.DropCompared(counted=1, detected=1, accepted=1, box=3)
    assert of(config, o.ItemOpened) == []
    read = [(one.box, one.insertions, one.accepts) for one in of(config, f.SlotCountersRead)]
    assert read[:3] == [(1, 0, 0), (2, 0, 0), (3, 5, 0)]
    assert read[7:10] == [(1, 0, 0), (2, 0, 0), (3, 6, 1)]
    assert verify(config.ledger.file).exit_status == 0


async def test_CAN_8_7_a_chip_that_the_line_never_told_of_shows_in_the_acceptors_counter(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path, TEXT)
    around = Surroundings(lock_directory=tmp_path / "locks", screens=False)
    async with (
        AsyncMechanism(tmp_path / "line", "--no-pace") as sim,
        running_table(config, around) as table,
    ):
        desk = table.desk
        await until(desk, lambda: all(slot.up for slot in desk.state.slots))
        opening = f.DayOpened(by="c1", second="j1", day=DAY, displayed_cents=1_000_000)
        await desk.act(opening, form="t.1")
        await desk.act(f.HandStarted(by="c1", hand=1), form="t.2")
        assert (await sim.command("await 4"))["open"]
        assert (await sim.command("events 4 9"))["accepted"] == 9  # five can be told
        await until(desk, lambda: bool(desk.state.items))
        await desk.act(f.LockPressed(by="c1", hand=1), form="t.3")
        await until(desk, lambda: desk.state.phase is Phase.LOCKED)
        await desk.act(f.HandVoided(by="c1", second="j1", hand=1, why="Exposed card"), form="t.4")
        await desk.act(counted(9, box=4), form="t.5")
    (compared,) = of(config, o.DropCompared)
    assert (compared.detected, compared.accepted) == (5, 9)


async def test_a_slot_board_has_no_counters_of_its_own_and_delays_nothing(tmp_path: Path) -> None:
    text = TEXT.replace('port = "line"', 'port = "line"\nmechanism = "board"')
    config = installed(tmp_path, text)
    around = Surroundings(lock_directory=tmp_path / "locks", screens=False)
    async with (
        AsyncMechanism(tmp_path / "line", module=BOARD_MODULE) as sim,
        running_table(config, around) as table,
    ):
        await play_a_hand(table, sim, 2)
        await table.desk.act(counted(1), form="t.5")
    assert of(config, o.DropCompared) == [o.DropCompared(counted=1, detected=1, accepted=None)]
    assert of(config, f.SlotCountersRead) == []


def counted(chips: int, box: int | None = None) -> f.DropCounted:
    return f.DropCounted(by="c1", second="j1", day=DAY, chips=chips, box=box)
