"""The one writer: what it records, refuses and answers."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from ledger_counter import (
    AT_NS,
    KEY,
    MACHINE,
    ORIGIN,
    Counter,
    Filled,
    Knocked,
    Paid,
    fill,
    new_ledger,
    reopened,
)

from jackpot.invariant import InvariantBroken
from jackpot.ledger.errors import CommitUnknown, DuplicateCause, LedgerAltered, LedgerRefused
from jackpot.ledger.machine import Cause, Machine, NewBatch, Recorded
from jackpot.ledger.note import checkpoint_from_note
from jackpot.ledger.read import Reader
from jackpot.ledger.store import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.ledger"


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    """What an outside program reads."""
    connection = sqlite3.connect(path)
    found = connection.execute(sql).fetchall()
    connection.close()
    return found


def test_a_commit_says_what_it_recorded_and_the_state_follows(path: Path) -> None:
    with new_ledger(path) as ledger:
        first = ledger.append([fill(1)])
        assert (first.first_batch, first.last_batch, first.last_seq) == (1, 1, 2)
        then = ledger.append([fill(2), fill(3)])
        assert (then.first_batch, then.last_batch, then.last_seq) == (2, 3, 6)
        assert ledger.head == (3, 6, then.head_hash)
        assert ledger.state == Counter(pool_microcents=75_000_000, events=6)
        assert ledger.last_number("slot:3:1001:0") == 3
        assert ledger.last_number("slot:4:1002:0") is None


def test_everything_is_there_again_after_reopening(path: Path) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(1)])
        before = (ledger.head, ledger.state)
    with reopened(path) as ledger:
        assert (ledger.head, ledger.state) == before
        ledger.append([fill(2)])
        assert ledger.state == Counter(pool_microcents=50_000_000, events=4)


def test_outside_programs_read_batches_events_sources_and_meters(path: Path) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(1)])
        paid = (Paid(cents=10, to="a"),)
        ledger.append([NewBatch(AT_NS, None, Cause("console:1", 5), paid)])
        assert rows(path, "SELECT batch, hand, rules, cause, first_seq, events FROM batch") == [
            (1, 7, "1", "slot:3:1001:0#1", 1, 2),
            (2, None, "1", "console:1#5", 3, 1),
        ]
        assert rows(path, "SELECT * FROM event") == [
            (1, 1, "knocked", None, None, None, None),
            (2, 1, "filled", 3, None, 25_000_000, None),
            (3, 2, "paid", None, 10, None, '{"to":"a","cards":[]}'),
        ]
        assert rows(path, "SELECT * FROM source") == [("console:1", 5), ("slot:3:1001:0", 1)]
        assert rows(path, "SELECT * FROM meter") == [("jackpot", 15_000_000)]


@pytest.mark.parametrize("number", [1, 2])
def test_a_cause_is_recorded_once(path: Path, number: int) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(2)])
        before = ledger.head
        with pytest.raises(DuplicateCause) as caught:
            ledger.append([fill(9, source="other"), fill(number)])
        assert caught.value.last_number == 2
        assert ledger.head == before
        assert ledger.last_number("other") is None
        ledger.append([fill(3)])
    with reopened(path) as ledger:
        assert ledger.head.batch == 2
        with pytest.raises(DuplicateCause):
            ledger.append([fill(3)])


def test_a_cause_twice_in_one_commit_is_a_duplicate_too(path: Path) -> None:
    with new_ledger(path) as ledger:
        with pytest.raises(DuplicateCause):
            ledger.append([fill(1), fill(1)])
        assert ledger.head.batch == 0


@pytest.mark.parametrize("source", ["", "a b", "a#b", "ñ", "x" * 81])
def test_a_malformed_source_is_our_own_fault(path: Path, source: str) -> None:
    with new_ledger(path) as ledger, pytest.raises(InvariantBroken):
        ledger.append([fill(1, source=source)])


def test_a_batch_without_events_or_a_commit_without_batches_is_our_own_fault(path: Path) -> None:
    with new_ledger(path) as ledger:
        with pytest.raises(InvariantBroken):
            ledger.append([])
        with pytest.raises(InvariantBroken):
            ledger.append([replace(fill(1), events=())])
        with pytest.raises(InvariantBroken):
            ledger.append([replace(fill(1), events=(Knocked(),) * 4097)])


def test_a_number_that_sqlite_cannot_hold_leaves_nothing_behind(path: Path) -> None:
    with new_ledger(path) as ledger:
        with pytest.raises(OverflowError):
            ledger.append([fill(1, microcents=2**63)])
        ledger.append([fill(1)])
        assert ledger.head.batch == 1


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE batch SET at_ns = 0",
        "UPDATE event SET cents = 1 WHERE seq = 1",
        "DELETE FROM batch WHERE batch = 2",
        "DELETE FROM event",
        "REPLACE INTO event VALUES (2, 1, 'knocked', NULL, NULL, NULL, NULL)",
        "REPLACE INTO batch VALUES (2, 0, NULL, '1', 'x#1', 3, 2, '')",
        "INSERT OR REPLACE INTO checkpoint VALUES (0, 0, '')",
        "INSERT INTO checkpoint VALUES (1, 0, '')",
        "INSERT INTO event VALUES (9, 1, 'knocked', NULL, NULL, NULL, NULL)",
        "INSERT INTO batch VALUES (9, 0, NULL, '1', 'x#1', 3, 2, '')",
        "INSERT INTO event VALUES ('x', 1, 'knocked', NULL, NULL, NULL, NULL)",
        "UPDATE checkpoint SET note = ''",
        "DELETE FROM checkpoint",
        "INSERT INTO about VALUES ('more', '')",
        "REPLACE INTO about VALUES ('id', '')",
        "UPDATE about SET value = ''",
        "DELETE FROM about",
    ],
)
def test_the_file_itself_refuses_what_is_not_the_next_row(path: Path, sql: str) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(1), fill(2)])
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(sql)
    connection.close()
    with reopened(path) as ledger:
        assert ledger.head.batch == 2


def test_a_row_that_another_program_added_stops_the_ledger(path: Path) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(1)])
        connection = sqlite3.connect(path)
        connection.execute("INSERT INTO batch VALUES (2, 0, NULL, '1', 'x#1', 3, 0, '')")
        connection.commit()
        connection.close()
        with pytest.raises(LedgerAltered, match="written_by_another"):
            ledger.append([fill(2)])
        with pytest.raises(CommitUnknown):
            ledger.append([fill(2)])
    with pytest.raises(LedgerAltered, match="chain_broken"):
        reopened(path)


def test_a_checkpoint_signs_the_head_and_the_state(path: Path) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(1), fill(2)])
        note = ledger.sign_checkpoint(AT_NS)
        signed = checkpoint_from_note(note, ledger.verifier)
        assert (signed.origin, signed.batches, signed.seq) == (ORIGIN, 2, 4)
        assert signed.hash == ledger.head.hash
        # printf '%s' '{"rules":"1","sources":{"slot:3:1001:0":2},"state":{"pool_microcents":50000000,
        #     "events":4}}' | sha256sum (without the line break)
        assert (
            signed.state_sha256
            == "b3a98d941561cb98cb81ebab64573eba04e8b9253ec4feaeaab1284f68711852"
        )
        assert ledger.sign_checkpoint(AT_NS + 1) == note
        assert rows(path, "SELECT batch, at_ns FROM checkpoint") == [(0, AT_NS), (2, AT_NS)]


def test_only_the_last_three_signed_states_are_kept_but_every_checkpoint(path: Path) -> None:
    with new_ledger(path) as ledger:
        for number in range(1, 6):
            ledger.append([fill(number)])
            ledger.sign_checkpoint(AT_NS + number)
    assert rows(path, "SELECT batch FROM state") == [(3,), (4,), (5,)]
    assert len(rows(path, "SELECT batch FROM checkpoint")) == 6
    with reopened(path) as ledger:
        assert ledger.state == Counter(pool_microcents=125_000_000, events=10)


def test_the_fold_starts_at_the_signed_state(path: Path) -> None:
    """What lies before the last checkpoint is ``verify``'s to look at, not opening's."""
    folded: list[object] = []

    def watching(state: Counter, event: object) -> Counter:
        folded.append(event)
        return MACHINE.evolve(state, event)  # type: ignore[arg-type]

    with new_ledger(path) as ledger:
        ledger.append([fill(1), fill(2)])
        ledger.sign_checkpoint(AT_NS)
        ledger.append([fill(3)])
    watched: Machine[Counter] = replace(MACHINE, evolve=watching)
    with Ledger.open(path, watched, KEY) as ledger:
        assert len(folded) == 2
        assert ledger.state == Counter(pool_microcents=75_000_000, events=6)


def test_under_new_rules_the_fold_starts_at_the_first_batch(path: Path) -> None:
    with new_ledger(path) as ledger:
        ledger.append([fill(1), fill(2)])
        ledger.sign_checkpoint(AT_NS)

    def doubled(state: Counter, event: object) -> Counter:
        after = MACHINE.evolve(state, event)  # type: ignore[arg-type]
        return Counter(after.pool_microcents, state.events + 2)

    with Ledger.open(path, replace(MACHINE, rules_version="2", evolve=doubled), KEY) as ledger:
        assert ledger.state == Counter(pool_microcents=50_000_000, events=8)
        ledger.append([fill(3)])
    assert rows(path, "SELECT batch, rules FROM batch") == [(1, "1"), (2, "1"), (3, "2")]


def test_create_never_touches_an_existing_file(path: Path) -> None:
    path.write_text("something")
    with pytest.raises(LedgerRefused, match="ledger_exists"):
        new_ledger(path)
    assert path.read_text() == "something"


def test_create_refuses_a_log_without_its_ledger(path: Path) -> None:
    """SQLite would apply the left-over log to the new file."""
    path.with_name("table.ledger-wal").write_bytes(b"left over")
    with pytest.raises(LedgerRefused, match="ledger_exists"):
        new_ledger(path)


def test_a_half_created_file_is_no_hindrance(path: Path) -> None:
    path.with_name("table.ledger.new").write_bytes(b"half")
    with new_ledger(path) as ledger:
        assert ledger.head.batch == 0
    assert not path.with_name("table.ledger.new").exists()


def test_two_ledgers_never_have_the_same_first_hash(tmp_path: Path) -> None:
    with new_ledger(tmp_path / "a") as one, new_ledger(tmp_path / "b") as other:
        assert one.head.hash != other.head.hash


def test_a_closed_ledger_takes_nothing(path: Path) -> None:
    ledger = new_ledger(path)
    ledger.close()
    ledger.close()
    with pytest.raises(CommitUnknown):
        ledger.append([fill(1)])


def test_a_reader_sees_every_batch_with_its_events_while_the_writer_writes(path: Path) -> None:
    with new_ledger(path) as ledger, Reader(path, MACHINE.events) as reader:
        ledger.append([fill(number) for number in range(1, 1301)])
        assert reader.head() == ledger.head
        third = next(iter(reader.batches(3)))
        assert third == Recorded(
            batch=3,
            at_ns=AT_NS + 3,
            hand=7,
            rules="1",
            cause_text="slot:3:1001:0#3",
            first_seq=5,
            events=(Knocked(), Filled(box=3, microcents=25_000_000)),
            hash=third.hash,
        )
        assert third.cause == Cause("slot:3:1001:0", 3)
        assert [recorded.batch for recorded in reader.batches(600, 1200)] == list(range(600, 1201))
        assert [recorded.batch for recorded in reader.checked()] == list(range(1, 1301))
        assert list(reader.batches(1301)) == []
        ledger.append([fill(1301)])
        assert [recorded.batch for recorded in reader.batches(1301)] == [1301]
        assert [batch for batch, _, _ in reader.checkpoints()] == [0]


def test_a_reader_cannot_write(path: Path) -> None:
    refused = pytest.raises(sqlite3.OperationalError, match="readonly")
    with new_ledger(path), Reader(path, MACHINE.events) as reader, refused:
        reader._connection.execute("DELETE FROM latest")
