"""From TOML text to a checked ``CoordinatorConfig``, or to every finding at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from jackpot.config import readers as r
from jackpot.config.broker import BrokerConfig, NatsConfig, TlsFiles
from jackpot.config.findings import ConfigErrors, Finding
from jackpot.config.link import (
    BROKER_KEYS,
    broker_config,
    broker_findings,
    coordinator_keys,
    plain_id,
)
from jackpot.config.reading import read_keys, unknown_keys
from jackpot.config.screens import screens_config, tls_findings
from jackpot.config.sections import KEYS as TABLE_KEYS
from jackpot.config.sections import Key, ScreensConfig
from jackpot.errors import Refused

MOST_SERVERS = 9
"""Three or five hold a log; more only slow it down."""

_SERVER = re.compile(r"(?:nats|tls)://[A-Za-z0-9.:\[\]-]{1,100}")


class Store(StrEnum):
    """Where the log is: one file of one coordinator, or replicated among NATS servers."""

    SQLITE = "sqlite"
    JETSTREAM = "jetstream"


class CoordinatorConfig(msgspec.Struct, frozen=True):
    """A coordinator. ``embedded``: the broker runs inside its process. ``nats`` None: its log is the
    file in ``folder`` alone, and it is the only coordinator. ``others`` are the keys of the other
    coordinators that open the log with it, by name."""

    carrusel: str
    name: str
    others: Mapping[str, str]
    folder: Path
    broker: BrokerConfig
    embedded: bool
    nats: NatsConfig | None
    screens: ScreensConfig

    @property
    def log_file(self) -> Path:
        """The carrusel's log, or this coordinator's copy of it."""
        return self.folder / "carrusel.log"

    @property
    def key_file(self) -> Path:
        """The private key that signs entries."""
        return self.folder / "signing.key"

    @property
    def officers_file(self) -> Path:
        """Who may override at this coordinator's page."""
        return self.folder / "officers.json"


def servers(value: object) -> tuple[str, ...]:
    """Addresses of NATS servers."""
    expected = 'a list of servers, as in ["tls://192.0.2.11:4222"]'
    if not isinstance(value, list) or not 0 < len(value) <= MOST_SERVERS:
        raise r.Bad(expected)
    if not all(isinstance(one, str) and _SERVER.fullmatch(one) for one in value):
        raise r.Bad(expected)
    return tuple(value)


KEYS: Mapping[str, Mapping[str, Key]] = {
    "carrusel": {
        "id": Key(plain_id, rule="CAN-9"),
        "coordinators": Key(coordinator_keys, None, "CAN-9"),
    },
    "coordinator": {"name": Key(plain_id, "c1"), "dir": Key(r.text)},
    "broker": {"embedded": Key(r.flag, False), **BROKER_KEYS},
    "log": {
        "store": Key(r.choice(Store), Store.SQLITE),
        "servers": Key(servers, ()),
        "replicas": Key(r.whole(1, 5), 3),
        "tls_authority": Key(r.text, None),
        "tls_cert": Key(r.text, None),
        "tls_key": Key(r.text, None),
    },
    "screens": TABLE_KEYS["screens"],
}

_OPTIONAL = frozenset({"broker", "log", "screens"})


def is_coordinator_file(path: Path) -> bool:
    """Whether a file has a section [coordinator]; of one that cannot be read nobody knows."""
    try:
        return "coordinator" in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False


def load_coordinator_file(path: Path) -> CoordinatorConfig:
    """The configuration in a file; paths in it are relative to its folder.

    Raises ``ConfigErrors`` with every finding, ``Refused`` (``config_unreadable``).
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            reason="config_unreadable",
            expected=f"a coordinator's configuration (TOML, UTF-8) at {path}",
            found=str(error),
            to_do="check the path; config/ has one for each kind of carrusel",
        ) from error
    return load_coordinator(text, path.resolve().parent)


def load_coordinator(text: str, base: Path) -> CoordinatorConfig:
    """The same from text. Raises ``ConfigErrors``."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        finding = Finding("(file)", "TOML", str(error), "correct the line that is named")
        raise ConfigErrors([finding]) from error
    findings: list[Finding] = []
    read = {
        name: read_keys(document.get(name, {} if name in _OPTIONAL else None), keys, name, findings)
        for name, keys in KEYS.items()
    }
    unknown_keys(document, set(KEYS), "", findings)
    findings += broker_findings(read["broker"], "broker")
    findings += _log_findings(read["log"])
    findings += tls_findings(read["screens"])
    if findings:
        raise ConfigErrors(findings)
    return CoordinatorConfig(
        carrusel=read["carrusel"]["id"],
        name=read["coordinator"]["name"],
        others=read["carrusel"]["coordinators"] or {},
        folder=base / read["coordinator"]["dir"],
        broker=broker_config(read["broker"], base),
        embedded=read["broker"]["embedded"],
        nats=_nats(read["log"], base),
        screens=screens_config(read["screens"], base),
    )


def _log_findings(log: dict[str, Any]) -> list[Finding]:
    wanted = log["store"] is Store.JETSTREAM
    if wanted == bool(log["servers"]):
        return []
    found = "none" if wanted else "servers of a log in a file"
    expected = "the servers of a replicated log, and only of one"
    return [Finding("log.servers", expected, found, "write store and servers together")]


def _nats(log: dict[str, Any], base: Path) -> NatsConfig | None:
    if log["store"] is not Store.JETSTREAM:
        return None
    tls = None
    if log["tls_authority"] is not None and log["tls_cert"] and log["tls_key"]:
        tls = TlsFiles(base / log["tls_authority"], base / log["tls_cert"], base / log["tls_key"])
    return NatsConfig(log["servers"], log["replicas"], tls)
