"""Nothing is made of an altered ledger without saying so, where it is made and in what is made."""

from __future__ import annotations

import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from forgery import CAUSE, HASH, MICROCENTS, Forgery
from scripted import KEY
from typer.testing import CliRunner

from jackpot.audit.checker import verify
from jackpot.audit.report_text import report_text
from jackpot.audit.standing import standing
from jackpot.cli import build_app
from jackpot.law.words import Language

COMMANDS = ("journal", "export", "datasette", "evidence", "report")


@pytest.fixture
def run(tmp_path: Path) -> Callable[[str, Path], tuple[int, str, str]]:
    """A command on a ledger: its exit status, what it says of faults, and the text of what it made."""

    def of(command: str, ledger: Path) -> tuple[int, str, str]:
        key = tmp_path / "key.pem"
        key.write_bytes(
            KEY.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        key.chmod(0o600)
        out = tmp_path / f"{command}-of-it"
        days = ["--from", "2026-01-01", "--to", "2027-12-31"]
        options = {
            "journal": [],
            "export": ["--out", str(out)],
            "datasette": ["--out", str(out), "--no-serve"],
            "evidence": ["--hand", "2", "--out", str(out), "--key", str(key)],
            "report": [*days, "--out", str(out), "--lang", "en"],
        }[command]
        done = CliRunner().invoke(build_app(), [command, str(ledger), *options])
        return done.exit_code, done.stderr, TEXT_OF[command](done.stdout, out)

    return of


def text_of_report(_: str, out: Path) -> str:
    command = ["pdftotext", "-layout", "-l", "1", str(out), "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split())


TEXT_OF: dict[str, Callable[[str, Path], str]] = {
    "journal": lambda said, _: said,
    "export": lambda _, out: (out / "dictionary.md").read_text(),
    "datasette": lambda _, out: json.loads((out / "metadata.json").read_text())["description"],
    "evidence": lambda _, out: zipfile.ZipFile(out).read("README.txt").decode(),
    "report": text_of_report,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_made_of_an_altered_ledger_says_so(
    command: str, run: Callable[[str, Path], tuple[int, str, str]], forgery: Forgery
) -> None:
    """One micro-cent more in a contribution, not hashed again: the chain tells."""
    forgery.event("contributed", 0)[MICROCENTS] += 1
    status, said, made = run(command, forgery.save())
    assert status == 1
    assert "este registro no es íntegro" in said or "this ledger does not stand" in said
    assert "this ledger does not stand" in made
    assert command != "evidence" or "este registro no es íntegro" in made


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_made_of_a_whole_ledger_warns_of_nothing(
    command: str, run: Callable[[str, Path], tuple[int, str, str]], story: Path
) -> None:
    status, said, made = run(command, story)
    assert (status, said) == (0, "")
    assert "does not stand" not in made


def test_the_warning_counts_the_findings_and_names_the_first(forgery: Forgery) -> None:
    forgery.batches[30][HASH] = "0" * 64
    stands = standing(forgery.save())
    assert stands.findings >= 2  # its own hash is wrong, and then the next one's
    warning = stands.warning(Language.ES)
    assert f"encuentra {stands.findings} hallazgos" in warning
    assert "lote 31" in warning
    assert "batch 31" in stands.warning(Language.EN)


# ---- what a forger writes into a ledger stays within its line ----------------------------------------

TRANSACTION = "console\n2026-01-01 * a gift\n    assets:cash  1000 EUR\n    equity#7"
RECIPE = "\n--8<-- check.sh\nrm -rf /\n-->8--\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_forged_text_writes_no_line_of_its_own(
    command: str, run: Callable[[str, Path], tuple[int, str, str]], forgery: Forgery
) -> None:
    """Neither a transaction into the journal nor a command into the recipe of an evidence pack."""
    for batch in forgery.batches[-40:]:
        batch[CAUSE] = TRANSACTION
    forgery.batches[5][HASH] += RECIPE
    for row in forgery.about:
        if row[0] in ("id", "origin"):
            row[1] += RECIPE
    status, said, made = run(command, forgery.save())
    assert status == 1
    assert len(said.splitlines()) == 1
    begins = [line[:8] for line in made.splitlines()]
    assert "rm -rf /" not in begins
    assert begins.count("--8<-- c") == (command == "evidence")
    assert not any(line.startswith(("2026-01-01 *", "    assets:cash  1000")) for line in
                   made.splitlines())  # fmt: skip


VERDICT = "\nlimpio: sin hallazgos\nclean: no finding\n"


@pytest.mark.parametrize("language", list(Language))
def test_a_forged_text_writes_no_verdict_of_its_own(language: Language, forgery: Forgery) -> None:
    for row in forgery.about:
        if row[0] in ("id", "origin", "vkey"):
            row[1] += VERDICT
    forgery.batches[5][HASH] += VERDICT
    forgery.batches[6][CAUSE] += VERDICT
    lines = report_text(verify(forgery.save()), language).splitlines()
    assert not {"limpio: sin hallazgos", "clean: no finding"}.intersection(lines)
    assert lines[-1].endswith(("hallazgos", "findings"))
