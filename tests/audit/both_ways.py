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
    assert report == verify(path, swift=False, **options)
    return report


def swiftly(path: Path) -> Report:
    """Only in whole pieces. Raises ``Untidy`` where something is to be found."""
    file = LedgerFile(path)
    try:
        return SwiftWalk(file, Findings(), None, ()).report(None)
    finally:
        file.close()
