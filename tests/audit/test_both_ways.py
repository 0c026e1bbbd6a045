"""The checker's short way sees whatever the long one names, and is short on real ledgers."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from both_ways import swiftly, verify_both_ways
from forgery import AT_NS, BATCH, CAUSE, CENTS, EVENTS, HASH, MICROCENTS, OF_BATCH, Forgery
from scripted import opened
from typer.testing import CliRunner

from jackpot.audit.checker import Report, verify
from jackpot.audit.checker.findings import Untidy
from jackpot.audit.checker.judge import EventRow, Judge
from jackpot.commands.verify import register
from jackpot.daemon.check_workers import made_by

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.ledger"))


@pytest.mark.parametrize("golden", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_golden_ledgers_go_the_short_way_to_the_same_report(golden: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(golden, tmp_path / "golden"))
    assert swiftly(copy) == verify_both_ways(copy)


def test_of_an_ordinary_hand_nothing_is_left_to_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first hand: then what the bet of each box must be is known."""
    table = opened(tmp_path / "ledger")
    for _ in range(12):
        table.hand(1, 2, 3).lock().no_awards()
    judged: Counter[str] = Counter()
    by_judge = Judge.batch

    def counted(judge: Judge, batch: int, rows: list[EventRow]) -> None:
        judged[rows[0][2]] += 1
        by_judge(judge, batch, rows)

    monkeypatch.setattr(Judge, "batch", counted)
    summary = swiftly(table.close()).summary
    assert summary is not None
    assert summary.hands == 12
    assert judged["chip_seen"] == 3
    assert judged["hand_started"] == judged["lock_pressed"] == judged["lock_reached"] == 1


CHANGES = {
    "another contribution": ("contributed", MICROCENTS, 1),
    "another bet": ("bet_accepted", CENTS, 1),
    "another amount at the lock": ("hand_locked", MICROCENTS, 1),
    "other bets at the lock": ("hand_locked", CENTS, 200),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_well_signed_lie_about_an_ordinary_hand_is_seen(what: str, forgery: Forgery) -> None:
    """In the last of the hands, which nothing but the usual steps has looked at."""
    kind, column, more = CHANGES[what]
    forgery.event(kind, -1)[column] += more
    path = forgery.well_made()
    with pytest.raises(Untidy):
        swiftly(path)
    assert verify_both_ways(path).findings


OFFICERS_AND_HANDS: dict[str, dict[str, object]] = {
    "hand_started": {"by": "nobody"},
    "lock_pressed": {"hand": 2},
    "no_awards_declared": {"by": "T1"},
    "hand_ended": {"hand": 3},
    "chip_seen": {"expected": False},
    "lock_reached": {"unknown_boxes": [7]},
}


@pytest.mark.parametrize("kind", OFFICERS_AND_HANDS)
def test_a_well_signed_lie_about_an_act_is_seen(kind: str, tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    for _ in range(4):
        table.hand(1, 2).lock().no_awards()
    forgery = Forgery(table.close(), tmp_path / "forged")
    forgery.tell(forgery.event(kind, -1), **OFFICERS_AND_HANDS[kind])
    assert verify_both_ways(forgery.well_made()).findings


def test_a_clock_that_went_back_is_noted_on_both_ways(forgery: Forgery) -> None:
    forgery.batches[20][AT_NS] -= 10**12
    report = verify_both_ways(forgery.rehash().resign().save())
    assert report.findings == ()
    assert "times" in {note.validator for note in report.notes}


def test_an_event_that_no_batch_has_is_seen(forgery: Forgery) -> None:
    last = forgery.events[-1]
    forgery.events.append([last[0] + 1, last[1] + 1, "alarm_raised", None, None, None, None])
    report = verify_both_ways(forgery.save())
    assert {finding.validator for finding in report.findings} >= {"seq_numbers"}


BITS_TURNED = 400


@pytest.fixture(scope="module")
def plain_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dozen hands without an award, of which the judge sees only the first."""
    table = opened(tmp_path_factory.mktemp("plain") / "ledger")
    for _ in range(12):
        table.hand(1, 2, 3).lock().no_awards()
    return table.close()


def test_a_bit_turned_in_the_file_itself_is_told_on_both_ways(
    plain_hands: Path, tmp_path: Path
) -> None:
    """Past SQLite: in pages, cells and records, wherever it falls. Nothing may be called clean that
    the other way calls otherwise."""
    whole = plain_hands.read_bytes()
    chance = random.Random(234)
    told: Counter[bool] = Counter()
    copy = tmp_path / "copy"
    for _ in range(BITS_TURNED):
        turned = bytearray(whole)
        turned[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        copy.write_bytes(turned)
        told[bool(verify_both_ways(copy).exit_status)] += 1
    assert told[True] > BITS_TURNED // 3  # the others fell on room that nothing uses


# ---- pieces made by other processes ----------------------------------------------------------------


def verify_by_two(path: Path) -> Report:
    """Two processes make the pieces, this one judges."""
    return verify(path, ahead=made_by(2))


@pytest.mark.parametrize("golden", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_with_pieces_made_by_others_the_report_is_the_same(golden: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(golden, tmp_path / "golden"))
    assert verify_by_two(copy) == verify_both_ways(copy)


def wrong_hash(forgery: Forgery) -> Path:
    forgery.batches[30][HASH] = "0" * 64
    return forgery.save()


def wrong_number(forgery: Forgery) -> Path:
    forgery.events[40][OF_BATCH] += 1
    return forgery.save()


def cause_twice(forgery: Forgery) -> Path:
    forgery.batches[30][CAUSE] = forgery.batches[29][CAUSE]
    return forgery.rehash().resign().save()


def other_source_number(forgery: Forgery) -> Path:
    """A derived value: nothing but the causes of all batches tells what is right."""
    next(row for row in forgery.latest if row[0] == "source")[2] += 1
    return forgery.save()


def hash_of_two_lines(forgery: Forgery) -> Path:
    """The first of them is right."""
    forgery.batches[30][HASH] += "\n" + "0" * 64
    return forgery.save()


def very_many_events(forgery: Forgery) -> Path:
    """Nobody must make room for them; nor for as many less than none."""
    forgery.batches[30][EVENTS] += 10**15
    forgery.batches[31][EVENTS] -= 10**15
    return forgery.save()


def very_many_batches(forgery: Forgery) -> Path:
    forgery.batches[-1][BATCH] = 2**62
    return forgery.save()


FORGED = (
    wrong_hash,
    wrong_number,
    cause_twice,
    other_source_number,
    hash_of_two_lines,
    very_many_events,
    very_many_batches,
)


@pytest.mark.parametrize("forge", FORGED)
def test_what_stands_in_a_piece_of_another_process_is_named(
    forge: Callable[[Forgery], Path], forgery: Forgery
) -> None:
    path = forge(forgery)
    report = verify_by_two(path)
    assert report.findings
    assert report == verify_both_ways(path)


def test_pieces_of_other_processes_come_in_their_order(
    story: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In small ones, so that there are many at a time."""
    monkeypatch.setattr("jackpot.audit.checker.swift.PIECE_BATCHES", 3)
    assert verify_by_two(story) == verify(story, swift=False)
    spans = [(first, first + 2) for first in range(1, 60, 3)]
    made = [(piece.first, len(piece)) for piece in made_by(2)(story, spans, "0" * 64)]
    assert made == [(first, 3) for first, _ in spans]


@pytest.mark.parametrize("batches", [1, 2, 5, 11])
def test_where_pieces_end_makes_no_difference(
    batches: int, story: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.audit.checker.swift.PIECE_BATCHES", batches)
    assert swiftly(story) == verify(story, swift=False)


def test_a_ledger_in_use_is_walked_batch_by_batch(tmp_path: Path) -> None:
    """Its last rows stand beside the file, so columns of the file alone would tell less."""
    table = opened(tmp_path / "ledger")
    table.hand(1, 2, 3).lock().no_awards()
    path = table.path
    assert path.with_name(path.name + "-wal").stat().st_size
    link = tmp_path / "a link to it"
    link.symlink_to(path)
    for name in (path, link):  # SQLite looks for the log beside the file, not beside the link
        with pytest.raises(Untidy, match="write-ahead log"):
            swiftly(name)
        assert verify(name).findings == ()


def test_several_ledgers_at_a_time_are_told_in_the_order_asked_for(
    story: Path, carried: Path, tmp_path: Path
) -> None:
    asked = [str(carried), str(tmp_path / "none"), str(story), str(carried)]
    said = []
    for jobs in ("1", "2", "7"):
        app = typer.Typer()
        register(app)
        done = CliRunner().invoke(app, ["--json", "--jobs", jobs, *asked])
        assert done.exit_code == 2
        said.append(done.stdout)
    assert [json.loads(line)["path"] for line in said[0].splitlines()] == asked
    assert said[0] == said[1] == said[2]
