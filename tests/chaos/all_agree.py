"""Whether the ledgers of all tables and the carrusel's log say the same, once nothing fails any more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jackpot.audit.checker import verify
from jackpot.audit.checker.carrusel_across import heads_in, verify_carrusel
from jackpot.audit.checker.report import Report
from jackpot.ledger.decision_log import read_log
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE
from jackpot.link.fold import fold
from jackpot.link.log import entry_of
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST
from jackpot.link.state import CarruselState
from jackpot.table import facts as f
from jackpot.table import outcomes as o

CARRUSEL = "sala"


class Played(NamedTuple):
    """What the tables came to together."""

    hands: int = 0
    awards: int = 0
    paid_cents: int = 0


def entries_of(log: Path, after: int = 0) -> list[Entry]:
    """The entries of a log's file after a position."""
    found: list[Entry] = []
    while piece := read_log(log, CARRUSEL, after, READ_AT_MOST):
        found += piece
        after = piece[-1].position
    return found


def still_open(log: Path, ledgers: Sequence[Path]) -> list[str]:
    """What is still missing to an end: decisions to apply, operations that the log lacks."""
    report = verify_carrusel(log, ledgers)
    missing = [finding.text() for finding in (*report.findings, *report.notes)]
    return missing or _untold(log, ledgers)


def _untold(log: Path, ledgers: Sequence[Path]) -> list[str]:
    state = CarruselState()
    for sealed in entries_of(log):
        fold(state, sealed, entry_of(sealed), lambda _position, _until: None)
    missing = []
    for path in ledgers:
        number = path.parent.parent.name.removeprefix("table-")
        with Reader(path, TABLE.events) as reader:
            batches = reader.with_last(o.CarruselOperation.kind, until=reader.head().batch)
        events = [event for batch in batches for event in batch.events]
        told = [e.operation for e in events if isinstance(e, o.CarruselOperation)]
        logged = state.members[number].operation if number in state.members else None
        if told[-1:] != [logged]:
            missing.append(f"table {number}: operation {told[-1:]}, in the log {logged}")
    return missing


def disagreements(log: Path, ledgers: Sequence[Path]) -> list[str]:
    """Everything that the checker finds, in each ledger and between them and the log."""
    findings = _texts("log", verify_carrusel(log, ledgers))
    for path in ledgers:
        report = verify(path, witnesses=heads_in(log, path))
        findings += _texts(path.parent.parent.name, report)
    return findings


def played(ledgers: Sequence[Path]) -> Played:
    """Hands, awards and what they paid."""
    events = []
    for path in ledgers:
        with Reader(path, TABLE.events) as reader:
            events += [event for batch in reader.checked() for event in batch.events]
    awards = [event for event in events if isinstance(event, o.AwardsDecided)]
    return Played(
        hands=sum(isinstance(event, f.HandStarted) for event in events),
        awards=len(awards),
        paid_cents=sum(award.total_cents for award in awards),
    )


def _texts(about: str, report: Report) -> list[str]:
    unreadable = [] if report.unreadable is None else [f"{about}: {report.unreadable}"]
    return [*unreadable, *(f"{about}: {finding.text()}" for finding in report.findings)]
