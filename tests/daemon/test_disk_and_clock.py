"""The machine misbehaves under the real daemon: its disk fills up, its clock steps."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon_process import TEXT, Daemon, at_console, final_state, installed, recorded, wait_until

from firmware_sim.process import SimulatedMechanism
from jackpot.table import facts as f

FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
HOUR_NS = 3_600_000_000_000


def test_a_clock_that_steps_back_is_an_event_and_changes_no_order(tmp_path: Path) -> None:
    assert FAKETIME, "install faketime"
    config = installed(tmp_path)
    time_file = tmp_path / "time"
    time_file.write_text("+0\n")
    faked = (
        "env",
        f"LD_PRELOAD={FAKETIME[0]}",
        f"FAKETIME_TIMESTAMP_FILE={time_file}",
        "FAKETIME_NO_CACHE=1",
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        "FAKETIME_FORCE_MONOTONIC_FIX=0",  # else each wait between two threads takes too long
    )
    with SimulatedMechanism(tmp_path / "line", "--no-pace"), Daemon(config, *faked) as daemon:
        wait_until(config, "slot_up", 7)
        time_file.write_text("-1h\n")
        wait_until(config, "clock_stepped", 1)
        assert daemon.stop() == 0
    batches = recorded(config)
    (step,) = [e for b in batches for e in b.events if isinstance(e, f.ClockStepped)]
    assert abs(step.step_ns + HOUR_NS) < HOUR_NS // 100
    assert batches[-1].at_ns < batches[0].at_ns, "times are noted as the clock told them"
    assert [b.batch for b in batches] == list(range(1, len(batches) + 1))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two MiB for the ledger."""
    folder = tmp_path / "record"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "small", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill_up(ballast: Path) -> None:
    """Leave not one block."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def wait_for_closed_slot(slots: SimulatedMechanism, box: int) -> None:
    """The inhibit is on its way over the line; bounded, like every wait here."""
    end_s = time.monotonic() + 10.0
    while slots.command("state")["slots"][box - 1]["master_on"]:
        assert time.monotonic() < end_s, "a full disk closes every slot"
        time.sleep(0.01)


if os.geteuid() == 0:  # only root mounts; the desk's own tests hold without it

    def test_a_full_disk_takes_no_bet_and_loses_no_chip(tmp_path: Path, small_disk: Path) -> None:
        config = installed(tmp_path, TEXT)
        ballast = small_disk / "ballast"
        with (
            SimulatedMechanism(tmp_path / "line", "--no-pace") as slots,
            Daemon(config) as daemon,
            at_console(daemon) as console,
        ):
            wait_until(config, "slot_up", 7)
            console.open_day()
            assert console.press("start", hand=1).status_code == 303
            slots.command("await 3")
            slots.command("await 5")
            fill_up(ballast)
            assert slots.chip(3)["accepted"]
            refused = console.press("lock", hand=1)
            assert refused.status_code != 303
            assert "ledger_full" in refused.text
            wait_for_closed_slot(slots, 5)
            assert slots.chip(5)["accepted"] is False, "every slot is closed"
            ballast.unlink()
            wait_until(config, "bet_accepted", 1)
            slots.command("await 5")
            assert slots.chip(5)["accepted"]
            wait_until(config, "bet_accepted", 2)
            assert daemon.stop() == 0
        state = final_state(config)
        assert state.hand is not None
        assert [bet.box for bet in state.hand.bets] == [3, 5]
        told = [e for b in recorded(config) for e in b.events if isinstance(e, f.AlarmRaised)]
        assert "disk_full" in [alarm.alarm for alarm in told]
