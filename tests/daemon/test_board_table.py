"""The slot board behind the daemon: the same keeper, bus and table as with any other mechanism."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from daemon_process import TEXT, Console, installed, recorded
from desk_fakes import HAND_1, FakeRecord, opened, running_desk
from structlog.testing import capture_logs

from firmware_sim.process import BOARD_MODULE, AsyncMechanism
from jackpot.audit.checker.verify import verify
from jackpot.board import BoardHost, BoardSetup
from jackpot.config import Config
from jackpot.daemon.bus import SlotBus
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.daemon.slot_keeper import SlotKeeper, resume_records
from jackpot.daemon.table_desk import TableDesk
from jackpot.table import facts as f
from jackpot.table.state import Phase

F = TypeVar("F")

SOON_S = 20.0
BOXES = (1, 2, 3, 4, 5, 6, 7)
BOARD_TEXT = TEXT.replace('port = "line"', 'port = "line"\nmechanism = "board"')
OPENING = f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=1_000_000)


async def until(desk: TableDesk, holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON_S):
        while not holds():
            await desk.changed(desk.version, 1)


def bets(desk: TableDesk) -> list[int]:
    hand = desk.state.hand
    return sorted(bet.box for bet in hand.bets) if hand is not None else []


async def test_CAN_8_b2_a_hand_through_keeper_bus_and_firmware(tmp_path: Path) -> None:
    record = FakeRecord()
    async with (
        AsyncMechanism(tmp_path / "line", module=BOARD_MODULE) as board,
        running_desk(record) as desk,
    ):
        await opened(desk)
        keeper = SlotKeeper(desk, BOXES)
        host = BoardHost(BoardSetup(BOXES), resume_records(desk.state), time.monotonic_ns())
        bus = SlotBus(
            str(board.link), 115_200, host, keeper.on_events, lock_directory=tmp_path / "locks"
        )
        bus.start()
        keeper.attach(bus)
        await desk.act(HAND_1, form="s.2")
        for box in (2, 5):
            assert (await board.command(f"await {box}"))["open"]
            assert (await board.chip(box))["accepted"]
        await until(desk, lambda: bets(desk) == [2, 5])
        await desk.act(f.LockPressed(by="C1", hand=1), form="s.3")
        await until(desk, lambda: desk.state.phase is Phase.LOCKED)
        assert desk.state.hand is not None
        assert desk.state.hand.unknown_boxes == ()
        assert (await board.command("state"))["open"] == []
        assert not (await board.chip(2))["accepted"]
        keeper.detach()
        bus.close()


def around(tmp_path: Path) -> Surroundings:
    return Surroundings(lock_directory=tmp_path / "locks", screens=False)


async def slots_work(table: RunningTable) -> None:
    await until(table.desk, lambda: all(slot.up for slot in table.desk.state.slots))


async def chips(board: AsyncMechanism, *boxes: int) -> None:
    for box in boxes:
        assert (await board.command(f"await {box}"))["open"]
        assert (await board.chip(box))["accepted"]


def of(config: Config, kind: type[F]) -> list[F]:
    return [e for batch in recorded(config) for e in batch.events if isinstance(e, kind)]


async def test_a_whole_table_with_a_board_restarts_and_counts_each_chip_once(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path, BOARD_TEXT)
    async with AsyncMechanism(tmp_path / "line", module=BOARD_MODULE) as board:
        async with running_table(config, around(tmp_path)) as table:
            desk = table.desk
            await slots_work(table)
            await desk.act(OPENING, form="t.1")
            await desk.act(f.HandStarted(by="c1", hand=1), form="t.2")
            await chips(board, 1, 4, 7)
            await until(desk, lambda: bets(desk) == [1, 4, 7])
            await chips(board, 2)  # and the controller stops before it can have heard of it
        async with running_table(config, around(tmp_path)) as table:
            desk = table.desk
            await until(desk, lambda: bets(desk) == [1, 2, 4, 7])
            await slots_work(table)
            assert serials(desk) == {900_000}
            await desk.act(f.LockPressed(by="c1", hand=1), form="t.3")
            await until(desk, lambda: desk.state.phase is Phase.LOCKED)
            await desk.act(f.NoAwardsDeclared(by="c1", hand=1), form="t.4")
            await desk.act(f.HandStarted(by="c1", hand=2), form="t.5")
            await chips(board, 3)
            await until(desk, lambda: bets(desk) == [3])
            await board.command("reset")
            await until(desk, lambda: len(desk.state.items) == 7)
            await chips(board, 6)
            await until(desk, lambda: bets(desk) == [3, 6])
            assert desk.state.pools.jackpot_microcents == 1_000_000_000_000 + 6 * 50_000_000
    assert [chip.box for chip in of(config, f.ChipSeen)] == [1, 4, 7, 2, 3, 6]
    assert len(of(config, f.SlotRestarted)) == 7
    assert of(config, f.SlotEventsLost) == []
    assert verified(config)


def serials(desk: TableDesk) -> set[int | None]:
    return {slot.serial for slot in desk.state.slots}


def verified(config: Config) -> bool:
    """What the independent checker says."""
    return verify(config.ledger.file).exit_status == 0


async def test_an_adapter_that_comes_back_is_found_again(tmp_path: Path) -> None:
    config = installed(tmp_path, BOARD_TEXT)
    async with (
        AsyncMechanism(tmp_path / "line", module=BOARD_MODULE) as board,
        running_table(config, around(tmp_path)) as table,
    ):
        await slots_work(table)
        await board.command("unplug")
        await until(table.desk, lambda: "slot_line" in table.desk.state.alarms)
        await board.command("plug")
        await until(table.desk, lambda: "slot_line" not in table.desk.state.alarms)
        await slots_work(table)


async def test_CAN_7_1_the_boards_key_locks_for_the_croupier_at_the_console_and_for_nobody_else(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path, BOARD_TEXT)
    surroundings = Surroundings(lock_directory=tmp_path / "locks")
    async with (
        AsyncMechanism(tmp_path / "line", module=BOARD_MODULE) as board,
        running_table(config, surroundings) as table,
    ):
        desk = table.desk
        await slots_work(table)
        console = await asyncio.to_thread(Console, table.url)
        await asyncio.to_thread(console.open_day)
        await asyncio.to_thread(console.press, "start", hand=1)
        await chips(board, 4)
        await until(desk, lambda: bets(desk) == [4])
        await asyncio.to_thread(console.client.post, "/logout")
        with capture_logs() as logs:
            await board.command("lock")
            await said(logs, "the lock button was refused")
        assert phase(desk) is Phase.BETTING
        again = await asyncio.to_thread(Console, table.url)
        await board.command("lock")
        await until(desk, lambda: phase(desk) is Phase.LOCKED)
        again.close()
        console.close()
    pressed = of(config, f.LockPressed)
    assert [(act.by, act.hand) for act in pressed] == [("c1", 1)]


def phase(desk: TableDesk) -> Phase:
    return desk.state.phase


async def said(logs: Sequence[Mapping[str, object]], what: str) -> None:
    """Wait until the log holds this."""
    async with asyncio.timeout(SOON_S):
        while what not in [line["event"] for line in logs]:
            await asyncio.sleep(0.01)
