"""A whole table in this process: what a start tells the ledger, and what it refuses."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from pathlib import Path

import httpx
import pytest
from daemon_process import TEXT, installed, recorded
from msgspec.structs import replace
from support.certificate import self_signed

from jackpot.config import Config, load_config
from jackpot.daemon.notify import notify, watchdog_interval_s
from jackpot.daemon.running import Surroundings, running_table
from jackpot.daemon.screen_server import PortBusy, ScreenServer
from jackpot.errors import Refused
from jackpot.mechanism import wire_events as w
from jackpot.table import facts as f


def around(tmp_path: Path, *, screens: bool = False) -> Surroundings:
    return Surroundings(lock_directory=tmp_path / "locks", screens=screens)


def started(config: Config) -> list[list[str]]:
    """The kinds of the first batch of each run."""
    batches = [[event.kind for event in batch.events] for batch in recorded(config)]
    return [kinds for kinds in batches if "controller_started" in kinds]


async def test_a_start_tells_what_is_new_and_only_that(tmp_path: Path) -> None:
    config = installed(tmp_path)
    for _ in range(2):
        async with running_table(config, around(tmp_path)) as table:
            assert table.desk.status.ready
            assert table.desk.state.terms == config.terms
    assert started(config) == [
        ["controller_started", "configuration_loaded", "terms_in_force", "officers_listed"],
        ["controller_started"],
    ]


class Late:
    """A clock that has lost a day."""

    def __init__(self) -> None:
        self.lost_ns = 86_400_000_000_000

    def wall_ns(self) -> int:
        return time.time_ns() - self.lost_ns

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()


async def test_a_clock_behind_the_last_entry_is_told_at_the_start(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)):
        pass
    late = Surroundings(clock=Late(), lock_directory=tmp_path / "locks", screens=False)
    async with running_table(config, late) as table:
        assert "clock_behind" in table.desk.state.alarms
    assert started(config)[-1] == ["controller_started", "clock_stepped", "alarm_raised"]
    (step,) = [e for b in recorded(config) for e in b.events if isinstance(e, f.ClockStepped)]
    assert -86_401 < step.step_ns / 1_000_000_000 < -86_339


async def test_a_clock_that_is_right_again_ends_the_alarm(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)):
        pass
    late = Surroundings(clock=Late(), lock_directory=tmp_path / "locks", screens=False)
    async with running_table(config, late):
        pass
    assert "alarm_cleared" not in started(config)[-1]
    async with running_table(config, around(tmp_path)) as table:
        assert "clock_behind" not in table.desk.state.alarms


async def test_CAN_3_1_a_deleted_officer_book_is_refused(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)):
        pass
    config.ledger.officers_file.unlink()
    with pytest.raises(Refused, match="officer_book_missing"):
        async with running_table(config, around(tmp_path)):
            pass


async def test_a_book_deleted_under_a_running_table_changes_nothing(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)) as table:
        config.ledger.officers_file.unlink()
        with pytest.raises(Refused, match="officer_book_missing"):
            table.book.refresh()
        assert list(table.book.roles()) == ["c1", "d1", "j1"]


async def test_a_changed_configuration_is_recorded_in_full(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)):
        pass
    changed = load_config(TEXT.replace('bet = "2.00"', 'bet = "1.50"'), tmp_path)
    async with running_table(changed, around(tmp_path)) as table:
        assert table.desk.state.terms == changed.terms
    loaded = [e for b in recorded(config) for e in b.events if isinstance(e, f.ConfigurationLoaded)]
    assert [event.config_text for event in loaded] == [config.text, changed.text]
    assert 'id = "canarias"' in loaded[0].profile_text


async def test_CAN_6_1_the_minimum_that_the_director_set_outlives_a_restart(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)) as table:
        await table.desk.act(f.TableMinimumSet(by="d1", cents=2_000), form="s.1")
    async with running_table(config, around(tmp_path)) as table:
        assert table.desk.state.terms is not None
        assert table.desk.state.terms.table_minimum_cents == 2_000
    assert started(config)[1] == ["controller_started"]


async def test_CAN_6_1_the_minimum_that_the_director_set_outlives_another_change_of_the_file(
    tmp_path: Path,
) -> None:
    """A technician changes the percentage; the file's own minimum is still that of the first day."""
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)) as table:
        await table.desk.act(f.TableMinimumSet(by="d1", cents=2_000), form="s.1")
    changed = load_config(TEXT.replace('percentage = "25"', 'percentage = "20"'), tmp_path)
    async with running_table(changed, around(tmp_path)) as table:
        assert table.desk.state.terms == replace(changed.terms, table_minimum_cents=2_000)
    lower = load_config(TEXT.replace('minimum = "10.00"', 'minimum = "8.00"'), tmp_path)
    async with running_table(lower, around(tmp_path)) as table:
        assert table.desk.state.terms == lower.terms, "the file names another one: that counts"


async def test_CAN_6_1_a_minimum_that_the_changed_bet_forbids_is_the_files_again(
    tmp_path: Path,
) -> None:
    """5.00 was enough for a bet of 2.00, and is not for one of 3.00 (CAN-8.1)."""
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)) as table:
        await table.desk.act(f.TableMinimumSet(by="d1", cents=500), form="s.1")
    text = TEXT.replace('bet = "2.00"', 'bet = "3.00"').replace('"10000.00"', '"15000.00"')
    changed = load_config(text, tmp_path)
    async with running_table(changed, around(tmp_path)) as table:
        assert table.desk.state.terms == changed.terms


async def test_CAN_2_2_a_reversible_table_has_both_layouts_in_one_ledger(tmp_path: Path) -> None:
    second = TEXT.replace('number = "7"', 'number = "7"\nlayout = "2"')
    (tmp_path / "second.toml").write_text(second.replace('seed = "10000.00"', 'seed = "12000.00"'))
    first = TEXT.replace('number = "7"', 'number = "7"\nother_layout = "second.toml"')
    config = installed(tmp_path, first)
    async with running_table(config, around(tmp_path)) as table:
        change = f.LayoutChanged(by="j1", second="d1", day="2026-11-30", layout="2")
        await table.desk.act(change, form="s.1")
        assert config.other is not None
        assert table.desk.state.terms == config.other.terms
    async with running_table(config, around(tmp_path)) as table:
        opening = f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=1_200_000)
        await table.desk.act(opening, form="s.1")
        parked = table.desk.state.parked
        assert parked is not None
        assert parked.terms == config.terms
    assert started(config) == [
        [
            "controller_started",
            *("configuration_loaded", "terms_in_force") * 2,
            "officers_listed",
        ],
        ["controller_started"],
    ]


async def test_CAN_2_2_the_ledger_of_another_layout_is_refused(tmp_path: Path) -> None:
    installed(tmp_path)
    other = load_config(TEXT.replace('number = "7"', 'number = "8"'), tmp_path)
    with pytest.raises(Refused, match="ledger_of_another_table"):
        async with running_table(other, around(tmp_path)):
            pass


async def test_a_table_that_was_never_installed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="not_installed"):
        async with running_table(load_config(TEXT, tmp_path), around(tmp_path)):
            pass


async def test_a_second_daemon_on_the_ledger_is_refused_and_the_first_goes_on(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)) as table:
        with pytest.raises(Refused, match="two_daemons_on_one_ledger"):
            async with running_table(config, around(tmp_path)):
                pass
        await table.desk.submit((f.ClockStepped(step_ns=0),), "controller")


async def test_a_taken_address_is_refused_in_words(tmp_path: Path) -> None:
    config = installed(tmp_path)
    first = ScreenServer(config.screens)
    port = int(first.url.rsplit(":", 1)[1].strip("/"))
    taken = load_config(TEXT.replace("port = 0", f"port = {port}"), tmp_path)
    with pytest.raises(PortBusy, match="screens_address_taken"):
        ScreenServer(taken.screens)
    await first.stop()


async def test_the_screens_are_served_and_metrics_for_this_machine(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with (
        running_table(config, around(tmp_path, screens=True)) as table,
        httpx.AsyncClient(base_url=table.url) as client,
    ):
        assert (await client.get("/")).status_code == 200
        metrics = (await client.get("/metrics")).text
        assert "jackpot_open 0.0" in metrics
        assert "jackpot_awards_total 0.0" in metrics
        assert 'jackpot_slot_polls_total{box="1"}' in metrics


async def test_a_certificate_that_cannot_be_read_is_refused_in_words(tmp_path: Path) -> None:
    text = TEXT.replace("port = 0", 'port = 0\ntls_cert = "c.pem"\ntls_key = "k.pem"')
    config = installed(tmp_path, text)
    with pytest.raises(Refused, match="certificate_unusable"):
        async with running_table(config, around(tmp_path, screens=True)):
            pass


async def test_history_goes_on_after_a_start(tmp_path: Path) -> None:
    config = installed(tmp_path)
    async with running_table(config, around(tmp_path)):
        pass
    async with running_table(config, around(tmp_path)) as table:
        kinds = [line.kind for line in table.desk.history(100)]
    stopped = kinds.index("controller_stopped")
    assert kinds[stopped - 1] == "controller_started", "newest first"
    assert kinds[-1] == "controller_started"


def test_a_service_manager_is_told_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert notify("READY=1") is False
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    assert watchdog_interval_s() == 15.0
    monkeypatch.delenv("WATCHDOG_USEC")
    assert watchdog_interval_s() is None


def test_the_notification_reaches_its_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        assert notify("READY=1")
        assert manager.recv(100) == b"READY=1"


async def test_a_fault_of_ours_in_a_timer_halts_the_table(tmp_path: Path) -> None:
    config = installed(tmp_path)
    loop = asyncio.get_running_loop()
    async with running_table(config, around(tmp_path)) as table:
        assert table.keeper is not None
        loop.call_soon(table.keeper.on_events, [w.Up(99)])
        await table.desk.changed(table.desk.version, 5)
        assert "KeyError" in table.desk.status.halted
    assert loop.get_exception_handler() is None


async def test_somebody_else_s_fault_in_a_timer_does_not(tmp_path: Path) -> None:
    config = installed(tmp_path)

    def reset() -> None:
        raise ConnectionResetError

    async with running_table(config, around(tmp_path)) as table:
        asyncio.get_running_loop().call_soon(reset)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert table.desk.status.ready


async def test_with_a_certificate_the_screens_speak_tls_and_cookies_stay_inside_it(
    tmp_path: Path,
) -> None:
    self_signed(tmp_path)
    text = TEXT.replace("port = 0", 'port = 0\ntls_cert = "c.pem"\ntls_key = "k.pem"')
    config = installed(tmp_path, text)
    async with (
        running_table(config, around(tmp_path, screens=True)) as table,
        httpx.AsyncClient(base_url=table.url, verify=False) as client,
    ):
        assert table.url.startswith("https://127.0.0.1:")
        page = (await client.get("/login")).text
        match = re.search(r'name="form" value="([^"]+)"', page)
        assert match is not None
        answer = await client.post(
            "/login",
            data={"officer": "c1", "pin": "482915", "form": match[1]},
            headers={"origin": table.url.rstrip("/")},
        )
        assert answer.status_code == 303
        assert "secure" in answer.headers["set-cookie"].lower()
