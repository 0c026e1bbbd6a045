"""What is wrong with a ledger is said at opening; a table never starts on a guess."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from ledger_counter import AT_NS, KEY, MACHINE, ORIGIN, Counter, fill, new_ledger, reopened

from jackpot.errors import Refused
from jackpot.ledger.chain import batch_hash
from jackpot.ledger.errors import (
    LedgerAltered,
    LedgerBusy,
    LedgerReadOnly,
    LedgerRefused,
    LedgerUnreadable,
)
from jackpot.ledger.note import NoteUnsigned, Signer
from jackpot.ledger.rebuild import rebuild_derived
from jackpot.ledger.snapshot import verify_file
from jackpot.ledger.store import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of eight batches, with a checkpoint after the fourth."""
    path = tmp_path / "table.ledger"
    with new_ledger(path) as ledger:
        ledger.append([fill(number) for number in (1, 2, 3, 4)])
        ledger.sign_checkpoint(AT_NS)
        ledger.append([fill(number) for number in (5, 6, 7, 8)])
    return path


def forge(path: Path, *statements: str) -> None:
    """What somebody with the file and a shell can do: the triggers are no hindrance to them."""
    connection = sqlite3.connect(path)
    triggers = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    connection.executescript("".join(f"DROP TRIGGER {name};" for name, _ in triggers))
    for statement in statements:
        connection.execute(statement)
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("forgery", "reason"),
    [
        ("UPDATE event SET microcents = 26000000 WHERE seq = 16", "chain_broken"),
        ("UPDATE event SET info = '{}' WHERE seq = 16", "chain_broken"),
        ("UPDATE event SET kind = 'knocked' WHERE seq = 12", "chain_broken"),
        ("DELETE FROM event WHERE seq = 16", "chain_broken"),
        ("DELETE FROM batch WHERE batch = 6", "chain_broken"),
        ("UPDATE batch SET at_ns = at_ns + 1 WHERE batch = 8", "chain_broken"),
        ("UPDATE batch SET hand = NULL WHERE batch = 5", "chain_broken"),
        ("UPDATE batch SET cause = 'slot:3:1001:0#9' WHERE batch = 8", "chain_broken"),
        ("UPDATE batch SET hash = replace(hash, 'a', 'b') WHERE batch = 8", "chain_broken"),
        ("UPDATE batch SET hash = replace(hash, 'a', 'b') WHERE batch = 4", "checkpoint_contrad"),
        ("DELETE FROM batch WHERE batch > 3", "checkpoint_contradicted"),
        (
            "INSERT INTO event VALUES (17, 9, 'knocked', NULL, NULL, NULL, NULL)",
            "events_without_batch",
        ),
        ("DELETE FROM batch WHERE batch = 8", "events_without_batch"),
        ("UPDATE latest SET value = value + 1 WHERE what = 'meter'", "meter_differs"),
        ("UPDATE latest SET value = value + 1 WHERE what = 'source'", "source_differs"),
        ("DELETE FROM latest", "source_differs"),
        ("UPDATE state SET body = replace(body, '100000000', '900000000')", "stored_state_altered"),
        ("DELETE FROM checkpoint", "no_checkpoint"),
        ("UPDATE checkpoint SET note = replace(note, 'seq 8', 'seq 9')", "note_unsigned"),
        ("UPDATE about SET value = 'coordinator' WHERE key = 'machine'", "another_machine"),
        ("UPDATE about SET value = 'casino.example/table-8' WHERE key = 'origin'", "another_vkey"),
    ],
)
def test_a_forged_row_is_found_when_the_ledger_is_opened(
    path: Path, forgery: str, reason: str
) -> None:
    forge(path, forgery)
    with pytest.raises(LedgerRefused, match=reason):
        reopened(path)


def chained(path: Path, cause: str, kind: str, info: str | None) -> None:
    """One more batch behind the last checkpoint, well hashed: that takes no key."""
    connection = sqlite3.connect(path)
    (previous,) = connection.execute("SELECT hash FROM batch WHERE batch = 8").fetchone()
    header = (9, AT_NS, None, "1", cause, 17, 1)
    row = (17, 9, kind, None, None, None, info)
    connection.execute(
        "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*header, batch_hash(previous, header, [row])),
    )
    connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    connection.commit()
    connection.close()


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("cause", "kind", "info", "reason"),
    [
        ("slot:3:1001:0", "knocked", None, "cause_malformed"),
        ("slot:3:1001:0#x", "knocked", None, "cause_malformed"),
        ("slot:3:1001:0#9", "noted", DEEP, "unknown_event"),
        ("slot:3:1001:0#9", "noted", f'{{"text":{DEEP}}}', "unknown_event"),
        ("slot:3:1001:0#9", "filled", None, "events_unfit"),
    ],
)
def test_what_somebody_chained_to_the_end_is_refused_in_words(
    cause: str, kind: str, info: str | None, reason: str, path: Path
) -> None:
    chained(path, cause, kind, info)
    with pytest.raises(LedgerRefused, match=reason):
        reopened(path)


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE about SET value = 'ff' WHERE key = 'id'",
        "UPDATE event SET microcents = 26000000 WHERE seq = 2",
        "DELETE FROM batch WHERE batch = 2",
    ],
)
def test_what_lies_before_the_last_checkpoint_is_for_verify_to_find(
    path: Path, forgery: str
) -> None:
    forge(path, forgery)
    with reopened(path) as ledger:
        verifier = ledger.verifier
    with pytest.raises(LedgerAltered, match="chain_broken"):
        verify_file(path, MACHINE, verifier)


def test_without_its_stored_states_a_ledger_is_folded_from_the_first_batch(path: Path) -> None:
    forge(path, "DELETE FROM state")
    with reopened(path) as ledger:
        assert ledger.state == Counter(pool_microcents=200_000_000, events=16)


def test_dropped_derived_tables_are_rebuilt_from_the_events(path: Path) -> None:
    forge(path, "DELETE FROM latest", "DELETE FROM state")
    with pytest.raises(LedgerAltered, match="source_differs"):
        reopened(path)
    rebuild_derived(path, MACHINE, KEY)
    with reopened(path) as ledger:
        assert ledger.last_number("slot:3:1001:0") == 8
        assert ledger.state == Counter(pool_microcents=200_000_000, events=16)


def test_nothing_is_rebuilt_from_a_broken_chain(path: Path) -> None:
    forge(path, "DELETE FROM latest", "UPDATE event SET microcents = 1 WHERE seq = 2")
    with pytest.raises(LedgerAltered, match="chain_broken"):
        rebuild_derived(path, MACHINE, KEY)


def test_a_refusal_says_what_was_expected_what_was_found_and_what_to_do(path: Path) -> None:
    forge(path, "UPDATE latest SET value = 1 WHERE what = 'meter'")
    with pytest.raises(Refused) as caught:
        reopened(path)
    assert caught.value.expected == "{'jackpot': 200000000}"
    assert caught.value.found == "{'jackpot': 1}"
    assert "snapshot" in caught.value.to_do


def test_a_file_from_the_future_is_not_touched(path: Path) -> None:
    forge(path, "INSERT INTO migration VALUES (2, 'of next year')")
    before = path.read_bytes()
    with pytest.raises(LedgerUnreadable, match="from_the_future"):
        reopened(path)
    assert path.read_bytes() == before


def test_there_is_no_ledger_at_all(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnreadable, match="no_ledger"):
        reopened(tmp_path / "none.ledger")


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def other_database(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE batch(batch)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("replacement", [garbage, nothing, other_database])
def test_a_file_that_is_no_ledger_is_refused(
    path: Path, replacement: Callable[[Path], None]
) -> None:
    replacement(path)
    with pytest.raises(LedgerUnreadable, match="not_a_ledger"):
        reopened(path)


@pytest.mark.parametrize("kept_pages", [1, 2, 3, 5])
def test_a_truncated_file_is_refused(path: Path, kept_pages: int) -> None:
    os.truncate(path, kept_pages * 4096)
    with pytest.raises(LedgerUnreadable):
        reopened(path)


def test_no_flipped_bit_in_a_used_page_changes_what_the_ledger_says(path: Path) -> None:
    """Whatever opens after a flip says exactly what was recorded; most flips are refused."""
    with reopened(path) as ledger:
        truth = (ledger.head, ledger.state, ledger.last_number("slot:3:1001:0"))
    whole = path.read_bytes()
    chance = random.Random(234)
    refused = 0
    for _ in range(400):
        bit = chance.randrange(len(whole) * 8)
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        try:
            with reopened(path) as ledger:
                found = (ledger.head, ledger.state, ledger.last_number("slot:3:1001:0"))
            assert found == truth
        except LedgerRefused:
            refused += 1
        for left in path.parent.glob("table.ledger-*"):
            left.unlink()
    assert refused > 40


def test_another_key_does_not_open_the_ledger(path: Path) -> None:
    with pytest.raises(LedgerUnreadable, match="another_vkey"):
        Ledger.open(path, MACHINE, Ed25519PrivateKey.from_private_bytes(bytes(32)))


def test_another_machine_does_not_open_the_ledger(path: Path) -> None:
    with pytest.raises(LedgerUnreadable, match="another_machine"):
        Ledger.open(path, replace(MACHINE, name="coordinator"), KEY)


def test_an_older_copy_is_found_by_what_others_hold_signed(path: Path, tmp_path: Path) -> None:
    """Nothing within an older copy tells its age; a witness does, and so do acceptors' counters."""
    older = tmp_path / "older.ledger"
    shutil.copy(path, older)
    with reopened(path) as ledger:
        ledger.append([fill(9)])
        witness = ledger.sign_checkpoint(AT_NS)
    with pytest.raises(LedgerAltered, match="ledger_rolled_back"):
        reopened(older, witness)
    with reopened(older) as ledger:
        assert ledger.last_number("slot:3:1001:0") == 8
    reopened(path, witness).close()


def test_a_history_that_was_signed_anew_contradicts_its_witnesses(path: Path) -> None:
    """With the key on the box a forger can sign; not what others already hold."""
    with reopened(path) as ledger:
        witness = ledger.sign_checkpoint(AT_NS)
    path.unlink()
    with new_ledger(path) as ledger:
        ledger.append([fill(number, microcents=1) for number in range(1, 10)])
        ledger.sign_checkpoint(AT_NS)
    with pytest.raises(LedgerAltered, match="witness_contradicted"):
        reopened(path, witness)


def test_a_witness_that_the_key_did_not_sign_is_refused(path: Path) -> None:
    other = Signer(ORIGIN, Ed25519PrivateKey.from_private_bytes(bytes(32)))
    with pytest.raises(NoteUnsigned):
        reopened(path, other.sign("casino.example/table-7\n0\n"))


def test_a_second_daemon_is_told_that_there_is_a_first(path: Path) -> None:
    program = (
        "import ledger_counter, pathlib, sys\n"
        f"ledger = ledger_counter.reopened(pathlib.Path({str(path)!r}))\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        text=True,
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "open\n"
    with pytest.raises(LedgerBusy, match=f"two_daemons_on_one_ledger.*process {first.pid} "):
        reopened(path)
    first.communicate()
    reopened(path).close()


def test_a_second_opening_in_this_process_is_refused_too(path: Path) -> None:
    with reopened(path), pytest.raises(LedgerBusy, match="two_daemons"):
        reopened(path)


def test_a_shell_that_holds_the_write_lock_is_told_apart(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.ledger.connection._SETTINGS", SHORT_PATIENCE)
    shell = sqlite3.connect(path, isolation_level=None)
    shell.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerBusy, match="ledger_busy"):
        reopened(path)
    shell.execute("ROLLBACK")
    with reopened(path) as ledger:
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusy, match="ledger_busy"):
            ledger.append([fill(9)])
        shell.execute("ROLLBACK")
        ledger.append([fill(9)])
    shell.close()


SHORT_PATIENCE = (("journal_mode", "WAL", "wal"), ("busy_timeout", "1", 1))


def test_a_setting_that_does_not_hold_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.ledger.connection._SETTINGS", (("synchronous", "NORMAL", 2),))
    with pytest.raises(LedgerRefused, match="setting_refused"):
        reopened(path)


def test_a_folder_that_is_none_is_refused_as_not_writable(tmp_path: Path) -> None:
    with pytest.raises(LedgerReadOnly):
        new_ledger(tmp_path / "missing" / "table.ledger")
