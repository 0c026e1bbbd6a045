"""``jackpot replay`` on the command line: exit status, text, JSON, stops, hands, what-ifs."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import typer
from forgery import MICROCENTS, Forgery
from typer.testing import CliRunner, Result

from jackpot.audit.replay import Difference
from jackpot.audit.replay import Result as ReplayResult
from jackpot.audit.replay_text import result_text
from jackpot.commands.replay import register
from jackpot.law.words import Language
from jackpot.table.state import INITIAL

result_with = partial(
    ReplayResult,
    batches=0,
    events=0,
    hands=0,
    more_differences=0,
    pools_microcents={},
    state=INITIAL,
)


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer(pretty_exceptions_enable=False)
    register(made)
    return made


def run(app: typer.Typer, *arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def run_in_english(app: typer.Typer, *arguments: str | Path) -> Result:
    return run(app, *arguments, "--lang", "en")


def test_an_equal_ledger_is_status_0(story: Path, app: typer.Typer) -> None:
    done = run_in_english(app, story)
    assert done.exit_code == 0
    assert done.stdout == (
        "replayed   108 batches, 205 events, 10 hands\n"
        "pools      2A/jackpot 12002.00000000 €, 2A/overflow 0.00000000 €, "
        "2A/reserve 0.00000000 €\n"
        "equal: every outcome is what the rules decide\n"
    )
    assert done.stderr == ""


def test_an_inspector_reads_the_result_in_spanish(
    story: Path, forgery: Forgery, app: typer.Typer
) -> None:
    assert run(app, story).stdout == (
        "repetido    108 lotes, 205 sucesos, 10 jugadas\n"
        "fondos      2A acumulado 12.002,00 €, 2A excedente 0,00 €, 2A reserva 0,00 €\n"
        "igual: cada resultado es el que deciden las reglas\n"
    )
    forgery.event("contributed", 2)[MICROCENTS] += 1
    done = run(app, forgery.well_made())
    assert done.exit_code == 1
    assert (
        "DIFERENCIA  lote 15, seq 30, jugada 1: «otro resultado»: las reglas deciden «Incremento» "
        "0,50 €; registrado «Incremento» 0,50000001 €\n"
    ) in done.stdout
    assert "la primera en el lote 15, seq 30\n" in done.stdout


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("nothing", "nada"),
        ("nothing more", "nada más"),
        ("nothing (KeyError(3))", "nada (KeyError(3))"),
        ("{'2A/jackpot': 1200050000000}", "2A acumulado 12.000,50 €"),
        ('contributed {"microcents":1}', "«Incremento» 0,00000001 €"),
        ('slot_down {"box":3}', "«Ranura fuera de servicio» casilla 3"),
    ],
)
def test_what_was_decided_is_told_in_words_in_spanish_and_as_stored_in_english(
    stored: str, said: str
) -> None:
    difference = Difference("other", 1, 15, 30, stored, "nothing")
    result = result_with(differences=(difference,))
    assert f"deciden {said}; registrado nada\n" in result_text(result, Language.ES)
    assert f"decide {stored}; recorded nothing\n" in result_text(result, Language.EN)


def test_a_what_if_is_marked_in_spanish_too(story: Path, app: typer.Typer) -> None:
    done = run(app, story, "--policy", "below_royal=from_seed")
    assert done.stdout.startswith("SUPUESTO    below_royal=from_seed: nada de esto ocurrió\n")
    assert "  registrado  casilla 1: «Escalera Real» 6.844,52 €\n" in done.stdout
    assert "pagado      registrado 10.005,50 €, supuesto 10.605,50 €\n" in done.stdout
    assert "2A acumulado registrado 12.002,00 €, supuesto 11.402,00 €\n" in done.stdout
    assert done.stdout.endswith("SUPUESTO    otro pago en 1 jugada\n")


def test_a_difference_is_status_1_and_the_first_is_named(
    forgery: Forgery, app: typer.Typer
) -> None:
    forgery.event("contributed", 2)[MICROCENTS] += 1
    done = run_in_english(app, forgery.well_made())
    assert done.exit_code == 1
    assert (
        "DIFFERENCE batch 15, seq 30, hand 1: other: the rules decide contributed "
        '{"microcents":50000000}; recorded contributed {"microcents":50000001}\n'
    ) in done.stdout
    assert "differences, the first in batch 15, seq 30" in done.stdout


def test_differences_in_json_have_their_place(forgery: Forgery, app: typer.Typer) -> None:
    forgery.event("contributed", 2)[MICROCENTS] += 1
    body = json.loads(run(app, forgery.well_made(), "--json").stdout)
    assert (body["exit_status"], body["what_if"]) == (1, False)
    assert body["differences"][0]["seq"] == 30


def test_what_is_no_ledger_is_status_2(tmp_path: Path, app: typer.Typer) -> None:
    done = run(app, tmp_path / "nothing", "--json")
    assert done.exit_code == 2
    assert "no such file" in json.loads(done.stdout)["refused"]
    assert "ledger_unreadable" in done.stderr


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ("2", "replayed   27 batches, 54 events, 2 hands"),
        ("seq:36", "replayed   19 batches, 36 events, 2 hands"),
        ("2027-01-15T08:00:19", "replayed   19 batches, 36 events, 2 hands"),
        ("2027-01-15T09:00:19+01:00", "replayed   19 batches, 36 events, 2 hands"),
        ("2027-01-15", "replayed   108 batches, 205 events, 10 hands"),  # its end
        ("2030-01-01", "replayed   108 batches, 205 events, 10 hands"),
    ],
)
def test_it_stops_after_a_hand_an_event_or_a_time(
    story: Path, app: typer.Typer, until: str, said: str
) -> None:
    done = run_in_english(app, story, "--until", until)
    assert done.exit_code == 0
    assert said in done.stdout


@pytest.mark.parametrize("until", ["99", "seq:99999", "yesterday", "2027-01-14"])
def test_a_moment_that_the_ledger_does_not_have_is_refused(
    story: Path, app: typer.Typer, until: str
) -> None:
    done = run(app, story, "--until", until)
    assert done.exit_code == 2
    assert "no_such_moment" in done.stderr


def test_a_hand_is_shown_as_it_was(story: Path, app: typer.Typer) -> None:
    done = run(app, story, "--hand", "2")
    assert done.exit_code == 0
    for text in (
        "Jugada 2  2026-11-30  (Atlantic/Canary)",
        "acumulado 10.001,50 € → 8.552,14 €",
        "2027-01-15 08:00:22.000 (08:00:22.000 UTC)  #22       «No va más» pulsado (C1)",
        "visor 10.002,50 €  casillas 1✓ 2✓ 3○ 4○ 5○ 6○ 7○  No va más",
        "visor 8.552,14 €  casillas 1✓ 2✓ 3○ 4○ 5○ 6○ 7○  Premio por pagar",
        "cartas 1: Kd Qd Jd Td 9d",
        "[CAN-8.5] Casilla 2: póker de ases, 5 % de 9.002,25 € = 450,1125 €",
        "pagos 2: Póker 450,11 € ✓",
    ):
        assert text in done.stdout


def test_a_hand_in_manual_mode_and_a_dispute_are_told_in_words(
    pit_ledger: Path, app: typer.Typer
) -> None:
    done = run(app, pit_ledger, "--step")
    assert done.exit_code == 0
    for text in (
        "Apuesta reclamada, aceptada 3 (J1 + D1)",
        "Decisión anulada (J1 + D1)",
        "Pago rectificado 2 (J1 + D1)",
        "Total firme (C1)",
        "Total firme por tiempo",
    ):
        assert text in done.stdout


def test_step_shows_every_hand_when_nobody_sits_there(story: Path, app: typer.Typer) -> None:
    done = run(app, story, "--step", "--hand", "8", "--lang", "en")
    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if line.startswith("Hand ")] == [
        "Hand 8  2026-11-30  (Atlantic/Canary)",
        "Hand 9  2026-11-30  (Atlantic/Canary)",
        "Hand 10  2026-12-01  (Atlantic/Canary)",
    ]


def test_a_hand_in_json_has_its_visor_at_every_moment(story: Path, app: typer.Typer) -> None:
    shown = json.loads(run(app, story, "--hand", "2", "--json").stdout)["shown"][0]
    amounts = [moment["visor"]["amount_cents"] for moment in shown["moments"]]
    assert amounts[:3] == [1_000_150, 1_000_200, 1_000_250]
    assert amounts[-1] == 855_214


def test_a_hand_that_was_not_played_is_refused(story: Path, app: typer.Typer) -> None:
    done = run(app, story, "--hand", "77")
    assert done.exit_code == 2
    assert "no_such_hand" in done.stderr


def test_a_what_if_is_marked_and_is_never_a_finding(story: Path, app: typer.Typer) -> None:
    done = run_in_english(app, story, "--policy", "below_royal=from_seed")
    assert done.exit_code == 0
    assert done.stdout.startswith("WHAT IF    below_royal=from_seed: no record of anything")
    assert "paid       recorded 10005.50 €, what if 10605.50 €" in done.stdout
    assert "2A/jackpot recorded 12002.00000000 €, what if 11402.00000000 €" in done.stdout
    assert done.stdout.endswith("WHAT IF    1 hand would have been paid otherwise\n")


def test_a_profile_is_read_from_a_file(story: Path, app: typer.Typer, tmp_path: Path) -> None:
    from importlib import resources

    text = resources.files("jackpot.law").joinpath("profiles", "galicia.toml").read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    body = json.loads(run(app, story, "--profile", file, "--json").stdout)
    assert (body["exit_status"], body["what_if"]) == (0, True)
    assert body["changed"] == [f"profile {file}"]
    assert [award["hand"] for award in body["awards"]] == [2, 3, 6]
    done = run(app, story, "--profile", tmp_path / "none.toml")
    assert done.exit_code == 2
    assert "unknown_profile" in done.stderr


def test_a_what_if_shows_no_hand(story: Path, app: typer.Typer) -> None:
    done = run(app, story, "--policy", "below_royal=from_seed", "--hand", "2")
    assert done.exit_code == 2
    assert "what_if_shows_no_hand" in done.stderr


@pytest.mark.parametrize("what_if", [(), ("--policy", "below_royal=from_seed")])
def test_a_terminal_sees_how_far_it_is_and_how_long_it_will_take(
    story: Path, what_if: tuple[str, ...]
) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "jackpot.cli", "replay", str(story), *what_if],
        stdout=subprocess.PIPE, stderr=theirs, check=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )  # fmt: skip
    os.close(theirs)
    shown = os.read(ours, 65_536).decode()
    os.close(ours)
    assert b"repetido    108 lotes" in done.stdout
    for word in ("repetición", "108/108", "lotes", "faltan", "0:00:0"):
        assert word in shown, shown


@pytest.mark.parametrize(
    ("words", "spanish", "english"),
    [
        (("--hand", "99"), "el registro no tiene esa jugada", "expected a hand of this ledger"),
        (("--until", "99"), "--until nombra una jugada", "expected --until a hand"),
        (("--policy", "void_bets=carry"), "políticas sobre importes", "a policy about amounts"),
        (("--profile", "castilla-y-leon"), "no tiene tabla de premios", "a table of awards"),
        (
            ("--hand", "1", "--profile", "galicia"),
            "o una jugada como fue, o un supuesto",
            "either a hand as it was, or a what-if",
        ),
    ],
)
def test_refusals_are_told_in_both_languages(
    words: tuple[str, ...], spanish: str, english: str, story: Path, app: typer.Typer
) -> None:
    told, in_english = run(app, story, *words), run_in_english(app, story, *words)
    assert (told.exit_code, in_english.exit_code) == (2, 2)
    assert spanish in told.stderr
    assert "expected" not in told.stderr
    assert english in in_english.stderr
