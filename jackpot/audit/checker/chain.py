"""The chain of hashes, the numbers of batches and events, causes and times.

The hash of a batch is SHA-256 over text: the hash before it, the ``json_array`` of the batch's
columns, that of each of its events, a newline after each (see ``docs/ledger.md``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from jackpot.audit.checker.findings import Findings, Untidy
from jackpot.audit.checker.judge import EventRow
from jackpot.audit.checker.outcomes import show

Header = tuple[int, int, int | None, str, str, int, int]
"""The hashed columns: batch, at_ns, hand, rules, cause, first_seq, events."""

StoredBatch = tuple[int, int, int | None, str, str, int, int, str]
"""A row of ``batch``: the hashed columns, then the hash."""

RULES = frozenset({"1"})
"""The versions of the rules that this checker was written for."""

_lines = msgspec.json.Encoder().encode_lines
_sha256 = hashlib.sha256


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
        batch, at_ns, _, rules, cause, first_seq, count = header
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
        self._cause(cause)
        if at_ns < self.at_ns:
            self._went_back(at_ns, rows)
        self.hash, self.batch, self.at_ns, self._last_rows = str(stored), batch, at_ns, rows
        self.seq = rows[-1][0] if rows else self.seq

    def add_all(self, batches: Sequence[StoredBatch], groups: Sequence[Sequence[EventRow]]) -> None:
        """Many batches at once, each with its events, numbered rightly and in the order of time.

        Raises ``Untidy`` where ``add`` would find anything.
        """
        before = [self.hash, *[stored[7] for stored in batches]]
        if not RULES.issuperset([stored[3] for stored in batches]):
            raise Untidy("decided by rules unknown here")
        found = [
            _sha256(b"%b\n%b" % (last.encode(), _lines([stored[:7], *rows]))).hexdigest()
            for last, stored, rows in zip(before, batches, groups, strict=False)
        ]
        if found != before[1:]:
            raise Untidy("a batch is not what was hashed")
        sources = self.sources
        for stored in batches:
            source, mark, number_text = stored[4].rpartition("#")
            number = int(number_text)
            if not mark or number <= sources.get(source, -1):
                raise Untidy("a malformed cause, or the same one twice")
            sources[source] = number
        self.follow(batches[-1], groups[-1])

    def follow(self, stored: StoredBatch, rows: Sequence[EventRow]) -> None:
        """Stand at a batch that was looked at elsewhere; ``sources`` stay what they are."""
        self.batch, self.at_ns, self.hash = stored[0], stored[1], stored[7]
        self.seq, self._last_rows = rows[-1][0], rows

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
