"""The snapshot for Datasette, asked over HTTP as an auditor's browser would."""

from __future__ import annotations

import csv
import io
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import httpx
import pytest
from typer.testing import CliRunner

from jackpot.audit.books import datasette as datasette_module
from jackpot.audit.books.datasette import QUERIES, datasette_command, make_datasette
from jackpot.audit.checker import verify
from jackpot.cli import build_app
from jackpot.errors import Refused

PAGE = Path(__file__).parents[2] / "docs" / "exports.md"
START_S = 60
"""A loaded machine may take long to import Datasette."""


@pytest.fixture(scope="module")
def site(story: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """``jackpot datasette`` as a program of its own, which becomes Datasette."""
    out = tmp_path_factory.mktemp("datasette") / "browse"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["datasette", str(story), "--out", str(out), "--port", str(port)]
    running = subprocess.Popen(
        [sys.executable, "-m", "jackpot.cli", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=START_S) as client:
            _wait(client, running)
            yield client
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(START_S)


def _wait(client: httpx.Client, running: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert running.poll() is None, "Datasette ended"
        try:
            client.get("/-/versions.json")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("Datasette does not answer")


def rows(site: httpx.Client, query: str, **values: str) -> list[dict[str, object]]:
    answer = site.get(f"/ledger/{query}.json", params={"_shape": "array", **values})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, object]] = answer.json()
    return found


def test_the_first_page_names_the_table(site: httpx.Client) -> None:
    assert "Jackpot ledger of casino.example/table-2" in site.get("/").text


@pytest.mark.parametrize("name", [name for name in QUERIES if name != "one_hand"])
def test_every_canned_query_answers(name: str, site: httpx.Client) -> None:
    assert rows(site, name)


def test_payments_are_those_worked_out_by_hand(site: httpx.Client) -> None:
    """CAN-8.5, hand 2: 1,000.25, then 450.11."""
    of_two = [row for row in rows(site, "payments") if row["hand"] == 2]
    assert [(row["box"], row["euros"]) for row in of_two] == [(1, 1000.25), (2, 450.11)]


def test_nothing_is_missing_in_the_pools(site: httpx.Client) -> None:
    assert rows(site, "conservation") == [{"missing_microcents": 0}]


def test_one_hand_is_asked_by_its_number(site: httpx.Client) -> None:
    kinds = [row["kind"] for row in rows(site, "one_hand", hand="1")]
    assert kinds[0] == "hand_started"
    assert kinds.count("bet_accepted") == 3


def test_csv_has_a_hundred_rows_unless_streamed(site: httpx.Client, story: Path) -> None:
    def lines(**params: str) -> int:
        text = site.get("/ledger/event.csv", params=params).text
        return len(list(csv.reader(io.StringIO(text)))) - 1

    with apsw.Connection(str(story), flags=apsw.SQLITE_OPEN_READONLY) as database:
        in_all = database.execute("SELECT count(*) FROM event").fetchall()[0][0]
    assert lines() == 100
    assert isinstance(in_all, int)
    assert in_all > 200
    assert lines(_stream="on") == in_all


def test_columns_are_explained_on_their_page(site: httpx.Client) -> None:
    assert "millionths of a cent" in site.get("/ledger/event").text


def test_the_snapshot_is_a_whole_ledger(story: Path, tmp_path: Path) -> None:
    snapshot, _ = make_datasette(story, tmp_path / "out")
    assert verify(snapshot).findings == ()
    assert snapshot.stat().st_mode & 0o777 == 0o600


def test_nothing_is_overwritten(story: Path, tmp_path: Path) -> None:
    make_datasette(story, tmp_path)
    with pytest.raises(Refused, match=r"ledger\.db in it"):
        make_datasette(story, tmp_path)


def test_without_datasette_both_files_are_made_and_said(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasette_module, "datasette_command", lambda *_: None)
    done = CliRunner().invoke(
        build_app(("datasette",)), ["datasette", str(story), "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    assert "not installed" in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"ledger.db", "metadata.json"}


def test_no_serve_starts_nothing(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(datasette_module, "become", started.append)
    words = ["datasette", str(story), "--out", str(tmp_path / "out")]
    app = build_app(("datasette",))
    assert CliRunner().invoke(app, [*words, "--no-serve"]).exit_code == 0
    assert started == []
    words[-1] = str(tmp_path / "again")
    assert CliRunner().invoke(app, words).exit_code == 0
    assert started == [
        datasette_command(
            tmp_path / "again" / "ledger.db", tmp_path / "again" / "metadata.json", 8001
        )
    ]


def test_the_page_names_every_query() -> None:
    section = PAGE.read_text("utf-8").split("## Datasette")[1]
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]+) \|", section, re.M)))
    assert named == list(QUERIES)
