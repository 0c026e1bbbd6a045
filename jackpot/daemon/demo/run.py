"""One demonstration from beginning to end: the one door for the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

from jackpot.daemon.demo.game import Say, Script
from jackpot.daemon.demo.headless import play_headless
from jackpot.daemon.demo.house import demo_house
from jackpot.daemon.demo.show import show
from jackpot.law.terms import BetMode


def run_floor(
    folder: Path, port: int, script: Script, say: Say, tables: int, mode: BetMode
) -> Path:
    """Several linked tables with screens, until a signal. Returns the folder of them all.

    Raises ``JackpotError`` for whatever keeps them from running.
    """
    from jackpot.daemon.demo.floor import show_floor

    asyncio.run(show_floor(folder, port, script, say, tables, mode))
    return folder


def run_demonstration(
    folder: Path, port: int, script: Script, say: Say, mode: BetMode = BetMode.AUTOMATIC
) -> Path:
    """Play ``script`` in ``folder``: with screens until a signal, or its hands without any.

    Returns where the ledger is.
    Raises ``JackpotError`` for whatever keeps it from running.
    """
    config = demo_house(folder, port, mode)
    if script.hands is None:
        asyncio.run(show(config, folder, script, say))
    else:
        asyncio.run(play_headless(config, folder, script, say))
    return config.ledger.file
