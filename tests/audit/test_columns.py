"""The columns of a table, read from the pages of the file, are what SQLite says of the same file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.audit.checker.columns.lines import (
    digit_counts,
    digits,
    from_hexadecimal,
    hashed,
    joined,
)
from jackpot.audit.checker.columns.pages import Tree, integers, varints
from jackpot.audit.checker.findings import Untidy

ROWS = 60_000
PADDING = "x" * 90
"""So that a page has few rows, and the tree of 60,000 has pages above the pages above its leaves."""

EDGES = sorted({sign * (2**bits) + more for bits in (7, 15, 23, 31, 47, 62)
                for sign in (1, -1) for more in (-1, 0, 1)} | {0, 1, 2, -(2**63), 2**63 - 1})  # fmt: skip
"""Where an integer takes one byte more (fileformat2, 2.1: types 1 to 6, 8 and 9)."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """Keys 1 to ``ROWS``, and at each an edge."""
    database = apsw.Connection(str(tmp_path_factory.mktemp("columns") / "file"))
    database.execute("PRAGMA page_size = 4096")
    database.execute("CREATE TABLE t(key INTEGER PRIMARY KEY, value INTEGER, text TEXT) STRICT")
    rows = ((key, EDGES[key % len(EDGES)], PADDING) for key in range(1, ROWS + 1))
    with database:  # a transaction: then all of it stands in the file
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    yield database
    database.close()


def tree(database: apsw.Connection) -> Tree:
    sql = "SELECT rootpage FROM sqlite_schema WHERE name = 't'"
    root = next(iter(database.execute(sql)))[0]
    return Tree(lambda offset, count: database.read("main", 0, offset, count)[1], root)


def test_the_tree_has_more_than_two_levels(table: apsw.Connection) -> None:
    """Else the tests below would not climb: ``/``, ``/000/`` and ``/000/000/`` are three."""
    paths = table.execute("SELECT DISTINCT path FROM dbstat WHERE name = 't'").fetchall()
    assert max(str(path).count("/") for (path,) in paths) >= 3


@pytest.mark.parametrize(
    ("first", "last"),
    [(1, 1), (1, ROWS), (ROWS, ROWS), (127, 129), (16_383, 16_385), (30_000, 34_095)],
)
def test_every_row_is_found_with_its_integer(table: apsw.Connection, first: int, last: int) -> None:
    text, at = tree(table).cells(first, last)
    _, size = varints(text, at)
    key, more = varints(text, at + size)
    here = (key >= first) & (key <= last)
    head = (at + size + more)[here]
    values = integers(text, head + text[head], text[head + 2])
    told = table.execute("SELECT key, value FROM t WHERE key BETWEEN ? AND ?", (first, last))
    assert list(zip(key[here].tolist(), values.tolist(), strict=True)) == told.fetchall()


def test_what_is_no_page_of_a_table_is_refused(table: apsw.Connection) -> None:
    """A page of zeros, and one whose children lead nowhere."""
    with pytest.raises(Untidy):
        Tree(lambda _, count: bytes(count), 1)
    circle = bytes([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    with pytest.raises(Untidy):
        Tree(lambda _, count: circle.ljust(count, b"\0"), 1)


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=50))
def test_digits_are_those_of_python(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    counts = digit_counts(values)
    assert counts.tolist() == [len(str(number)) for number in numbers]
    for count in range(1, 20):
        told = [bytes(row).decode() for row in digits(values, count)]
        assert told == [str(number).zfill(19)[-count:] for number in numbers]


@given(st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=20))
def test_rows_are_joined_and_hashed_one_by_one(middles: list[bytes]) -> None:
    rows = np.array([list(middle) for middle in middles], np.uint8)
    texts = [b"[" + middle + b",1]\n" for middle in middles]
    joined_rows = joined([b"[", rows, b",1]\n"], len(middles))
    assert [bytes(row) for row in joined_rows] == texts
    wanted = [hashlib.sha256(text) for text in texts]
    assert [bytes(row) for row in hashed(joined_rows)] == [one.digest() for one in wanted]
    stored = np.array([list(one.hexdigest().encode()) for one in wanted], np.uint8)
    assert [bytes(row) for row in from_hexadecimal(stored)] == [one.digest() for one in wanted]


@pytest.mark.parametrize("wrong", ["A", "g", " ", "\n"])
def test_a_hash_in_other_letters_is_none(wrong: str) -> None:
    """Python would take capitals and blanks; the ledger has neither."""
    with pytest.raises(Untidy):
        from_hexadecimal(np.array([list(("0" * 63 + wrong).encode())], np.uint8))
