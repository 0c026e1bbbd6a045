"""What is wrong with a configuration: every finding at once, each with its place."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.errors import JackpotError
from jackpot.law.limits import Finding


class ConfigErrors(JackpotError):
    """A configuration that cannot be used; ``findings`` in the order of the file's sections."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        count = len(self.findings)
        head = f"{count} finding{'' if count == 1 else 's'} in the configuration"
        super().__init__("\n".join([head, *(finding_text(finding) for finding in findings)]))


def finding_text(finding: Finding) -> str:
    """One finding as one line for people."""
    rule = f" [{finding.rule}]" if finding.rule else ""
    return (
        f"{finding.path}: expected {finding.expected}; found {finding.found}; {finding.to_do}{rule}"
    )


__all__ = ["ConfigErrors", "Finding", "finding_text"]
