"""Backups are whole ledgers, checked before they count, and restoring was really tried."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from ledger_counter import AT_NS, KEY, MACHINE, ORIGIN, Counter, fill, new_ledger, reopened

from jackpot.ledger.errors import LedgerAltered, LedgerBusy, LedgerRefused, LedgerUnreadable
from jackpot.ledger.note import Signer
from jackpot.ledger.read import Reader
from jackpot.ledger.snapshot import restore, take_snapshot, verify_file
from jackpot.ledger.witness import keep_witness

VERIFIER = Signer(ORIGIN, KEY).verifier


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of four batches with two checkpoints."""
    path = tmp_path / "table.ledger"
    with new_ledger(path) as ledger:
        ledger.append([fill(1), fill(2)])
        ledger.sign_checkpoint(AT_NS)
        ledger.append([fill(3), fill(4)])
    return path


def test_a_snapshot_taken_while_the_table_plays_on_is_a_whole_ledger(
    path: Path, tmp_path: Path
) -> None:
    snapshot = tmp_path / "snapshot.ledger"
    with reopened(path) as ledger:
        ledger.append([fill(5)])
        head = take_snapshot(path, snapshot, MACHINE, VERIFIER)
        assert head == ledger.head
        ledger.append([fill(6)])
    assert sorted(file.name for file in tmp_path.glob("snapshot*")) == ["snapshot.ledger"]
    with Reader(snapshot, MACHINE.events) as reader:
        assert reader.head() == head
        assert len(list(reader.checked())) == 5
    assert verify_file(snapshot, MACHINE, VERIFIER).state == Counter(125_000_000, 10)


def test_a_snapshot_restores_and_the_table_goes_on_from_it(path: Path, tmp_path: Path) -> None:
    snapshot, new_box = tmp_path / "snapshot.ledger", tmp_path / "new" / "table.ledger"
    new_box.parent.mkdir()
    take_snapshot(path, snapshot, MACHINE, VERIFIER)
    assert restore(snapshot, new_box, MACHINE, VERIFIER).batch == 4
    with reopened(new_box) as ledger:
        assert ledger.last_number("slot:3:1001:0") == 4
        ledger.append([fill(5)])
        assert ledger.state == Counter(pool_microcents=125_000_000, events=10)
    assert verify_file(snapshot, MACHINE, VERIFIER).head.batch == 4


def test_a_snapshot_never_overwrites(path: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "snapshot.ledger"
    snapshot.write_text("yesterday's")
    with pytest.raises(LedgerRefused, match="ledger_exists"):
        take_snapshot(path, snapshot, MACHINE, VERIFIER)
    assert snapshot.read_text() == "yesterday's"


def alter(path: Path, trigger: str, statement: str) -> None:
    """The trigger is no hindrance to whoever has the file, and is back afterwards."""
    connection = sqlite3.connect(path)
    (sql,) = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE name = ?", (trigger,)
    ).fetchone()
    connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(statement)
    connection.execute(sql)
    connection.commit()
    connection.close()


def alter_the_second_event(path: Path) -> None:
    """Before the last checkpoint, where only a thorough look finds it."""
    alter(path, "event_no_update", "UPDATE event SET microcents = 1 WHERE seq = 2")


def test_a_snapshot_of_an_altered_ledger_does_not_come_into_being(
    path: Path, tmp_path: Path
) -> None:
    alter_the_second_event(path)
    with pytest.raises(LedgerAltered, match="chain_broken"):
        take_snapshot(path, tmp_path / "snapshot.ledger", MACHINE, VERIFIER)
    assert list(tmp_path.glob("snapshot*")) == []


def test_an_altered_snapshot_is_not_restored(path: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "snapshot.ledger"
    take_snapshot(path, snapshot, MACHINE, VERIFIER)
    alter_the_second_event(snapshot)
    before = path.read_bytes()
    with pytest.raises(LedgerAltered, match="chain_broken"):
        restore(snapshot, path, MACHINE, VERIFIER, replace=True)
    assert path.read_bytes() == before


def test_a_missing_snapshot_is_not_restored(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnreadable, match="no_ledger"):
        restore(tmp_path / "none", tmp_path / "table.ledger", MACHINE, VERIFIER)


def test_restoring_over_a_ledger_must_be_asked_for_and_keeps_the_old_one(
    path: Path, tmp_path: Path
) -> None:
    snapshot = tmp_path / "snapshot.ledger"
    take_snapshot(path, snapshot, MACHINE, VERIFIER)
    with reopened(path) as ledger:
        ledger.append([fill(5)])
    with pytest.raises(LedgerRefused, match=r"ledger_exists.*give --replace"):
        restore(snapshot, path, MACHINE, VERIFIER)
    restore(snapshot, path, MACHINE, VERIFIER, replace=True)
    with reopened(path) as ledger:
        assert ledger.head.batch == 4
    with reopened(path.with_name("table.ledger.replaced")) as replaced:
        assert replaced.head.batch == 5
    with pytest.raises(LedgerRefused, match="replaced_exists"):
        restore(snapshot, path, MACHINE, VERIFIER, replace=True)
    assert not path.with_name("table.ledger.new").exists()


def test_ledger_and_copies_are_their_owner_s_alone_whatever_the_umask(tmp_path: Path) -> None:
    path, snapshot = tmp_path / "table.ledger", tmp_path / "snapshot.ledger"
    before = os.umask(0)
    try:
        new_ledger(path).close()
        take_snapshot(path, snapshot, MACHINE, VERIFIER)
        restore(snapshot, path, MACHINE, VERIFIER, replace=True)
        keep_witness(tmp_path / "last-checkpoint.note", "a note")
    finally:
        os.umask(before)
    for file in (path, snapshot, tmp_path / "last-checkpoint.note"):
        assert file.stat().st_mode & 0o777 == 0o600, file


def test_a_snapshot_into_no_folder_is_refused_with_its_own_path(path: Path, tmp_path: Path) -> None:
    with pytest.raises(LedgerRefused) as refused:
        take_snapshot(path, tmp_path / "stick" / "monday", MACHINE, VERIFIER)
    assert refused.value.reason == "snapshot_not_writable"
    assert refused.value.expected == f"to write monday into the folder {tmp_path / 'stick'}"
    assert refused.value.found == "No such file or directory"


def test_the_old_ledger_keeps_the_log_that_belongs_to_it(path: Path, tmp_path: Path) -> None:
    """After a crash the log holds commits; applied to the restored file they would destroy it."""
    snapshot, old = tmp_path / "snapshot.ledger", tmp_path / "crashed" / "table.ledger"
    take_snapshot(path, snapshot, MACHINE, VERIFIER)
    old.parent.mkdir()
    with reopened(path) as ledger:
        ledger.append([fill(5)])
        for file in tmp_path.glob("table.ledger*"):  # as if the power had failed
            (old.parent / file.name).write_bytes(file.read_bytes())
    restore(snapshot, old, MACHINE, VERIFIER, replace=True)
    assert not old.with_name("table.ledger-wal").exists()
    with reopened(old) as ledger:
        assert ledger.head.batch == 4
    with reopened(old.with_name("table.ledger.replaced")) as replaced:
        assert replaced.head.batch == 5


def test_nothing_is_restored_under_a_running_controller(path: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "snapshot.ledger"
    take_snapshot(path, snapshot, MACHINE, VERIFIER)
    with reopened(path), pytest.raises(LedgerBusy):
        restore(snapshot, path, MACHINE, VERIFIER, replace=True)


def test_verify_looks_at_every_checkpoint(path: Path) -> None:
    change = "UPDATE checkpoint SET note = replace(note, 'seq 0', 'seq 1') WHERE batch = 0"
    alter(path, "checkpoint_no_update", change)
    reopened(path).close()
    with pytest.raises(LedgerAltered, match="note_unsigned"):
        verify_file(path, MACHINE, VERIFIER)
