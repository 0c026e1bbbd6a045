"""A carrusel's log as a file: opened read-only with apsw, its entries in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import apsw

APPLICATION_ID = 0x4A504331
"""``JPC1`` in the header of the file."""

_COLUMNS = "position, previous, author, at_ns, body, hash, signature"


class Sealed(NamedTuple):
    """One entry as stored. ``body`` is JSON; hash and signature cover the rest."""

    position: int
    previous: str
    author: str
    at_ns: int
    body: str
    hash: str
    signature: str


def is_carrusel_log(path: Path) -> bool:
    """Whether ``path`` is the file of a carrusel's log."""
    try:
        database = _open(path)
    except apsw.Error:
        return False
    try:
        return bool(_first(database, "PRAGMA application_id") == APPLICATION_ID)
    except apsw.Error:
        return False
    finally:
        database.close()


def carrusel_and_entries(path: Path) -> tuple[str, list[Sealed]]:
    """The carrusel's name and every entry. Raises ``apsw.Error`` for a damaged file."""
    database = _open(path)
    try:
        name = _first(database, "SELECT value FROM about WHERE key = 'carrusel'")
        return str(name), list(_entries(database))
    finally:
        database.close()


def _entries(database: apsw.Connection) -> Iterator[Sealed]:
    for row in database.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY position"):  # noqa: S608
        yield Sealed(*row)


def _open(path: Path) -> apsw.Connection:
    uri = f"file:{quote(str(path.resolve()))}?mode=ro"
    return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _first(database: apsw.Connection, sql: str) -> Any:
    return next(iter(database.execute(sql)), (None,))[0]
