"""What the checker hands back: a summary, findings, notes; as text for people and as JSON."""

from __future__ import annotations

import msgspec

from jackpot.audit.checker.findings import Finding

CLEAN, FOUND, UNREADABLE = 0, 1, 2
"""Exit statuses."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What was walked over. Pools in micro-cents, by ``<layout>/<pool>``."""

    ledger: str
    origin: str
    public_key: str
    batches: int
    events: int
    hands: int
    awards: int
    days: int
    paid_cents: int
    pools_microcents: dict[str, int]
    head_hash: str
    checkpoints: int
    last_checkpoint_batch: int | None
    witnesses: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result. ``more_findings`` counts those beyond what is listed."""

    summary: Summary | None
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...] = ()
    more_findings: int = 0
    unreadable: str | None = None

    @property
    def exit_status(self) -> int:
        """0 clean, 1 findings, 2 not readable as a ledger."""
        if self.unreadable is not None:
            return UNREADABLE
        return FOUND if self.findings else CLEAN

    def as_json(self, path: str = "") -> str:
        """One JSON object on one line: ``path``, ``exit_status``, and the fields of this class."""
        body = {"path": path, "exit_status": self.exit_status, **msgspec.to_builtins(self)}
        return msgspec.json.encode(body).decode()

    def as_text(self) -> str:
        """For people: what was seen, what is wrong, what to know."""
        if self.unreadable is not None:
            return f"not readable: {self.unreadable}\n"
        lines = [] if self.summary is None else _summary_lines(self.summary)
        lines += [f"FINDING {finding.text()}" for finding in self.findings]
        if self.more_findings:
            lines.append(f"… and {_counted(self.more_findings, 'more finding')}")
        lines += [f"note    {note.text()}" for note in self.notes]
        count = len(self.findings) + self.more_findings
        lines.append("clean: no finding" if count == 0 else _counted(count, "finding"))
        return "\n".join(lines) + "\n"


def _summary_lines(summary: Summary) -> list[str]:
    signed = "none" if summary.last_checkpoint_batch is None else summary.last_checkpoint_batch
    return [
        f"ledger       {summary.ledger}",
        f"origin       {summary.origin}",
        f"public key   {summary.public_key}",
        f"walked       {_counted(summary.batches, 'batch', 'es')}, {_counted(summary.events, 'event')}",
        f"played       {_counted(summary.days, 'day')}, {_counted(summary.hands, 'hand')}, "
        f"{_counted(summary.awards, 'award')}",
        f"paid         {_euros(summary.paid_cents * 1_000_000)} €",
        *(
            f"pool         {name} {_euros(amount)} €"
            for name, amount in summary.pools_microcents.items()
        ),
        f"head         {summary.head_hash}",
        f"checkpoints  {summary.checkpoints}, the last one of batch {signed}; "
        f"{summary.witnesses} from witnesses",
    ]


def _counted(count: int, noun: str, plural: str = "s") -> str:
    return f"{count} {noun}{'' if count == 1 else plural}"


def _euros(microcents: int) -> str:
    """Euros and cents; with all eight decimals where micro-cents would hide else."""
    sign = "-" if microcents < 0 else ""
    cents, rest = divmod(abs(microcents), 1_000_000)
    euros = f"{sign}{cents // 100}.{cents % 100:02d}"
    return f"{euros}{rest:06d}" if rest else euros
