"""A person and the automatic croupier at one table: who is quicker acts, and nothing counts twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from played_ledger import meter_microcents, of_kind, payments, play

from jackpot.console.desk import Done
from jackpot.daemon.demo.game import Game, Script
from jackpot.daemon.demo.headless import QUICK
from jackpot.daemon.demo.house import LINK_NAME, demo_house
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.demo.rigs import parse_rigs
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct
from jackpot.table.state import Phase

RIGS = "sf+quads@2,void@3,second@4,royals@6"
TIMEOUT_S = 30


@asynccontextmanager
async def table_in(folder: Path) -> AsyncIterator[tuple[RunningTable, Mechanism]]:
    config = demo_house(folder, port=0)
    mechanism = Mechanism(folder / LINK_NAME, QUICK)
    around = Surroundings(lock_directory=folder, screens=False)
    async with mechanism, running_table(config, around) as table:
        yield table, mechanism


class PressedTwice:
    """A desk at which a person presses every key at the same moment as the automatic croupier."""

    def __init__(self, desk: TableDesk) -> None:
        self._desk = desk
        self._presses = 0
        self.granted = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._desk, name)

    async def act(self, act: OfficerAct, *, form: str) -> Done:
        self._presses += 1
        first, second = await asyncio.gather(
            self._desk.act(act, form=f"person.{self._presses}"),
            self._desk.act(act, form=form),
            return_exceptions=True,
        )
        assert isinstance(first, Done)
        self.granted += 1
        if isinstance(second, BaseException):
            raise second
        return second


async def test_two_who_press_every_key_at_once_play_the_very_same_hands(tmp_path: Path) -> None:
    await asyncio.to_thread(play, tmp_path / "alone", 8, RIGS)
    async with table_in(tmp_path / "twice") as (table, mechanism):
        desk = PressedTwice(table.desk)
        script = Script(seed=1, rigs=parse_rigs(RIGS), hands=8, speed=0)
        game = Game(cast(TableDesk, desk), mechanism, script, lambda _line: None)
        await asyncio.wait_for(game.play(), TIMEOUT_S)
    alone, twice = tmp_path / "alone", tmp_path / "twice"
    assert payments(twice) == payments(alone) != []
    assert meter_microcents(twice) == meter_microcents(alone)
    for kind in ("hand_started", "award_paid", "hand_voided", "bet_accepted", "day_closed"):
        assert sorted(of_kind(twice, kind), key=str) == sorted(of_kind(alone, kind), key=str)
    assert desk.granted > 40


async def test_it_steps_back_for_a_person_and_comes_back_after_the_quiet_time(
    tmp_path: Path,
) -> None:
    async with table_in(tmp_path / "table") as (table, mechanism):
        desk = table.desk
        script = Script(seed=1, rigs={}, hands=3, speed=0, quiet_s=0.3)
        game = asyncio.create_task(Game(desk, mechanism, script, lambda _line: None).play())
        await take_over_while_betting(desk)
        number = desk.state.hand_number
        void = f.HandVoided(by="croupier-2", second="jefe-2", hand=number, why="a person's reason")
        await desk.act(void, form="person.1")
        assert not desk.status.automatic_croupier
        assert desk.state.hand_number == number
        await until(desk, lambda: desk.status.automatic_croupier)
        await asyncio.wait_for(game, TIMEOUT_S)
    folder = tmp_path / "table"
    assert [hand for hand, *_ in of_kind(folder, "hand_started")] == [1, 2, 3]
    assert [hand for hand, *_ in of_kind(folder, "hand_voided")] == [number]


async def test_while_a_person_deals_the_players_go_on_and_the_program_presses_nothing(
    tmp_path: Path,
) -> None:
    async with table_in(tmp_path / "table") as (table, mechanism):
        desk = table.desk
        script = Script(seed=1, rigs={}, speed=0)
        game = asyncio.create_task(Game(desk, mechanism, script, lambda _line: None).play())
        desk.take_over()
        await until(desk, lambda: all(slot.up for slot in desk.state.slots))
        person = Person(desk)
        await person.act(
            f.DayOpened(
                by="croupier-2", second="jefe-2", day="2026-11-30", displayed_cents=1_000_000
            )
        )
        await person.act(f.HandStarted(by="croupier-2", hand=1))
        await until(desk, lambda: len(desk.state.hand.bets if desk.state.hand else ()) >= 4)
        await person.act(f.LockPressed(by="croupier-2", hand=1))
        await until(desk, lambda: desk.state.phase is Phase.LOCKED)
        await person.act(f.NoAwardsDeclared(by="croupier-2", hand=1))
        stale = f.LockPressed(by="croupier-1", hand=1)
        with pytest.raises(Refused, match="wrong_phase"):
            await desk.act(stale, form="late.1")
        game.cancel()
    signers = {line.by for line in table.desk.history(500) if line.by}
    assert signers == {"croupier-2"}


async def take_over_while_betting(desk: TableDesk) -> None:
    """Step in at the very change that opens the betting, before anybody else can act on it."""
    taken = asyncio.Event()

    def look() -> None:
        if desk.state.phase is Phase.BETTING and not taken.is_set():
            taken.set()
            desk.take_over()

    desk.on_change(look)
    await asyncio.wait_for(taken.wait(), TIMEOUT_S)


class Person:
    """Somebody at a console, with numbered forms."""

    def __init__(self, desk: TableDesk) -> None:
        self._desk = desk
        self._forms = 0

    async def act(self, act: OfficerAct) -> None:
        self._forms += 1
        await self._desk.act(act, form=f"person.{self._forms}")


async def until(desk: TableDesk, holds: Callable[[], bool]) -> None:
    """Wait for the desk to change until ``holds()``."""
    async with asyncio.timeout(TIMEOUT_S):
        while not holds():
            await desk.changed(desk.version, TIMEOUT_S)
