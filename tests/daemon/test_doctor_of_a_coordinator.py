"""`jackpot doctor` and `jackpot check-config` at a coordinator: log, cluster, certificates (CAN-9)."""

from __future__ import annotations

import asyncio
import json
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.brokers import Broker, free_port
from support.linked_floor import COORDINATOR, found_coordinator, install_table
from typer.testing import CliRunner

from jackpot.cli import build_app
from jackpot.config.coordinator import load_coordinator_file
from jackpot.daemon.doctor.examine import examine
from jackpot.daemon.doctor.report import How, Line
from jackpot.daemon.link.certificates import Holder, issue, new_authority
from jackpot.daemon.link.process import coordinator_with_pages

NOW = datetime.now(UTC)
TLS = """
tls_authority = "certs/authority.pem"
tls_cert = "certs/coordinator-{name}.pem"
tls_key = "certs/coordinator-{name}.key"
"""


def in_cluster(port: int) -> str:
    servers = f'["nats://127.0.0.1:{port}"]'
    return f'\n[log]\nstore = "jetstream"\nservers = {servers}\nreplicas = 1\n'


def named(lines: tuple[Line, ...]) -> dict[str, Line]:
    return {line.name: line for line in lines}


def with_certificates(folder: Path, holder: str, issued: datetime) -> Path:
    """A configuration with certificates; they belong to coordinator ``holder``."""
    folder.mkdir(exist_ok=True)
    new_authority(folder / "certs", "casino.example", issued)
    issue(folder / "certs", Holder.COORDINATOR, holder, [], issued)
    text = COORDINATOR.format(name="c1", port=free_port(), mqtt="5", embedded="false")
    file = folder / "c1.toml"
    file.write_text(text.replace("[screens]", TLS.format(name=holder) + "\n[screens]"))
    return file


async def test_a_coordinator_that_runs_is_well_and_its_log_counted(
    tmp_path: Path, broker: Broker
) -> None:
    await found_coordinator(tmp_path, broker.port)
    file = tmp_path / "c1.toml"
    file.write_text(file.read_text().replace("port = 0", f"port = {free_port()}"))
    before = named(await asyncio.to_thread(examine, file))
    assert (before["log file"].how, before["log file"].found) == (How.OK, "0 entries")
    assert before["signing key"].how is How.OK
    assert before["page"].found == "free"
    async with coordinator_with_pages(load_coordinator_file(file)) as (running, _, _):
        while not running.line.connected:
            await asyncio.sleep(0.02)
        lines = named(await asyncio.to_thread(examine, file))
    assert lines["page"].found == "the running coordinator"
    assert lines["broker"].how is How.OK
    assert lines["configuration"].found == "coordinator c1 of carrusel sala, no findings"


async def test_a_broker_inside_a_coordinator_that_does_not_run_needs_its_port(
    tmp_path: Path,
) -> None:
    port = free_port()
    await found_coordinator(tmp_path, port, mqtt="3.1.1", embedded=True)
    free = named(await asyncio.to_thread(examine, tmp_path / "c1.toml"))["broker"]
    assert (free.how, free.found) == (How.OK, "free")
    with socket.create_server(("127.0.0.1", port)):
        taken = named(await asyncio.to_thread(examine, tmp_path / "c1.toml"))["broker"]
    assert taken.how is How.FAULT
    assert "Address already in use" in taken.found


def test_one_that_was_never_set_up_is_told_how(tmp_path: Path) -> None:
    file = tmp_path / "c1.toml"
    file.write_text(COORDINATOR.format(name="c1", port=free_port(), mqtt="5", embedded="false"))
    lines = named(examine(file))
    assert lines["record folder"].how is How.FAULT
    assert lines["record folder"].to_do == "set the coordinator up with `jackpot carrusel new`"
    assert lines["broker"].how is How.WARNING


async def test_the_cluster_is_asked_whether_it_takes_an_append(
    tmp_path: Path, nats: Broker
) -> None:
    await found_coordinator(tmp_path, free_port(), more=in_cluster(nats.port))
    file = tmp_path / "c1.toml"
    there = named(await asyncio.to_thread(examine, file))["log store"]
    assert (there.how, there.found) == (How.OK, "it answers, and takes an append")
    nats.stop()
    gone = named(await asyncio.to_thread(examine, file))["log store"]
    assert (gone.how, gone.expected) == (How.FAULT, "a majority of 1 servers with the log of sala")


def test_a_log_of_another_carrusel_is_a_fault(tmp_path: Path) -> None:
    asyncio.run(found_coordinator(tmp_path, free_port()))
    file = tmp_path / "c1.toml"
    file.write_text(file.read_text().replace('id = "sala"', 'id = "otra"'))
    assert named(examine(file))["log file"].how is How.FAULT


@pytest.mark.parametrize(
    ("age", "how"),
    [
        (timedelta(days=1), How.OK),
        (timedelta(days=1_095 - 29), How.WARNING),
        (timedelta(days=1_096), How.FAULT),
    ],
)
def test_a_certificate_near_its_end_is_told_a_month_before(
    tmp_path: Path, age: timedelta, how: How
) -> None:
    lines = named(examine(with_certificates(tmp_path, "c1", NOW - age)))
    assert lines["broker certificate"].how is how


def test_the_certificate_of_another_coordinator_is_a_fault(tmp_path: Path) -> None:
    line = named(examine(with_certificates(tmp_path, "c2", NOW)))["broker certificate"]
    assert (line.how, line.expected) == (How.FAULT, "the certificate of coordinator-c1")


def checked(file: Path) -> tuple[int, list[str]]:
    """Exit status of `jackpot check-config`, and where it found something."""
    done = CliRunner().invoke(build_app(["check-config"]), ["check-config", str(file), "--json"])
    return done.exit_code, [one["path"] for one in json.loads(done.stdout)["findings"]]


def test_check_config_knows_a_coordinator_and_looks_at_its_certificates(tmp_path: Path) -> None:
    assert checked(with_certificates(tmp_path / "good", "c1", NOW)) == (0, [])
    assert checked(with_certificates(tmp_path / "bad", "c2", NOW)) == (1, ["broker.tls_cert"])
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[coordinator]\nname = 1\n")
    status, places = checked(wrong)
    assert (status, "coordinator.name" in places, "carrusel" in places) == (1, True, True)


def test_check_config_looks_at_the_certificates_of_a_linked_table(tmp_path: Path) -> None:
    install_table(tmp_path / "table-7", "7", free_port())
    file = tmp_path / "table-7" / "table.toml"
    assert checked(file) == (0, [])
    file.write_text(file.read_text() + TLS.format(name="c1"))
    assert checked(file) == (1, ["carrusel.tls_cert"])
    certs = tmp_path / "table-7" / "certs"
    new_authority(certs, "casino.example", NOW)
    issue(certs, Holder.TABLE, "7", [], NOW)
    file.write_text(file.read_text().replace("coordinator-c1", "table-7"))
    assert checked(file) == (0, [])
