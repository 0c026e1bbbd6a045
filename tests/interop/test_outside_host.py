"""The simulator answers a host that nobody here wrote: node's serialport with its ccTalk parser.

So a misreading of the specification that simulator and controller shared would show.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_sim.process import SimulatedMechanism

HERE = Path(__file__).parent
NPM_TIMEOUT_S = 240


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script with exactly the packages of the lock file; their install scripts never run."""
    folder = tmp_path_factory.mktemp("node")
    for name in ("package.json", "package-lock.json", "host.js"):
        shutil.copy(HERE / name, folder / name)
    subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=folder,
        check=True,
        timeout=NPM_TIMEOUT_S,
    )
    return folder / "host.js"


class OutsideHost:
    """The script as a child."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self.child = child

    def says(self) -> dict[str, Any]:
        """Its next line."""
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        assert line, self.child.wait(10)
        said: dict[str, Any] = json.loads(line)
        return said

    def go_on(self) -> None:
        """Let it poll once more and end."""
        assert self.child.stdin is not None
        self.child.stdin.write("\n")
        self.child.stdin.flush()


@contextmanager
def talking(host: Path, link: Path, address: int) -> Iterator[OutsideHost]:
    child = subprocess.Popen(
        ["node", str(host), str(link), str(address)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        try:
            yield OutsideHost(child)
        finally:
            child.kill()


@pytest.mark.parametrize("pace", ["--pace", "--no-pace"])
def test_an_outside_host_identifies_opens_and_polls_a_simulated_acceptor(
    host: Path, tmp_path: Path, pace: str
) -> None:
    with (
        SimulatedMechanism(tmp_path / "line", "--slots", "2", "--echo", pace) as sim,
        talking(host, tmp_path / "line", 12) as outside,
    ):
        assert outside.says() == {
            "category": "Coin Acceptor",
            "serial": 700_002,
            "coin": "TK200A",
            "before": [0] * 11,
        }
        assert sim.chip(2)["accepted"]
        assert not sim.chip(1)["accepted"]
        sim.command("fault 2 20 0")
        outside.go_on()
        # Two events, newest first: a coin on a string, then the chip, position 1 by sorter path 1.
        assert outside.says() == {"after": [2, 0, 20, 1, 1, 0, 0, 0, 0, 0, 0]}
        assert outside.child.wait(10) == 0


def test_the_lock_file_pins_every_package_and_names_no_place() -> None:
    text = (HERE / "package-lock.json").read_text("utf-8")
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert {"node_modules/serialport", "node_modules/@serialport/parser-cctalk"} <= set(packages)
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert "://" not in text
