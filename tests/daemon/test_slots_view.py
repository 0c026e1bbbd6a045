"""How `jackpot slots` shows a bus on a terminal: drawn into a recorded one and read there."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from jackpot.commands.slots_view import LiveView
from jackpot.mechanism.report import BusReport, SlotReport

GOOD = SlotReport(
    box=3,
    address=13,
    state="ready",
    down="",
    detail="",
    accepting=True,
    serial=700_003,
    maker="Open Mechanism",
    product="SIM7",
    chip_position=1,
    coins={1: "TK200A", 2: "EU200A", 3: "......"},
    optos_blocked=0,
    acceptor_inserted=266,
    acceptor_accepted=265,
    mask=1,
    master_on=True,
    sorter_path=3,
    rom_checksum="5a17c0de",
    made="2024-03-15",
    protocol="1.4.7",
    comms_errors=(0, 0, 2),
    pairs=((1, 3), (0, 20), (0, 0)),
    replies=9,
    timeouts=2,
    round_trip_p50_us=22_200,
    round_trip_p95_us=23_100,
    round_trip_p99_us=30_000,
    longest_poll_gap_ms=171,
)
GONE = SlotReport(
    box=5, address=15, state="absent", down="no_reply", detail="header 229", accepting=False
)
BUS = BusReport(
    port="/dev/serial/by-path/a", line_up=True, echo=True, unasked_bytes=4, slots=(GOOD, GONE)
)


def terminal() -> Console:
    return Console(
        file=io.StringIO(), record=True, force_terminal=True, width=200, color_system="standard"
    )


def drawn(*reports: BusReport, source: str = "daemon", styles: bool = False) -> str:
    console = terminal()
    with LiveView(console) as view:
        for report in reports:
            view.update(report, source)
    return console.export_text(styles=styles)


def test_every_figure_of_a_slot_is_in_the_live_table() -> None:
    text = drawn(BUS)
    for shown in (
        "/dev/serial/by-path/a: up, echo found, 4 unasked bytes (read from the running table)",
        "ready, open",
        "address 13",
        "Open Mechanism, SIM7, serial number 700003",
        "made: 2024-03-15, ROM 5a17c0de, ccTalk 1.4.7",
        "its own errors: time-outs 0, ignored bytes 0, bad checksums 2",
        "coins: 1 TK200A, 2 EU200A",
        "optos: clear",
        "inhibits: mask 0000000000000001, accepting",
        "sorter: path 3",
        "its counters: inserted 266, accepted 265",
        "newest events: credit 1; 20 Coin on string",
        "round trip: 22.2 / 23.1 / 30.0 ms (50, 95, 99 of 100), longest poll gap 171 ms",
        "errors: no reply 2",
        "absent, OUT OF SERVICE: no_reply header 229",
    ):
        assert shown in text
    assert "......" not in text, "an empty channel is no coin"


def test_the_newest_error_says_what_to_do_and_an_older_one_is_over() -> None:
    assert "to do" not in drawn(BUS)
    newest = replace(GOOD, pairs=((0, 20), (1, 3)))
    text = drawn(replace(BUS, slots=(newest,)))
    assert "to do: Call the table chief: look at the slot and at the player." in text


def test_a_slot_out_of_service_is_red_and_a_working_one_green() -> None:
    red, green = "\x1b[31m", "\x1b[32m"
    text = drawn(BUS, styles=True)
    assert f"{green}ready, open" in text
    assert f"{red}absent, OUT OF SERVICE" in text


def test_a_later_look_takes_the_place_of_the_one_before() -> None:
    console = terminal()
    with LiveView(console) as view:
        view.update(BUS, "port")
        console.export_text()  # what was drawn so far
        view.update(replace(BUS, line_up=False, echo=None), "port")
    text = console.export_text()
    assert "GONE, echo not found out yet" in text
    assert "read from the port; slots closed" in text


def test_ctrl_c_is_how_a_person_ends_it_and_a_fault_is_not_hidden() -> None:
    with LiveView(terminal()) as view:
        view.update(BUS, "daemon")
        raise KeyboardInterrupt
    with pytest.raises(ValueError, match="a fault"), LiveView(terminal()):
        raise ValueError("a fault")
