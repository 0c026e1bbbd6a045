"""An older copy of the ledger put in its place is noticed, and never opened as if nothing were lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from daemon_process import SOON_S, installed, recorded
from typer.testing import CliRunner

from firmware_sim.process import AsyncMechanism
from jackpot.cli import build_app
from jackpot.config import Config
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.ledger.errors import LedgerRefused
from jackpot.ledger.keys import load_key
from jackpot.ledger.note import Signer
from jackpot.ledger.snapshot import take_snapshot
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.state import TableState


async def one_run(config: Config, tmp_path: Path) -> None:
    """Start and stop in good order: a few batches, and a checkpoint at the end."""
    async with running_table(
        config, Surroundings(lock_directory=tmp_path / "locks", screens=False)
    ):
        pass


def snapshot_of(config: Config, file: Path) -> Path:
    verifier = Signer(config.origin, load_key(config.ledger.key_file)).verifier
    take_snapshot(config.ledger.file, file, TABLE, verifier)
    return file


async def test_an_older_ledger_in_the_place_of_the_newer_one_is_refused(tmp_path: Path) -> None:
    config = installed(tmp_path)
    await one_run(config, tmp_path)
    older = snapshot_of(config, tmp_path / "older").read_bytes()
    await one_run(config, tmp_path)
    config.ledger.file.write_bytes(older)
    with pytest.raises(LedgerRefused) as refused:
        await one_run(config, tmp_path)
    assert refused.value.reason == "ledger_rolled_back"


async def test_a_snapshot_that_is_behind_is_restored_only_on_purpose(tmp_path: Path) -> None:
    config = installed(tmp_path)
    (tmp_path / "table.toml").write_text(config.text)
    await one_run(config, tmp_path)
    older = snapshot_of(config, tmp_path / "older")
    await one_run(config, tmp_path)
    command = ["restore", str(tmp_path / "table.toml"), str(older), "--replace"]
    app = build_app(["restore"])
    refused = CliRunner().invoke(app, command)
    assert isinstance(refused.exception, LedgerRefused)
    assert refused.exception.reason == "ledger_rolled_back"
    accepted = CliRunner().invoke(app, [*command, "--older"])
    assert accepted.exit_code == 0, accepted.output
    assert config.ledger.witness_file.with_name("last-checkpoint.note.superseded-1").exists()
    assert config.ledger.older_mark.exists()
    await one_run(config, tmp_path)


def test_a_refused_restore_leaves_no_mark(tmp_path: Path) -> None:
    config = installed(tmp_path)
    command = ["restore", str(tmp_path / "table.toml"), str(tmp_path / "none"), "--older"]
    refused = CliRunner().invoke(build_app(["restore"]), command)
    assert isinstance(refused.exception, LedgerRefused)
    assert not config.ledger.older_mark.exists()


OPENING = f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=1_000_000)


async def until(table: RunningTable, reached: Callable[[TableState], bool]) -> None:
    """Wait for the state to be like that, and no longer than a busy machine takes."""
    async with asyncio.timeout(SOON_S):
        while not reached(table.desk.state):
            await table.desk.changed(table.desk.version, SOON_S)


async def test_after_an_older_copy_no_chip_of_what_is_lost_comes_back(tmp_path: Path) -> None:
    """Box 3 took a chip that was played in what is lost: its counter is ahead of the ledger by one.

    Every acceptor begins a new epoch as doubtful, nothing is credited, and the alarm stands until
    the start after that.
    """
    config = installed(tmp_path)
    around = Surroundings(lock_directory=tmp_path / "locks", screens=False)
    async with AsyncMechanism(tmp_path / "line", "--no-pace") as slots:
        async with running_table(config, around) as table:
            await until(table, lambda state: all(slot.up for slot in state.slots))
        older = snapshot_of(config, tmp_path / "older")
        async with running_table(config, around) as table:
            await until(table, lambda state: all(slot.up for slot in state.slots))
            await table.desk.act(OPENING, form="c.1")
            await table.desk.act(f.HandStarted(by="c1", hand=1), form="c.2")
            await slots.command("await 3")
            assert (await slots.chip(3))["accepted"]
            await until(table, lambda state: state.hand is not None and len(state.hand.bets) == 1)
        command = ["restore", str(tmp_path / "table.toml"), str(older), "--replace", "--older"]
        assert CliRunner().invoke(build_app(["restore"]), command).exit_code == 0
        async with running_table(config, around) as table:
            assert "ledger_restored" in table.desk.state.alarms
            await until(table, lambda state: all(slot.epoch == 1 for slot in state.slots))
        assert not config.ledger.older_mark.exists()
        async with running_table(config, around) as table:
            assert table.desk.state.alarms == ()
            assert all(slot.epoch == 1 for slot in table.desk.state.slots)
    told = [event for batch in recorded(config) for event in batch.events]
    assert [event for event in told if isinstance(event, f.ChipSeen)] == []
    doubted = [e for e in told if isinstance(e, f.SlotIdentified) and e.continuity == "doubtful"]
    assert sorted(event.box for event in doubted) == [1, 2, 3, 4, 5, 6, 7]
