"""`jackpot doctor` at machines that are made up: each thing wrong once, and said with what to do."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from daemon_process import TEXT, installed
from typer.testing import CliRunner

from jackpot.cli import build_app
from jackpot.daemon.doctor.examine import examine, worst
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.report import How, Line
from jackpot.daemon.officer_book import OfficerBook

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

    def configure(self, old: str, new: str) -> None:
        """The configuration, changed."""
        text = self.path.read_text("utf-8")
        assert old in text
        self.path.write_text(text.replace(old, new), encoding="utf-8")

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


def test_an_officer_book_that_others_may_read_is_a_fault(bench: Bench) -> None:
    bench.config.ledger.officers_file.chmod(0o644)
    assert bench.look("officer book").how is How.FAULT


def test_too_few_officers_for_what_two_sign_are_a_warning(bench: Bench) -> None:
    assert bench.look("officers").how is How.OK
    OfficerBook.open(bench.config.ledger.officers_file).remove("d1")
    found = bench.look("officers")
    assert (found.how, found.found) == (How.WARNING, "too few for award, entries")


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


# ---- certificates ----------------------------------------------------------------------------------------


def with_certificate(
    bench: Bench,
    *,
    begins_days: int = -1,
    ends_days: int = 90,
    names: tuple[str, ...] = ("table-7",),
) -> ec.EllipticCurvePrivateKey:
    """The screens get a certificate, ``c.pem``, and its key, ``k.pem``."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject, now = x509.Name([]), datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now + timedelta(days=begins_days))
        .not_valid_after(now + timedelta(days=ends_days))
    )
    if names:
        alternative = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
        builder = builder.add_extension(alternative, critical=False)
    certificate = builder.sign(key, hashes.SHA256())
    (bench.folder / "c.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    write_key(bench, key)
    files = 'tls_cert = "c.pem"\ntls_key = "k.pem"\n'
    bench.configure(f"port = {bench.port}\n", f"port = {bench.port}\n{files}")
    return key


def write_key(bench: Bench, key: ec.EllipticCurvePrivateKey) -> None:
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = bench.folder / "k.pem"
    file.write_bytes(pem)
    file.chmod(0o600)


def test_a_good_certificate_with_its_key_is_shown_with_dates_and_names(bench: Bench) -> None:
    with_certificate(bench, names=("table-7", "table-7.casino.example"))
    assert bench.look("screens certificate").how is How.OK
    assert bench.look("screens certificate names").found == "table-7, table-7.casino.example"
    assert bench.look("screens key").found == "the key, mode 600"


@pytest.mark.parametrize(
    ("begins", "ends", "how"),
    [(-1, 29, How.WARNING), (-9, -1, How.FAULT), (2, 90, How.FAULT), (-1, 31, How.OK)],
)
def test_a_certificate_is_for_today_and_a_month_more(
    bench: Bench, begins: int, ends: int, how: How
) -> None:
    with_certificate(bench, begins_days=begins, ends_days=ends)
    assert bench.look("screens certificate").how is how


def test_a_certificate_without_names_is_a_warning(bench: Bench) -> None:
    with_certificate(bench, names=())
    line = bench.look("screens certificate names")
    assert (line.how, line.found) == (How.WARNING, "none")


def test_the_key_of_another_certificate_is_a_fault(bench: Bench) -> None:
    with_certificate(bench)
    write_key(bench, ec.generate_private_key(ec.SECP256R1()))
    line = bench.look("screens key")
    assert (line.how, line.found) == (How.FAULT, "the key of another certificate")


def test_a_key_of_the_screens_that_others_may_read_is_a_warning(bench: Bench) -> None:
    with_certificate(bench)
    (bench.folder / "k.pem").chmod(0o640)
    assert bench.look("screens key").how is How.WARNING


def test_a_certificate_or_key_that_is_none_is_a_fault(bench: Bench) -> None:
    with_certificate(bench)
    (bench.folder / "k.pem").write_text("no key", encoding="utf-8")
    assert bench.look("screens key").how is How.FAULT
    (bench.folder / "c.pem").unlink()
    assert bench.look("screens certificate").how is How.FAULT


# ---- signs and lamps -------------------------------------------------------------------------------------


def with_sign(bench: Bench, where: str) -> None:
    sign = f'\n[[signs]]\nname = "wall"\nkind = "alpha"\n{where}\n'
    bench.path.write_text(bench.path.read_text("utf-8") + sign, encoding="utf-8")


def test_a_sign_on_a_serial_line_is_looked_at_as_the_slots_port_is(bench: Bench) -> None:
    with_sign(bench, 'port = "wall-line"')
    line = bench.look("sign wall")
    assert (line.how, line.found) == (How.FAULT, "nothing")
    (bench.folder / "wall-line").touch(0o600)
    assert bench.look("sign wall").how is How.OK
    assert bench.look("sign wall rights").how is How.OK
    assert bench.look("sign wall name").how is How.WARNING


def test_signs_without_their_watchdog_are_a_warning(bench: Bench) -> None:
    with_sign(bench, 'port = "wall-line"')
    assert bench.look("sign watchdog").how is How.WARNING
    lock = bench.config.ledger.signs_socket.with_suffix(".lock")
    with lock.open("w", encoding="ascii") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert bench.look("sign watchdog").how is How.OK
    assert bench.look("sign watchdog").how is How.WARNING


def test_an_adapter_on_the_network_is_tried_unless_the_watchdog_has_it(bench: Bench) -> None:
    with socket.socket() as adapter:
        adapter.bind(("127.0.0.1", 0))
        with_sign(bench, f'address = "127.0.0.1:{adapter.getsockname()[1]}"')
        assert bench.look("sign wall").how is How.FAULT
        adapter.listen(1)
        assert bench.look("sign wall").how is How.OK
        adapter.accept()[0].close()
        lock = bench.config.ledger.signs_socket.with_suffix(".lock")
        with lock.open("w", encoding="ascii") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            assert bench.look("sign wall").found.startswith("left to the watchdog")
        adapter.settimeout(0.2)
        with pytest.raises(TimeoutError):
            adapter.accept()


def test_a_gpio_chip_that_is_not_there_is_a_fault(bench: Bench) -> None:
    lamps = f'\n[lamps]\nchip = "{bench.folder}/chip"\nlines = [1, 2, 3, 4, 5, 6, 7]\n'
    bench.path.write_text(bench.path.read_text("utf-8") + lamps, encoding="utf-8")
    assert bench.look("lamps").how is How.FAULT
    (bench.folder / "chip").touch(0o600)
    assert bench.look("lamps rights").how is How.OK
