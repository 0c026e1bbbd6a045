"""The chain of hashes, the numbers of batches and events, causes and times.

The hash of a batch is SHA-256 over text: the hash before it, the ``json_array`` of the batch's
columns, that of each of its events, a newline after each (see ``docs/ledger.md``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.judge import EventRow
from jackpot.audit.checker.outcomes import show

Header = tuple[int, int, int | None, str, str, int, int]
"""The hashed columns: batch, at_ns, hand, rules, cause, first_seq, events."""

RULES = frozenset({"1"})
"""The versions of the rules that this checker was written for."""

_lines = msgspec.json.Encoder().encode_lines


def genesis(about: Iterable[tuple[str, str]]) -> str:
    """The hash before the first batch: that of the rows of ``about`` in the order of their keys."""
    return hashlib.sha256(_lines(sorted(about))).hexdigest()


class Chain:
    """Walks along the chain and knows its end."""

    def __init__(self, start: str, findings: Findings) -> None:
        self.findings = findings
        self.hash = start
        self.batch = 0
        self.seq = 0
        self.sources: dict[str, int] = {}
        self.at_ns = 0
        self._last_rows: Sequence[EventRow] = ()

    def add(self, header: Header, stored: str, rows: Sequence[EventRow]) -> None:
        """The next batch, as stored."""
        self.link(header, stored, rows)
        self._cause(header[4])

    def link(self, header: Header, stored: str, rows: Sequence[EventRow]) -> None:
        """The same, but for its cause."""
        batch, at_ns, _, rules, _, first_seq, count = header
        findings = self.findings
        findings.at(batch)
        if batch != self.batch + 1:
            findings.wrong("batch_numbers", "the numbers leave a gap", self.batch + 1, batch)
        if rules not in RULES:
            findings.wrong("rules", "decided by rules unknown here", sorted(RULES), rules)
        if not rows or first_seq != self.seq + 1 or len(rows) != count:
            found = (rows[0][0], rows[-1][0]) if rows else "none"
            expected = f"{count} from {self.seq + 1}"
            findings.wrong("seq_numbers", "first_seq, events and rows disagree", expected, found)
        text = self.hash.encode() + b"\n" + _lines([header, *rows])
        found_hash = hashlib.sha256(text).hexdigest()
        if found_hash != stored:
            findings.wrong("chain", "the batch is not what was hashed", stored, found_hash)
        if at_ns < self.at_ns:
            self._went_back(at_ns, rows)
        self.hash, self.batch, self.at_ns, self._last_rows = str(stored), batch, at_ns, rows
        self.seq = rows[-1][0] if rows else self.seq

    def passed(self, batches: int, events: int, last_hash: str, at_ns: int) -> None:
        """So many batches were found right, the last one with this hash and time; no clock stepped."""
        self.batch += batches
        self.seq += events
        self.hash, self.at_ns, self._last_rows = last_hash, at_ns, ()

    def _cause(self, cause: str) -> None:
        """Per source, numbers only grow: no cause is recorded twice."""
        source, mark, number_text = cause.rpartition("#")
        try:
            number = int(number_text)
        except ValueError:
            number = -1
        if not mark or number < 0:
            self.findings.wrong("causes", "a malformed cause", "source#number", show(cause))
            return
        last = self.sources.get(source, -1)
        if number <= last:
            expected = f"a number of {source} above {last}"
            self.findings.wrong("causes", "the same cause twice", expected, number)
        self.sources[source] = number

    def _went_back(self, at_ns: int, rows: Sequence[EventRow]) -> None:
        """Order is the number; a clock that went back without saying so is worth a note."""
        if not any(row[2] == "clock_stepped" for row in (*self._last_rows, *rows)):
            says = "the clock went back and no step was recorded"
            self.findings.note("times", says, f"{self.at_ns} ns or later", at_ns)
