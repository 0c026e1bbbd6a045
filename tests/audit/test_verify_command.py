"""``jackpot verify`` on the command line: exit status, text, JSON, witnesses."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
import typer
from forgery import MICROCENTS, Forgery
from scripted import opened
from typer.testing import CliRunner

from jackpot.audit.checker import verify
from jackpot.commands.verify import register


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    register(made)
    return made


def test_a_clean_ledger_is_status_0_and_says_what_was_seen(story: Path, app: typer.Typer) -> None:
    done = CliRunner().invoke(app, [str(story), "--lang", "en"])
    assert done.exit_code == 0
    assert "played       2 days, 10 hands, 3 awards" in done.stdout
    assert "paid         10005.50 €" in done.stdout
    assert "pool         2A/jackpot 12002.00 €\n" in done.stdout
    assert done.stdout.endswith("clean: no finding\n")


def test_an_inspector_reads_it_in_spanish_unless_asked_otherwise(
    story: Path, app: typer.Typer
) -> None:
    done = CliRunner().invoke(app, [str(story)])
    assert done.exit_code == 0
    assert "jugado           2 jornadas, 10 jugadas, 3 premios\n" in done.stdout
    assert "pagado           10.005,50 €\n" in done.stdout
    assert "fondo            2A acumulado: 12.002,00 €\n" in done.stdout
    assert "puntos firmados  " in done.stdout
    assert done.stdout.endswith("limpio: sin hallazgos\n")


def test_a_finding_is_told_in_spanish_and_its_json_stays(
    forgery: Forgery, app: typer.Typer
) -> None:
    event = forgery.event("contributed", 0)
    event[MICROCENTS] = 50_000_001
    path = str(forgery.well_made())
    done = CliRunner().invoke(app, [path])
    assert done.exit_code == 1
    assert (
        "HALLAZGO lote 13, seq 24: El incremento no es el debido (contributions): "
        "no es lo que dicen las reglas: «Incremento»; se esperaba: casilla 1, 0,50 €; "
        "se encontró: casilla 1, 0,50000001 € [CAN-8.b]\n"
    ) in done.stdout
    assert done.stdout.endswith(" hallazgos\n")
    spoken = {
        lang: CliRunner().invoke(app, [path, "--json", "--lang", lang]) for lang in ("es", "en")
    }
    assert spoken["es"].stdout == spoken["en"].stdout


def test_findings_are_status_1_with_place_and_rule(forgery: Forgery, app: typer.Typer) -> None:
    event = forgery.event("contributed", 0)
    event[MICROCENTS] = 50_000_001
    done = CliRunner().invoke(app, [str(forgery.well_made()), "--lang", "en"])
    assert done.exit_code == 1
    assert (
        "FINDING batch 13, seq 24: contributions: contributed is not what the rules say; "
        "expected box 1, 50000000 micro-cents; "
        "found box 1, 50000001 micro-cents [CAN-8.b]"
    ) in done.stdout


@pytest.mark.parametrize("content", [None, b"", b"no ledger at all", b"SQLite format 3\0" * 64])
def test_what_is_no_ledger_is_status_2(
    content: bytes | None, tmp_path: Path, app: typer.Typer
) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    done = CliRunner().invoke(app, [str(path), "--lang", "en"])
    assert done.exit_code == 2
    assert "not readable: unreadable: expected a ledger at" in done.stdout


def test_another_sqlite_file_is_no_ledger(tmp_path: Path) -> None:
    path = tmp_path / "file"
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE batch(batch)")
    db.close()
    assert verify(path).exit_status == 2


def test_the_ledger_of_another_machine_is_not_checked_as_a_tables(forgery: Forgery) -> None:
    for row in forgery.about:
        if row[0] == "machine":
            row[1] = "coordinator"
    report = verify(forgery.save())
    assert report.exit_status == 2
    assert report.unreadable is not None
    assert "a ledger of 'coordinator'" in report.unreadable


def test_of_several_ledgers_the_worst_counts(story: Path, tmp_path: Path, app: typer.Typer) -> None:
    done = CliRunner().invoke(app, ["--json", str(story), str(tmp_path / "nothing")])
    assert done.exit_code == 2
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["exit_status"], first["path"]) == (0, str(story))
    assert first["summary"]["pools_microcents"]["2A/jackpot"] == 1_200_200_000_000
    assert (second["exit_status"], second["summary"]) == (2, None)


def test_json_findings_have_their_parts(forgery: Forgery, app: typer.Typer) -> None:
    forgery.tell(forgery.event("hand_started", 1), by="X9")
    done = CliRunner().invoke(app, ["--json", str(forgery.well_made())])
    (finding,) = (
        one for one in json.loads(done.stdout)["findings"] if one["validator"] == "officers"
    )
    assert finding == {
        "validator": "officers",
        "says": "an act by somebody unknown",
        "expected": "a listed officer",
        "found": "X9",
        "rule": None,
        "batch": 19,
        "seq": 36,
    }


def test_the_right_key_and_a_witness_leave_nothing_to_note_but_the_tail(
    story: Path, tmp_path: Path, app: typer.Typer
) -> None:
    db = apsw.Connection(str(story), flags=apsw.SQLITE_OPEN_READONLY)
    key = str(next(iter(db.execute("SELECT value FROM about WHERE key = 'vkey'")))[0])
    note = str(next(iter(db.execute("SELECT note FROM checkpoint WHERE batch = 87")))[0])
    db.close()
    witness = tmp_path / "witness"
    witness.write_text(note, encoding="utf-8")
    command = ["--json", "--public-key", key, "--witness", str(witness), str(story)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    assert {note["validator"] for note in json.loads(done.stdout)["notes"]} == {"limits", "tail"}


def test_what_people_keep_of_checkpoints_is_read_as_it_is(
    story: Path, tmp_path: Path, app: typer.Typer
) -> None:
    """Without the last newline, with blank lines, and all that ``checkpoint list --notes`` prints."""
    db = apsw.Connection(str(story), flags=apsw.SQLITE_OPEN_READONLY)
    notes = [str(row[0]) for row in db.execute("SELECT note FROM checkpoint ORDER BY batch")]
    db.close()
    listed = "".join(f"2026-11-30T03:00:00+00:00  7 batches\n{note}\n" for note in notes)
    witness = tmp_path / "witness"
    for text, count in (
        (notes[-1].rstrip("\n"), 1),
        (notes[-1] + "\n\n", 1),
        (notes[-1].replace("\n", "\r\n"), 1),
        (listed, len(notes)),
    ):
        witness.write_bytes(text.encode())
        done = CliRunner().invoke(app, ["--json", "--witness", str(witness), str(story)])
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["summary"]["witnesses"] == count


@pytest.mark.parametrize("text", ["", "good evening\n", "casino.example/table-2\n7\n"])
def test_a_witness_file_without_a_note_is_status_2(
    text: str, story: Path, tmp_path: Path, app: typer.Typer
) -> None:
    witness = tmp_path / "witness"
    witness.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(app, ["--witness", str(witness), str(story)])
    assert done.exit_code == 2
    assert "witness_unreadable: expected a file with a signed checkpoint" in done.stderr


@pytest.mark.parametrize("key", ["", "nonsense", "casino.example/table-2+00000000+AAAA"])
def test_a_public_key_that_is_none_is_status_2(key: str, story: Path, app: typer.Typer) -> None:
    done = CliRunner().invoke(app, ["--public-key", key, str(story)])
    assert done.exit_code == 2
    assert "bad_public_key" in done.stderr


def test_a_report_that_cannot_be_printed_is_status_2(story: Path) -> None:
    command = [sys.executable, "-m", "jackpot.cli", "verify", str(story)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("output_failed: expected to write the report; found [Errno 28]")


def test_a_fault_of_the_checker_itself_is_status_2_and_still_json(
    story: Path, app: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise MemoryError("no more")

    monkeypatch.setattr("jackpot.commands.verify.verify", failing)
    done = CliRunner().invoke(app, ["--json", str(story)])
    assert done.exit_code == 2
    assert json.loads(done.stdout)["unreadable"] == "the checker failed on it: MemoryError: no more"


def test_one_of_a_kind_is_told_in_the_singular(tmp_path: Path, app: typer.Typer) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1)
    table.lock().no_awards()
    path = str(table.close())
    done = CliRunner().invoke(app, [path, "--lang", "en"])
    assert "played       1 day, 1 hand, 0 awards" in done.stdout
    assert "pool         2A/jackpot 10000.50 €" in done.stdout
    done = CliRunner().invoke(app, [path])
    assert "jugado           1 jornada, 1 jugada, 0 premios\n" in done.stdout


def test_an_unreadable_witness_is_status_2(story: Path, tmp_path: Path, app: typer.Typer) -> None:
    done = CliRunner().invoke(app, ["--witness", str(tmp_path / "none"), str(story)])
    assert done.exit_code == 2


def test_a_ledger_is_checked_while_its_table_plays(tmp_path: Path) -> None:
    """The writer holds the file; the checker sees one moment of it and writes nothing."""
    table = opened(tmp_path / "ledger")
    table.hand(1, 2)
    report = verify(table.path)
    assert report.exit_status == 0
    table.lock().no_awards()
    table.close()


def test_a_ledger_on_a_medium_that_takes_no_writes(story: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    copy = folder / "ledger"
    shutil.copyfile(story, copy)
    copy.chmod(0o444)
    folder.chmod(0o555)
    try:
        assert verify(copy).exit_status == 0
    finally:
        folder.chmod(0o755)


def test_progress_goes_up_to_the_end(story: Path) -> None:
    told: list[tuple[int, int]] = []
    verify(story, progress=lambda done, in_all: told.append((done, in_all)))
    assert told[-1] == (108, 108)
    assert told == sorted(set(told))
