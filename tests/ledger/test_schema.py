"""Migrations: each one with its record in one transaction."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from ledger_counter import MACHINE, fill, new_ledger, reopened
from sqlite_utils import Database

from jackpot.ledger.errors import LedgerAltered
from jackpot.ledger.read import Reader, head_of
from jackpot.ledger.schema import MIGRATIONS, Migration, migrate

NEXT = Migration(2, "next", ("CREATE TABLE more(one TEXT)", "INSERT INTO more VALUES ('a')"))
FAILING = Migration(2, "failing", ("CREATE TABLE more(one TEXT)", "INSERT INTO nowhere VALUES (1)"))


def database(path: Path) -> Database:
    return Database(sqlite3.connect(path, isolation_level=None))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.ledger"
    with new_ledger(path) as ledger:
        ledger.append([fill(1)])
    return path


def test_a_migration_is_applied_once_and_leaves_its_record(path: Path) -> None:
    db = database(path)
    migrate(db, (*MIGRATIONS, NEXT))
    assert db.conn.execute("SELECT * FROM migration").fetchall() == [(1, "first"), (2, "next")]
    assert db.conn.execute("SELECT * FROM more").fetchall() == [("a",)]
    db.close()


def test_a_failing_migration_leaves_nothing(path: Path) -> None:
    db = database(path)
    with pytest.raises(sqlite3.OperationalError):
        migrate(db, (*MIGRATIONS, FAILING))
    assert db.conn.execute("SELECT * FROM migration").fetchall() == [(1, "first")]
    assert db.conn.execute("SELECT * FROM sqlite_master WHERE name = 'more'").fetchall() == []
    db.close()
    reopened(path).close()


def test_a_migration_does_not_touch_the_chain(path: Path) -> None:
    with Reader(path, MACHINE.events) as reader:
        before = reader.head()
    db = database(path)
    migrate(db, (*MIGRATIONS, NEXT))
    assert head_of(db.conn) == before
    db.close()


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE more(one TEXT)",
        "CREATE INDEX quick ON event(kind)",
        "CREATE TRIGGER sly AFTER INSERT ON batch BEGIN DELETE FROM state; END",
        "CREATE VIEW more AS SELECT 1",
        "DROP VIEW meter",
        "DROP TRIGGER event_no_update",
        "DROP VIEW meter; CREATE VIEW meter(pool, microcents) AS SELECT 'jackpot', 7",
    ],
)
def test_a_ledger_with_anything_more_less_or_other_in_it_is_refused(
    change: str, path: Path
) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(change)
    connection.close()
    with pytest.raises(LedgerAltered, match="schema_altered"):
        reopened(path)


def test_a_commit_of_one_batch_writes_three_pages(tmp_path: Path) -> None:
    """Batch, event and latest; every further page would cost 4 KiB of log a commit."""
    path = tmp_path / "table.ledger"
    log = tmp_path / "table.ledger-wal"
    with new_ledger(path) as ledger:
        ledger.append([fill(1)])
        before = log.stat().st_size
        ledger.append([fill(2)])
        assert log.stat().st_size - before == 3 * (24 + 4096)


def test_auditors_numbers_come_from_plain_sql(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute(
        "SELECT sum(microcents) FROM event WHERE kind = 'filled'"
    ).fetchone() == (25_000_000,)
    plan = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall()
    assert plan == []
    connection.close()
