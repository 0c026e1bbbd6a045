"""The checker's two ways over a ledger: in whole pieces, and batch by batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jackpot.audit.checker import Report, verify
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.swift import SwiftWalk


def verify_both_ways(path: Path, **options: Any) -> Report:
    """The report, which is the same on both ways."""
    report = verify(path, **options)
    of_the_ledger = {"public_key", "witnesses"}
    same = {name: options[name] for name in of_the_ledger & options.keys()}
    assert report == verify(path, swift=False, **same)
    return report


def swiftly(path: Path) -> Report:
    """Only in whole pieces. Raises ``Untidy`` where something is to be found."""
    with LedgerFile(path) as file:
        return SwiftWalk(file, Findings(), None, ()).report(None)
