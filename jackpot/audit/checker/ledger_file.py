"""The file: opened read-only with apsw, its tables and triggers, its rows in large pieces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

import apsw

from jackpot.audit.checker.chain import Header
from jackpot.audit.checker.dealing import Events
from jackpot.audit.checker.findings import Findings, Untidy
from jackpot.audit.checker.judge import EventRow
from jackpot.audit.checker.schema import check_names
from jackpot.errors import Refused

if TYPE_CHECKING:
    from jackpot.audit.checker.columns.piece import Columns

APPLICATION_ID = 0x4A504C31
"""``JPL1`` in the header of the file."""

MACHINE = "table"
"""What ``about`` calls the keeper of a table's ledger."""

MIGRATIONS = [(1, "first")]
"""The migrations that this checker knows, as the ledger notes them."""

PIECE_ROWS = 8_192
"""About a megabyte of rows at a time: large enough to be quick, small enough for any machine."""

RESERVED_AT = 20
"""The byte of the file that says how many bytes at the end of each page are not SQLite's."""

BATCH_COLUMNS = ("batch", "at_ns", "hand", "rules", "cause", "first_seq", "events", "hash")
EVENT_COLUMNS = ("seq", "batch", "kind", "box", "cents", "microcents", "info")
CHECKPOINT_COLUMNS = ("batch", "at_ns", "note")

_TABLES: dict[str, tuple[str, ...]] = {
    "batch": BATCH_COLUMNS,
    "event": EVENT_COLUMNS,
    "checkpoint": CHECKPOINT_COLUMNS,
    "migration": ("version", "name"),
    "about": ("key", "value"),
    "latest": ("what", "key", "value"),
    "state": ("batch", "body"),
}

MAX_INTEGRITY_LINES = 20
"""What SQLite tells of a damaged file; the first lines are enough to see where."""


class Unreadable(Refused):
    """No ledger can be read there: exit status 2, and not a word about its contents."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(
            reason="unreadable",
            expected=f"a ledger at {path}",
            found=found,
            to_do="check the path; keep a damaged file as it is and verify the last snapshot",
        )


class LedgerFile:
    """One ledger, seen as it was at one moment however long the reading takes."""

    def __init__(self, path: Path) -> None:
        """Raises ``Unreadable``."""
        self.path = path.resolve()  # beside a link to a ledger there is no write-ahead log
        if not path.is_file():
            raise Unreadable(path, "no such file")
        try:
            self._db = _open(self.path)
            self._db.execute("BEGIN")
            strange = self._strange()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise Unreadable(path, str(error)) from error
        if strange:
            self.close()
            raise Unreadable(path, strange)

    def _strange(self) -> str:
        """Why this is no ledger of a table; empty if it is one."""
        if self._value("PRAGMA application_id") != APPLICATION_ID:
            return "an SQLite file that is no ledger"
        names = {str(row[0]) for row in self._db.execute("SELECT name FROM sqlite_schema")}
        if missing := _TABLES.keys() - names:
            return f"a ledger without {', '.join(sorted(missing))}"
        machine = self._value("SELECT value FROM about WHERE key = 'machine'")
        return "" if machine == MACHINE else f"a ledger of {machine!r}, and this checks tables"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Give the file back."""
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._db.close()

    def _value(self, sql: str) -> Any:
        return next(iter(self._db.execute(sql)), (None,))[0]

    def count(self, table: str) -> int:
        """Rows of a table."""
        return int(self._value(f"SELECT count(*) FROM {table}"))  # noqa: S608  # our own names

    def check_schema(self, findings: Findings) -> None:
        """Tables, views and triggers are those of a ledger, word for word, and no others."""
        findings.at(None)
        migrations = self._all("migration", findings)
        if migrations != MIGRATIONS:
            findings.wrong("schema", "other migrations were applied", MIGRATIONS, migrations)
        for table, expected in _TABLES.items():
            found = [row[1] for row in self._db.execute(f"PRAGMA table_info({table})")]
            if found != list(expected):
                findings.wrong("schema", f"the columns of {table}", list(expected), found)
        own = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex_%'"
        check_names(self._db.execute(own), findings)

    def check_integrity(self, findings: Findings) -> None:
        """SQLite itself finds the pages, keys and types whole."""
        findings.at(None)
        try:
            rows = list(self._db.execute(f"PRAGMA integrity_check({MAX_INTEGRITY_LINES})"))
        except apsw.Error as error:
            rows = [(str(error),)]
        for (line,) in rows:
            if line != "ok":
                findings.wrong("integrity", "SQLite finds damage", "ok", line)

    def about(self, findings: Findings) -> dict[str, str]:
        """What the ledger says of itself."""
        return {str(key): str(value) for key, value in self._all("about", findings)}

    def latest(self, findings: Findings) -> dict[tuple[str, str], Any]:
        """The derived values, by what they are and key."""
        rows = self._all("latest", findings)
        return {(str(what), str(key)): value for what, key, value in rows}

    def states(self, findings: Findings) -> dict[int, Any]:
        """The stored states by batch."""
        return dict(self._all("state", findings))

    def checkpoints(self, findings: Findings) -> list[tuple[int, int, Any]]:
        """Batch, time, note."""
        return self._all("checkpoint", findings)

    def _all(self, table: str, findings: Findings) -> list[Any]:
        """Every row of a small table in the order of its key."""
        return self._rows(table, "ORDER BY 1", (), findings)

    def _rows(
        self, table: str, rest: str, bindings: tuple[int, ...], findings: Findings
    ) -> list[Any]:
        """Rows with texts as they are, or, where one is no UTF-8, with what can be read of it."""
        columns = _TABLES[table]
        sql = f"SELECT {{}} FROM {table} {rest}"  # noqa: S608  # our own names
        try:
            return self._db.execute(sql.format(", ".join(columns)), bindings).fetchall()
        except UnicodeDecodeError:
            as_bytes = (
                f"CASE typeof({c}) WHEN 'text' THEN CAST({c} AS BLOB) ELSE {c} END" for c in columns
            )
            slow = self._db.execute(sql.format(", ".join(as_bytes)), bindings).fetchall()
            return [_decoded(table, row, findings) for row in slow]

    def batches(self, findings: Findings) -> Iterator[tuple[Header, str, list[EventRow]]]:
        """Every batch in order: hashed columns, stored hash, the rows of its events."""
        events = Events(self._pieces("event", findings), findings, PIECE_ROWS)
        for piece in self._pieces("batch", findings):
            for row in piece:
                header = row[:7]
                yield header, row[7], events.of(header[0], header[5], header[6])
        events.rest()

    def some_batches(self, first: int, last: int) -> list[tuple[Header, str, list[EventRow]]]:
        """The batches ``first`` to ``last``, which are numbered without a gap, as their events are.

        Raises what SQLite raises.
        """
        between = "BETWEEN ? AND ? ORDER BY 1"
        headers: list[Any] = self._db.execute(
            f"{_select('batch')} {between}", (first, last)
        ).fetchall()
        span = (headers[0][5], headers[-1][5] + headers[-1][6] - 1)
        rows: list[Any] = self._db.execute(f"{_select('event')} {between}", span).fetchall()
        return [
            (row[:7], row[7], rows[row[5] - span[0] : row[5] + row[6] - span[0]]) for row in headers
        ]

    def columns(self) -> Columns:
        """The two large tables as columns, read from the file past SQLite.

        Raises ``Untidy`` where the file alone does not have it all (what a table has written last
        stands in the write-ahead log), or is of another making.
        """
        from jackpot.audit.checker.columns.pages import PAGE_BYTES
        from jackpot.audit.checker.columns.piece import Columns

        wal = self.path.with_name(self.path.name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise Untidy("rows that are still in the write-ahead log")
        if (self._value("PRAGMA page_size"), self._value("PRAGMA encoding")) != (
            PAGE_BYTES,
            "UTF-8",
        ) or self._read(RESERVED_AT, 1) != b"\0":
            raise Untidy("pages of another making")
        sql = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?"
        roots = [next(self._db.execute(sql, (name,)))[0] for name in ("batch", "event")]
        return Columns(self._read, *roots)

    def _read(self, offset: int, count: int) -> bytes:
        """Bytes of the file itself."""
        whole, found = self._db.read("main", 0, offset, count)
        if not whole:
            raise Untidy("a file that ends before its last page")
        return found

    def last_batch(self) -> int:
        """The number of the last batch; 0 if there is none."""
        return int(self._value("SELECT max(batch) FROM batch") or 0)

    def last_seq(self) -> int:
        """The number of the last event; 0 if there is none, and if there are any before the first."""
        return int(self._value("SELECT iif(min(seq) = 1, max(seq), 0) FROM event") or 0)

    def of_kinds(self, *kinds: str) -> Iterator[tuple[str, int | None, str | None, str]]:
        """Kind, micro-cents, info and its batch's hash of each event of these kinds, in order."""
        wanted = ", ".join("?" * len(kinds))
        yield from self._db.execute(
            "SELECT kind, microcents, info, hash FROM event JOIN batch USING (batch) "  # noqa: S608
            f"WHERE kind IN ({wanted}) ORDER BY seq",
            kinds,
        )

    def _pieces(self, table: str, findings: Findings) -> Iterator[list[Any]]:
        """The rows of a table by key, a piece at a time."""
        rest = f"WHERE {_TABLES[table][0]} > ? ORDER BY 1 LIMIT {PIECE_ROWS}"
        key = -(2**63)
        while rows := self._rows(table, rest, (key,), findings):
            yield rows
            key = rows[-1][0]


def _select(table: str) -> str:
    """Rows of a table by key."""
    columns = _TABLES[table]
    return f"SELECT {', '.join(columns)} FROM {table} WHERE {columns[0]}"  # noqa: S608  # our names


def _open(path: Path) -> apsw.Connection:
    """Read-only; where the place takes no shared-memory file either, as a file nobody changes."""
    uri = f"file:{quote(str(path))}?mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    database = apsw.Connection(uri, flags=flags)
    try:
        database.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.CantOpenError:
        database.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        database = apsw.Connection(uri + "&immutable=1", flags=flags)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")
    return database


def _decoded(table: str, row: tuple[Any, ...], findings: Findings) -> tuple[Any, ...]:
    """A row whose texts came as bytes."""
    values = []
    for value in row:
        if isinstance(value, bytes):
            text = value.decode(errors="replace")
            if text.encode() != value:
                findings.at(*_place(table, row))
                findings.wrong("readability", "a text is no UTF-8", "text", text)
            values.append(text)
        else:
            values.append(value)
    return tuple(values)


def _place(table: str, row: tuple[Any, ...]) -> tuple[int | None, int | None]:
    if table == "event":
        return row[1], row[0]
    return (row[0] if table in ("batch", "checkpoint", "state") else None), None
