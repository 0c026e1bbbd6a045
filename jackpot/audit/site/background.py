"""What goes on while somebody reads: the checker, and the replay that makes the index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jackpot.audit.site.index import ReplayVerdict

if TYPE_CHECKING:
    from jackpot.audit.checker.report import Report


@dataclass(frozen=True)
class Work:
    """How far both are. A finished one has its result; one that ended early says why.

    Done and in all are batches.
    """

    checked: int = 0
    indexed: int = 0
    in_all: int = 0
    report: Report | None = None
    verdict: ReplayVerdict | None = None
    failed: str = ""
    """Why the replay ended early."""
    check_failed: str = ""
    """Why the checker did."""

    @property
    def finished(self) -> bool:
        """Whether nothing more will change."""
        checked = self.report is not None or bool(self.check_failed)
        return checked and (self.verdict is not None or bool(self.failed))


class Background(Protocol):
    """Whoever checks and indexes one ledger."""

    @property
    def index(self) -> Path:
        """The index, which is there from the beginning."""

    def work(self) -> Work:
        """How far it is now."""


@dataclass(frozen=True)
class Done:
    """A ledger that is checked and indexed already."""

    index: Path
    result: Work

    def work(self) -> Work:
        """The result."""
        return self.result
