"""`jackpot slots`, as a technician types it, at simulated acceptors behind a pseudo terminal."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from daemon_process import TEXT, installed
from typer.testing import CliRunner

from firmware_sim.process import AsyncMechanism, SimulatedMechanism
from jackpot.cli import build_app
from jackpot.daemon.running import Surroundings, running_table
from jackpot.errors import Refused

CREDIT_ASKED = "02 00 01 e5 18"
CREDIT_TOLD = "01 0b 02 00 07 01 01 00 14 00 00 00 00 00 00 d5"


def run(*words: str, text: str | None = None) -> tuple[int, str]:
    """Exit status and what was printed."""
    done = CliRunner().invoke(build_app(["slots"]), ["slots", *words], input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


@pytest.fixture
def mechanism(tmp_path: Path) -> Iterator[SimulatedMechanism]:
    with SimulatedMechanism(tmp_path / "line", "--slots", "7", "--no-pace") as sim:
        yield sim


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TEXT.replace("port = 0", "port = 1"), encoding="utf-8")  # nobody answers there
    return path


def shown(config: Path) -> tuple[int, dict[str, Any]]:
    status, text = run(str(config), "--json")
    return status, json.loads(text)


def test_every_slot_is_shown_with_identity_optos_counters_coins_and_times(
    mechanism: SimulatedMechanism, config: Path
) -> None:
    mechanism.command("optos 3 4")
    status, bus = shown(config)
    assert (status, bus["source"], bus["line_up"], bus["echo"]) == (0, "port", True, True)
    slot = bus["slots"][2]
    assert (slot["box"], slot["address"], slot["state"], slot["accepting"]) == (
        3,
        13,
        "ready",
        False,
    )
    assert (slot["serial"], slot["optos_blocked"], slot["master_on"]) == (700_003, 4, False)
    assert (slot["mask"], slot["chip_position"]) == (1, 1)
    assert slot["coins"]["1"] == "TK200A"
    assert slot["acceptor_accepted"] == 0
    assert 0 < slot["round_trip_p50_us"] <= slot["round_trip_p99_us"]


def test_a_cut_slot_is_out_of_service_in_words_and_in_the_exit_status(
    mechanism: SimulatedMechanism, config: Path
) -> None:
    mechanism.command("silent 5")
    status, text = run("show", str(config), "--once")
    assert status == 1
    assert "box 5, address 15: absent, OUT OF SERVICE: no_reply" in text
    assert "box 4, address 14: ready, closed" in text


def test_scan_finds_all_seven_and_says_who_they_are(
    mechanism: SimulatedMechanism, config: Path
) -> None:
    status, text = run("scan", str(config), "--json")
    found = json.loads(text)
    assert status == 0
    assert [device["address"] for device in found] == [11, 12, 13, 14, 15, 16, 17]
    assert {device["category"] for device in found} == {"Coin Acceptor"}
    assert [device["serial"] for device in found] == list(range(700_001, 700_008))


def test_scan_of_a_line_where_nobody_answers_says_what_to_look_at(
    mechanism: SimulatedMechanism,
) -> None:
    for box in range(1, 8):
        mechanism.command(f"silent {box}")
    status, text = run("scan", "--port", str(mechanism.link))
    assert (status, text.startswith("nobody answers: look at power")) == (1, True)


def test_an_address_is_changed_and_answers_there(
    mechanism: SimulatedMechanism,
) -> None:
    port = str(mechanism.link)
    assert run("address", "clash", "17", "--port", port) == (0, "address 17: 1 device(s)\n")
    assert run("address", "change", "17", "2", "--port", port)[0] == 0
    assert run("address", "clash", "17", "--port", port, "--json")[0] == 1
    assert run("address", "clash", "2", "--port", port)[0] == 0


def where(mechanism: SimulatedMechanism) -> dict[int, int]:
    """Serial number by address, as the simulator itself knows it."""
    return {slot["serial"]: slot["address"] for slot in mechanism.command("state")["slots"]}


def test_two_devices_at_one_address_are_found_told_apart_and_placed(
    mechanism: SimulatedMechanism, config: Path
) -> None:
    mechanism.command("address 3 11")
    status, text = run("scan", str(config))
    assert status == 1
    assert "11  Coin Acceptor  2 devices share this address" in text
    assert run("address", "clash", "11", str(config))[0] == 1
    status, text = run("address", "resolve", "11", str(config))
    assert (status, text.splitlines()[:2]) == (
        0,
        ["address 11: serial number 700001", "address 13: serial number 700003"],
    )
    assert where(mechanism) == {700_000 + box: 10 + box for box in range(1, 8)}
    assert run("scan", str(config))[0] == 0


def test_a_whole_table_out_of_the_box_shares_one_address_and_is_told_apart(
    mechanism: SimulatedMechanism, config: Path
) -> None:
    for box in range(1, 8):
        mechanism.command(f"address {box} 2")
    status, text = run("address", "resolve", "2", str(config), "--json")
    assert status == 0
    serials = [700_000 + box for box in range(1, 8)]
    assert [device["serial"] for device in json.loads(text)] == serials
    assert where(mechanism) == dict(zip(serials, (2, 11, 12, 13, 14, 15, 16), strict=True))


@pytest.mark.parametrize(("address", "reason"), [("11", "no_clash"), ("30", "nobody_there")])
def test_nothing_is_moved_where_nobody_shares_an_address(
    mechanism: SimulatedMechanism, address: str, reason: str
) -> None:
    before = where(mechanism)
    with pytest.raises(Exception, match=reason):
        run("address", "resolve", address, "--port", str(mechanism.link))
    assert where(mechanism) == before


async def test_nobody_s_address_is_touched_while_a_table_runs(tmp_path: Path) -> None:
    around = Surroundings(lock_directory=tmp_path / "locks", screens=False)
    async with (
        AsyncMechanism(tmp_path / "line", "--no-pace") as sim,
        running_table(installed(tmp_path, TEXT), around),
    ):
        await sim.command("address 3 11")
        for words in (("resolve", "11"), ("change", "12", "2"), ("clash", "11")):
            with pytest.raises(Refused, match=r"port_.*"):
                await asyncio.to_thread(run, "address", *words, "--port", str(tmp_path / "line"))


def test_a_shared_address_is_not_changed_but_resolved(mechanism: SimulatedMechanism) -> None:
    mechanism.command("address 3 11")
    with pytest.raises(Exception, match=r"address_clash: .*address resolve 11"):
        run("address", "change", "11", "2", "--port", str(mechanism.link))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [("11", "12", "address_taken"), ("30", "31", "nobody_there"), ("11", "1", "bad_address")],
)
def test_an_address_is_not_changed_blindly(
    mechanism: SimulatedMechanism, old: str, new: str, reason: str
) -> None:
    with pytest.raises(Exception, match=reason):
        run("address", "change", old, new, "--port", str(mechanism.link))


def test_a_port_that_is_not_there_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"no_port: .*by-path"):
        run("scan", "--port", str(tmp_path / "nothing"))


def test_a_test_wants_the_running_table(config: Path) -> None:
    with pytest.raises(Exception, match="table_not_running"):
        run("test", "3", str(config), "--by", "t1", "--pin-stdin", text="482915\n")


def test_sniffing_puts_what_others_say_into_words_and_sends_nothing() -> None:
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    talk = threading.Timer(0.5, os.write, (ours, bytes.fromhex(CREDIT_ASKED + CREDIT_TOLD)))
    talk.start()
    try:
        status, text = run("sniff", "--port", os.ttyname(theirs), "--seconds", "1.5", "--json")
        heard = [json.loads(line) for line in text.splitlines()]
        os.set_blocking(ours, False)
        with pytest.raises(BlockingIOError):
            os.read(ours, 1)
    finally:
        talk.join()
        os.close(ours)
        os.close(theirs)
    assert status == 0
    assert [piece["header"] for piece in heard] == [229, 0]
    assert heard[1]["words"].startswith("2 -> host: events, counter 7")


def test_hex_becomes_words(tmp_path: Path) -> None:
    status, text = run("decode", *CREDIT_ASKED.split(), *CREDIT_TOLD.split())
    assert status == 0
    assert text.splitlines()[1].strip() == "host -> 2: 229 read buffered credit"
    assert text.splitlines()[3].strip() == (
        "2 -> host: events, counter 7, newest first: credit of coin 1 by path 1; "
        "error 20 (Coin on string)"
    )
    capture = tmp_path / "capture.txt"
    capture.write_text(f"# an evening\n{CREDIT_ASKED}\n{CREDIT_TOLD}\n", encoding="utf-8")
    assert run("decode", "--file", str(capture)) == (status, text)
    assert run("decode", text=capture.read_text("utf-8")) == (status, text)


def test_noise_is_called_noise_and_frames_behind_it_are_still_read() -> None:
    status, text = run("decode", "--json", "ff", "00", *CREDIT_ASKED.split())
    first, second = (json.loads(line) for line in text.splitlines())
    assert status == 1
    assert (first["frame"], first["hex"]) == (False, "ff 00")
    assert (second["frame"], second["header"]) == (True, 229)


def test_what_is_no_hex_is_refused_by_its_line() -> None:
    with pytest.raises(Exception, match="line 2 is no hex"):
        run("decode", text="02 00\nhello\n")


def test_error_codes_are_told_in_two_languages_with_what_to_do() -> None:
    assert run("codes", "20") == (
        0,
        " 20  Coin on string. Call the table chief: look at the slot and at the player.\n",
    )
    assert run("codes", "14", "--language", "es")[1].endswith(
        "Cierre la casilla, desatasque la ranura y espere una autocomprobación correcta.\n"
    )
    assert len(run("codes")[1].splitlines()) > 40
    assert run("codes", "256")[0] == 2
