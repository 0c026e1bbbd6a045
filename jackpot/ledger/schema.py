"""The tables of a ledger, and the migrations that lead to them.

``migration`` lists what was applied; each migration and its row are one transaction. A ledger
with a migration that this version does not know is from the future and is not opened.

``latest`` holds every derived value (the last number of each source, the meter of each pool) in
one small table without a rowid, because each table that a commit touches costs a page of 4 KiB
in the write-ahead log. The views ``source`` and ``meter`` show it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import lru_cache
from typing import NamedTuple

from jackpot.ledger.database import Database
from jackpot.ledger.errors import LedgerAltered, LedgerUnreadable

APPLICATION_ID = 0x4A504C31
"""``JPL1`` in the file's header: tells a ledger from any other SQLite file."""

PAGE_BYTES = 4096


class Migration(NamedTuple):
    """One step from the version before; never changed once released."""

    version: int
    name: str
    statements: tuple[str, ...]


def _never_changed(table: str) -> tuple[str, ...]:
    return tuple(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for verb in ("UPDATE", "DELETE")
    )


def _only(table: str, key: str, expected: str) -> str:
    """Refuse every other key: no gaps, and no REPLACE, which is an insert over an old key."""
    return (
        f"CREATE TRIGGER {table}_in_order BEFORE INSERT ON {table} "
        f"WHEN NEW.{key} IS NOT ({expected}) "
        f"BEGIN SELECT RAISE(ABORT, '{table} takes only the next {key}'); END"
    )


_TABLES = (
    "CREATE TABLE migration(version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE batch(
    batch INTEGER PRIMARY KEY,
    at_ns INTEGER NOT NULL,
    hand INTEGER,
    rules TEXT NOT NULL,
    cause TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    events INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT""",
    """CREATE TABLE event(
    seq INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,
    kind TEXT NOT NULL,
    box INTEGER,
    cents INTEGER,
    microcents INTEGER,
    info TEXT
) STRICT""",
    "CREATE TABLE checkpoint(batch INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, note TEXT NOT NULL)"
    " STRICT",
    "CREATE TABLE state(batch INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT",
    """CREATE TABLE latest(
    what TEXT NOT NULL CHECK (what IN ('meter', 'source')),
    key TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (what, key)
) STRICT, WITHOUT ROWID""",
    "CREATE VIEW source(source, number) AS SELECT key, value FROM latest WHERE what = 'source'",
    "CREATE VIEW meter(pool, microcents) AS SELECT key, value FROM latest WHERE what = 'meter'",
)

MIGRATIONS = (
    Migration(
        version=1,
        name="first",
        statements=(
            *_TABLES,
            *_never_changed("batch"),
            _only("batch", "batch", "SELECT coalesce(max(batch), 0) + 1 FROM batch"),
            *_never_changed("event"),
            _only("event", "seq", "SELECT coalesce(max(seq), 0) + 1 FROM event"),
            *_never_changed("checkpoint"),
            _only(
                "checkpoint",
                "batch",
                "SELECT CASE WHEN EXISTS (SELECT 1 FROM checkpoint WHERE batch = NEW.batch)"
                " THEN NULL ELSE (SELECT coalesce(max(batch), 0) FROM batch) END",
            ),
            *_never_changed("about"),
            "CREATE TRIGGER about_complete BEFORE INSERT ON about "
            "WHEN EXISTS (SELECT 1 FROM migration) "
            "BEGIN SELECT RAISE(ABORT, 'about is append-only'); END",
        ),
    ),
)
"""Every migration in order."""

VERSION = MIGRATIONS[-1].version


def version_of(connection: sqlite3.Connection) -> int:
    """The schema version of a ledger. Raises ``LedgerUnreadable`` if it is no ledger or too new."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise LedgerUnreadable(
            reason="not_a_ledger",
            expected=f"an SQLite file with application id {APPLICATION_ID:#x}",
            found="another kind of file",
            to_do="check the path of the ledger in the configuration",
        )
    found = int(connection.execute("SELECT coalesce(max(version), 0) FROM migration").fetchone()[0])
    if found > VERSION:
        raise LedgerUnreadable(
            reason="from_the_future",
            expected=f"a schema version up to {VERSION}",
            found=f"version {found}",
            to_do="install the version of the controller that wrote it, or a newer one",
        )
    return found


_EVERYTHING = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex_%'"


def check_schema(connection: sqlite3.Connection, version: int) -> None:
    """The file holds what the migrations up to ``version`` made, word for word, and nothing else.

    A foreign trigger or view could write or show what no event says. Raises ``LedgerAltered``.
    """
    expected, found = _made_by(version), _words(connection)
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise LedgerAltered(
                reason="schema_altered",
                expected=f"{name}: {expected.get(name, 'nothing of this name')}",
                found=found.get(name, "nothing of this name"),
                to_do="keep the file and ask who opened it with another program; restore the "
                "last snapshot",
            )


def _words(connection: sqlite3.Connection) -> dict[str, str]:
    return {name: " ".join(str(sql).split()) for name, sql in connection.execute(_EVERYTHING)}


@lru_cache(maxsize=VERSION + 1)
def _made_by(version: int) -> dict[str, str]:
    """Asked of SQLite itself, in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for migration in MIGRATIONS:
            if migration.version <= version:
                for statement in migration.statements:
                    connection.execute(statement)
        return _words(connection)


def migrate(database: Database, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Bring a ledger to the last version, each step with its record in one transaction."""
    done = version_of(database.conn)
    for migration in migrations:
        if migration.version > done:
            with database.atomic():
                for statement in migration.statements:
                    database.conn.execute(statement)
                record_migration(database.conn, migration)


def record_migration(connection: sqlite3.Connection, migration: Migration) -> None:
    """Note in the ledger that ``migration`` was applied."""
    connection.execute(
        "INSERT INTO migration(version, name) VALUES (?, ?)", (migration.version, migration.name)
    )
