"""Manual mode in the daemon (CAN-8.b1): no slots, and a total that becomes final by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

from daemon_process import TEXT, installed, recorded
from desk_fakes import OPENING, FakeRecord, phase_of, running_desk
from msgspec.structs import replace
from support.table import CANARIAS, OFFICERS

from jackpot.daemon.requests import CONTROLLER
from jackpot.daemon.running import Surroundings, running_table
from jackpot.daemon.table_desk import TableDesk
from jackpot.daemon.total_timer import TotalTimer
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table.state import Phase

MANUAL_TEXT = TEXT.replace('[slots]\nport = "line"\n', "").replace(
    "[jackpot]", '[jackpot]\nmode = "manual"'
)


async def _hand_without_awards(desk: TableDesk) -> None:
    """A manual table whose first hand awaits its total; forms s.1 to s.3 are spent."""
    terms = replace(CANARIAS, mode=BetMode.MANUAL)
    await desk.submit(
        (
            f.ConfigurationLoaded(config_text="", profile_text="", terms=terms),
            f.OfficersListed(officers=OFFICERS),
        ),
        CONTROLLER,
    )
    await desk.act(OPENING, form="s.1")
    await desk.act(f.HandStarted(by="C1", hand=1), form="s.2")
    await desk.act(f.NoAwardsDeclared(by="C1", hand=1), form="s.3")


def _five() -> f.TotalEntered:
    return f.TotalEntered(by="C1", hand=1, chips=5, cents=1_000)


async def _until(desk: TableDesk, phase: Phase) -> None:
    while phase_of(desk) is not phase:
        assert await desk.changed(desk.version, 5), "nothing happens"


async def test_CAN_8_b1_a_total_is_final_when_the_time_to_undo_is_over() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        timer = TotalTimer(desk, 0.01)
        await _hand_without_awards(desk)
        await desk.act(_five(), form="s.4")
        await _until(desk, Phase.BETWEEN_HANDS)
        timer.stop()
        # the seed of 10,000.00 and 25 % of 10.00
        assert desk.state.pools.jackpot_microcents == 1_000_250_000_000


async def test_CAN_8_b1_a_total_that_was_taken_back_never_becomes_final() -> None:
    async with running_desk(FakeRecord()) as desk:
        timer = TotalTimer(desk, 3_600)
        await _hand_without_awards(desk)
        await desk.act(_five(), form="s.4")
        await desk.act(f.TotalWithdrawn(by="C1", hand=1), form="s.5")
        late = f.TotalTimeUp(hand=1, entry=1)
        await desk.submit((late,), "totals")
        timer.stop()
        assert phase_of(desk) is Phase.TOTAL
        assert desk.state.pools.jackpot_microcents == 1_000_000_000_000


async def test_CAN_8_b1_a_total_entered_before_a_restart_gets_its_time_again() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await _hand_without_awards(desk)
        await desk.act(_five(), form="s.4")
    async with running_desk(record) as desk:
        assert phase_of(desk) is Phase.TOTAL
        timer = TotalTimer(desk, 0.01)
        await _until(desk, Phase.BETWEEN_HANDS)
        timer.stop()


async def test_CAN_8_b1_a_manual_table_runs_without_slots(tmp_path: Path) -> None:
    config = installed(tmp_path, MANUAL_TEXT)
    assert config.slots is None
    assert config.table.undo_s == 5
    around = Surroundings(lock_directory=tmp_path / "locks", screens=False)
    async with running_table(config, around) as table:
        desk = table.desk
        await desk.act(_opening(), form="s.1")
        await desk.act(f.HandStarted(by="c1", hand=1), form="s.2")
        await desk.act(f.NoAwardsDeclared(by="c1", hand=1), form="s.3")
        await desk.act(f.TotalEntered(by="c1", hand=1, chips=7, cents=1_400), form="s.4")
        await desk.act(f.TotalFinal(by="c1", hand=1, chips=7), form="s.5")
        assert phase_of(desk) is Phase.BETWEEN_HANDS
        # 10,000.00 and 25 % of 14.00
        assert desk.state.pools.jackpot_microcents == 1_000_350_000_000
        assert table.keeper is None
    kinds = [event.kind for batch in recorded(config) for event in batch.events]
    assert "total_accepted" in kinds
    assert "slot_identified" not in kinds


def _opening() -> f.DayOpened:
    return f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=1_000_000)


async def test_a_timer_that_was_stopped_stays_silent() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        timer = TotalTimer(desk, 0)
        timer.stop()
        await _hand_without_awards(desk)
        await desk.act(_five(), form="s.4")
        for _ in range(20):
            await asyncio.sleep(0)
        assert phase_of(desk) is Phase.TOTAL
