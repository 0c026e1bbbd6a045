"""Every row of a small ledger taken out, doubled, put elsewhere; every tail cut; hashed again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import apsw
import pytest
from flip_every_bit import COLUMNS, WITHOUT_PLACE, key_columns, key_of, unguarded
from forgery import AT_NS, BATCH, Forgery
from scripted import KEY

from jackpot.audit.checker import Report, verify
from jackpot.ledger.rebuild import rebuild_derived
from jackpot.ledger.table_ledger import TABLE

Row = tuple[Any, ...]

LAST_BATCH = 20
SIGNED = (0, 18, 20)
"""The batches that have a checkpoint: the creation, the award, the closing."""

OLDEST_STATE = 0
"""What is gone after the derived tables were made anew, so nobody can miss it."""


def copied(path: Path, folder: Path) -> Path:
    return Path(shutil.copy(path, folder / "copy"))


def rows_of(path: Path, table: str) -> list[Row]:
    db = unguarded(path)
    rows = list(db.execute(f"SELECT * FROM {table} ORDER BY 1, 2"))
    db.close()
    return rows


def is_key(table: str) -> str:
    return " AND ".join(f"{key} = ?" for key in key_columns(table))


def key(table: str, row: Row) -> Row:
    return row[: len(key_columns(table))]


def batch_of(table: str, row: Row) -> int:
    """Where a row belongs; the rows of ``about`` are what batch 1 is hashed onto."""
    if table == "about":
        return 1
    return int(row[1] if table == "event" else row[0])


def assert_told(report: Report, table: str, *rows: Row) -> None:
    """Whatever was done to these rows is found, and one of their places is named."""
    if table == "about" and report.unreadable is not None:
        return
    told = [one for one in report.findings if WITHOUT_PLACE.get(table) in (None, one.validator)]
    if table in ("migration", "latest"):
        assert told, f"{table} {rows}: {report.as_text()}"
        return
    near = {batch_of(table, row) + step for row in rows for step in (-1, 0, 1)}
    if table == "checkpoint" and any(row[0] == 0 for row in rows):
        near.add(None)  # type: ignore[arg-type]  # the creation stands before every batch
    assert near & {one.batch for one in told}, f"{table} {rows}: {report.as_text()}"


@pytest.mark.parametrize("table", COLUMNS)
def test_every_row_that_is_taken_out_is_missed(table: str, small: Path, tmp_path: Path) -> None:
    for row in rows_of(small, table):
        if table == "state" and row[0] == OLDEST_STATE:
            continue
        copy = copied(small, tmp_path)
        db = unguarded(copy)
        db.execute(f"DELETE FROM {table} WHERE {is_key(table)}", key(table, row))
        db.close()
        assert_told(verify(copy), table, row)


def doubles(table: str, row: Row, rows: list[Row]) -> Iterator[Row]:
    """The same row under keys that are free."""
    if table == "latest":
        yield row[0], f"{row[1]} ", row[2]
    elif table == "about":
        yield f"{row[0]} ", row[1]
    else:
        taken = {each[0] for each in rows}
        yield max(taken) + 1, *row[1:]
        if row[0] + 1 not in taken:
            yield row[0] + 1, *row[1:]


@pytest.mark.parametrize("table", COLUMNS)
def test_every_row_that_is_there_twice_is_told(table: str, small: Path, tmp_path: Path) -> None:
    rows = rows_of(small, table)
    for row in rows:
        for double in doubles(table, row, rows):
            copy = copied(small, tmp_path)
            db = unguarded(copy)
            marks = ", ".join("?" * len(double))
            db.execute(f"INSERT INTO {table} VALUES ({marks})", double)
            db.close()
            end = (double[0], LAST_BATCH) if table == "event" else double
            assert_told(verify(copy), table, row, double, end)


@pytest.mark.parametrize("table", [table for table in COLUMNS if table != "migration"])
def test_every_two_rows_that_change_places_are_told(
    table: str, small: Path, tmp_path: Path
) -> None:
    names = COLUMNS[table][len(key_columns(table)) :]
    to = ", ".join(f"{name} = ?" for name in names)
    rows = rows_of(small, table)
    for one, other in pairwise(rows):
        if key_and_rest(table, one)[1] == key_and_rest(table, other)[1]:
            continue
        copy = copied(small, tmp_path)
        db = unguarded(copy)
        for row, content in ((one, other), (other, one)):
            here, rest = key(table, row), key_and_rest(table, content)[1]
            db.execute(f"UPDATE {table} SET {to} WHERE {is_key(table)}", (*rest, *here))
        db.close()
        assert_told(verify(copy), table, one, other)


def key_and_rest(table: str, row: Row) -> tuple[Row, Row]:
    count = len(key_columns(table))
    return row[:count], row[count:]


# ---- the tail, and hashes made again --------------------------------------------------------------


def cut_after(path: Path, batch: int) -> None:
    db = unguarded(path)
    for table in ("batch", "event", "checkpoint", "state"):
        db.execute(f"DELETE FROM {table} WHERE batch > ?", (batch,))
    db.close()


@pytest.mark.parametrize("batch", range(LAST_BATCH))
def test_a_cut_tail_is_found_at_its_new_end(batch: int, small: Path, tmp_path: Path) -> None:
    """Whatever the forger leaves: what is derived tells of more."""
    copy = copied(small, tmp_path)
    cut_after(copy, batch)
    found = {(one.validator, one.batch) for one in verify(copy).findings}
    assert ("derived", batch) in found


@pytest.mark.parametrize("batch", range(LAST_BATCH))
def test_a_tail_cut_with_all_that_is_derived_contradicts_every_witness(
    batch: int, small: Path, tmp_path: Path
) -> None:
    """Alone the file cannot tell, and says so; the closing sheet can."""
    closing_sheet = rows_of(small, "checkpoint")[-1][2]
    copy = copied(small, tmp_path)
    cut_after(copy, batch)
    rebuild_derived(copy, TABLE, KEY)
    alone = verify(copy)
    assert alone.findings == ()
    assert "nothing in the file can tell" in alone.notes[-1].says
    told = verify(copy, witnesses=[closing_sheet]).findings
    assert [(one.validator, one.batch, one.found) for one in told] == [
        ("checkpoints", batch, f"{batch} batches")
    ]


def next_signed(batch: int) -> int:
    return min(signed for signed in SIGNED if signed >= batch)


@pytest.mark.parametrize("batch", range(1, LAST_BATCH + 1))
def test_a_clock_changed_and_hashed_again_contradicts_the_next_checkpoint(
    batch: int, small: Path, tmp_path: Path
) -> None:
    forgery = Forgery(small, tmp_path / "forged")
    forgery.batches[batch - 1][AT_NS] += 1
    report = verify(forgery.rehash().save(), public_key=key_of(small))
    assert [(one.validator, one.batch) for one in report.findings][:1] == [
        ("checkpoints", next_signed(batch))
    ]


@pytest.mark.parametrize("batch", range(1, LAST_BATCH))
def test_batches_moved_and_hashed_again_contradict_the_next_checkpoint(
    batch: int, small: Path, tmp_path: Path
) -> None:
    forgery = Forgery(small, tmp_path / "forged")
    rows = forgery.batches
    rows[batch - 1], rows[batch] = rows[batch], rows[batch - 1]
    forgery.events.sort(key=lambda event: [row[BATCH] for row in rows].index(event[1]))
    for note in forgery.checkpoints:  # they stay where they were, for the forger has no key
        note[0] = note[0] if note[0] in (0, LAST_BATCH) else rows[note[0] - 1][BATCH]
    report = verify(forgery.renumber().rehash().save(), public_key=key_of(small))
    assert ("checkpoints", next_signed(batch)) in {
        (one.validator, one.batch) for one in report.findings
    }


def test_the_time_of_a_checkpoint_is_signed(small: Path, tmp_path: Path) -> None:
    copy = copied(small, tmp_path)
    db = unguarded(copy)
    db.execute("UPDATE checkpoint SET at_ns = at_ns + 1 WHERE batch = 18")
    db.close()
    assert [(one.validator, one.batch, one.says) for one in verify(copy).findings] == [
        ("checkpoints", 18, "the note was signed at another time than its row says")
    ]


def test_sqlite_takes_no_second_row_for_a_key(small: Path, tmp_path: Path) -> None:
    """What the doubles above need not try."""
    for table in COLUMNS:
        db = unguarded(copied(small, tmp_path))
        with pytest.raises(apsw.ConstraintError):
            db.execute(f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1")
        db.close()


def test_a_checkpoint_signed_out_of_time_by_the_key_itself_is_a_note(
    small: Path, tmp_path: Path
) -> None:
    forgery = Forgery(small, tmp_path / "forged")
    note = forgery.checkpoints[1]
    note[1] -= 1
    note[2] = note[2].replace(f"\nat {note[1] + 1}\n", f"\nat {note[1]}\n")
    report = verify(forgery.resign().save())
    assert report.findings == ()
    assert [(one.batch, one.says) for one in report.notes if one.validator == "times"] == [
        (18, "a checkpoint was not signed between its batches, by the clock")
    ]
