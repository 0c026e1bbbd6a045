"""``verify(path) -> Report``: what is wrong with a ledger, from its first batch to its last."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from jackpot.audit.checker.findings import UNREADABLE, Findings, Untidy
from jackpot.audit.checker.ledger_file import LedgerFile, Unreadable
from jackpot.audit.checker.outcomes import show
from jackpot.audit.checker.report import Report
from jackpot.audit.checker.walk import Progress, Walk

if TYPE_CHECKING:
    from jackpot.audit.checker.swift import Ahead


def verify(
    path: Path | str,
    *,
    public_key: str | None = None,
    witnesses: Sequence[str] = (),
    progress: Progress | None = None,
    swift: bool = True,
    ahead: Ahead | None = None,
) -> Report:
    """Check a ledger; never raises for what is in the file.

    ``public_key`` is the key printed at installation (``name+id+key``); without it the ledger's own
    is used, and a note says so. ``witnesses`` are checkpoints of this ledger that others kept.
    ``swift`` tries the short way first, that of a ledger without any finding; with ``ahead``
    others make its pieces meanwhile. The report is the same in any case.
    """
    path = Path(path)
    collecting = gc.isenabled()
    gc.disable()  # millions of rows, and not one cycle among them: a third less time
    try:
        with LedgerFile(path) as file:
            report = None
            if swift:
                report = _swift(file, public_key, tuple(witnesses), progress, ahead)
            return report or _thorough(file, public_key, tuple(witnesses), progress)
    except Unreadable as error:
        return Report(summary=None, findings=(), unreadable=error.text())
    finally:
        if collecting:
            gc.enable()


def _swift(
    file: LedgerFile,
    public_key: str | None,
    witnesses: tuple[str, ...],
    progress: Progress | None,
    ahead: Ahead | None,
) -> Report | None:
    """The report of a ledger without findings; None if there may be any.

    Imported here: who only asks for a report's words needs no columns.
    """
    from jackpot.audit.checker.swift import SwiftWalk

    try:
        return SwiftWalk(file, Findings(), public_key, witnesses, ahead).report(progress)
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
