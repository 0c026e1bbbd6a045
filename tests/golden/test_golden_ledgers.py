"""A ledger of every release opens, verifies, replays and can be exported, for ever."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import shutil
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.audit.books.evidence import evidence_pack
from jackpot.audit.books.export import export
from jackpot.audit.books.formats import ExportFormat
from jackpot.audit.books.formats import JournalFormat as Format
from jackpot.audit.books.journal import journal
from jackpot.audit.books.movements import Books, pool_account
from jackpot.audit.books.period import period
from jackpot.audit.books.report import report_pdf
from jackpot.audit.checker import verify
from jackpot.audit.checker.pack import verify_pack
from jackpot.audit.source import Source
from jackpot.ledger.note import Signer
from jackpot.ledger.read import Reader
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table.state import meters_microcents

HERE = Path(__file__).parent
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""What the scripted ledgers are signed with; that of a demonstration is gone with its folder."""

ALL = sorted(HERE.glob("*/*.ledger"))
SIGNED_HERE = [path for path in ALL if path.name != "every-rig.ledger"]


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def expected(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((path.parent / "expected.json").read_text("utf-8"))[
        path.name
    ]
    return found


class Golden(NamedTuple):
    """A copy to work on (reading leaves SQLite's files beside it), and what it came to."""

    copy: Path
    expected: dict[str, Any]


@pytest.fixture(params=ALL, ids=named)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Golden:
    path: Path = request.param
    return Golden(Path(shutil.copy(path, tmp_path / "table.ledger")), expected(path))


def test_the_first_release_left_its_ledgers() -> None:
    names = {path.stem for path in ALL if path.parent.name == "0.1.0"}
    assert names >= {"two-days", "carried", "faults", "every-rig", "reserve", "fixed", "pit"}


def test_it_is_the_very_file(golden: Golden) -> None:
    assert hashlib.sha256(golden.copy.read_bytes()).hexdigest() == golden.expected["sha256"]


def test_the_independent_checker_finds_nothing_and_the_same_sums(golden: Golden) -> None:
    wanted = golden.expected
    report = verify(golden.copy, public_key=wanted["public_key"])
    assert report.findings == (), report.as_text()
    summary = report.summary
    assert summary is not None
    assert summary.head_hash == wanted["head"]
    assert (summary.batches, summary.events) == (wanted["batches"], wanted["events"])
    assert (summary.hands, summary.awards) == (wanted["hands"], wanted["awards"])
    assert summary.paid_cents == wanted["paid_cents"]
    assert summary.pools_microcents == wanted["pools_microcents"]


def test_every_event_is_still_known(golden: Golden) -> None:
    with Reader(golden.copy, TABLE.events) as reader:
        events = sum(len(batch.events) for batch in reader.checked())
    assert events == golden.expected["events"]


@pytest.mark.parametrize("path", SIGNED_HERE, ids=named)
def test_the_controller_opens_it_and_goes_on(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path / "table.ledger"))
    origin = expected(path)["public_key"].partition("+")[0]
    assert Signer(origin, KEY).verifier.vkey == expected(path)["public_key"]
    ledger = Ledger.open(copy, TABLE, KEY)
    try:
        assert ledger.head.hash == expected(path)["head"]
        assert meters_microcents(ledger.state) == expected(path)["pools_microcents"]
        ledger.sign_checkpoint(2_000_000_000_000_000_000)
    finally:
        ledger.close()
    assert verify(copy).findings == ()


def test_the_tables_own_rules_decide_it_again(golden: Golden) -> None:
    """By ``jackpot.audit.replay``, from the release on that has it."""
    if importlib.util.find_spec("jackpot.audit.replay") is None:
        return
    replay = importlib.import_module("jackpot.audit.replay").replay
    with Source(golden.copy) as source:
        result = replay(source)
    assert result.equal, result.differences
    assert result.pools_microcents == golden.expected["pools_microcents"]


def test_its_journal_is_whole(golden: Golden, tmp_path: Path) -> None:
    file = tmp_path / "golden.journal"
    with Source(golden.copy) as source:
        file.write_text("\n".join(journal(source, Format.HLEDGER)) + "\n", encoding="utf-8")
    done = subprocess.run(
        ["hledger", "-f", str(file), "check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_journals_pools_are_the_meters(golden: Golden) -> None:
    sums: Counter[str] = Counter()
    with Source(golden.copy) as source:
        for entry in Books().entries(source.batches()):
            for account, microcents in entry.postings:
                sums[account] -= microcents
    for name, held in golden.expected["pools_microcents"].items():
        assert sums[pool_account(*name.split("/"))] == held


def test_every_hand_gives_clean_evidence(golden: Golden, tmp_path: Path) -> None:
    with Source(golden.copy) as source:
        ended = source.rows("SELECT info ->> 'hand' FROM event WHERE kind = 'hand_ended'")
        assert ended
        for (hand,) in ended:
            pack = tmp_path / "hand.zip"
            pack.write_bytes(evidence_pack(source, hand, KEY))
            report = verify_pack(pack, public_key=golden.expected["public_key"])
            assert report.findings == (), f"hand {hand}: {report.as_text()}"


def test_its_export_and_its_report_hold_the_same_sums(golden: Golden, tmp_path: Path) -> None:
    with Source(golden.copy) as source:
        counts = export(source, ExportFormat.CSV, tmp_path / "tables")
        figures = period(source, date.min, date.max)
        report = report_pdf(source, figures, "es")
    assert counts["events"] == golden.expected["events"]
    assert counts["awards"] == golden.expected["awards"]
    assert sum(day["paid_cents"] for day in figures.days) == golden.expected["paid_cents"]
    assert report.startswith(b"%PDF-")
    with Source(golden.copy) as source:
        stated = source.rows(
            "SELECT info ->> 'hands', cents, info ->> 'paid_cents' FROM event"
            " WHERE kind = 'day_totals' ORDER BY seq"
        )
    closed = [day for day in figures.days if day["closed_utc"]]
    summed = [(day["hands"], day["bets_cents"], day["paid_cents"]) for day in closed]
    assert summed == stated


def test_golden_ledgers_are_never_made_again() -> None:
    before = {path: path.stat().st_mtime_ns for path in ALL}
    done = subprocess.run(
        [sys.executable, str(HERE / "make_golden.py"), "0.1.0"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "never made again" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in ALL} == before
