"""A snapshot of a ledger for Datasette, with titles, descriptions and canned queries.

The snapshot is a ledger itself: nothing is added to it, and ``jackpot verify`` takes it. It is made
with apsw, the one SQLite of an auditor's process.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import quote

import apsw
import msgspec

from jackpot.audit.source import Source
from jackpot.errors import Refused
from jackpot.ledger.files import OWNER_ONLY

SNAPSHOT, METADATA = "ledger.db", "metadata.json"


class Query(NamedTuple):
    """A question that is asked often, by its name."""

    title: str
    description: str
    sql: str


_AT = "strftime('%Y-%m-%d %H:%M:%S', batch.at_ns / 1000000000, 'unixepoch') AS at_utc"
"""Stands where a query says ``@at``."""

QUERIES: Mapping[str, Query] = {
    "jackpot": Query(
        "The meter at every «no va más»",
        "The amount that the visor showed while the hand was played, in euros.",
        "SELECT batch.hand, @at, microcents / 100000000.0 AS meter_euros, "
        "cents / 100.0 AS bets_euros FROM event JOIN batch USING (batch) "
        "WHERE kind = 'hand_locked' ORDER BY seq",
    ),
    "days": Query(
        "Gaming days",
        "Hands, bets and payments as the closing states them.",
        "SELECT @at, info ->> 'hands' AS hands, cents / 100.0 AS bets_euros, "
        "(info ->> 'paid_cents') / 100.0 AS paid_euros, microcents / 100000000.0 AS meter_euros "
        "FROM event JOIN batch USING (batch) WHERE kind = 'day_totals' ORDER BY seq",
    ),
    "awards": Query(
        "Awards",
        "Every decision with its base; the steps of its computation are in the column derivation.",
        "SELECT batch.hand, @at, info ->> 'award' AS award, cents / 100.0 AS total_euros, "
        "microcents / 100000000.0 AS deducted_euros, info -> 'derivation' AS derivation "
        "FROM event JOIN batch USING (batch) WHERE kind = 'awards_decided' ORDER BY seq",
    ),
    "payments": Query(
        "Payments",
        "What each winning bet was to be paid, with the rule behind it.",
        "SELECT batch.hand, @at, box, info ->> 'hand' AS combination, info ->> 'rule' AS rule, "
        "cents / 100.0 AS euros FROM event JOIN batch USING (batch) "
        "WHERE kind = 'payment_decided' ORDER BY seq",
    ),
    "bets_by_box": Query(
        "Bets by box",
        "How many bets each box had, and how many of them were returned or carried on.",
        "SELECT box, count(*) FILTER (WHERE kind = 'bet_accepted') AS accepted, "
        "count(*) FILTER (WHERE kind = 'bet_returned') AS returned, "
        "count(*) FILTER (WHERE kind = 'bet_carried') AS carried "
        "FROM event WHERE kind IN ('bet_accepted', 'bet_returned', 'bet_carried') "
        "GROUP BY box ORDER BY box",
    ),
    "one_hand": Query(
        "One hand, event by event",
        "Give the number of the hand.",
        "SELECT seq, @at, kind, box, cents, microcents, info "
        "FROM batch JOIN event ON event.batch = batch.batch WHERE batch.hand = :hand ORDER BY seq",
    ),
    "faults": Query(
        "Faults, alarms, warnings",
        "Slots out of service, restarts, lost events, signs of fraud, clocks that stepped.",
        "SELECT seq, @at, batch.hand, kind, box, info FROM event JOIN batch USING (batch) "
        "WHERE kind IN ('slot_down', 'slot_up', 'slot_restarted', 'slot_events_lost', "
        "'slot_event', 'alarm_raised', 'alarm_cleared', 'clock_stepped', 'chip_refused') "
        "ORDER BY seq",
    ),
    "signatures": Query(
        "Who signed",
        "Every act with its officer; a second officer where two must sign.",
        "SELECT seq, @at, batch.hand, kind, info ->> 'by' AS officer, "
        "info ->> 'second' AS second, cents / 100.0 AS euros FROM event JOIN batch USING (batch) "
        "WHERE info ->> 'by' IS NOT NULL ORDER BY seq",
    ),
    "conservation": Query(
        "Conservation",
        "What came into the pools less what left them less what is in them, in micro-cents: 0.",
        "SELECT sum(CASE WHEN kind IN ('contributed', 'total_contributed', 'amount_in', "
        "'amount_adjusted', 'seed_added', 'shortfall_borne') THEN microcents "
        "WHEN kind IN ('contribution_reversed', 'total_reversed', 'amount_out', 'paid_from_seed') "
        "THEN -microcents "
        "WHEN kind = 'jackpot_started' THEN info ->> 'house_microcents' "
        "WHEN kind IN ('awards_decided', 'carrusel_deducted') "
        "THEN -microcents - (info ->> 'house_microcents') "
        "WHEN kind = 'carrusel_returned' THEN microcents + (info ->> 'house_microcents') "
        "- (info ->> 'seed_house_microcents') "
        "WHEN kind = 'decision_undone' THEN (info ->> 'deducted_microcents') "
        "+ (info ->> 'house_microcents') - (info ->> 'seed_house_microcents') ELSE 0 END) "
        "- (SELECT sum(microcents) FROM meter) AS missing_microcents FROM event",
    ),
}
"""The canned queries. Euros are for reading; the columns in cents and micro-cents are exact."""

_TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "about": ("What the ledger is; written at its creation.", {"key": "name", "value": "value"}),
    "batch": (
        "One row is one outside cause with all that followed from it; hashed onto the one before.",
        {
            "batch": "its number",
            "at_ns": "nanoseconds since 1970, UTC, by the clock of the box",
            "hand": "the hand that was played",
            "rules": "version of the rules that decided it",
            "cause": "source#number, never twice",
            "first_seq": "its first event",
            "events": "how many events it has",
            "hash": "SHA-256 over the hash before, this row and its events",
        },
    ),
    "event": (
        "One row is one event, a fact or what followed from it by the rules.",
        {
            "seq": "its number, the order of everything",
            "batch": "its batch",
            "kind": "its name",
            "box": "box 1 to 7",
            "cents": "its amount in euro cents",
            "microcents": "its amount in millionths of a cent",
            "info": "all other fields as JSON",
        },
    ),
    "checkpoint": (
        "Signed notes (Ed25519): after so many batches the hash was this.",
        {"batch": "how many batches", "at_ns": "when it was signed", "note": "the signed text"},
    ),
}


def make_datasette(ledger: Path, folder: Path) -> tuple[Path, Path]:
    """Write snapshot and metadata into ``folder``; returns both paths. Raises ``Refused``."""
    snapshot, metadata = folder.joinpath(SNAPSHOT), folder.joinpath(METADATA)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = next((path for path in (snapshot, metadata) if path.exists()), None)
    except OSError as error:
        raise _cannot_write(folder, str(error)) from error
    if there is not None:
        raise _cannot_write(folder, f"{there.name} in it")
    with Source(ledger) as source:
        text = msgspec.json.format(msgspec.json.encode(metadata_of(source)))
    _copy(ledger, snapshot)
    metadata.write_bytes(text)
    return snapshot, metadata


def metadata_of(source: Source) -> dict[str, Any]:
    """Titles, descriptions and canned queries, as Datasette reads them."""
    origin = source.about.get("origin", "")
    return {
        "title": f"Jackpot ledger of {origin}",
        "description": "A snapshot for reading. A CSV link gives 100 rows: add _stream=on for all.",
        "databases": {
            Path(SNAPSHOT).stem: {
                "description": f"Ledger {source.about.get('id', '')}",
                "tables": {
                    name: {"description": says, "columns": dict(columns)}
                    for name, (says, columns) in _TABLES.items()
                },
                "queries": {
                    name: {**query._asdict(), "sql": query.sql.replace("@at", _AT)}
                    for name, query in QUERIES.items()
                },
            }
        },
    }


def _copy(ledger: Path, snapshot: Path) -> None:
    """Whole and in one piece, while the table plays on."""
    uri = f"file:{quote(str(ledger.resolve()))}?mode=ro"
    try:
        os.close(os.open(snapshot, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        database = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            database.execute("VACUUM INTO ?", (str(snapshot),))
        finally:
            database.close()
    except (apsw.Error, OSError) as error:
        snapshot.unlink(missing_ok=True)
        raise _cannot_write(snapshot, str(error)) from error


def datasette_command(snapshot: Path, metadata: Path, port: int) -> list[str] | None:
    """How to start Datasette on this machine only; None where it is not installed."""
    if importlib.util.find_spec("datasette") is None:
        return None
    start = [sys.executable, "-m", "datasette", "serve", "--host", "127.0.0.1"]
    files = ["--immutable", str(snapshot), "--metadata", str(metadata)]
    return [*start, "--port", str(port), *files]


def become(command: list[str]) -> NoReturn:
    """Go on as another program: it gets the terminal and its signals."""
    os.execv(command[0], command)  # noqa: S606  # our own interpreter, and no shell


def _cannot_write(path: Path, found: str) -> Refused:
    return Refused(
        reason="cannot_write",
        expected=f"room for a snapshot at {path}",
        found=found,
        to_do="choose another folder; nothing is overwritten",
    )
