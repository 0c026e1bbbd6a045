"""``jackpot verify LEDGER…``: the independent checker on the command line.

Exit status: 0 clean, 1 findings, 2 not readable; of several ledgers, the highest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jackpot.audit.checker import Report, verify
from jackpot.audit.checker.carrusel_across import heads_in, verify_carrusel
from jackpot.audit.checker.carrusel_file import is_carrusel_log
from jackpot.audit.checker.notes import Unsigned, key_of, notes_in
from jackpot.audit.checker.pack import is_pack, verify_pack
from jackpot.audit.checker.report import UNREADABLE
from jackpot.audit.report_text import report_text
from jackpot.daemon.check_workers import made_by, reports, worth_processes
from jackpot.errors import Refused
from jackpot.law.words import Language, Text

Ledgers = Annotated[
    list[Path],
    typer.Argument(
        metavar="LEDGER…",
        help="One file per table, or evidence packs (zip); with a carrusel's log, all against it.",
    ),
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
Lang = Annotated[Language, typer.Option("--lang", help="Language of the report for people.")]


_Kept = tuple[list[str], list[Path]]
"""What others kept of the ledgers: checkpoints, and the logs of a carrusel with those in them."""


def register(app: typer.Typer) -> None:
    """Add the command ``verify`` to an application."""
    app.command("verify")(verify_command)


def verify_command(
    ledgers: Ledgers,
    as_json: AsJson = False,
    public_key: PublicKey = None,
    witness: Witness = None,
    jobs: Jobs = None,
    lang: Lang = Language.ES,
) -> None:
    """Check ledgers with a program that shares nothing with the controller (docs/verify.md)."""
    _check_key(public_key)
    notes = [note for path in witness or [] for note in _notes(path)]
    worst = 0
    logs = [path for path in ledgers if is_carrusel_log(path)]
    tables = [path for path in ledgers if path not in logs]
    at_a_time = jobs or len(os.sched_getaffinity(0))
    found = [
        *zip(tables, _reports(tables, public_key, (notes, logs), at_a_time, lang), strict=True),
        *((log, verify_carrusel(log, _ledgers_only(tables))) for log in logs),
    ]
    for path, report in found:
        _print(f"{report.as_json(str(path))}\n" if as_json else _for_people(report, path, lang))
        worst = max(worst, report.exit_status)
    raise typer.Exit(worst)


def _ledgers_only(paths: list[Path]) -> list[Path]:
    return [path for path in paths if not is_pack(path)]


def _reports(
    ledgers: list[Path], public_key: str | None, kept: _Kept, jobs: int, lang: Language
) -> Iterator[Report]:
    """Every ledger's report in the order that was asked for; several at a time if there may be."""
    if len(ledgers) <= 1 or jobs == 1:
        for path in ledgers:
            yield _report(path, public_key, kept, jobs, _bar(_BATCHES, lang))
        return
    check = partial(_report, public_key=public_key, kept=kept, jobs=jobs // len(ledgers))
    bar = _bar(_LEDGERS, lang)
    for done, report in enumerate(reports(ledgers, check, jobs), 1):
        if bar is not None:
            bar(done, len(ledgers))
        yield report


def _report(
    path: Path, public_key: str | None, kept: _Kept, jobs: int, bar: _Bar | None = None
) -> Report:
    """``verify`` raises nothing for what is in a file; should it all the same, that is said."""
    try:
        if is_pack(path):
            return verify_pack(path, public_key=public_key)
        notes, logs = kept
        seen = [note for log in logs for note in heads_in(log, path)]
        check = partial(
            verify, path, public_key=public_key, witnesses=[*notes, *seen], progress=bar
        )
        return check(ahead=made_by(jobs) if jobs > 1 and worth_processes(path) else None)
    except Exception as error:
        found = f"the checker failed on it: {type(error).__name__}: {error}"
        return Report(summary=None, findings=(), unreadable=found)


def _for_people(report: Report, path: Path, lang: Language) -> str:
    return f"{path}\n{report_text(report, lang)}"


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


_BATCHES = Text(("lotes", "batches"))
_LEDGERS = Text(("registros", "ledgers"))
_DONE = Text(("{done} de {in_all} {of} ({percent} %)", "{done} of {in_all} {of} ({percent} %)"))


class _Bar:
    """One line on a terminal, rewritten in place."""

    def __init__(self, of: Text, lang: Language) -> None:
        self._of, self._lang = of, lang

    def __call__(self, done: int, in_all: int) -> None:
        percent = 100 * done // in_all if in_all else 100
        line = _DONE.text(self._lang).format(
            done=done, in_all=in_all, of=self._of.text(self._lang), percent=percent
        )
        sys.stderr.write(f"\r{line}" + ("\n" if done >= in_all else ""))
        sys.stderr.flush()


def _bar(of: Text, lang: Language) -> _Bar | None:
    return _Bar(of, lang) if sys.stderr.isatty() else None
