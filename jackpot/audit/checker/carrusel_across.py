"""Ledgers of several tables against the carrusel's log: a rewritten or cut one is found (CAN-9).

Each operation in the log bears the hash of its ledger's batch; each decision must stand in every
member's ledger once; and each meter must be what log and ledger together say.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import msgspec

from jackpot.audit.checker.carrusel_file import carrusel_and_entries
from jackpot.audit.checker.carrusel_log import RULE, LogFold, check_log, seed_of, taken
from jackpot.audit.checker.findings import UNREADABLE, Findings
from jackpot.audit.checker.ledger_file import LedgerFile, Unreadable
from jackpot.audit.checker.outcomes import show
from jackpot.audit.checker.report import Report


class Operation(NamedTuple):
    """An operation as a ledger holds it."""

    number: int
    hash: str
    microcents: int


class TableSide(NamedTuple):
    """What one ledger says of its carrusel. ``joins``: hash of each batch in which it was asked, with
    the operations that follow; ``decisions``: the log's entry hash of each that it applied."""

    table: str
    vkey: str
    meter_microcents: int
    joins: list[tuple[str, list[Operation]]]
    decisions: dict[int, str]


def verify_carrusel(log: Path, ledgers: Sequence[Path]) -> Report:
    """Check a log, and each of ``ledgers`` that is a member's against it. Never raises for what is in
    the files."""
    findings = Findings()
    try:
        name, entries = carrusel_and_entries(log)
    except apsw.Error as error:
        return Report(summary=None, findings=(), unreadable=show(error))
    fold = check_log(entries, findings)
    hashes = {sealed.position: sealed.hash for sealed in entries}
    seen = set()
    for path in ledgers:
        try:
            side = _side(path)
        except (Unreadable, apsw.Error, *UNREADABLE) as error:
            findings.wrong(
                "carrusel_member", f"{path.name} cannot be read", "a ledger", show(error)
            )
            continue
        if side.table in fold.joins:
            seen.add(side.table)
            _compare(fold, side, hashes, findings)
        else:
            findings.note("carrusel_member", f"{path.name}: never a member", name, side.table)
    for table in sorted(fold.meters.keys() - seen):
        findings.note("carrusel_member", "no ledger was given", f"that of table {table}", "none")
    return Report(
        summary=None,
        findings=tuple(findings.findings),
        notes=tuple(findings.notes),
        more_findings=findings.more,
    )


def heads_in(log: Path, ledger: Path) -> list[str]:
    """The signed checkpoints of ``ledger`` that the log kept: witnesses against a cut or rewritten one."""
    try:
        _, entries = carrusel_and_entries(log)
        bodies = [msgspec.json.decode(sealed.body) for sealed in entries]
        notes = [str(body["entry"]["note"]) for body in bodies if body["kind"] == "head_seen"]
        file = LedgerFile(ledger)
    except (Unreadable, apsw.Error, *UNREADABLE):
        return []  # what is wrong with either is said where it is checked
    try:
        origin = file.about(Findings()).get("origin", "")
    finally:
        file.close()
    return [note for note in notes if note.startswith(f"{origin}\n")]


def _compare(fold: LogFold, side: TableSide, hashes: dict[int, str], findings: Findings) -> None:
    untold = 0
    joins = fold.joins[side.table]
    last = joins[-1]
    if last.ledger != side.vkey:
        _wrong(findings, side, "the ledger's key is the one that joined", last.ledger, side.vkey)
    asked = dict(side.joins)
    for join, following in zip(joins, [*joins[1:], None], strict=True):
        told = {
            t.number: t for t in fold.told.get(side.table, ()) if t.incarnation == join.incarnation
        }
        if join.hash not in asked:
            if following is None or not following.repaired:
                _wrong(findings, side, "the batch of a join is in the ledger", join.hash, "none")
            continue
        own = {operation.number: operation for operation in asked[join.hash]}
        for number, one in told.items():
            found = own.get(number)
            expected = (one.hash, one.delta_microcents)
            if found is None and following is not None:
                continue  # a restored box lost it, and joined anew with the log's meter
            if found is None or (found.hash, found.microcents) != expected:
                what = "none" if found is None else _told(found.hash, found.microcents)
                says = f"operation {number} is as the log holds it: else the ledger was rewritten or cut"
                _wrong(findings, side, says, _told(one.hash, one.delta_microcents), what)
        if following is None:
            untold = sum(o.microcents for n, o in own.items() if n not in told)
    unapplied = _decisions(fold, side, last.decision, hashes, findings)
    if side.table in fold.meters:
        expected_microcents = fold.meters[side.table] + untold - unapplied
        if side.meter_microcents != expected_microcents:
            says = "the meter is what the log and the ledger's own operations say"
            due = f"{expected_microcents} micro-cents"
            _wrong(findings, side, says, due, f"{side.meter_microcents} micro-cents")


def _decisions(
    fold: LogFold, side: TableSide, since: int, hashes: dict[int, str], findings: Findings
) -> int:
    """Every decision since the join stands in the ledger; returns what those that do not will move,
    in micro-cents."""
    known = set(hashes.values())
    unapplied = 0
    newest = max(side.decisions, default=0)
    for decision, entry in fold.decisions.items():
        found = side.decisions.get(decision)
        if found is not None:
            if found not in known:
                _wrong(findings, side, f"decision {decision} is the log's own", "its hash", found)
            continue
        if decision <= since:
            continue
        share = next((s for s in entry["shares"] if s["table"] == side.table), None)
        moved = 0 if share is None else seed_of(entry, share) - taken(share)
        unapplied += -moved if "undoes" in entry else moved
        if decision < newest:
            _wrong(findings, side, "decisions are applied in order", decision, "left out")
        elif share is not None:
            findings.note(
                "carrusel_member", f"table {side.table}", f"decision {decision}", "not yet"
            )
    return unapplied


def _wrong(findings: Findings, side: TableSide, says: str, expected: object, found: object) -> None:
    findings.wrong("carrusel_member", f"table {side.table}: {says}", expected, found, RULE)


def _told(hash_: str, microcents: int) -> str:
    return f"{hash_[:16]}, {microcents} micro-cents"


def _side(path: Path) -> TableSide:
    file = LedgerFile(path)
    aside = Findings()  # what is wrong with the ledger itself is said where it is verified
    try:
        joins: list[tuple[str, list[Operation]]] = []
        decisions: dict[int, str] = {}
        table = layout = ""
        for kind, microcents, info, hash_ in file.of_kinds(*_KINDS):
            told: dict[str, Any] = msgspec.json.decode(info or "{}")
            if kind == "terms_in_force" and not joins:
                table, layout = told["terms"]["table"], told["terms"]["layout"]
            elif kind == "carrusel_join_asked":
                joins.append((hash_, []))
            elif kind == "carrusel_operation" and joins:
                joins[-1][1].append(Operation(told["operation"], hash_, int(microcents or 0)))
            elif kind in ("carrusel_decided", "carrusel_undone"):
                decisions[told["decision"]] = told["entry_hash"]
        meter_microcents = int(file.latest(aside).get(("meter", f"{layout}/jackpot"), 0))
        return TableSide(
            table, file.about(aside).get("vkey", ""), meter_microcents, joins, decisions
        )
    finally:
        file.close()


_KINDS = (
    "terms_in_force",
    "carrusel_join_asked",
    "carrusel_operation",
    "carrusel_decided",
    "carrusel_undone",
)
