"""One pass over a ledger, from its first batch to its last, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jackpot.audit.checker.chain import Chain, Header, genesis
from jackpot.audit.checker.checkpoints import Checkpoints
from jackpot.audit.checker.findings import UNREADABLE, Findings
from jackpot.audit.checker.judge import EventRow, Judge, parsed
from jackpot.audit.checker.ledger_file import LedgerFile
from jackpot.audit.checker.one_line import one_line
from jackpot.audit.checker.outcomes import show
from jackpot.audit.checker.report import Report, Summary
from jackpot.audit.checker.sums import check_sums

Progress = Callable[[int, int], None]
"""Called now and then with the batches done and the batches in all."""

PROGRESS_EVERY = 8_192
"""Batches between two calls: several times a second."""

TURNING_POINTS = frozenset({"awards_confirmed", "day_closed", "hand_started", "controller_started"})
"""Facts that want a checkpoint, or come too late for one."""


class Walk:
    """The pass itself."""

    def __init__(
        self,
        file: LedgerFile,
        findings: Findings,
        public_key: str | None,
        witnesses: tuple[str, ...],
    ) -> None:
        self.file = file
        self.findings = findings
        file.check_schema(findings)
        file.check_integrity(findings)
        self.about = file.about(findings)
        self.judge = Judge(findings)
        self.chain = Chain(genesis(self.about.items()), findings)
        self.checkpoints = Checkpoints(
            self.about,
            file.checkpoints(findings),
            file.states(findings),
            findings,
            public_key=public_key,
            witnesses=witnesses,
        )
        self.events = 0

    def report(self, progress: Progress | None) -> Report:
        """Walk to the end and say what was seen."""
        in_all = self.file.count("batch") if progress else 0
        self.checkpoints.reached(self.chain, self.judge.table)
        self._along(progress, in_all)
        if progress:
            progress(in_all, in_all)
        self._end()
        return self._report()

    def _along(self, progress: Progress | None, in_all: int) -> None:
        """Every batch in its order."""
        for done, (header, stored, rows) in enumerate(self.file.batches(self.findings), 1):
            try:
                self._one(header, stored, rows)
            except UNREADABLE as error:
                self.findings.at(header[0])
                self.findings.wrong("readability", "a batch cannot be read", "a batch", show(error))
            if progress and done % PROGRESS_EVERY == 0:
                progress(done, in_all)

    def _one(self, header: Header, stored: str, rows: Sequence[EventRow]) -> None:
        batch, hand, table = header[0], header[2], self.judge.table
        before = table.hand
        self._link(header, stored, rows)
        self.judge.batch(batch, rows)
        self.events += len(rows)
        if hand is not None and hand != table.hand and hand != before:
            self.findings.at(batch)
            self.findings.wrong("hand_numbers", "the batch names another hand", before, hand)
        if rows and rows[0][2] in TURNING_POINTS:
            self._turn(batch, rows[0])
        if batch in self.checkpoints.stops:
            self.checkpoints.reached(self.chain, table)

    def _link(self, header: Header, stored: str, rows: Sequence[EventRow]) -> None:
        self.chain.add(header, stored, rows)

    def _turn(self, batch: int, row: EventRow) -> None:
        """Which batches want a checkpoint, and when it is too late for one."""
        kind = row[2]
        if kind == "awards_confirmed":
            self.checkpoints.demand(batch, "an award")
        elif kind == "day_closed":
            self.checkpoints.demand(batch, "a closing")
        elif kind == "hand_started":
            self.checkpoints.overdue()
        elif not parsed(row[6]).get("clean"):
            self.checkpoints.excused()

    def _end(self) -> None:
        """What can only be said at the end: derived tables, money, the tail."""
        findings, table = self.findings, self.judge.table
        self.checkpoints.end(self.chain)
        findings.at(self.chain.batch)
        check_sums(table, findings)
        meters = table.meters_microcents()
        expected = {("meter", name): amount for name, amount in meters.items()}
        expected |= {("source", name): number for name, number in self.chain.sources.items()}
        found = self.file.latest(findings)
        for key in sorted(expected.keys() | found.keys()):
            if expected.get(key) != found.get(key):
                says = f"the derived {key[0]} of {key[1]}"
                findings.wrong("derived", says, expected.get(key), found.get(key))

    def _report(self) -> Report:
        checkpoints, table = self.checkpoints, self.judge.table
        summary = Summary(
            ledger=one_line(self.about.get("id", "?")),
            origin=one_line(self.about.get("origin", "?")),
            public_key=one_line(self.about.get("vkey", "?")),
            batches=self.chain.batch,
            events=self.events,
            hands=table.hands_ended,
            awards=self.judge.awards,
            days=table.days_opened,
            paid_cents=table.paid_cents,
            pools_microcents=table.meters_microcents(),
            head_hash=self.chain.hash,
            checkpoints=len(checkpoints.rows),
            last_checkpoint_batch=checkpoints.rows[-1][0] if checkpoints.rows else None,
            witnesses=checkpoints.witnesses,
        )
        return Report(
            summary=summary,
            findings=tuple(self.findings.findings),
            notes=tuple(self.findings.notes),
            more_findings=self.findings.more,
        )
