"""``verify(path) -> Report``: what is wrong with a ledger, from its first batch to its last."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

import apsw

from jackpot.audit.checker.findings import UNREADABLE, Findings, Untidy
from jackpot.audit.checker.ledger_file import LedgerFile, Unreadable
from jackpot.audit.checker.outcomes import show
from jackpot.audit.checker.record import RecordBeside
from jackpot.audit.checker.report import Report
from jackpot.audit.checker.swift import SwiftWalk
from jackpot.audit.checker.walk import Progress, Walk

WORTH_A_PROCESS_BYTES = 8 * 1024 * 1024
"""A smaller ledger is walked before another process has begun."""


def verify(
    path: Path | str,
    *,
    public_key: str | None = None,
    witnesses: Sequence[str] = (),
    progress: Progress | None = None,
    swift: bool = True,
    jobs: int = 1,
) -> Report:
    """Check a ledger; never raises for what is in the file.

    ``public_key`` is the key printed at installation (``name+id+key``); without it the ledger's own
    is used, and a note says so. ``witnesses`` are checkpoints of this ledger that others kept.
    ``swift`` tries the short way first, that of a ledger without any finding, with a second process
    if there may be two ``jobs``; the report is the same. No thread may run beside when there are two.
    """
    path, beside = Path(path), None
    if swift and jobs > 1 and path.is_file() and path.stat().st_size >= WORTH_A_PROCESS_BYTES:
        beside = RecordBeside(path)
    collecting = gc.isenabled()
    gc.disable()  # millions of rows, and not one cycle among them: a third less time
    try:
        with LedgerFile(path) as file:
            report = None
            if swift:
                report = _swift(file, public_key, tuple(witnesses), progress, beside)
            return report or _thorough(file, public_key, tuple(witnesses), progress)
    except Unreadable as error:
        return Report(summary=None, findings=(), unreadable=error.text())
    finally:
        if beside is not None:
            beside.close()
        if collecting:
            gc.enable()


def _swift(
    file: LedgerFile,
    public_key: str | None,
    witnesses: tuple[str, ...],
    progress: Progress | None,
    beside: RecordBeside | None,
) -> Report | None:
    """The report of a ledger without findings; None if there may be any."""
    try:
        return SwiftWalk(file, Findings(), public_key, witnesses, beside).report(progress)
    except (Untidy, apsw.Error, *UNREADABLE):
        return None


def _thorough(
    file: LedgerFile, public_key: str | None, witnesses: tuple[str, ...], progress: Progress | None
) -> Report:
    findings = Findings()
    try:
        return Walk(file, findings, public_key, witnesses).report(progress)
    except (apsw.Error, *UNREADABLE) as error:
        findings.wrong("readability", "the file cannot be read on", "a whole file", show(error))
        return Report(summary=None, findings=tuple(findings.findings))
