"""The hash chain, checked with programs that are not ours (docs/ledger.md, "The chain by hand")."""

import hashlib
import re
import sqlite3
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from ledger_counter import AT_NS, Noted, Paid, fill, new_ledger

from jackpot.ledger.chain import batch_hash, genesis_hash
from jackpot.ledger.machine import Cause, NewBatch

DOCS = Path(__file__).parents[2] / "docs" / "ledger.md"
AWKWARD = 'ñ € 😀 "quoted" back\\slash\ttab\nline\x01\x7f\u2028'


def test_a_hash_is_of_the_text_that_anyone_can_print() -> None:
    """By GNU printf and sha256sum, of the three lines ``ab``, the header and the row."""
    header = (1, 5, None, "1", "s#1", 1, 1)
    row = (1, 1, "paid", None, 500, None, '{"to":"a"}')
    assert (
        batch_hash("ab", header, [row])
        == "28a23c417310fa7e94c8224b5abce2e7dfdb7c0d1700b3fa0ca36eb97dccac90"
    )


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.integers(-(2**63), 2**63 - 1),
            st.text(st.characters(codec="utf-8", exclude_characters="\0")),
        ),
        min_size=7,
        max_size=7,
    )
)
def test_our_lines_are_those_of_sqlite_s_json_array(values: list[int | str | None]) -> None:
    connection = sqlite3.connect(":memory:")
    line = connection.execute("SELECT json_array(?, ?, ?, ?, ?, ?, ?)", values).fetchone()[0]
    connection.close()
    expected = hashlib.sha256(("p\n" + line + "\n").encode()).hexdigest()
    assert batch_hash("p", tuple(values), []) == expected  # type: ignore[arg-type]


def recipe(title: str) -> str:
    """The shell commands under a heading of the manual."""
    match = re.search(rf"### {title}\n.*?```sh\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert match is not None
    return match[1]


def run(commands: str, folder: Path, **names: object) -> list[str]:
    """What the manual's commands print, with its variables set."""
    done = subprocess.run(
        ["sh", "-euc", commands],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", **{key: str(value) for key, value in names.items()}},
        capture_output=True,
        text=True,
        check=True,
    )
    return [word for word in done.stdout.split() if re.fullmatch("[0-9a-f]{64}", word)]


def test_the_manual_s_recipe_checks_any_batch_with_sqlite3_and_sha256sum(tmp_path: Path) -> None:
    with new_ledger(tmp_path / "table.ledger") as ledger:
        genesis = ledger.head.hash
        ledger.append([fill(1), fill(2)])
        ledger.append(
            [
                NewBatch(
                    AT_NS,
                    None,
                    Cause("c", 0),
                    (Noted(text=AWKWARD, tags={AWKWARD: -1}), Paid(cents=1, to="b")),
                )
            ]
        )
        head = ledger.head.hash
    assert run(recipe("The first hash"), tmp_path, LEDGER="table.ledger") == [genesis]
    for batch in (1, 2, 3):
        stored, computed = run(recipe("One batch"), tmp_path, LEDGER="table.ledger", BATCH=batch)
        assert stored == computed
    assert computed == head


def test_the_first_hash_is_that_of_the_rows_of_about_by_key() -> None:
    # printf '["a","1"]\n["b","2"]\n' | sha256sum
    assert (
        genesis_hash([("b", "2"), ("a", "1")])
        == "6a2556cdf15c3d81383cfd2bb5ec8479437a20da34713dc55ef1c5f05184a186"
    )
