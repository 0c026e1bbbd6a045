"""The program itself: a real pseudo terminal, real commands, both kinds of parent."""

import asyncio
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_sim.__main__ import parse
from firmware_sim.process import AsyncMechanism, SimulatedMechanism, SimulatorError

POLL_13 = bytes.fromhex("0d 00 01 e5 0d")
MASK_13 = bytes.fromhex("0d 02 01 e7 01 00 08")
MASTER_13 = bytes.fromhex("0d 01 01 e4 01 0c")
ACK_13 = bytes.fromhex("01 00 0d 00 f2")


def read(descriptor: int, length: int) -> bytes:
    heard = b""
    while len(heard) < length:
        ready, _, _ = select.select([descriptor], [], [], 5)
        if not ready:
            raise AssertionError(f"expected {length} bytes, heard {heard.hex(' ')}")
        heard += os.read(descriptor, length - len(heard))
    return heard


def ask(descriptor: int, command: bytes, length: int) -> bytes:
    os.write(descriptor, command)
    return read(descriptor, length)


def test_a_chip_is_credited_at_the_next_poll_over_a_real_line(tmp_path: Path) -> None:
    link = tmp_path / "bus"
    with SimulatedMechanism(link, "--no-pace", "--no-echo") as mechanism:
        assert mechanism.ready["path"] == str(link)
        assert os.path.realpath(link) == mechanism.ready["device"]
        host = os.open(link, os.O_RDWR | os.O_NOCTTY)
        assert ask(host, MASK_13, 5) == ACK_13
        assert ask(host, MASTER_13, 5) == ACK_13
        assert ask(host, POLL_13, 16)[4] == 0
        assert mechanism.chip(3)["accepted"] is True
        assert ask(host, POLL_13, 16) == bytes.fromhex(
            "01 0b 0d 00 01 01 01 00 00 00 00 00 00 00 00 e4"
        )
        os.close(host)
        again = os.open(link, os.O_RDWR | os.O_NOCTTY)  # the host may come and go
        assert ask(again, POLL_13, 16)[4] == 1
        os.close(again)
    assert not link.is_symlink()


def test_the_paced_line_echoes_and_answers(tmp_path: Path) -> None:
    with SimulatedMechanism(tmp_path / "bus") as mechanism:
        host = os.open(mechanism.link, os.O_RDWR | os.O_NOCTTY)
        assert ask(host, MASTER_13, 11) == MASTER_13 + ACK_13
        os.close(host)


def test_an_adapter_pulled_out_comes_back_as_another_device_behind_the_same_link(
    tmp_path: Path,
) -> None:
    link = tmp_path / "bus"
    with SimulatedMechanism(link, "--no-pace", "--no-echo") as mechanism:
        host = os.open(link, os.O_RDWR | os.O_NOCTTY)
        mechanism.command("fault 3 1")
        mechanism.command("unplug")
        assert not link.is_symlink()
        with pytest.raises(OSError, match="Input/output error"):
            os.write(host, POLL_13)
        os.close(host)
        assert mechanism.command("plug")["device"] != mechanism.ready["device"]
        host = os.open(link, os.O_RDWR | os.O_NOCTTY)
        assert ask(host, POLL_13, 16)[4] == 1  # the acceptors kept their power
        os.close(host)


def test_an_unknown_command_is_an_error_and_loses_nothing(tmp_path: Path) -> None:
    with SimulatedMechanism(tmp_path / "bus") as mechanism:
        mechanism.command("fault 3 1")
        with pytest.raises(SimulatorError, match="try help"):
            mechanism.command("chop 3")
        assert mechanism.command("counter 3")["counter"] == 1


def test_a_file_in_the_place_of_the_link_is_never_overwritten(tmp_path: Path) -> None:
    place = tmp_path / "bus"
    place.write_text("somebody's")
    with pytest.raises(SimulatorError, match="status 2"):
        SimulatedMechanism(place)
    assert place.read_text() == "somebody's"


def test_it_ends_and_takes_its_link_along_when_it_is_told_to_terminate(tmp_path: Path) -> None:
    link = tmp_path / "bus"
    command = [sys.executable, "-m", "firmware_sim", "--link", str(link), "--stay"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=root
    ) as child:
        assert child.stdout is not None
        assert b'"ready": true' in child.stdout.readline()
        assert link.is_symlink()
        child.terminate()
        assert child.wait(10) == 0
    assert not link.is_symlink()


async def test_under_asyncio_commands_may_be_sent_ahead(tmp_path: Path) -> None:
    async with AsyncMechanism(tmp_path / "bus", "--no-pace") as mechanism:
        answers = await asyncio.gather(*(mechanism.chip(box) for box in (1, 2, 3, 4, 5, 6, 7)))
        assert [answer["box"] for answer in answers] == [1, 2, 3, 4, 5, 6, 7]
        assert [answer["accepted"] for answer in answers] == [False] * 7
        with pytest.raises(SimulatorError, match="a box 1 to 7"):
            await mechanism.chip(8)
    with pytest.raises(SimulatorError, match="not running"):
        await mechanism.chip(1)


async def test_under_asyncio_nobody_waits_for_an_answer_that_will_never_come(
    tmp_path: Path,
) -> None:
    mechanism = await AsyncMechanism.start(tmp_path / "bus")
    await mechanism.command("quit")
    with pytest.raises(SimulatorError):
        await mechanism.command("state")
    await mechanism.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--slots", "8"],
        ["--slots", "0"],
        ["--first-address", "1"],
        ["--first-address", "250"],
        ["--token-position", "17"],
        ["--coins", "TK2"],
        ["--reply-ms", "-1"],
        ["--serial-base", "16777215"],
    ],
)
def test_wrong_options_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(["--link", "bus", *arguments])
    assert "expected" in capsys.readouterr().err


def test_the_seven_boxes_have_addresses_11_to_17_unless_told_otherwise() -> None:
    options = parse(["--link", "bus"])
    assert (options.slots, options.first_address, options.echo, options.pace) == (7, 11, True, True)
