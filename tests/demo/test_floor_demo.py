"""`jackpot demo --tables 2`: linked tables that play by themselves, and an award that all of them pay."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from jackpot.audit.checker import verify
from jackpot.audit.checker.carrusel_across import verify_carrusel

PATIENCE_S = 90


@pytest.fixture
def demonstration(tmp_path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "jackpot.cli", "demo", "--tables", "2", "--mode", "manual"]
    options = ["--port", "0", "--speed", "60", "--data", str(tmp_path / "floor")]
    return subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def first_lines(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C" in line:
            break
    return "".join(lines)


def test_CAN_9_two_tables_join_play_and_pay_an_award_together(
    demonstration: subprocess.Popen[str], tmp_path: Path
) -> None:
    try:
        printed = first_lines(demonstration)
        found = re.search(r"^floor +(http\S+/)$", printed, re.MULTILINE)
        assert found, printed
        assert "PIN 738204  croupier" in printed
        with httpx.Client(base_url=found[1], timeout=PATIENCE_S) as client:
            assert "Jackpot" in client.get("/").text
            with client.stream("GET", "/events") as stream:
                for line in stream.iter_lines():
                    picture = json.loads(line[5:]) if line.startswith("data:") else {}
                    if picture.get("decisions"):
                        break
        assert {one["visor"]["carrusel"] for one in picture["tables"]} == {"sala-1"}
    finally:
        demonstration.send_signal(signal.SIGINT)
        rest, _ = demonstration.communicate(timeout=PATIENCE_S)
    assert (demonstration.returncode, "Traceback" in rest) == (0, False), rest
    folder = tmp_path / "floor"
    ledgers = [folder / f"table-{number}" / "ledger" / "table.ledger" for number in (1, 2)]
    for ledger in ledgers:
        assert verify(ledger).findings == ()
    report = verify_carrusel(folder / "coordinator" / "carrusel.log", ledgers)
    assert report.findings == ()
