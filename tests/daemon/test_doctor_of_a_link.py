"""`jackpot doctor` at a linked table: the broker, and how long the certificates are still good."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.brokers import free_port

from jackpot.config import BrokerConfig, CarruselConfig, TlsFiles
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
    (line,) = link_lines(CarruselConfig("sala", BrokerConfig("127.0.0.1", listener)))
    assert (line.how, line.found) == (How.OK, f"one listens at 127.0.0.1 port {listener}")


def test_a_broker_that_is_away_is_a_warning_because_the_table_waits_for_it() -> None:
    (line,) = link_lines(CarruselConfig("sala", BrokerConfig("127.0.0.1", free_port())))
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
    certificate, _ = link_lines(with_certificate(tmp_path / "certs", NOW - age))
    assert (certificate.name, certificate.how) == ("certificate", how)


def test_a_key_of_another_certificate_is_a_fault(tmp_path: Path) -> None:
    good = with_certificate(tmp_path / "one", NOW)
    other = with_certificate(tmp_path / "two", NOW)
    assert good.broker.tls is not None
    assert other.broker.tls is not None
    mixed = TlsFiles(good.broker.tls.authority, good.broker.tls.certificate, other.broker.tls.key)
    certificate, _ = link_lines(CarruselConfig("sala", BrokerConfig("127.0.0.1", 1, tls=mixed)))
    assert certificate.how is How.FAULT
