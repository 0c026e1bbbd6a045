"""Where a carrusel's broker is, and who we are to it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import msgspec


class MqttVersion(StrEnum):
    """The version of the protocol; NATS speaks 3.1.1 only."""

    V5 = "5"
    V311 = "3.1.1"


class TlsFiles(msgspec.Struct, frozen=True):
    """PEM files: who signs brokers and boxes, and this box's own certificate and key."""

    authority: Path
    certificate: Path
    key: Path


class BrokerConfig(msgspec.Struct, frozen=True):
    """Where the broker is, and how to talk to it. ``tls`` None: in the open, on this machine only."""

    host: str
    port: int
    version: MqttVersion = MqttVersion.V5
    tls: TlsFiles | None = None


class CarruselConfig(msgspec.Struct, frozen=True):
    """The carrusel of a table, where it goes by its number. ``coordinators`` are pinned keys by name;
    empty: those that the carrusel names when the table joins are pinned."""

    id: str
    broker: BrokerConfig
    coordinators: Mapping[str, str] = {}


class NatsConfig(msgspec.Struct, frozen=True):
    """The servers that hold a replicated log."""

    servers: tuple[str, ...]
    replicas: int
    tls: TlsFiles | None = None
