"""Every bit of every stored value of a small ledger, turned one at a time, and the checker asked.

    PYTHONPATH=.:tests python tests/audit/flip_every_bit.py [--jobs N] [--every N]

turns all 177,000 of them, which takes half an hour of a processor; ``--every 11`` every eleventh, and
so each bit of a byte in turn. The tests turn a sample of every column. A turned bit must be
found, and its place be named.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from jackpot.audit.checker import Report, verify

COLUMNS = {
    "about": ("key", "value"),
    "migration": ("version", "name"),
    "batch": ("batch", "at_ns", "hand", "rules", "cause", "first_seq", "events", "hash"),
    "event": ("seq", "batch", "kind", "box", "cents", "microcents", "info"),
    "checkpoint": ("batch", "at_ns", "note"),
    "state": ("batch", "body"),
    "latest": ("what", "key", "value"),
}
"""Every column of every table, in the order of the file."""

KEYS = {"latest": 2}
"""How many columns, from the first on, name a row; one where nothing is said."""

BITS_OF_AN_INTEGER = 64

WITHOUT_PLACE = {"migration": "schema", "state": "stored_states", "latest": "derived"}
"""What stands in no batch; the validator that must tell of it."""


TOLD_EVERY = 5_000
"""Bits between two lines of progress."""


class Flip(NamedTuple):
    """One bit of one stored value; ``row`` names the row."""

    table: str
    row: tuple[Any, ...]
    column: str
    bit: int


def key_columns(table: str) -> tuple[str, ...]:
    """The columns that name a row."""
    return COLUMNS[table][: KEYS.get(table, 1)]


def unguarded(path: Path) -> apsw.Connection:
    """A forger's connection: no trigger and no check holds it back, and nothing is synced."""
    db = apsw.Connection(str(path))
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    db.execute("PRAGMA ignore_check_constraints = ON")
    db.execute("PRAGMA synchronous = OFF")
    return db


def flips_of(path: Path, table: str, column: str) -> Iterator[Flip]:
    """Every bit of every value of a column; NULL has none."""
    keys = key_columns(table)
    sql = f"SELECT {column}, {', '.join(keys)} FROM {table} WHERE {column} IS NOT NULL"
    db = unguarded(path)
    for value, *row in db.execute(sql).fetchall():
        bits = BITS_OF_AN_INTEGER if isinstance(value, int) else 8 * len(str(value).encode())
        yield from (Flip(table, tuple(row), column, bit) for bit in range(bits))
    db.close()


def every_flip(path: Path) -> Iterator[Flip]:
    """Every bit of every value of every column of every table."""
    for table, columns in COLUMNS.items():
        for column in columns:
            yield from flips_of(path, table, column)


def flipped(value: int | str, bit: int) -> int | bytes:
    """The value with one bit turned, as it is stored: two's complement, or UTF-8."""
    if isinstance(value, int):
        raw = bytearray(value.to_bytes(8, "big", signed=True))
    else:
        raw = bytearray(value.encode())
    raw[bit // 8] ^= 1 << bit % 8
    return int.from_bytes(raw, "big", signed=True) if isinstance(value, int) else bytes(raw)


def turn(path: Path, flip: Flip) -> set[int | None] | None:
    """Turn the bit in the file; the batches of which one must be named.

    None where the changed key is that of another row, which no table of SQLite can hold.
    """
    table, row, column, bit = flip
    where = " AND ".join(f"{key} = ?" for key in key_columns(table))
    db = unguarded(path)
    try:
        ((value,),) = db.execute(f"SELECT {column} FROM {table} WHERE {where}", row)
        new = flipped(value, bit)
        places = _places(db, flip, new)
        as_stored = "CAST(? AS TEXT)" if isinstance(new, bytes) else "?"
        db.execute(f"UPDATE {table} SET {column} = {as_stored} WHERE {where}", (new, *row))
    except apsw.ConstraintError:
        return None
    finally:
        db.close()
    return places


def _places(db: apsw.Connection, flip: Flip, new: object) -> set[int | None]:
    """Where the turned bit may be told of: at its batch, or where a number is missed at the next."""
    table, row, column, _ = flip
    if table == "about":
        return {1}  # what the first batch is hashed onto
    if table in ("batch", "checkpoint", "state"):
        return {row[0], row[0] + 1, new if column == "batch" else row[0]}
    if table == "event":
        ((batch,),) = db.execute("SELECT batch FROM event WHERE seq = ?", row)
        return {batch, batch + 1}
    return {None, *(number for (number,) in db.execute("SELECT max(batch) FROM batch"))}


def missed(flip: Flip, places: set[int | None], report: Report) -> str:
    """What the checker should have said of a turned bit; empty if it said it."""
    if report.unreadable is not None:
        return "" if flip.table == "about" else f"{flip}: {report.unreadable}"
    if not report.findings:
        return f"{flip}: nothing was found"
    validator = WITHOUT_PLACE.get(flip.table)
    told = {one.batch for one in report.findings if validator in (None, one.validator)}
    return "" if told & places else f"{flip}: {report.as_text()}"


def judged(whole: bytes, public_key: str, flip: Flip) -> str:
    """Turn one bit of a ledger and ask the checker; what it missed."""
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder) / "ledger"
        path.write_bytes(whole)
        places = turn(path, flip)
        return "" if places is None else missed(flip, places, verify(path, public_key=public_key))


def _memory() -> str | None:
    """A folder in memory where there is one: a forgery is not worth a disk."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def key_of(path: Path) -> str:
    """The public key that the ledger names."""
    db = unguarded(path)
    ((key,),) = db.execute("SELECT value FROM about WHERE key = 'vkey'")
    db.close()
    return str(key)


def main() -> int:
    """Turn every bit of a hand with an award; 1 if any was missed."""
    from stories import one_award

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = one_award(Path(folder) / "ledger")
        flips, whole, key = list(every_flip(path))[:: given.every], path.read_bytes(), key_of(path)
    with ProcessPoolExecutor(given.jobs) as pool:
        answers = pool.map(partial(judged, whole, key), flips, chunksize=500)
        wrong = []
        for done, answer in enumerate(answers, 1):
            wrong += [answer] if answer else []
            if done % TOLD_EVERY == 0:
                print(f"{done:,} of {len(flips):,} bits, {len(wrong)} missed", flush=True)
    sys.stdout.write("".join(f"{answer}\n" for answer in wrong[:20]))
    sys.stdout.write(f"{len(flips)} bits turned, {len(wrong)} missed\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
