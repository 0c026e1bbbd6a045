"""Whoever changes a stored ledger is found, and the place is named."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flip_every_bit import COLUMNS, flips_of, judged, key_of, missed, unguarded
from forgery import BATCH, CAUSE, FIRST_SEQ, HASH, INFO, OF_BATCH, SEQ, Forgery
from scripted import opened
from support.table import FOUR_ACES

from jackpot.audit.checker import Report, verify
from jackpot.table.facts import ControllerStarted, SlotUp

FORGERS_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))

FLIPS_PER_COLUMN = 25
"""Rows and bits drawn from all of them with a fixed seed; ``flip_every_bit.py`` turns all."""


def validators(report: Report) -> set[str]:
    return {finding.validator for finding in report.findings}


def places(report: Report) -> set[int | None]:
    return {finding.batch for finding in report.findings}


def text(report: Report) -> str:
    return "\n".join(finding.text() for finding in report.findings)


def changed(path: Path, copy: Path, *statements: str) -> Path:
    """A copy in which a forger ran some SQL, past every trigger."""
    copy.write_bytes(path.read_bytes())
    db = unguarded(copy)
    for statement in statements:
        db.execute(statement)
    db.close()
    return copy


# ---- bits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table in COLUMNS for column in COLUMNS[table]]
)
def test_every_turned_bit_is_found_at_its_place(table: str, column: str, small: Path) -> None:
    whole, key = small.read_bytes(), key_of(small)
    flips = list(flips_of(small, table, column))
    drawn = Random(f"{table}.{column}").sample(flips, min(FLIPS_PER_COLUMN, len(flips)))
    assert [judged(whole, key, flip) for flip in drawn] == [""] * len(drawn)


def test_no_column_is_left_out(small: Path) -> None:
    db = unguarded(small)
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = {
        table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")] for table in tables
    }
    db.close()
    assert {table: list(columns) for table, columns in COLUMNS.items()} == found


@pytest.mark.parametrize("table", COLUMNS)
def test_a_bit_that_the_checker_overlooks_would_be_told(table: str, small: Path) -> None:
    flip = next(flips_of(small, table, COLUMNS[table][-1]))
    assert "nothing was found" in missed(flip, {1}, verify(small))


def test_the_stored_state_and_the_derived_values_are_held_to_the_events(
    story: Path, tmp_path: Path
) -> None:
    changes = {
        "UPDATE state SET body = replace(body, 'closed', 'betting')": "stored_states",
        "UPDATE latest SET value = value + 1 WHERE key = '2A/jackpot'": "derived",
        "UPDATE latest SET value = value + 1 WHERE what = 'source'": "derived",
        "DELETE FROM latest WHERE key = '2A/reserve'": "derived",
        "UPDATE about SET value = '0' WHERE key = 'created_at_ns'": "chain",
        "UPDATE migration SET version = 2": "schema",
        "DELETE FROM migration": "schema",
    }
    for number, (change, validator) in enumerate(changes.items()):
        copy = changed(story, tmp_path / f"{number}", change)
        assert validator in validators(verify(copy)), change


def test_a_ledger_whose_triggers_are_gone_is_no_longer_append_only(
    story: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(story.read_bytes())
    db = apsw.Connection(str(copy))
    db.execute("DROP TRIGGER event_no_update")
    db.close()
    report = verify(copy)
    assert [(one.validator, one.says) for one in report.findings] == [
        ("schema", "event_no_update is gone")
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("CREATE TABLE more(one TEXT)", "more does not belong to a ledger"),
        ("CREATE INDEX quick ON event(kind)", "quick does not belong to a ledger"),
        (
            "CREATE TRIGGER sly AFTER INSERT ON batch BEGIN DELETE FROM state; END",
            "sly does not belong to a ledger",
        ),
        ("CREATE VIEW seen AS SELECT 1", "seen does not belong to a ledger"),
        ("DROP VIEW meter", "meter is gone"),
        (
            "DROP VIEW meter; CREATE VIEW meter(pool, microcents) AS SELECT 'jackpot', 7",
            "meter is not as the first migration made it",
        ),
    ],
)
def test_nothing_is_in_the_file_but_a_ledger(
    change: str, says: str, story: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(story.read_bytes())
    db = apsw.Connection(str(copy))
    db.execute(change)
    db.close()
    report = verify(copy)
    assert [(one.validator, one.says) for one in report.findings] == [("schema", says)]


DEEP = "[" * 100_000 + "]" * 100_000
"""No parser follows it to the bottom."""


@pytest.mark.parametrize("kind", ["chip_seen", "contributed", "configuration_loaded"])
def test_deeply_nested_fields_of_an_event_are_findings(kind: str, forgery: Forgery) -> None:
    forgery.event(kind)[INFO] = f'{{"a":{DEEP}}}'
    report = verify(forgery.well_made())
    assert report.exit_status == 1


@pytest.mark.parametrize("body", [DEEP, f'{{"state":{DEEP},"sources":{{}}}}'])
def test_a_deeply_nested_stored_state_is_a_finding(body: str, forgery: Forgery) -> None:
    forgery.states[-1][1] = body
    assert "stored_states" in validators(verify(forgery.well_made()))


def test_any_flipped_bit_of_the_file_is_found_or_changed_nothing(
    story: Path, tmp_path: Path
) -> None:
    """Raw bytes: the checker never fails itself, and is silent only where no value changed."""
    random = Random(20261130)
    whole = story.read_bytes()
    before = dump(story)
    copy = tmp_path / "copy"
    for _ in range(250):
        raw = bytearray(whole)
        at, bit = random.randrange(len(raw)), random.randrange(8)
        raw[at] ^= 1 << bit
        copy.write_bytes(raw)
        report = verify(copy)
        if report.exit_status == 0:
            assert dump(copy) == before, f"byte {at}, bit {bit}"


def dump(path: Path) -> list[Any]:
    """Everything that counts in a ledger."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    tables = ("batch", "event", "about", "latest", "state")
    rows = [list(db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")) for table in tables]
    rows.append(list(db.execute("SELECT batch, note FROM checkpoint ORDER BY 1")))
    db.close()
    return rows


# ---- rows ----------------------------------------------------------------------------------------


def test_a_removed_event_is_named(forgery: Forgery) -> None:
    event = forgery.event("contributed", 3)
    forgery.drop(event)
    report = verify(forgery.save())
    assert {"seq_numbers", "chain"} <= validators(report)
    assert report.findings[0].batch == event[OF_BATCH]


def test_a_removed_batch_is_named(forgery: Forgery) -> None:
    batch = forgery.batches[40]
    forgery.drop_batch(batch)
    report = verify(forgery.save())
    assert report.findings[0].validator == "batch_numbers"
    assert report.findings[0].expected == "41"
    assert report.findings[0].batch == 42


def test_two_events_that_changed_places_are_named(forgery: Forgery) -> None:
    one, other = forgery.event("chip_seen", 0), forgery.event("chip_seen", 1)
    one[SEQ], other[SEQ] = other[SEQ], one[SEQ]
    report = verify(forgery.save())
    assert {one[OF_BATCH], other[OF_BATCH]} <= places(report)


def test_a_doubled_batch_is_named_even_when_hashed_and_signed_again(forgery: Forgery) -> None:
    """The copy has the same cause: no source counts the same thing twice."""
    chip = forgery.event("chip_seen", 0)
    batch = forgery.batch_of(chip)
    forgery.repeat_batch(batch, forgery.batch_of(forgery.event("chip_seen", 1)))
    forgery.batches[forgery.batches.index(batch) + 1][CAUSE] = batch[CAUSE]
    report = verify(forgery.well_made())
    assert [(one.validator, one.batch) for one in report.findings[:1]] == [
        ("causes", batch[BATCH] + 1)
    ]


def test_a_malformed_cause_is_named(forgery: Forgery) -> None:
    batch = forgery.batches[7]
    batch[CAUSE] = "nobody"
    report = verify(forgery.well_made())
    assert ("causes", 8) in {(one.validator, one.batch) for one in report.findings}


def test_numbers_with_a_gap_are_named_even_when_hashed_and_signed_again(forgery: Forgery) -> None:
    start = forgery.batches[50][FIRST_SEQ]
    for row in forgery.events:
        row[SEQ] += 5 if row[SEQ] >= start else 0
    for row in forgery.batches:
        row[FIRST_SEQ] += 5 if row[FIRST_SEQ] >= start else 0
    report = verify(forgery.rehash().resign().save())
    assert ("seq_numbers", 51) in {(one.validator, one.batch) for one in report.findings}


def test_an_event_that_no_batch_has_is_named(forgery: Forgery) -> None:
    last = forgery.events[-1]
    forgery.events.append([last[SEQ] + 1, last[OF_BATCH] + 1, *last[2:]])
    report = verify(forgery.save())
    assert ("seq_numbers", last[SEQ] + 1) in {(one.validator, one.seq) for one in report.findings}


def test_a_clock_that_went_back_silently_is_a_note_and_no_finding(forgery: Forgery) -> None:
    forgery.batches[30][1] -= 3_600 * 1_000_000_000
    report = verify(forgery.well_made())
    assert report.exit_status == 0
    assert ("times", 31) in {(note.validator, note.batch) for note in report.notes}


# ---- the tail, the key, the checkpoints ------------------------------------------------------------


def cut(forgery: Forgery, batches: int) -> None:
    """Only the first ``batches`` are left; derived values are not touched."""
    forgery.batches = forgery.batches[:batches]
    last = forgery.batches[-1][BATCH]
    forgery.events = [row for row in forgery.events if row[OF_BATCH] <= last]


def test_a_cut_tail_contradicts_the_checkpoints(forgery: Forgery) -> None:
    cut(forgery, 100)
    report = verify(forgery.save())
    told = [one for one in report.findings if one.validator == "checkpoints"]
    assert [(one.batch, one.expected, one.found) for one in told] == [
        (100, "batch 108", "100 batches")
    ]


def test_a_tail_cut_behind_the_last_checkpoint_contradicts_a_witness(
    forgery: Forgery, story: Path
) -> None:
    note = str(forgery.checkpoints[-1][2])
    cut(forgery, 87)
    forgery.checkpoints = [row for row in forgery.checkpoints if row[0] <= 87]
    forgery.states = [row for row in forgery.states if row[0] <= 87]
    forgery.latest[-1][2] = 87
    for row in forgery.latest:
        if row[1] == "2A/jackpot":
            row[2] = 1_200_150_000_000
        if row[1] == "script":
            row[2] = 87
    path = forgery.save()
    alone = verify(path)
    assert text(alone) == ""
    assert "nothing in the file can tell" in alone.notes[-1].says
    report = verify(path, witnesses=[note])
    assert [(one.validator, one.found) for one in report.findings] == [
        ("checkpoints", "87 batches")
    ]
    assert verify(story, witnesses=[note]).findings == ()


def test_a_forger_without_the_key_is_found_by_signatures_and_by_witnesses(
    forgery: Forgery, story: Path
) -> None:
    public_key = key_of(story)
    note = str(forgery.checkpoints[-1][2])
    forgery.event("chip_seen", 0)[6] = '{"expected":true,"a":1,"b":7}'
    path = forgery.rehash().save()
    report = verify(path, public_key=public_key)
    assert "chain" not in validators(report)
    assert {one.batch for one in report.findings if one.validator == "checkpoints"} == {
        25,
        36,
        68,
        87,
        108,
    }
    assert 108 in places(verify(path, witnesses=[note]))


def test_signatures_of_another_key_prove_nothing(forgery: Forgery, story: Path) -> None:
    forgery.event("chip_seen", 0)[6] = '{"expected":true,"a":1,"b":7}'
    report = verify(forgery.rehash().resign(FORGERS_KEY).save(), public_key=key_of(story))
    found = {one.found for one in report.findings if one.validator == "checkpoints"}
    assert found == {"the signature does not match"}


def test_a_ledger_with_another_key_inside_is_not_the_installations(
    forgery: Forgery, story: Path
) -> None:
    for row in forgery.about:
        if row[0] == "vkey":
            row[1] = "casino.example/table-2+00000000+AAAA"
    report = verify(forgery.save(), public_key=key_of(story))
    assert ("checkpoints", "the ledger names another key") in {
        (one.validator, one.says) for one in report.findings
    }


def test_a_stripped_checkpoint_is_missed_at_its_closing_and_at_its_award(
    forgery: Forgery,
) -> None:
    forgery.checkpoints = [row for row in forgery.checkpoints if row[0] in (0, 108)]
    told = [one for one in verify(forgery.save()).findings if one.validator == "checkpoints"]
    assert [(one.batch, one.says) for one in told] == [
        (25, "no checkpoint at an award"),
        (36, "no checkpoint at an award"),
        (68, "no checkpoint at an award"),
        (87, "no checkpoint at a closing"),
    ]


def test_a_controller_that_died_before_it_could_sign_is_a_note(tmp_path: Path) -> None:
    """The award is recorded; the power goes before its checkpoint is signed."""
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().declare(box1=FOUR_ACES)
    table.signs = False
    table.confirm()
    table.play(ControllerStarted(version="test", clean=False))
    for box in range(1, 8):
        table.play(SlotUp(box=box))
    table.pay(1, table.owed_cents)
    table.hand(1)
    report = verify(table.close())
    assert text(report) == ""
    assert "no checkpoint at an award: the controller stopped without warning" in {
        note.says for note in report.notes
    }


def test_an_award_at_the_very_end_may_still_wait_for_its_checkpoint(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().declare(box1=FOUR_ACES)
    table.signs = False
    table.confirm()
    report = verify(table.close())
    assert text(report) == ""
    assert "no checkpoint yet at an award" in {note.says for note in report.notes}


def test_the_first_checkpoint_must_be_there(forgery: Forgery) -> None:
    forgery.checkpoints = forgery.checkpoints[1:]
    report = verify(forgery.save())
    assert [one.says for one in report.findings] == [
        "the checkpoint signed at the creation is gone"
    ]


def test_a_note_that_moved_to_another_batch_is_found(forgery: Forgery) -> None:
    forgery.checkpoints[2][0] = 30
    report = verify(forgery.save())
    assert ("checkpoints", 30) in {(one.validator, one.batch) for one in report.findings}


def test_hashes_alone_do_not_help_a_forger(forgery: Forgery) -> None:
    forgery.batches[20][HASH] = "0" * 64
    report = verify(forgery.save())
    assert {(one.validator, one.batch) for one in report.findings} >= {("chain", 21)}
