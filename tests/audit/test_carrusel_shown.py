"""What auditors are shown of a carrusel's decision: evidence of the hand, replay, audit room (CAN-9)."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from pathlib import Path

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from site_client import client_of, room_of, text_of
from typer.testing import CliRunner

from jackpot.audit.books.datasette import QUERIES
from jackpot.audit.books.evidence import evidence_pack
from jackpot.audit.checker.pack import verify_pack
from jackpot.audit.source import Source
from jackpot.audit.what_if import what_if
from jackpot.audit.what_if_changes import Changes
from jackpot.cli import build_app

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def test_the_evidence_of_the_hand_names_every_member_with_its_part(
    carrusel_ledger: Path, tmp_path: Path
) -> None:
    with closing(Source(carrusel_ledger)) as source:
        made = evidence_pack(source, 1, KEY)
    with zipfile.ZipFile(io.BytesIO(made)) as pack:
        text = pack.read("hand.es.txt").decode()
    assert "Decisión 1 del carrusel norte" in text
    assert "Mesa 1: mostraba 19.998,50 €; entra en la base 19.998,50 €; aporta 999,925 €" in text
    assert "Mesa 2: mostraba 10.001,50 €; entra en la base 10.001,50 €; aporta 500,075 €" in text
    path = tmp_path / "hand-1.zip"
    path.write_bytes(made)
    assert [finding.text() for finding in verify_pack(path).findings] == []


def test_a_hand_without_a_decision_of_the_carrusel_says_nothing_of_one(
    carrusel_ledger: Path,
) -> None:
    with closing(Source(carrusel_ledger)) as source:
        made = evidence_pack(source, 2, KEY)
    with zipfile.ZipFile(io.BytesIO(made)) as pack:
        assert "del carrusel norte" not in pack.read("hand.es.txt").decode()


def test_a_hand_on_the_terminal_ends_with_the_decision(carrusel_ledger: Path) -> None:
    words = ["replay", str(carrusel_ledger), "--hand", "1", "--lang", "en"]
    done = CliRunner().invoke(build_app(("replay",)), words)
    assert done.exit_code == 0, done.output
    assert "Decision 1 of carrusel norte, at position 101 of its log" in done.stdout
    assert "Table 3: showed 30,000.00 €" in done.stdout


async def test_the_audit_room_shows_the_decision_at_its_hand(
    carrusel_ledger: Path, tmp_path: Path
) -> None:
    async with client_of([room_of(carrusel_ledger, tmp_path)]) as client:
        assert "Decisión 1 del carrusel norte" in text_of(await client.get("1/hand/1"))
        assert "del carrusel norte" not in text_of(await client.get("1/hand/2"))
        assert (await client.get("1/")).status_code == 200


def test_nothing_is_missing_by_the_query_that_people_run(carrusel_ledger: Path) -> None:
    database = apsw.Connection(str(carrusel_ledger), flags=apsw.SQLITE_OPEN_READONLY)
    with closing(database):
        assert list(database.execute(QUERIES["conservation"].sql)) == [(0,)]


def test_the_rules_that_applied_change_nothing_at_a_member(carrusel_ledger: Path) -> None:
    with closing(Source(carrusel_ledger)) as source:
        result = what_if(source, Changes(("below_royal=nothing",), None))
    assert (result.awards, result.not_possible) == ((), ())
    assert result.recorded_paid_cents == result.what_if_paid_cents == 300_000
