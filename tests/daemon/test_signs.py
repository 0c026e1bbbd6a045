"""Signs on real lines: what they show, what happens when they vanish, hang, or their table dies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from desk_fakes import HAND_1, alarms_of, chip
from msgspec.structs import replace
from sign_bench import (
    DASHES,
    alpha,
    one,
    pole,
    running,
    shows,
    table_with_signs,
    tcp_port,
    two,
    until,
)
from support.visors import PLAYING, ROYAL_IN_3, playing

from firmware_sim.signs.process import SimulatedSign
from jackpot.daemon import sign_watchdog as watchdog_module
from jackpot.daemon.serial_line import LineGone
from jackpot.daemon.sign_links import open_link
from jackpot.daemon.sign_watchdog import sign_watchdog
from jackpot.daemon.signs import SignWriter
from jackpot.errors import Refused
from jackpot.table import facts as f

MOST_FRAMES = 5_000
"""20 MB: more than any kernel keeps for a peer that reads nothing."""


@pytest.fixture(autouse=True)
def a_quick_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated sign wants ten gaps after a clear; the whole process is tested at full length."""
    monkeypatch.setattr("jackpot.visor.alpha.CLEAR_PAUSE_MS", 400)


@pytest.fixture
def wall(tmp_path: Path) -> Iterator[SimulatedSign]:
    with SimulatedSign("alpha", "--link", str(tmp_path / "wall"), "--gap-ms", "30") as sign:
        yield sign


@pytest.fixture
def hall() -> Iterator[SimulatedSign]:
    with SimulatedSign("cd5220", "--tcp", "0") as sign:
        yield sign


def nothing_bad(sign: SimulatedSign) -> None:
    assert sign.command("bad")["reasons"] == {}


async def test_a_new_writer_shows_dashes_and_then_what_it_is_told(
    wall: SimulatedSign, tmp_path: Path
) -> None:
    async with running(SignWriter(alpha(tmp_path / "wall"), lock_directory=tmp_path)) as writer:
        await shows(wall, one(DASHES))
        writer.show(PLAYING)
        await shows(wall, one("12.345,67 EUR"))
        writer.show(None)
        await shows(wall, one(DASHES))
    nothing_bad(wall)


async def test_a_hit_is_shown_page_by_page_on_a_sign_of_one_row(
    wall: SimulatedSign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.visor.sign_flow.PAGE_MS", 600)
    async with running(SignWriter(alpha(tmp_path / "wall"), lock_directory=tmp_path)) as writer:
        await shows(wall, one(DASHES))
        writer.show(replace(playing(1_000_000), hits=(ROYAL_IN_3,)))
        await shows(wall, one("10.000,00 EUR"))
    pages = ["CASILLA 3", "12.345,67 EUR", "10.000,00 EUR"]
    assert wall.pictures()[-3:] == [one(page) for page in pages]
    nothing_bad(wall)


async def test_an_unplugged_serial_sign_gets_everything_again_when_it_is_back(
    wall: SimulatedSign, tmp_path: Path
) -> None:
    async with running(SignWriter(alpha(tmp_path / "wall"), lock_directory=tmp_path)) as writer:
        writer.show(PLAYING)
        await shows(wall, one("12.345,67 EUR"))
        good = wall.command("bad")["good"]
        wall.command("unplug")
        await until(lambda: not writer.status.up)
        assert "wall" in writer.status.why
        writer.show(playing(1_234_617))
        wall.command("plug")
        await shows(wall, one("12.346,17 EUR"))
        assert wall.command("bad")["good"] == good + 6, "five frames of setup and the page"
    nothing_bad(wall)


async def test_an_unplugged_network_sign_gets_everything_again_when_it_is_back(
    hall: SimulatedSign, tmp_path: Path
) -> None:
    async with running(SignWriter(pole(tcp_port(hall)))) as writer:
        writer.show(PLAYING)
        await shows(hall, two("JACKPOT MESA 7", "12.345,67 EUR"))
        hall.command("unplug")
        await until(lambda: not writer.status.up)
        hall.command("plug")
        writer.show(playing(1_234_617))
        await shows(hall, two("JACKPOT MESA 7", "12.346,17 EUR"))
    nothing_bad(hall)


async def test_a_sign_that_is_not_there_yet_is_looked_for(tmp_path: Path) -> None:
    async with running(SignWriter(alpha(tmp_path / "wall"), lock_directory=tmp_path)) as writer:
        writer.show(PLAYING)
        await until(lambda: "cannot open" in writer.status.why)
        with SimulatedSign("alpha", "--link", str(tmp_path / "wall")) as wall:
            await shows(wall, one("12.345,67 EUR"))


async def test_when_the_day_closes_the_sign_is_set_up_anew(
    hall: SimulatedSign, tmp_path: Path
) -> None:
    async with running(SignWriter(pole(tcp_port(hall)))) as writer:
        writer.show(PLAYING)
        await shows(hall, two("JACKPOT MESA 7", "12.345,67 EUR"))
        writer.show(replace(PLAYING, closed=True))
        await shows(hall, two("MESA CERRADA", "12.345,67 EUR"))
    assert ["".ljust(20), "".ljust(20)] in hall.pictures()[2:]


async def test_a_chip_is_on_every_sign_at_once(
    wall: SimulatedSign, hall: SimulatedSign, tmp_path: Path
) -> None:
    signs = (alpha(tmp_path / "wall"), pole(tcp_port(hall)))
    async with table_with_signs(tmp_path, *signs) as (desk, _):
        await shows(wall, one("10.000,00 EUR"))
        await shows(hall, two("JACKPOT MESA 2", "10.000,00 EUR"))
        await desk.act(HAND_1, form="s.2")
        await desk.submit((chip(3),), "slot.3", 1)
        await shows(wall, one("10.000,50 EUR"))
        await shows(hall, two("JACKPOT MESA 2", "10.000,50 EUR"))
    await shows(wall, one(DASHES))
    await shows(hall, two("", DASHES))
    nothing_bad(wall)
    nothing_bad(hall)


async def test_a_stuck_sign_delays_neither_the_table_nor_another_sign(
    wall: SimulatedSign, hall: SimulatedSign, tmp_path: Path
) -> None:
    signs = (alpha(tmp_path / "wall"), pole(tcp_port(hall)))
    async with table_with_signs(tmp_path, *signs) as (desk, _):
        await shows(wall, one("10.000,00 EUR"))
        wall.command("stick")
        await desk.act(HAND_1, form="s.2")
        slowest_s = 0.0
        for box in range(1, 8):
            begin = time.monotonic()
            await desk.submit((chip(box),), f"slot.{box}", 1)
            slowest_s = max(slowest_s, time.monotonic() - begin)
        await shows(hall, two("JACKPOT MESA 2", "10.003,50 EUR"))
        assert slowest_s < 0.25, "a commit in memory takes milliseconds"
        wall.command("free")
        await shows(wall, one("10.003,50 EUR"))


@pytest.mark.parametrize("kind", ["serial", "tcp"])
async def test_a_line_that_takes_nothing_any_more_is_given_up(
    kind: str,
    wall: SimulatedSign,
    hall: SimulatedSign,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jackpot.daemon.sign_links.SEND_S", 0.3)
    sign = alpha(tmp_path / "wall") if kind == "serial" else pole(tcp_port(hall))
    link = await open_link(sign, lambda _reason: None, tmp_path)
    (wall if kind == "serial" else hall).command("stick")
    why = ""
    for _ in range(MOST_FRAMES):
        try:
            await link.send(bytes(4_000))
        except LineGone as gone:
            why = str(gone)
            break
    link.close()
    assert "no frame" in why


async def test_a_vanished_sign_becomes_an_alarm_and_its_return_ends_it(
    wall: SimulatedSign, tmp_path: Path
) -> None:
    async with table_with_signs(tmp_path, alpha(tmp_path / "wall")) as (desk, _):
        await shows(wall, one("10.000,00 EUR"))
        wall.command("unplug")
        await until(lambda: alarms_of(desk) == ("sign_lost",))
        wall.command("plug")
        await until(lambda: alarms_of(desk) == ())


async def test_without_a_watchdog_the_table_plays_on_with_an_alarm(tmp_path: Path) -> None:
    async with table_with_signs(tmp_path) as (desk, watchdog):
        await watchdog.close()
        (tmp_path / "signs.sock").unlink()
        await until(lambda: alarms_of(desk) == ("sign_lost",))
        await desk.act(HAND_1, form="s.2")
        assert desk.state.hand_number == 1


async def test_a_table_that_hangs_means_dashes_after_two_seconds(
    hall: SimulatedSign, tmp_path: Path
) -> None:
    place = tmp_path / "signs.sock"
    async with sign_watchdog((pole(tcp_port(hall)),), place, tmp_path):
        _, table = await asyncio.open_unix_connection(place)
        table.write(msgspec.json.encode(PLAYING) + b"\n")
        shown_ms = await shows(hall, two("JACKPOT MESA 7", "12.345,67 EUR"))
        silent_ms = await shows(hall, two("", DASHES)) - shown_ms
        assert 1_500 <= silent_ms <= 3_000
        table.write(msgspec.json.encode(playing(1_234_617)) + b"\n")
        await shows(hall, two("JACKPOT MESA 7", "12.346,17 EUR"))
        table.close()


async def test_a_table_that_dies_means_dashes_at_once(hall: SimulatedSign, tmp_path: Path) -> None:
    place = tmp_path / "signs.sock"
    async with sign_watchdog((pole(tcp_port(hall)),), place, tmp_path):
        _, table = await asyncio.open_unix_connection(place)
        table.write(msgspec.json.encode(PLAYING) + b"\n")
        await shows(hall, two("JACKPOT MESA 7", "12.345,67 EUR"))
        died_ms = time.monotonic_ns() // 1_000_000
        table.transport.abort()
        assert await shows(hall, two("", DASHES)) - died_ms < 1_000


@pytest.mark.parametrize("words", [b"{}\n", b"\xff\n", b'{"table": 7', b"x" * 70_000])
async def test_words_that_nobody_understands_mean_dashes(
    hall: SimulatedSign, tmp_path: Path, words: bytes
) -> None:
    place = tmp_path / "signs.sock"
    async with sign_watchdog((pole(tcp_port(hall)),), place, tmp_path):
        _, table = await asyncio.open_unix_connection(place)
        table.write(msgspec.json.encode(PLAYING) + b"\n")
        await shows(hall, two("JACKPOT MESA 7", "12.345,67 EUR"))
        table.write(words)
        await shows(hall, two("", DASHES))
        table.close()


async def test_the_newest_table_counts_and_the_older_ones_end_changes_nothing(
    hall: SimulatedSign, tmp_path: Path
) -> None:
    place = tmp_path / "signs.sock"
    async with sign_watchdog((pole(tcp_port(hall)),), place, tmp_path):
        older_reader, older = await asyncio.open_unix_connection(place)
        older.write(msgspec.json.encode(PLAYING) + b"\n")
        await older_reader.readline()
        newer_reader, newer = await asyncio.open_unix_connection(place)
        assert await older_reader.read() == b"", "the older conversation is over"
        newer.write(msgspec.json.encode(playing(5)) + b"\n")
        await newer_reader.readline()
        older.close()
        await shows(hall, two("JACKPOT MESA 7", "0,05 EUR"))
        newer.close()


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.4])
async def test_a_watchdog_that_is_stopped_just_after_its_table_ends(
    hall: SimulatedSign, tmp_path: Path, after_s: float
) -> None:
    place = tmp_path / "signs.sock"
    async with asyncio.timeout(10):
        async with sign_watchdog((pole(tcp_port(hall)),), place, tmp_path):
            _, table = await asyncio.open_unix_connection(place)
            table.write(msgspec.json.encode(PLAYING) + b"\n")
            await shows(hall, two("JACKPOT MESA 7", "12.345,67 EUR"))
            table.close()
            await asyncio.sleep(after_s)
    await shows(hall, two("", DASHES))


async def test_two_watchdogs_for_one_table_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "signs.sock"
    async with sign_watchdog((), place, tmp_path):
        with pytest.raises(Refused) as caught:
            async with sign_watchdog((), place, tmp_path):
                pass
    assert caught.value.reason == "two_sign_watchdogs"
    assert not place.exists()


async def test_a_dead_watchdogs_socket_is_no_obstacle(tmp_path: Path) -> None:
    place = tmp_path / "signs.sock"
    place.write_bytes(b"")
    async with sign_watchdog((), place, tmp_path):
        assert place.stat().st_mode & 0o777 == 0o600


async def test_without_the_tables_folder_the_watchdog_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="jackpot init"):
        async with sign_watchdog((), tmp_path / "none" / "signs.sock", tmp_path):
            pass


def test_the_two_seconds_of_the_visor_hold_for_signs_too() -> None:
    assert watchdog_module.SILENCE_S == 2.0
    assert f.AlarmRaised(alarm="sign_lost", detail="").kind == "alarm_raised"
