"""The simulated signs are as strict as the protocols' descriptions: bytes worked out by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_sim.process import SimulatorError
from firmware_sim.signs.alpha import AlphaSign
from firmware_sim.signs.cd5220 import PoleDisplay
from firmware_sim.signs.process import SimulatedSign

WAKE = 5 * b"\x00"


def told(sign: AlphaSign, *commands: bytes, at_ms: int = 0) -> AlphaSign:
    """The sign after commands without checksums."""
    for command in commands:
        sign.feed(WAKE + b"\x01Z00\x02" + command + b"\x04", at_ms)
    return sign


def ready_sign(rows: int = 1, columns: int = 10) -> AlphaSign:
    """TEXT A calls STRING a in fixed width; both have room for 16 bytes."""
    return told(
        AlphaSign(rows, columns),
        b"E$",
        b"E$AAU0010FF00aBL00100000",
        b"E.SUA",
        b"AA\x1b0b\x1e1\x10a",
    )


def test_a_string_shows_where_the_text_calls_it() -> None:
    assert told(ready_sign(), b"GaREAD ME").picture() == ["READ ME   "]


def test_a_new_line_begins_the_second_row() -> None:
    assert told(ready_sign(2), b"GaONE\x0dTWO").picture() == ["ONE       ", "TWO       "]


def test_a_right_checksum_is_taken_and_a_wrong_one_is_not() -> None:
    sign = ready_sign()
    sign.feed(WAKE + b"\x01Z00\x02GaREAD ME\x03027B\x04", 0)
    assert sign.picture() == ["READ ME   "]
    sign.feed(WAKE + b"\x01Z00\x02GaREAD ME\x03027C\x04", 0)
    assert sign.tally.bad == {"checksum": 1}


def test_a_string_past_its_size_is_emptied() -> None:
    sign = told(ready_sign(), b"GaREAD ME", b"Ga12345678901234567")
    assert sign.picture() == [" " * 10]
    assert sign.tally.bad == {"file past its size": 1}


def test_a_configuration_without_a_clear_before_it_shows_nothing() -> None:
    again = told(ready_sign(), b"E$AAU0010FF00aBL00100000", b"AA\x1b0b\x10a", b"GaHELLO")
    assert again.picture() == [" " * 10]
    assert again.tally.bad == {"memory without a clear before it": 1}


def test_only_a_bare_write_lets_go_of_the_priority_message() -> None:
    sign = told(ready_sign(), b"GaUNDER", b"A0\x1b0bALERT")
    assert sign.picture() == ["  ALERT   "]
    assert told(sign, b"A0\x1b0b").picture() == [" " * 10]
    assert told(sign, b"A0").picture() == ["UNDER     "]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (4 * b"\x00" + b"\x01Z00\x02GaX\x04", "too few NULs"),
        (WAKE + b"\x01Z00\x02Ga\xff\x04", "a byte of 8 bits"),
        (WAKE + b"\x01Z00GaX\x04", "header"),
        (WAKE + b"\x01Z00\x02Ga\x00X\x04", "a control byte within a command"),
        (WAKE + b"\x01Z00\x02Q1\x04", "unknown command b'Q1'"),
        (WAKE + b"\x01Z00\x02GzX\x04", "no such STRING file"),
        (WAKE + b"\x01Z00\x02Ga~\x04", "a byte that no STRING may hold"),
        (WAKE + b"\x01Z00\x02E$0BL00100000\x04", "memory entry"),
        (WAKE + b"\x01Z00\x02E$aBU00100000\x04", "memory entry"),
        (b"hello", "noise between packets"),
    ],
)
def test_whatever_a_sign_could_not_use_is_counted(data: bytes, reason: str) -> None:
    sign = ready_sign()
    sign.feed(data, 0)
    assert reason in sign.tally.bad


def test_another_signs_packet_is_none_of_its_business() -> None:
    sign = ready_sign()
    sign.feed(WAKE + b"\x01Z02\x02GaX\x04", 0)
    assert sign.picture() == [" " * 10]
    assert not sign.tally.bad


def test_a_packet_that_comes_too_early_is_lost() -> None:
    sign = AlphaSign(1, 10, gap_ms=100)
    told(sign, b"E$", at_ms=0)
    told(sign, b"E$AAU0010FF00", at_ms=999)
    assert sign.tally.bad == {"too early": 1}
    told(sign, b"E$AAU0010FF00", at_ms=1_000)
    told(sign, b"E.SUA", at_ms=1_099)
    assert sign.tally.bad == {"too early": 2}


def test_a_pole_display_shows_lines_of_exactly_twenty_characters() -> None:
    display = PoleDisplay()
    display.feed(b"\x0c\x1b@\x1bQA12345678901234567890\x0d", 0)
    assert display.picture() == ["12345678901234567890", " " * 20]
    display.feed(b"\x1bQBshort\x0d", 0)
    assert display.tally.bad == {"a line of 5 characters": 1}


def test_in_the_string_mode_a_pole_display_hears_only_a_clear() -> None:
    display = PoleDisplay()
    display.feed(b"\x1bQA" + b"A" * 20 + b"\x0d\x1b@", 0)
    assert display.picture()[0] == "A" * 20
    assert display.tally.bad == {"b'@' in the string mode": 1}
    display.feed(b"\x0c\x1b@", 0)
    assert display.picture() == [" " * 20, " " * 20]


def test_a_character_of_a_national_set_is_counted() -> None:
    display = PoleDisplay()
    display.feed(b"\x1bQA#", 0)
    assert display.tally.bad == {"character 23": 1}


def test_the_process_answers_and_tells_what_it_shows(tmp_path: Path) -> None:
    link = tmp_path / "sign"
    with SimulatedSign("cd5220", "--link", str(link)) as sign:
        assert sign.ready["path"] == str(link)
        with link.open("wb", buffering=0) as line:
            line.write(b"\x1bQA" + b"HELLO".ljust(20) + b"\x0d")
            sign.wait_for(["HELLO".ljust(20), " " * 20])
        assert sign.command("bad") == {"ok": True, "good": 1, "bad": 0, "reasons": {}}
        assert sign.command("memory")["string_mode"] is True
        with pytest.raises(SimulatorError, match="expected show"):
            sign.command("dance")
        sign.command("unplug")
        assert not link.exists()
        sign.command("plug")
        assert link.exists()


@pytest.mark.parametrize(
    "arguments",
    [["alpha"], ["alpha", "--link", "a", "--tcp", "0"], ["alpha", "--tcp", "0", "--rows", "9"]],
)
def test_a_wrong_command_line_says_what_was_expected(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "firmware_sim.signs", *arguments], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "expected" in done.stderr
