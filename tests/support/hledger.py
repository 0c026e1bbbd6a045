"""What hledger, which knows nothing of us, computes from the journal of a ledger."""

from __future__ import annotations

import csv
import io
import subprocess
from pathlib import Path

from typer.testing import CliRunner

from jackpot.audit.books.formats import JournalFormat
from jackpot.cli import build_app
from jackpot.money import MICROCENTS_PER_EURO


def written(ledger: Path, form: JournalFormat, to: Path) -> Path:
    """The journal by the command line, in a file."""
    done = CliRunner().invoke(
        build_app(("journal",)), ["journal", str(ledger), "--format", form.value]
    )
    assert done.exit_code == 0, done.output
    to.write_text(done.stdout, encoding="utf-8")
    return to


def run(*command: str) -> str:
    """What another program prints; it must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def microcents(text: str) -> int:
    """``-10002.50 EUR`` to the micro-cent, whatever number of decimals a program prints."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    euros, _, decimals = digits.removesuffix(" EUR").replace(",", "").partition(".")
    return sign * (int(euros) * MICROCENTS_PER_EURO + int(decimals.ljust(8, "0")))


def by_hledger(file: Path) -> dict[str, int]:
    """Every account that holds something, in micro-cents."""
    text = run("hledger", "-f", str(file), "balance", "--flat", "--no-total", "-O", "csv")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return {account: microcents(amount) for account, amount in rows}
