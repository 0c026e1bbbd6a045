"""Brokers that several tests here start and stop around themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.brokers import Broker, mosquitto, single_nats


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A mosquitto of the test's own."""
    broker = mosquitto(tmp_path / "broker")
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Broker]:
    """One nats-server of the test's own."""
    broker = single_nats(tmp_path / "nats")
    broker.start()
    yield broker
    broker.stop()
