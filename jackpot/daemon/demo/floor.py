"""Several tables of a demonstration, linked in a carrusel: one process, one page with all visors.

Coordinator, broker and log are the real ones, in their smallest tier: everything in one box.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from jackpot.authority.roles import Role
from jackpot.config import BrokerConfig, CarruselConfig, Config, MqttVersion, ScreensConfig
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.demo.croupier import OFFICERS
from jackpot.daemon.demo.floor_page import FloorPage
from jackpot.daemon.demo.game import Game, Say, Script
from jackpot.daemon.demo.house import LINK_NAME, PINS, demo_house
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.demo.rigs import RIGS
from jackpot.daemon.demo.show import AS_ON_THE_WIRE, staff, until_signal
from jackpot.daemon.install import NewOfficer
from jackpot.daemon.link.founding import found
from jackpot.daemon.link.process import coordinator_with_pages
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.daemon.screen_server import ScreenServer
from jackpot.law.terms import BetMode
from jackpot.law.words import Language

CARRUSEL = "sala-1"
LOCAL = "127.0.0.1"

FIRST_AWARD, AWARDS_APART = 4, 9
"""Without rigs an award comes once in eight hundred hands: nobody would see one decided. So table 2
has four aces early, the next tables one each a little later."""

SESSION_S = 1_800
COORDINATOR_PORT = 9
"""The coordinator's page, so many ports above the first."""


async def show_floor(
    folder: Path, port: int, script: Script, say: Say, tables: int, mode: BetMode
) -> None:
    """Run until SIGINT or SIGTERM, then stop in good order. Raises what keeps it from running."""
    stop = until_signal()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    broker = BrokerConfig(LOCAL, _free_port(), MqttVersion.V311)
    async with AsyncExitStack() as stack:
        server = ScreenServer(_screens(port))
        stack.push_async_callback(server.stop)
        coordinator = await _coordinator(folder, broker, _above(port, COORDINATOR_PORT))
        running, task, url = await stack.enter_async_context(coordinator_with_pages(coordinator))
        playing = [task]
        floor = []
        for number in range(1, tables + 1):
            config = demo_house(
                folder / f"table-{number}",
                _above(port, number),
                mode,
                str(number),
                CarruselConfig(CARRUSEL, broker),
            )
            table = await _sit_down(stack, config, _script_of(script, number), say, playing)
            floor.append(table)
        page = FloorPage(running, floor)
        await server.start(page.app(), before_stop=page.stop)
        for line in _welcome(server.url, url, floor):
            say(line)
        await _until_over(stop, playing)
        say("stopping")


async def _coordinator(folder: Path, broker: BrokerConfig, port: int) -> CoordinatorConfig:
    config = CoordinatorConfig(
        carrusel=CARRUSEL,
        name="c1",
        others={},
        folder=folder / "coordinator",
        broker=broker,
        embedded=True,
        nats=None,
        screens=_screens(port),
    )
    if not config.log_file.exists():
        directors = (Role.GAMES_DIRECTOR, Role.TABLE_CHIEF)
        officers = [
            NewOfficer(name, roles, PINS[name])
            for name, roles in OFFICERS.items()
            if set(roles) & set(directors)
        ]
        await found(config, officers, new_log=True)
    return config


async def _sit_down(
    stack: AsyncExitStack,
    config: Config,
    script: Script,
    say: Say,
    playing: list[asyncio.Task[None]],
) -> RunningTable:
    """One table with its players, mechanism and croupier; ended in the stack's order."""
    folder = config.ledger.folder.parent
    mechanism = None
    if config.slots is not None:
        mechanism = await stack.enter_async_context(Mechanism(folder / LINK_NAME, AS_ON_THE_WIRE))
    locks = folder / "locks"
    locks.mkdir(exist_ok=True)
    table = await stack.enter_async_context(
        running_table(config, Surroundings(lock_directory=locks))
    )
    number = config.table.number
    game = Game(table.desk, mechanism, script, lambda line: say(f"table {number}, {line}"))
    task = asyncio.create_task(game.play(), name=f"table {number}")
    playing.append(task)
    stack.push_async_callback(_ended, task)
    return table


def _script_of(script: Script, number: int) -> Script:
    """Each table has cards of its own, and its turn to win; rigs of the command go to table 1."""
    rigs = dict(script.rigs) if number == 1 else {}
    if number > 1:
        rigs[FIRST_AWARD + AWARDS_APART * (number - 2)] = RIGS["quads"]
    return replace(script, seed=script.seed + number - 1, rigs=rigs, carrusel=CARRUSEL)


async def _until_over(stop: asyncio.Event, playing: list[asyncio.Task[None]]) -> None:
    """A signal, or whatever a table or the coordinator broke down with."""
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({stopping, *playing}, return_when=asyncio.FIRST_COMPLETED)
        for task in playing:
            if task.done():
                task.result()
    finally:
        stopping.cancel()


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _welcome(url: str, coordinator: str, floor: list[RunningTable]) -> list[str]:
    return [
        f"floor        {url}",
        f"coordinator  {coordinator}",
        f"prize        {coordinator}visor",
        *(f"table {t.config.table.number}      {t.url}  console {t.url}console" for t in floor),
        *staff(),
        "The croupiers are programs until somebody acts at a console. Ctrl-C ends the demonstration.",
    ]


def _screens(port: int) -> ScreensConfig:
    return ScreensConfig(LOCAL, port, Language.ES, "Atlantic/Canary", SESSION_S, None, None)


def _above(port: int, by: int) -> int:
    """0 stays 0: any free port."""
    return port + by if port else 0


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind((LOCAL, 0))
        port: int = taken.getsockname()[1]
        return port
