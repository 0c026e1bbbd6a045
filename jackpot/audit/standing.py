"""Whether a ledger stands, said before anything is made of it: the independent checker's word."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from jackpot.audit.checker.findings import Finding
from jackpot.audit.checker.one_line import one_line
from jackpot.law.words import Language, Text

_WARNING = Text(
    (
        "ATENCIÓN: este registro no es íntegro. «jackpot verify» encuentra {count} en él; lo primero: "
        "{first}",
        "WARNING: this ledger does not stand. `jackpot verify` has {count} about it; the first: {first}",
    )
)
_ONE = Text(("un hallazgo", "one finding"))
_MORE = Text(("{count} hallazgos", "{count} findings"))


class Standing(NamedTuple):
    """How many findings there are, and the first of them."""

    findings: int = 0
    first: Finding | None = None

    def warning(self, language: Language) -> str:
        """One line for people; empty where nothing was found."""
        from jackpot.audit.finding_text import finding_line  # it knows ledgers itself

        if self.first is None:
            return ""
        count = (_ONE if self.findings == 1 else _MORE).text(language).format(count=self.findings)
        first = finding_line(self.first, language)
        return one_line(_WARNING.text(language).format(count=count, first=first))


STANDS = Standing()


def standing(path: Path) -> Standing:
    """What ``jackpot verify`` finds in a ledger, from its first batch to its last. A file that is no
    ledger has no findings: who reads it says so."""
    from jackpot.audit.checker import verify

    report = verify(path)
    count = len(report.findings) + report.more_findings
    return Standing(count, report.findings[0] if report.findings else None)
