"""Imports go one way, and the outside world comes in by one door."""

from __future__ import annotations

import pytest
from import_rules import MAY_IMPORT, out_of_place, part_of, wall_clock, wrong_direction
from source_tree import expect_none, parsed, sources

PRODUCT = sources("jackpot", "firmware_sim")


def test_every_import_in_the_house_follows_the_table() -> None:
    expect_none(finding for source in PRODUCT for finding in wrong_direction(source))


def test_clocks_chance_wires_and_databases_come_in_only_where_they_may() -> None:
    expect_none(finding for source in PRODUCT for finding in out_of_place(source))


def test_nobody_but_the_daemon_and_the_simulator_reads_the_wall_clock() -> None:
    expect_none(finding for source in PRODUCT for finding in wall_clock(source))


def test_every_part_of_the_house_is_in_the_table() -> None:
    parts = {part_of(source.module) for source in PRODUCT if source.module.startswith("jackpot.")}
    assert parts - set(MAY_IMPORT) == set()


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("jackpot/law/planted.py", "from jackpot.table.state import TableState"),
        ("jackpot/law/planted.py", "from jackpot import ledger"),
        ("jackpot/law/planted.py", "from ..ledger import store"),
        ("jackpot/law/planted.py", "def late():\n    import jackpot.console.app"),
        ("jackpot/cctalk/planted.py", "from jackpot.ledger.store import Ledger"),
        ("jackpot/visor/planted.py", "import jackpot.ledger.read"),
        ("jackpot/console/planted.py", "from jackpot.daemon.run import running_table"),
        ("jackpot/audit/checker/verify.py", "from jackpot.table import facts"),
        ("jackpot/audit/checker/verify.py", "from jackpot.law.awards import decide_awards"),
        ("jackpot/audit/checker/verify.py", "from jackpot.audit.replay import replay"),
        ("jackpot/audit/checker/verify.py", "from ..replay import replay"),
        ("jackpot/ledger/planted.py", "from jackpot.audit import verify"),
        ("jackpot/table/planted.py", "from jackpot.commands.law import register"),
        ("jackpot/attic/planted.py", "from jackpot.money import euros_text"),
        ("jackpot/daemon/planted.py", "from firmware_sim.process import SimulatedMechanism"),
        ("firmware_sim/planted.py", "from jackpot.cctalk.frame import Frame"),
    ],
)
def test_a_planted_import_against_the_table_is_found(path: str, line: str) -> None:
    assert len(wrong_direction(parsed(path, line))) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("jackpot/table/planted.py", "from jackpot.law.terms import Terms"),
        ("jackpot/table/planted.py", "from .state import TableState"),
        ("jackpot/law/__init__.py", "from . import cards"),
        ("jackpot/audit/replay.py", "from jackpot.table.decide import play"),
        ("jackpot/commands/verify.py", "from jackpot.ledger.read import batches"),
        ("jackpot/commands/ledger.py", "from jackpot.daemon.run import running_table"),
        ("firmware_sim/bus.py", "from firmware_sim.frames import Frame"),
    ],
)
def test_an_import_along_the_table_is_no_finding(path: str, line: str) -> None:
    assert wrong_direction(parsed(path, line)) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("jackpot/law/planted.py", "import random"),
        ("jackpot/table/planted.py", "from asyncio import Queue"),
        ("jackpot/console/planted.py", "import threading"),
        ("jackpot/ledger/planted.py", "import time"),
        ("jackpot/cctalk/planted.py", "import serial.tools"),
        ("jackpot/audit/planted.py", "import sqlite3"),
        ("jackpot/daemon/planted.py", "import sqlite3"),
        ("jackpot/ledger/planted.py", "import apsw"),
        ("jackpot/visor/planted.py", "from urllib.request import urlopen"),
        ("firmware_sim/planted.py", "import sqlite3"),
    ],
)
def test_the_outside_world_at_the_wrong_door_is_found(path: str, line: str) -> None:
    assert len(out_of_place(parsed(path, line))) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("jackpot/daemon/planted.py", "import asyncio"),
        ("firmware_sim/planted.py", "import random"),
        ("jackpot/ledger/planted.py", "import sqlite3"),
        ("jackpot/audit/planted.py", "import apsw"),
        ("jackpot/console/planted.py", "from urllib.parse import urlsplit"),
    ],
)
def test_the_outside_world_at_its_own_door_is_no_finding(path: str, line: str) -> None:
    assert out_of_place(parsed(path, line)) == []


@pytest.mark.parametrize(
    "call", ["datetime.now(UTC)", "datetime.datetime.utcnow()", "date.today()"]
)
def test_a_planted_look_at_the_wall_clock_is_found(call: str) -> None:
    assert len(wall_clock(parsed("jackpot/law/planted.py", f"at = {call}"))) == 1
    assert wall_clock(parsed("jackpot/daemon/planted.py", f"at = {call}")) == []
