"""An older copy of the ledger put in its place is noticed, and never opened as if nothing were lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon_process import installed
from typer.testing import CliRunner

from jackpot.cli import build_app
from jackpot.config import Config
from jackpot.daemon.running import Surroundings, running_table
from jackpot.ledger.errors import LedgerRefused
from jackpot.ledger.keys import load_key
from jackpot.ledger.note import Signer
from jackpot.ledger.snapshot import take_snapshot
from jackpot.ledger.table_ledger import TABLE


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
    await one_run(config, tmp_path)
