"""`jackpot doctor` at a linked table: the broker, and how long the certificates are still good."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.brokers import free_port
from support.linked_floor import install_table, table_runs

from jackpot.config import BrokerConfig, CarruselConfig, TlsFiles
from jackpot.daemon.doctor.examine import examine
from jackpot.daemon.doctor.link import link_lines
from jackpot.daemon.doctor.report import How
from jackpot.daemon.link.certificates import Holder, issue, new_authority

NOW = datetime.now(UTC)


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def with_certificate(folder: Path, issued: datetime) -> CarruselConfig:
    new_authority(folder, "casino.example", issued)
    certificate, key = issue(folder, Holder.TABLE, "7", [], issued)
    files = TlsFiles(folder / "authority.pem", certificate, key)
    return CarruselConfig("sala", BrokerConfig("127.0.0.1", free_port(), tls=files))


def test_a_broker_that_listens_is_well(listener: int) -> None:
    (line,) = link_lines(CarruselConfig("sala", BrokerConfig("127.0.0.1", listener)), "7")
    assert (line.how, line.found) == (How.OK, f"one listens at 127.0.0.1 port {listener}")


def test_a_broker_that_is_away_is_a_warning_because_the_table_waits_for_it() -> None:
    (line,) = link_lines(CarruselConfig("sala", BrokerConfig("127.0.0.1", free_port())), "7")
    assert (line.how, line.name) == (How.WARNING, "broker")
    assert "refused" in line.found


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
    certificate, _ = link_lines(with_certificate(tmp_path / "certs", NOW - age), "7")
    assert (certificate.name, certificate.how) == ("certificate", how)


def test_a_key_of_another_certificate_is_a_fault(tmp_path: Path) -> None:
    good = with_certificate(tmp_path / "one", NOW)
    other = with_certificate(tmp_path / "two", NOW)
    assert good.broker.tls is not None
    assert other.broker.tls is not None
    mixed = TlsFiles(good.broker.tls.authority, good.broker.tls.certificate, other.broker.tls.key)
    mixed_up = CarruselConfig("sala", BrokerConfig("127.0.0.1", 1, tls=mixed))
    certificate, _ = link_lines(mixed_up, "7")
    assert certificate.how is How.FAULT


def test_the_certificate_of_another_table_is_a_fault_because_nobody_hears_this_one(
    tmp_path: Path,
) -> None:
    certificate, _ = link_lines(with_certificate(tmp_path / "certs", NOW), "8")
    assert (certificate.how, certificate.expected) == (How.FAULT, "the certificate of 8")
    assert certificate.found == "table-7.pem, of 7"


async def test_CAN_8_b1_a_manual_table_that_runs_is_well_though_it_tells_of_no_slots(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "table-7"
    config = install_table(folder, "7", free_port(), screens=free_port())
    async with table_runs(config, folder, screens=True):
        lines = await asyncio.to_thread(examine, folder / "table.toml")
    (screens,) = [line for line in lines if line.name == "screens"]
    assert (screens.how, screens.found) == (How.OK, "the running table")
