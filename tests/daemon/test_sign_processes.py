"""The real table and the real watchdog, each a process: what a sign shows when one of them dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from daemon_process import TEXT, Daemon, at_console, installed
from sign_bench import DASHES, one

from firmware_sim.process import SimulatedMechanism
from firmware_sim.signs.process import SimulatedSign
from jackpot.config import Config

SIGN = """
[[signs]]
name = "wall"
kind = "alpha"
port = "wall"
columns = 15
"""

SLOW_S = 20.0
"""A shared machine may take long to start Python."""

AMOUNT = one("10.000,00 EUR")


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return installed(tmp_path, TEXT + SIGN)


@pytest.fixture
def wall(tmp_path: Path) -> Iterator[SimulatedSign]:
    """A sign with the patience of a real one: 0.1 s between packets, 1 s after a clear."""
    with SimulatedSign("alpha", "--link", str(tmp_path / "wall"), "--gap-ms", "100") as sign:
        yield sign


@contextmanager
def watchdog(config: Config) -> Iterator[subprocess.Popen[bytes]]:
    """``jackpot sign-watchdog``, ready; ended with SIGTERM if it still runs."""
    folder = config.ledger.folder.parent
    with (folder / "watchdog.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jackpot.cli", "sign-watchdog", str(folder / "table.toml")],
            stdout=subprocess.PIPE,
            stderr=log,
        )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith(b"ready: signs wall at ")
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(SLOW_S)
        process.stdout.close()


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def test_a_killed_table_leaves_dashes_and_the_next_one_its_amount(
    config: Config, wall: SimulatedSign, tmp_path: Path
) -> None:
    with SimulatedMechanism(tmp_path / "line", "--no-pace"), watchdog(config) as process:
        wall.wait_for(one(DASHES), SLOW_S)
        with Daemon(config) as table:
            with at_console(table) as console:
                console.open_day()
            wall.wait_for(AMOUNT, SLOW_S)
            killed_ms = now_ms()
            table.kill()
            assert wall.wait_for(one(DASHES), SLOW_S) - killed_ms < 2_000
        with Daemon(config) as table:
            wall.wait_for(AMOUNT, SLOW_S)
            table.process.send_signal(signal.SIGSTOP)
            stopped_ms = now_ms()
            assert wall.wait_for(one(DASHES), SLOW_S) - stopped_ms < 3_000
            table.process.send_signal(signal.SIGCONT)
            wall.wait_for(AMOUNT, SLOW_S)
            assert table.stop() == 0
        wall.wait_for(one(DASHES), SLOW_S)
        assert process.poll() is None
    assert wall.command("bad")["reasons"] == {}


def test_a_killed_watchdog_is_replaced_and_a_stopped_one_leaves_dashes(
    config: Config, wall: SimulatedSign, tmp_path: Path
) -> None:
    with SimulatedMechanism(tmp_path / "line", "--no-pace"), Daemon(config) as table:
        with at_console(table) as console:
            console.open_day()
            with watchdog(config) as first:
                wall.wait_for(AMOUNT, SLOW_S)
                first.kill()
                first.wait()
            assert config.ledger.signs_socket.exists(), "nobody tidied up"
            with watchdog(config) as second:
                wall.command("memory")
                wall.events.clear()
                wall.wait_for(AMOUNT, SLOW_S)
                os.kill(second.pid, signal.SIGTERM)
                assert second.wait(SLOW_S) == 0
            wall.wait_for(one(DASHES), SLOW_S)
            assert console.visor()["visor"]["amount_cents"] == 1_000_000
        assert table.stop() == 0


def test_a_watchdog_without_signs_says_so(tmp_path: Path) -> None:
    installed(tmp_path)
    command = [sys.executable, "-m", "jackpot.cli", "sign-watchdog", str(tmp_path / "table.toml")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, "no_signs" in done.stderr) == (2, True)


def test_a_second_watchdog_finds_the_first_busy(config: Config, wall: SimulatedSign) -> None:
    file = config.ledger.folder.parent / "table.toml"
    with watchdog(config):
        command = [sys.executable, "-m", "jackpot.cli", "sign-watchdog", str(file)]
        done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, "two_sign_watchdogs" in done.stderr) == (3, True)
