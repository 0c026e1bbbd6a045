"""The slot board's simulator as a program: commands, and the firmware behind a pseudo terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_sim.board.build import BuildError, build
from firmware_sim.process import BOARD_MODULE, SimulatedMechanism, SimulatorError

HELLO = bytes.fromhex("00 06 010101 bcd8 00")


def ask(device: Path, question: bytes) -> bytes:
    """What the board answers within two seconds, up to the end of a frame."""
    host = os.open(device, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(host, question)
        heard = b""
        while len(heard) < 2 or heard[-1] != 0:
            if not select.select([host], [], [], 2)[0]:
                break
            heard += os.read(host, 512)
        return heard
    finally:
        os.close(host)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[SimulatedMechanism]:
    with SimulatedMechanism(
        tmp_path / "board", "--slots", "3", "--boots", "4", module=BOARD_MODULE
    ) as board:
        yield board


def state(board: SimulatedMechanism) -> dict[str, Any]:
    return board.command("state")


def test_the_firmware_answers_over_a_real_line(board: SimulatedMechanism) -> None:
    answer = ask(board.link, HELLO)
    assert bytes.fromhex("a0bb0d") in answer, "serial number 900000"
    assert b"open slots" in answer
    board.command("silent")
    assert ask(board.link, HELLO) == b""
    board.command("speak")
    assert ask(board.link, HELLO) == answer


def test_a_closed_slot_returns_the_chip_and_says_so(board: SimulatedMechanism) -> None:
    assert state(board)["open"] == []
    assert board.chip(2)["accepted"] is False
    assert board.command("chips 2 5") == {"ok": True, "box": 2, "queued": 5}


def test_unplugged_it_is_gone_and_comes_back_as_another_device(board: SimulatedMechanism) -> None:
    before = board.ready["device"]
    board.command("unplug")
    assert not board.link.is_symlink()
    assert state(board)["plugged"] is False
    assert board.command("plug")["device"] != before
    assert ask(board.link, HELLO)


def test_without_power_it_says_nothing(board: SimulatedMechanism) -> None:
    board.command("reset 60000")
    assert ask(board.link, HELLO) == b""
    board.command("reset 0")
    assert ask(board.link, HELLO)


def test_another_board_has_another_number(board: SimulatedMechanism) -> None:
    assert board.command("replace")["serial"] == 901_000
    assert bytes.fromhex("88bf0d") in ask(board.link, HELLO)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("fly", "expected a command, found 'fly'; try help"),
        ("chip", "expected `chip BOX [MS [FALL_MS]]`, found 'chip'"),
        ("chip 4", "expected a box 1 to 3, found '4'"),
        ("noise 2", "expected a probability 0 to 1, found '2'"),
        ("noise much", "expected a probability 0 to 1, found 'much'"),
        ("reset long", "expected milliseconds 0 to 60000, found 'long'"),
    ],
)
def test_a_command_that_is_not_understood_changes_nothing(
    board: SimulatedMechanism, text: str, error: str
) -> None:
    with pytest.raises(SimulatorError) as refused:
        board.command(text)
    assert str(refused.value) == f"{text!r}: {error}"


def test_every_command_is_on_the_page_and_in_help(board: SimulatedMechanism) -> None:
    page = (Path(__file__).parents[2] / "docs" / "board.md").read_text("utf-8")
    for line in board.command("help")["commands"]:
        name = line.split(":")[0].split()[0]
        assert f"`{name}" in page


@pytest.mark.parametrize(
    "command", ["jam 1", "clear 1", "lock", "wear", "mute", "drop 0.5", "twice 1", "leave"]
)
def test_every_other_command_is_carried_out(board: SimulatedMechanism, command: str) -> None:
    assert board.command(command)["ok"]


@pytest.mark.parametrize("wrong", [["--slots", "8"], ["--serial", "0"], ["--boots", "-1"]])
def test_a_wrong_option_is_refused(tmp_path: Path, wrong: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", BOARD_MODULE, "--link", str(tmp_path / "x"), *wrong],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert f"expected {wrong[0]}" in done.stderr


def test_without_a_compiler_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match="install gcc and libc6-dev"):
        build(folder=tmp_path)


def test_what_the_compiler_minds_is_told(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="such-option"):
        build(("--no-such-option",), tmp_path)


def test_it_is_compiled_once(tmp_path: Path) -> None:
    first = build(folder=tmp_path)
    made = first.stat().st_mtime_ns
    assert build(folder=tmp_path) == first
    assert first.stat().st_mtime_ns == made
