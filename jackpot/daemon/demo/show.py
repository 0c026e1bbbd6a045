"""The demonstration with screens: a paced line, players at a human pace, until a signal ends it."""

from __future__ import annotations

import asyncio
import signal
from contextlib import nullcontext
from pathlib import Path

from jackpot.authority.roles import Role
from jackpot.config import Config
from jackpot.daemon.demo.croupier import OFFICERS
from jackpot.daemon.demo.game import Game, Say, Script
from jackpot.daemon.demo.house import LINK_NAME, PINS
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.running import RunningTable, Surroundings, running_table

AS_ON_THE_WIRE = ("--pace", "--echo", "--reply-ms", "2")
"""9600 baud, one wire, acceptors that take two milliseconds to answer."""


async def show(config: Config, folder: Path, script: Script, say: Say) -> None:
    """Run until SIGINT or SIGTERM, then stop in good order. Raises what keeps a table from running."""
    stop = until_signal()
    mechanism = None if config.slots is None else Mechanism(folder / LINK_NAME, AS_ON_THE_WIRE)
    locks = folder / "locks"
    locks.mkdir(exist_ok=True)
    around = Surroundings(lock_directory=locks)
    async with mechanism or nullcontext(), running_table(config, around) as table:
        for line in welcome(table):
            say(line)
        game = asyncio.create_task(Game(table.desk, mechanism, script, say).play())
        ended = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({game, ended}, return_when=asyncio.FIRST_COMPLETED)
            if game.done():
                game.result()
        finally:
            for task in (game, ended):
                task.cancel()
            await asyncio.gather(game, ended, return_exceptions=True)
        say("stopping")


def until_signal() -> asyncio.Event:
    """Set by SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop


def welcome(table: RunningTable) -> list[str]:
    """Where everything is, and who may log in."""
    return [
        f"visor    {table.url}",
        f"console  {table.url}console",
        *staff(),
        "The croupier is a program until somebody acts at the console. Ctrl-C ends the demonstration.",
    ]


def staff() -> list[str]:
    """Who may log in, and with which PIN."""
    return [f"         {_officer(officer, roles)}" for officer, roles in OFFICERS.items()]


def _officer(officer: str, roles: tuple[Role, ...]) -> str:
    names = ", ".join(role.value.replace("_", " ") for role in roles)
    return f"{officer:<12} PIN {PINS[officer]}  {names}"
