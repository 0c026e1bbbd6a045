"""The whole daemon against the simulated mechanism: a real line, a real disk, real pages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from daemon_process import (
    Console,
    Daemon,
    at_console,
    counted,
    final_state,
    installed,
    recorded,
    wait_until,
)

from firmware_sim.process import SimulatedMechanism
from jackpot.config import Config
from jackpot.table import facts as f
from jackpot.table.state import Phase


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return installed(tmp_path)


@pytest.fixture
def slots(tmp_path: Path) -> Iterator[SimulatedMechanism]:
    with SimulatedMechanism(tmp_path / "line", "--no-pace") as mechanism:
        yield mechanism


def start_hand(console: Console, number: int) -> None:
    answer = console.press("start", hand=number)
    assert answer.status_code == 303, answer.text


def test_a_chip_becomes_a_bet_on_every_screen_and_in_the_ledger(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon, at_console(daemon) as console:
        wait_until(config, "slot_up", 7)
        console.open_day()
        start_hand(console, 1)
        slots.command("await 3")
        assert slots.chip(3)["accepted"]
        wait_until(config, "bet_accepted", 1)
        assert slots.chip(3)["accepted"] is False, "the slot closes with its bet"
        assert console.press("lock", hand=1).status_code == 303
        wait_until(config, "hand_locked", 1)
        assert console.press("no-awards", hand=1).status_code == 303
        assert daemon.stop() == 0
    state = final_state(config)
    assert state.pools.jackpot_microcents == 1_000_050_000_000
    assert (state.phase, state.running) == (Phase.BETWEEN_HANDS, False)
    assert recorded(config)[-1].events == (f.ControllerStopped(),)


def test_a_restart_in_the_middle_of_a_hand_changes_nothing(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon, at_console(daemon) as console:
        wait_until(config, "slot_up", 7)
        console.open_day()
        start_hand(console, 1)
        slots.command("await 3")
        slots.chip(3)
        wait_until(config, "bet_accepted", 1)
        assert daemon.stop() == 0
    before = final_state(config)
    with Daemon(config) as daemon:
        wait_until(config, "slot_identified", 14)
        assert daemon.stop() == 0
    assert final_state(config) == before, "the very same state after a start and a stop"
    with Daemon(config) as daemon, at_console(daemon) as console:
        wait_until(config, "slot_identified", 21)
        slots.command("await 5")
        slots.chip(5)
        wait_until(config, "bet_accepted", 2)
        assert console.press("lock", hand=1).status_code == 303
        wait_until(config, "hand_locked", 1)
        daemon.stop()
    after = final_state(config)
    assert before.hand is not None
    assert after.hand is not None
    assert [bet.box for bet in before.hand.bets] == [3]
    assert [bet.box for bet in after.hand.bets] == [3, 5]
    assert after.items == ()
    continued = [e for b in recorded(config) for e in b.events if isinstance(e, f.SlotIdentified)]
    assert [e.continuity for e in continued[7:]] == [f.Continuity.CONTINUED] * 14


def test_a_kill_in_the_middle_of_the_lock_ends_in_the_lock(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon, at_console(daemon) as console:
        wait_until(config, "slot_up", 7)
        console.open_day()
        start_hand(console, 1)
        for box in range(1, 8):
            slots.command(f"late {box} 40")
        # Fourteen answers of 40 ms: the drain takes more than half a second, and is killed within.
        assert console.press("lock", hand=1).status_code == 303
        daemon.kill()
    assert final_state(config).phase is Phase.LOCKING
    for box in range(1, 8):
        slots.command(f"late {box} 0")
    with Daemon(config) as daemon:
        wait_until(config, "hand_locked", 1)
        daemon.stop()
    state = final_state(config)
    assert state.phase is Phase.LOCKED
    assert state.hand is not None
    assert state.hand.unknown_boxes == (), "everybody was waited for"


def test_an_award_waits_over_a_restart_and_is_signed_by_another_officer(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon, at_console(daemon) as console:
        wait_until(config, "slot_up", 7)
        console.open_day()
        start_hand(console, 1)
        slots.command("await 3")
        slots.chip(3)
        wait_until(config, "bet_accepted", 1)
        console.press("lock", hand=1)
        wait_until(config, "hand_locked", 1)
        declared = console.press("declare", hand=1, listed="3.1:As Ah Ad Ac 3h")
        assert declared.status_code == 303, declared.text
        daemon.kill()
    with Daemon(config) as daemon, at_console(daemon, "j1") as chief:
        assert chief.press("confirm", hand=1).status_code == 303
        paid = chief.press("paid", hand=1, box=3, bet=1, cents=50_002)
        assert paid.status_code == 303, paid.text
        daemon.stop()
    state = final_state(config)
    # 5 % of 10,000.50 is 500.025: 500.02 is paid, half a cent stays.
    assert state.totals.deducted == 50_002_000_000
    assert state.pools.jackpot_microcents == 1_000_050_000_000 - 50_002_000_000
    assert state.phase is Phase.BETWEEN_HANDS


def test_two_daemons_on_one_ledger_are_told_clearly(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config):
        second = subprocess.run(
            [
                sys.executable,
                "-m",
                "jackpot.cli",
                "run",
                str(config.ledger.folder.parent / "table.toml"),
            ],
            capture_output=True,
            text=True,
            timeout=20,
        )
    assert second.returncode == 3
    assert "two_daemons_on_one_ledger" in second.stderr
    assert "Traceback" not in second.stderr


def test_two_tables_on_one_serial_port_are_told_clearly(
    tmp_path: Path, config: Config, slots: SimulatedMechanism
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "line").symlink_to(tmp_path / "line")
    installed(other)
    with Daemon(config):
        second = subprocess.run(
            [sys.executable, "-m", "jackpot.cli", "run", str(other / "table.toml")],
            capture_output=True,
            text=True,
            timeout=20,
        )
    assert second.returncode == 3
    assert "port_taken" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_pulled_adapter_comes_back_under_another_name(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon, at_console(daemon) as console:
        wait_until(config, "slot_up", 7)
        console.open_day()
        slots.command("unplug")
        wait_until(config, "slot_down", 7)
        wait_until(config, "alarm_raised", 1)
        slots.command("plug")
        wait_until(config, "slot_up", 14)
        wait_until(config, "alarm_cleared", 1)
        start_hand(console, 1)
        slots.command("await 2")
        slots.chip(2)
        wait_until(config, "bet_accepted", 1)
        daemon.stop()
    assert final_state(config).alarms == ()


def test_health_and_metrics_are_there_for_the_machine(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon:
        wait_until(config, "slot_up", 7)
        metrics = httpx.get(f"{daemon.url}metrics").text
        assert 'jackpot_slot_up{box="7"} 1.0' in metrics
        assert "jackpot_ready 1.0" in metrics
        assert httpx.get(f"{daemon.url}healthz").status_code == 200
        daemon.stop()


def test_the_log_is_json_and_holds_no_pin(config: Config, slots: SimulatedMechanism) -> None:
    with Daemon(config) as daemon, at_console(daemon):
        daemon.stop()
    log = (config.ledger.folder.parent / "daemon.log").read_text()
    assert '"event": "stopping"' in log
    assert "482915" not in log


def test_an_unclean_end_is_told_at_the_next_start(
    config: Config, slots: SimulatedMechanism
) -> None:
    with Daemon(config) as daemon:
        daemon.kill()
    with Daemon(config) as daemon:
        daemon.stop()
    starts = [e for b in recorded(config) for e in b.events if isinstance(e, f.ControllerStarted)]
    assert [start.clean for start in starts] == [True, False]
    assert counted(config)["configuration_loaded"] == 1
