"""`jackpot doctor` at machines that are made up: each thing wrong once, and said with what to do."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from pathlib import Path

import pytest
from daemon_process import TEXT, installed
from typer.testing import CliRunner

from jackpot.cli import build_app
from jackpot.daemon.doctor.examine import examine, worst
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.report import How, Line

RULE = Path(__file__).parents[2] / "config" / "udev" / "72-jackpot-slots.rules"


class Bench:
    """A made-up machine around a real installation."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        text = TEXT.replace("port = 0", f"port = {self.port}")
        self.config = installed(folder, text)
        self.path = folder / "table.toml"
        self.path.write_text(text, encoding="utf-8")
        self.folder, self.root = folder, folder / "root"
        self.put("/doctor/timedatectl", "yes\n")
        self.put("/proc/self/mountinfo", "25 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n")
        self.line = folder / "line"
        self.line.touch(0o600)

    def put(self, path: str, text: str) -> None:
        """A file of the made-up machine."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def look(self, name: str) -> Line:
        """One line of the examination."""
        (found,) = [line for line in self.all() if line.name == name]
        return found

    def all(self) -> tuple[Line, ...]:
        """Every line."""
        return examine(self.path, Machine(self.root), self.folder / "locks")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_healthy_table_has_nothing_but_a_name_to_mend(bench: Bench) -> None:
    assert {line.name for line in bench.all() if line.how is not How.OK} == {"port name"}
    assert worst(bench.all()) is How.WARNING


def test_every_line_that_is_not_ok_says_what_to_do(bench: Bench) -> None:
    bench.line.unlink()
    bench.put("/proc/7/comm", "ModemManager\n")
    bad = [line for line in bench.all() if line.how is not How.OK]
    assert len(bad) >= 3
    assert all(line.to_do and line.expected and line.found for line in bad)


def test_a_port_that_is_not_there(bench: Bench) -> None:
    bench.line.unlink()
    line = bench.look("port")
    assert (line.how, line.found) == (How.FAULT, "nothing")


def test_a_port_that_somebody_holds_is_shown_with_the_process(bench: Bench) -> None:
    locks = bench.folder / "locks"
    locks.mkdir()
    name = "jackpot-" + str(bench.line.resolve()).strip("/").replace("/", "-") + ".lock"
    with (locks / name).open("w+", encoding="ascii") as held:
        held.write("4711\n")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        assert bench.look("port lock").found == "process 4711 has the port"


def test_modem_manager_is_a_fault_until_our_rule_keeps_it_off(bench: Bench) -> None:
    bench.put("/proc/7/comm", "ModemManager\n")
    assert bench.look("ModemManager").how is How.FAULT
    bench.put("/etc/udev/rules.d/72-jackpot-slots.rules", RULE.read_text("utf-8"))
    assert bench.look("ModemManager").how is How.OK


def test_the_rule_of_brltty_is_a_warning_until_it_is_masked_and_running_is_a_fault(
    bench: Bench,
) -> None:
    bench.put("/usr/lib/udev/rules.d/85-brltty.rules", 'ENV{PRODUCT}=="403/6001/*"\n')
    assert bench.look("brltty").how is How.WARNING
    bench.put("/etc/udev/rules.d/85-brltty.rules", "")
    assert bench.look("brltty").how is How.OK
    bench.put("/proc/9/comm", "brltty\n")
    assert bench.look("brltty").how is How.FAULT


@pytest.mark.parametrize(("told", "how"), [("16", How.WARNING), ("1", How.OK)])
def test_the_latency_timer_of_an_ftdi_adapter(bench: Bench, told: str, how: How) -> None:
    bench.put("/sys/bus/usb-serial/devices/line/latency_timer", told + "\n")
    assert bench.look("latency timer").how is how


def test_a_clock_that_runs_free_is_a_warning(bench: Bench) -> None:
    bench.put("/doctor/timedatectl", "no\n")
    assert bench.look("clock").how is How.WARNING


@pytest.mark.parametrize(
    ("kind", "how"), [("ext4", How.OK), ("tmpfs", How.FAULT), ("overlay", How.WARNING)]
)
def test_the_file_system_of_the_ledger(bench: Bench, kind: str, how: How) -> None:
    bench.put("/proc/self/mountinfo", f"25 1 8:1 / / rw - {kind} none rw\n")
    assert bench.look("file system").how is how


def test_no_room_left_is_a_fault(bench: Bench) -> None:
    text = bench.path.read_text("utf-8")
    text = text.replace("disk_alarm_mib = 1\n", "disk_alarm_mib = 1048576\n")
    bench.path.write_text(text, encoding="utf-8")
    assert bench.look("disk room").how is How.FAULT


def test_a_key_that_others_may_read_is_a_fault(bench: Bench) -> None:
    bench.config.ledger.key_file.chmod(0o644)
    assert bench.look("signing key").how is How.FAULT


def test_an_officer_book_that_others_may_read_is_a_warning(bench: Bench) -> None:
    bench.config.ledger.officers_file.chmod(0o644)
    assert bench.look("officer book").how is How.WARNING


def test_a_damaged_ledger_is_a_fault(bench: Bench) -> None:
    bench.config.ledger.file.write_bytes(b"no database at all" * 100)
    assert bench.look("ledger").how is How.FAULT


def test_an_address_that_another_program_has_is_a_fault(bench: Bench) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", bench.port))
        taken.listen(1)
        # It takes connections and never answers: the look gives up, then the address is not free.
        assert bench.look("screens").how is How.FAULT


def test_findings_of_the_configuration_are_lines_and_the_exit_status_tells(bench: Bench) -> None:
    text = bench.path.read_text("utf-8").replace('bet = "2.00"', 'bet = "9.00"')
    bench.path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(build_app(["doctor"]), ["doctor", str(bench.path), "--json"])
    answer = json.loads(done.output)
    assert (done.exit_code, answer["worst"]) == (1, "fault")
    assert "configuration jackpot.bet" in [line["name"] for line in answer["lines"]]


def test_the_command_says_each_line_in_words(bench: Bench) -> None:
    done = CliRunner().invoke(build_app(["doctor"]), ["doctor", str(bench.path)])
    assert "ok       configuration: table 7, no findings" in done.output
    assert "warning  port name: expected a stable name" in done.output


def test_the_doctor_changes_nothing(bench: Bench) -> None:
    def files() -> dict[str, int]:
        found = [p for p in bench.folder.rglob("*") if p.is_file()]
        return {str(p): p.stat().st_mtime_ns for p in found if "ledger-" not in p.name}

    before = files()
    bench.all()
    assert files() == before
    assert os.path.exists(bench.line)
