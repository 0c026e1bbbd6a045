"""The four questions on the first page, and their answers as far as they are known."""

from __future__ import annotations

import msgspec

from jackpot.audit.site.background import Work

CHAIN_VALIDATORS = frozenset(
    {
        "schema",
        "integrity",
        "readability",
        "chain",
        "batch_numbers",
        "seq_numbers",
        "causes",
        "derived",
    }
)
CHECKPOINT_VALIDATORS = frozenset({"checkpoints", "tail", "stored_states"})
"""The validators behind the first two answers; all others are about amounts and rules."""

READABILITY = "readability"
"""The validator that finds a place beyond which, or at which, the file cannot be read."""


class Verdict(msgspec.Struct, frozen=True):
    """One answer: ``state`` is ``pending``, ``good``, ``bad``, or ``unread``.

    ``unread`` finds nothing wrong, but has not read everything: nothing is said to hold.
    """

    name: str
    title: str
    state: str
    count: int = 0
    percent: int = 0


def verdicts(work: Work) -> tuple[Verdict, ...]:
    """Chain, checkpoints, amounts (by the checker), and the replay."""
    titles = (
        ("chain", "Chain of hashes"),
        ("checkpoints", "Checkpoints and signatures"),
        ("amounts", "Amounts and rules"),
    )
    return (*(_checked(work, name, title) for name, title in titles), _replayed(work))


def _checked(work: Work, name: str, title: str) -> Verdict:
    report = work.report
    if report is None and not work.check_failed:
        return Verdict(name, title, "pending", percent=_percent(work.checked, work.in_all))
    if report is None or report.unreadable is not None:
        return Verdict(name, title, "unread")
    count = sum(_group(finding.validator) == name for finding in report.findings)
    count += report.more_findings if name == "amounts" else 0
    if not count and any(finding.validator == READABILITY for finding in report.findings):
        return Verdict(name, title, "unread")
    return Verdict(name, title, "bad" if count else "good", count, 100)


def _group(validator: str) -> str:
    if validator in CHAIN_VALIDATORS:
        return "chain"
    return "checkpoints" if validator in CHECKPOINT_VALIDATORS else "amounts"


def _replayed(work: Work) -> Verdict:
    title = "Replay with the table's rules"
    if work.failed:
        return Verdict("replay", title, "unread")
    if work.verdict is None:
        return Verdict("replay", title, "pending", percent=_percent(work.indexed, work.in_all))
    count = len(work.verdict.differences) + work.verdict.more_differences
    return Verdict("replay", title, "bad" if count else "good", count, 100)


def _percent(done: int, in_all: int) -> int:
    return min(100 * done // in_all, 99) if in_all else 0
