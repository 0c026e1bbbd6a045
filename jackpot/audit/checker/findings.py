"""What the checker has to say: findings (something is wrong) and notes (something to know)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from jackpot.audit.checker.one_line import one_line

MAX_FINDINGS = 1_000
"""One broken batch leads to a few; a thousand say that this is no ledger of ours, and the rest is
only counted."""


UNREADABLE = (
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    RecursionError,
    msgspec.MsgspecError,
)
"""What a damaged or forged event may lead to, wherever its fields are used; deep nesting included."""


def place(box: int, bet: int) -> str:
    """A bet in a message."""
    return f"box {box}, bet {bet}"


def owed(cents_by_place: Mapping[tuple[int, int], int]) -> str:
    """Bets with what each is due, in a message."""
    told = (f"{place(*where)}: {cents} cents" for where, cents in cents_by_place.items())
    return "; ".join(told) or "nothing"


class Untidy(Exception):
    """Raised in place of a finding where none is to be named: something is not as it should be."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong (or, among the notes, one thing to know), and where.

    ``batch`` and ``seq`` are None where the thing has no place in the order of events.
    """

    validator: str
    says: str
    expected: str
    found: str
    rule: str | None = None
    batch: int | None = None
    seq: int | None = None

    def text(self) -> str:
        """One line for people."""
        place = "ledger" if self.batch is None else f"batch {self.batch}"
        if self.seq is not None:
            place += f", seq {self.seq}"
        source = f" [{self.rule}]" if self.rule else ""
        return (
            f"{place}: {self.validator}: {self.says}; "
            f"expected {self.expected}; found {self.found}{source}"
        )


@dataclass(slots=True)
class Findings:
    """Collects findings and notes; ``batch`` and ``seq`` are where the checker stands."""

    batch: int | None = None
    seq: int | None = None
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    more: int = 0

    def at(self, batch: int | None, seq: int | None = None) -> None:
        """From now on, this is the place."""
        self.batch, self.seq = batch, seq

    def wrong(
        self, validator: str, says: str, expected: object, found: object, rule: str | None = None
    ) -> None:
        """A finding at the present place."""
        if len(self.findings) >= MAX_FINDINGS:
            self.more += 1
            return
        self.findings.append(self._made(validator, says, expected, found, rule))

    def note(
        self, validator: str, says: str, expected: object, found: object, rule: str | None = None
    ) -> None:
        """A note at the present place."""
        if len(self.notes) < MAX_FINDINGS:
            self.notes.append(self._made(validator, says, expected, found, rule))

    def _made(
        self, validator: str, says: str, expected: object, found: object, rule: str | None
    ) -> Finding:
        want, have = one_line(str(expected)), one_line(str(found))
        return Finding(validator, one_line(says), want, have, rule, self.batch, self.seq)
