"""``jackpot verify LEDGER…``: the independent checker on the command line.

Exit status: 0 clean, 1 findings, 2 not readable; of several ledgers, the highest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jackpot.audit.checker import Report, verify
from jackpot.audit.checker.notes import Unsigned, key_of, notes_in
from jackpot.audit.checker.pack import is_pack, verify_pack
from jackpot.audit.checker.report import UNREADABLE
from jackpot.errors import Refused

Ledgers = Annotated[
    list[Path],
    typer.Argument(metavar="LEDGER…", help="One file per table, or evidence packs (zip)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per ledger, one a line.")]
PublicKey = Annotated[
    str | None,
    typer.Option("--public-key", help="The key printed at installation (name+id+key)."),
]
Witness = Annotated[
    list[Path] | None,
    typer.Option("--witness", help="A file with checkpoints that somebody else kept."),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="Processes at a time; without it one for each processor."),
]


def register(app: typer.Typer) -> None:
    """Add the command ``verify`` to an application."""
    app.command("verify")(verify_command)


def verify_command(
    ledgers: Ledgers,
    as_json: AsJson = False,
    public_key: PublicKey = None,
    witness: Witness = None,
    jobs: Jobs = None,
) -> None:
    """Check ledgers with a program that shares nothing with the controller (docs/verify.md)."""
    _check_key(public_key)
    notes = [note for path in witness or [] for note in _notes(path)]
    worst = 0
    at_a_time = jobs or len(os.sched_getaffinity(0))
    for path, report in _reports(ledgers, public_key, notes, at_a_time):
        _print(_printed(report, path, as_json=as_json))
        worst = max(worst, report.exit_status)
    raise typer.Exit(worst)


def _reports(
    ledgers: list[Path], public_key: str | None, notes: list[str], jobs: int
) -> Iterator[tuple[Path, Report]]:
    """Every ledger's report in the order that was asked for; several at a time if there may be."""
    for_each = max(1, jobs // len(ledgers))
    if for_each == jobs:
        for path in ledgers:
            yield path, _report(path, public_key, notes, jobs, _bar("batches"))
        return
    bar = _bar("ledgers")
    with ProcessPoolExecutor(min(jobs, len(ledgers)), get_context("fork")) as pool:
        works = [pool.submit(_report, path, public_key, notes, for_each) for path in ledgers]
        for done, (path, work) in enumerate(zip(ledgers, works, strict=True), 1):
            try:
                report = work.result()
            except BrokenProcessPool as error:
                report = Report(summary=None, findings=(), unreadable=f"nobody read it: {error}")
            if bar is not None:
                bar(done, len(ledgers))
            yield path, report


def _report(
    path: Path, public_key: str | None, notes: list[str], jobs: int, bar: _Bar | None = None
) -> Report:
    """``verify`` raises nothing for what is in a file; should it all the same, that is said."""
    try:
        if is_pack(path):
            return verify_pack(path, public_key=public_key)
        return verify(path, public_key=public_key, witnesses=notes, progress=bar, jobs=jobs)
    except Exception as error:
        found = f"the checker failed on it: {type(error).__name__}: {error}"
        return Report(summary=None, findings=(), unreadable=found)


def _printed(report: Report, path: Path, *, as_json: bool) -> str:
    if as_json:
        return report.as_json(str(path)) + "\n"
    return f"{path}\n{report.as_text()}"


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What still waits to be written must not fail once more, at the end of the program.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        _refuse("output_failed", "to write the report", str(error), "make room, or print elsewhere")


def _check_key(public_key: str | None) -> None:
    try:
        if public_key is not None:
            key_of(public_key)
    except Unsigned as error:
        _refuse(
            "bad_public_key",
            "--public-key as it was printed at installation: name+id+key",
            str(error),
            "copy the whole line; `jackpot public-key` shows it too",
        )


def _notes(path: Path) -> list[str]:
    """The checkpoints in a file: a closing sheet, or all that ``checkpoint list --notes`` prints."""
    try:
        notes = notes_in(path.read_text(encoding="utf-8"))
        found = "" if notes else f"none in {path}"
    except (OSError, UnicodeDecodeError) as error:
        notes, found = [], f"{path}: {error}"
    if found:
        _refuse("witness_unreadable", "a file with a signed checkpoint", found, "check the path")
    return notes


def _refuse(reason: str, expected: str, found: str, to_do: str) -> NoReturn:
    refused = Refused(reason=reason, expected=expected, found=found, to_do=to_do)
    typer.echo(refused.text(), err=True)
    raise typer.Exit(UNREADABLE)


class _Bar:
    """One line on a terminal, rewritten in place."""

    def __init__(self, of: str) -> None:
        self._of = of

    def __call__(self, done: int, in_all: int) -> None:
        end = "\n" if done >= in_all else ""
        percent = 100 * done // in_all if in_all else 100
        sys.stderr.write(f"\r{done:,} of {in_all:,} {self._of} ({percent} %){end}")
        sys.stderr.flush()


def _bar(of: str) -> _Bar | None:
    return _Bar(of) if sys.stderr.isatty() else None
