"""``jackpot demo`` as people start it: addresses, visor, console, and a clean end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from played_ledger import of_kind, rows

START = (sys.executable, "-m", "jackpot.cli", "demo")
END_TIMEOUT_S = 40
PATIENCE_S = 40


class Demonstration:
    """The process, and what it printed before the table ran."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [*START, "--port", "0", "--data", str(folder), "--speed", "40"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.printed = self._read_welcome()

    def _read_welcome(self) -> str:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        return "".join(lines)

    @property
    def url(self) -> str:
        found = re.search(r"^visor +(http://127\.0\.0\.1:\d+)/$", self.printed, re.MULTILINE)
        assert found, self.printed
        return found[1]

    def pin(self, officer: str) -> str:
        found = re.search(rf"{officer} +PIN (\d+)", self.printed)
        assert found, self.printed
        return found[1]

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=END_TIMEOUT_S)
        return self.process.returncode, rest


@pytest.fixture
def demonstration(tmp_path: Path) -> Iterator[Demonstration]:
    running = Demonstration(tmp_path / "table")
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()


def hidden_form(page: str) -> str:
    found = re.search(r'name="form" value="([^"]+)"', page)
    assert found, page
    return found[1]


def visor_hand(client: httpx.Client) -> int:
    return int(client.get("/visor/state").json()["visor"]["hand"])


def visor_when_hand(client: httpx.Client, least: int) -> int:
    """Follow the visor's own event stream until it shows hand ``least``."""
    with client.stream("GET", "/visor/events", timeout=PATIENCE_S) as stream:
        for line in stream.iter_lines():
            if line.startswith("data:"):
                found = re.search(r'"hand":(\d+)', line)
                if found and int(found[1]) >= least:
                    return int(found[1])
    pytest.fail("the visor's stream ended")


def test_it_plays_by_itself_steps_back_for_a_person_and_ends_in_good_order(
    demonstration: Demonstration,
) -> None:
    url = demonstration.url
    with httpx.Client(base_url=url, headers={"origin": url}, timeout=PATIENCE_S) as client:
        assert client.get("/").status_code == 200
        assert visor_when_hand(client, 2) >= 2
        login = {
            "form": hidden_form(client.get("/login").text),
            "officer": "croupier-1",
            "pin": demonstration.pin("croupier-1"),
        }
        assert client.post("/login", data=login).status_code == 303
        console = client.get("/console").text
        assert "/console/take-over" in console
        client.post("/console/take-over", data={"form": hidden_form(console)})
        console = client.get("/console").text
        assert "/console/take-over" not in console
        client.post("/console/hand-back", data={"form": hidden_form(console)})
        assert "/console/take-over" in client.get("/console").text
    status, rest = demonstration.end()
    assert (status, "Traceback" in rest) == (0, False), rest
    assert of_kind(demonstration.folder, "controller_stopped")
    assert not (demonstration.folder / "slots").is_symlink()
    assert rows(demonstration.folder, "SELECT count(*) FROM checkpoint")[0][0] >= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rig", "royale@3"), "expected one of royal, royals"),
        (("--speed", "1000"), "expected --speed from 0.1 to 100"),
        (("--headless", "--hands", "0"), "expected --hands from 1 to 1000000"),
        (("--quiet-minutes", "0"), "expected --quiet-minutes from 1 to 1440"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = subprocess.run([*START, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_headless_ends_by_itself_with_a_summary(tmp_path: Path) -> None:
    arguments = ["--headless", "--hands", "4", "--seed", "7", "--rig", "royal@2"]
    done = subprocess.run(
        [*START, *arguments, "--data", str(tmp_path / "t")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "hands   4 (0 voided)" in done.stdout
    assert "awards  1 x royal flush" in done.stdout
    assert f"ledger  {tmp_path}/t/ledger/table.ledger" in done.stdout
