"""``jackpot verify LEDGER…``: the independent checker on the command line.

Exit status: 0 clean, 1 findings, 2 not readable; of several ledgers, the highest.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jackpot.audit.checker import Report, verify
from jackpot.audit.checker.report import UNREADABLE
from jackpot.errors import Refused

Ledgers = Annotated[list[Path], typer.Argument(metavar="LEDGER…", help="One file per table.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per ledger, one a line.")]
PublicKey = Annotated[
    str | None,
    typer.Option("--public-key", help="The key printed at installation (name+id+key)."),
]
Witness = Annotated[
    list[Path] | None,
    typer.Option("--witness", help="A file with a checkpoint that somebody else kept."),
]


def register(app: typer.Typer) -> None:
    """Add the command ``verify`` to an application."""
    app.command("verify")(verify_command)


def verify_command(
    ledgers: Ledgers,
    as_json: AsJson = False,
    public_key: PublicKey = None,
    witness: Witness = None,
) -> None:
    """Check ledgers with a program that shares nothing with the controller (docs/verify.md)."""
    notes = [_note(path) for path in witness or []]
    worst = 0
    for path in ledgers:
        report = verify(path, public_key=public_key, witnesses=notes, progress=_progress())
        typer.echo(_printed(report, path, as_json=as_json), nl=False)
        worst = max(worst, report.exit_status)
    raise typer.Exit(worst)


def _printed(report: Report, path: Path, *, as_json: bool) -> str:
    if as_json:
        return report.as_json(str(path)) + "\n"
    return f"{path}\n{report.as_text()}"


def _note(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        typer.echo(
            Refused(
                reason="witness_unreadable",
                expected="a file with a signed checkpoint",
                found=str(error),
                to_do="check the path",
            ).text(),
            err=True,
        )
        raise typer.Exit(UNREADABLE) from error


class _Bar:
    """One line on a terminal, rewritten in place."""

    def __call__(self, done: int, in_all: int) -> None:
        end = "\n" if done >= in_all else ""
        percent = 100 * done // in_all if in_all else 100
        sys.stderr.write(f"\r{done:,} of {in_all:,} batches ({percent} %){end}")
        sys.stderr.flush()


def _progress() -> _Bar | None:
    return _Bar() if sys.stderr.isatty() else None
