"""The command line: init, check-config, run, and the ledger's keeping. Never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jackpot.cli import BUSY, MODULES, build_app, exit_status
from jackpot.commands.console import screens_address
from jackpot.config import load_config_file
from jackpot.errors import JackpotError, Refused
from jackpot.invariant import InvariantBroken
from jackpot.law.terms import BetMode, JackpotKind

SAMPLE = Path(__file__).parent.parent / "config" / "automatic.toml"

INIT = [
    "--casino-name", "Casino de Ejemplo", "--casino-id", "casino.example", "--table", "7",
    "--minimum", "10.00", "--bet", "2.00", "--percentage", "25", "--authorisation", "2026/001",
    "--port", "/dev/ttyUSB0", "--officer", "c1:croupier", "--officer", "j1:table_chief",
    "--pin-stdin", "--yes",
]  # fmt: skip
PINS = "482915\n572914\n"


def jackpot(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The program as people start it."""
    return subprocess.run(
        [sys.executable, "-m", "jackpot.cli", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_init_makes_a_table_that_check_config_likes(tmp_path: Path) -> None:
    made = jackpot("init", str(tmp_path / "t7"), *INIT, text=PINS)
    assert made.returncode == 0, made.stderr
    assert "clave pública: casino.example/table-7-1+" in made.stdout
    file = tmp_path / "t7" / "table.toml"
    config = load_config_file(file)
    assert config.terms.seed_cents == 1_000_000, "5,000 bets unless another seed is given"
    assert jackpot("check-config", str(file)).returncode == 0
    key = jackpot("public-key", str(file)).stdout.strip()
    assert f"clave pública: {key}" in made.stdout


def test_init_warns_of_what_so_few_officers_cannot_sign(tmp_path: Path) -> None:
    """A croupier and a table chief open the table; a third is missing for an award, a director for
    corrections."""
    made = jackpot("init", str(tmp_path / "two"), *INIT, text=PINS)
    assert "Faltan oficiales para un premio por encima del límite" in made.stderr
    assert "Faltan oficiales para correcciones y traslados" in made.stderr
    assert "para abrir y cerrar" not in made.stderr
    third = ("--officer", "d1:games_director")
    made = jackpot("init", str(tmp_path / "three"), *INIT, *third, text=f"{PINS}773915\n")
    assert (made.returncode, made.stderr) == (0, "")


def test_init_never_overwrites(tmp_path: Path) -> None:
    assert jackpot("init", str(tmp_path), *INIT, text=PINS).returncode == 0
    again = jackpot("init", str(tmp_path), *INIT, text=PINS)
    assert again.returncode == 2
    assert "already_installed" in again.stderr


def test_init_asks_what_it_was_not_told(tmp_path: Path) -> None:
    answers = [
        "Casino de Ejemplo", "casino.example", "", "7", "", "10,00", "10.00", "", "slots", "", "2.00",
        "25", "", "2026/001", "/dev/ttyUSB0", "c1", "j1", "d1",
        "482915", "482915", "572914", "572914", "773915", "773915",
    ]  # fmt: skip
    result = CliRunner().invoke(
        build_app(["init"]), ["init", str(tmp_path / "t")], input="\n".join(answers) + "\n"
    )
    assert result.exit_code == 0, result.output
    assert "482915" not in result.output
    assert "Apuesta mínima de la mesa en euros" in result.output
    assert load_config_file(tmp_path / "t" / "table.toml").terms.layout == "1"


def test_init_asks_in_english_too(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        build_app(["init"]), ["init", str(tmp_path / "t"), "--lang", "en"], input="Casino\n"
    )
    assert "Its id, as casino.example" in result.output


BASE = [
    "--casino-name", "Casino de Ejemplo", "--casino-id", "casino.example", "--table", "7",
    "--minimum", "10.00", "--bet", "2.00", "--authorisation", "2026/001", "--officer", "c1:croupier",
    "--officer", "j1:table_chief", "--pin-stdin", "--yes",
]  # fmt: skip


def test_CAN_8_b1_init_makes_a_manual_table_without_slots(tmp_path: Path) -> None:
    made = jackpot(
        "init", str(tmp_path / "t"), *BASE, "--mode", "manual", "--percentage", "25", text=PINS
    )
    assert made.returncode == 0, made.stderr
    config = load_config_file(tmp_path / "t" / "table.toml")
    assert (config.terms.mode, config.slots) == (BetMode.MANUAL, None)


def test_CAN_8_a_init_makes_a_fixed_jackpot_of_ten_thousand_bets(tmp_path: Path) -> None:
    made = jackpot(
        "init", str(tmp_path / "t"), *BASE, "--mode", "manual", "--kind", "fixed", text=PINS
    )
    assert made.returncode == 0, made.stderr
    terms = load_config_file(tmp_path / "t" / "table.toml").terms
    assert (terms.kind, terms.seed_cents, terms.jackpot_ppm) == (JackpotKind.FIXED, 2_000_000, 0)


def test_init_of_a_law_that_fixes_no_awards_asks_for_those_of_the_authorisation(
    tmp_path: Path,
) -> None:
    law = [*BASE, "--mode", "manual", "--percentage", "25", "--profile", "castilla-y-leon"]
    without = jackpot("init", str(tmp_path / "t"), *law, text=PINS)
    assert "answer_missing: expected --award" in without.stderr
    wrong = jackpot("init", str(tmp_path / "t"), *law, "--award", "flush=3", text=PINS)
    assert "unknown_award" in wrong.stderr
    awards = ("--award", "royal_flush=100", "--award", "straight_flush=10")
    made = jackpot(
        "init", str(tmp_path / "t"), *law, *awards, "--award", "four_of_a_kind=0", text=PINS
    )
    assert made.returncode == 0, made.stderr
    shares = load_config_file(tmp_path / "t" / "table.toml").terms.award_shares_ppm
    assert dict(shares) == {"royal_flush": 1_000_000, "straight_flush": 100_000}


def test_init_of_a_law_with_a_house_deduction_asks_for_it(tmp_path: Path) -> None:
    law = [*BASE, "--mode", "manual", "--percentage", "25", "--profile", "galicia"]
    made = jackpot("init", str(tmp_path / "t"), *law, "--house-deduction", "5", text=PINS)
    assert made.returncode == 0, made.stderr
    assert load_config_file(tmp_path / "t" / "table.toml").terms.house_deduction_ppm == 50_000


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (["--bet", "6.00"], "jackpot.bet: expected at most 5.00 €"),
        (["--bet", "2,00"], "not_an_amount"),
        (["--officer", "x1:cook"], "unknown_role"),
        (["--officer", "d1:games_director"], "pin_missing"),
    ],
)
def test_init_refuses_in_words_and_makes_nothing(
    tmp_path: Path, change: list[str], reason: str
) -> None:
    result = jackpot("init", str(tmp_path / "t"), *INIT, *change, text=PINS)
    assert result.returncode in (1, 2)
    assert reason in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "t").exists()


def test_init_with_yes_has_no_default_for_lawful_figures(tmp_path: Path) -> None:
    result = jackpot("init", str(tmp_path / "t"), "--yes")
    assert result.returncode == 2
    assert "answer_missing: expected --casino-name" in result.stderr


def test_check_config_tells_every_finding_and_exits_with_1(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SAMPLE.read_text().replace('"2.00"', '"6.00"').replace('"25"', '"101"'))
    result = jackpot("check-config", str(wrong))
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 3
    as_json = json.loads(jackpot("check-config", str(wrong), "--json").stdout)
    assert as_json["ok"] is False
    assert [finding["path"] for finding in as_json["findings"]] == [
        "jackpot.percentage", "jackpot.bet", "jackpot.seed",
    ]  # fmt: skip
    assert as_json["findings"][1]["rule"] == "CAN-8.1"


def test_check_config_finds_fault_with_the_file_itself(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes('[casino]\nname = "Año"\n'.encode("latin-1"))
    nested = tmp_path / "nested.toml"
    nested.write_text("a = " + "[" * 5_000 + "]" * 5_000)
    for file in (tmp_path / "none.toml", tmp_path, latin, nested):
        result = CliRunner().invoke(
            build_app(["check-config"]), ["check-config", str(file), "--json"]
        )
        assert result.exit_code == 1, file
        (finding,) = json.loads(result.stdout)["findings"]
        assert finding["path"] == "(file)"


def test_CAN_8_b1_check_config_knows_a_manual_table() -> None:
    result = jackpot("check-config", str(SAMPLE.with_name("manual.toml")))
    assert (result.returncode, result.stderr) == (0, "")


def test_check_config_as_json_shows_the_terms() -> None:
    answer = json.loads(jackpot("check-config", str(SAMPLE), "--json").stdout)
    assert answer["ok"] is True
    assert answer["terms"]["bet_cents"] == 200


def test_a_snapshot_is_restored_and_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    assert jackpot("init", str(tmp_path), *INIT, text=PINS).returncode == 0
    config, copy = str(tmp_path / "table.toml"), str(tmp_path / "copy")
    taken = jackpot("snapshot", config, copy)
    assert taken.returncode == 0, taken.stderr
    refused = jackpot("restore", config, copy)
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    restored = jackpot("restore", config, copy, "--replace")
    assert restored.returncode == 0, restored.stderr
    assert (tmp_path / "record" / "table.ledger.replaced").exists()
    listed = jackpot("checkpoint", "list", config, "--notes")
    assert "0 batches" in listed.stdout
    assert "— casino.example/table-7-1 " in listed.stdout


def test_run_refuses_what_cannot_run_without_a_traceback(tmp_path: Path) -> None:
    for arguments, status in (
        (["run", str(tmp_path / "none.toml")], 2),
        (["run", str(SAMPLE), "--log-format", "xml"], 2),
        (["frobnicate"], 2),
    ):
        result = jackpot(*arguments)
        assert result.returncode == status, result.stderr
        assert "Traceback" not in result.stderr


def test_exit_statuses_are_those_of_the_manual() -> None:
    def refused(reason: str) -> Refused:
        return Refused(reason=reason, expected="a", found="b", to_do="c")

    assert {exit_status(refused(reason)) for reason in BUSY} == {3}
    assert exit_status(refused("wrong_phase")) == 2
    assert exit_status(InvariantBroken("2 + 2 = 4")) == 4
    assert exit_status(JackpotError("something")) == 4


def test_one_command_imports_only_its_own_module() -> None:
    code = (
        "import sys; from jackpot.cli import build_app; build_app(['version']);"
        "print([m for m in sys.modules if m.startswith(('jackpot.daemon', 'jackpot.law'))])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )
    assert result.stdout.strip() == "[]"


def test_every_command_is_registered_by_the_module_that_is_said_to() -> None:
    for module, commands in MODULES.items():
        app = build_app(commands)
        names = {command.name for command in app.registered_commands}
        names |= {group.name for group in app.registered_groups}
        assert names == set(commands), module


def test_the_terminal_console_needs_a_terminal() -> None:
    piped = jackpot("console", "--url", "http://127.0.0.1:1/")
    assert piped.returncode == 2
    assert "no_terminal" in piped.stderr


def test_the_terminal_console_finds_the_screens_in_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(SAMPLE.read_text())
    assert screens_address(file, None) == ("http://127.0.0.1:8080/", None)
    assert screens_address(None, "http://10.0.0.7/") == ("http://10.0.0.7/", None)
    file.write_text(SAMPLE.read_text().replace("port = 8080", "port = 0"))
    for config in (None, file):
        with pytest.raises(Refused, match="no_address"):
            screens_address(config, None)
