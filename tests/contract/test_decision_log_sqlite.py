"""The log in one SQLite file keeps the contract, and is as durable and unchangeable as a ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from decision_log_contract import DecisionLogContract, Log, entry

from jackpot.daemon.link.sqlite_log import SqliteLog
from jackpot.ledger.decision_log import DecisionFile, read_log
from jackpot.ledger.errors import (
    CommitUnknown,
    LedgerAltered,
    LedgerBusy,
    LedgerFull,
    LedgerRefused,
    LedgerUnreadable,
)
from jackpot.ledger.files import wal_of


class TestSqliteLog(DecisionLogContract):
    @pytest.fixture
    async def log(self, tmp_path: Path) -> AsyncIterator[Log]:
        DecisionFile.create(tmp_path / "sala.log", "sala").close()
        log = await SqliteLog.open(tmp_path / "sala.log", "sala")
        yield log
        await log.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sala.log"
    DecisionFile.create(path, "sala").close()
    return path


def test_it_is_there_when_it_is_opened_again(path: Path) -> None:
    with DecisionFile(path, "sala") as log:
        assert log.append([entry(1), entry(2)], after=0)
    with DecisionFile(path, "sala") as log:
        assert log.head == (2, "hash 2")
        assert log.append([entry(3)], after=2)
    assert read_log(path, "sala", 0, 10) == [entry(1), entry(2), entry(3)]


def test_an_entry_that_does_not_name_the_last_hash_is_refused(path: Path) -> None:
    with DecisionFile(path, "sala") as log:
        assert log.append([entry(1)], after=0)
        forked = entry(2)
        forked = type(forked)(
            **{f: getattr(forked, f) for f in forked.__struct_fields__} | {"previous": "another"}
        )
        with pytest.raises(LedgerAltered, match="log_not_continued"):
            log.append([forked], after=1)
        assert log.append([entry(2)], after=1)


def test_two_coordinators_cannot_have_one_file(path: Path) -> None:
    with DecisionFile(path, "sala"), pytest.raises(LedgerBusy):
        DecisionFile(path, "sala")


def test_the_log_of_another_carrusel_is_refused(path: Path) -> None:
    with pytest.raises(LedgerUnreadable, match="the log of sala"):
        DecisionFile(path, "otra")


def test_a_missing_log_is_never_made_by_opening(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnreadable, match="no such file"):
        DecisionFile(tmp_path / "sala.log", "sala")
    assert not (tmp_path / "sala.log").exists()


def test_a_log_is_never_made_over_another(path: Path) -> None:
    with pytest.raises(LedgerRefused, match="ledger_exists"):
        DecisionFile.create(path, "sala")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = '{}' WHERE position = 1",
        "DELETE FROM entry",
        "INSERT OR REPLACE INTO entry VALUES (1, '', 'c1', 0, '', 'hash 1', '')",
        "INSERT INTO entry VALUES (9, 'hash 1', 'c1', 0, '', '', '')",
        "UPDATE about SET value = 'otra'",
    ],
)
def test_nothing_in_it_can_be_changed(path: Path, statement: str) -> None:
    with DecisionFile(path, "sala") as log:
        log.append([entry(1)], after=0)
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()
    assert read_log(path, "sala", 0, 10) == [entry(1)]


def test_a_check_writes_to_the_disk(path: Path) -> None:
    with DecisionFile(path, "sala") as log:
        log.append([entry(1)], after=0)
        before = wal_of(path).stat().st_size
        log.check()
        assert wal_of(path).stat().st_size > before


class BadDisk:
    """A connection whose disk fails at one statement, with SQLite's own code (sqlite.org/rescode.html)."""

    def __init__(self, connection: sqlite3.Connection, at: str, code: int) -> None:
        self._connection = connection
        self.at, self.code = at, code

    def _fail(self, statement: str) -> None:
        if self.at and statement.startswith(self.at):
            error = sqlite3.OperationalError("the disk")
            error.sqlite_errorcode = self.code
            raise error

    def execute(self, statement: str, *rest: Any) -> sqlite3.Cursor:
        self._fail(statement)
        return self._connection.execute(statement, *rest)

    def executemany(self, statement: str, *rest: Any) -> sqlite3.Cursor:
        self._fail(statement)
        return self._connection.executemany(statement, *rest)

    def close(self) -> None:
        self._connection.close()

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction


FULL, IOERR = 13, 10


@pytest.mark.parametrize(
    ("at", "code", "expected"),
    [
        ("INSERT", FULL, LedgerFull),
        ("COMMIT", FULL, LedgerFull),
        ("INSERT", IOERR, LedgerUnreadable),
        ("COMMIT", IOERR, CommitUnknown),
        ("PRAGMA", IOERR, CommitUnknown),
    ],
)
def test_a_failing_disk_is_named_for_what_it_is(
    path: Path, at: str, code: int, expected: type[Exception]
) -> None:
    """A broken disk is not a full one: «make room» would send people the wrong way. And what is
    unknown is never taken for nothing."""
    first, second = entry(1), entry(2)
    with DecisionFile(path, "sala") as log:
        assert log.append([first], 0)
        disk = BadDisk(log._connection, at, code)
        log._connection = cast(sqlite3.Connection, disk)
        fails = log.check if at == "PRAGMA" else partial(log.append, [second], 1)
        with pytest.raises(expected):
            fails()
        disk.at = ""
        if expected is CommitUnknown:
            with pytest.raises(CommitUnknown):
                log.read(0, 10)
        else:
            assert log.read(0, 10) == [first]
            assert log.append([second], 1)
