"""The optional ``[carrusel]`` of a table: which carrusel, which broker, whom it trusts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jackpot.config import readers as r
from jackpot.config.broker import BrokerConfig, CarruselConfig, MqttVersion, TlsFiles
from jackpot.config.findings import Finding
from jackpot.config.reading import read_keys
from jackpot.config.sections import Key

TLS_PORT, OPEN_PORT = 8883, 1883
"""The registered ports of MQTT with TLS and without."""

MOST_COORDINATORS = 9
"""Three or five share a log; more only slow it down."""

ID = r"[a-z0-9][a-z0-9-]{0,31}"
plain_id = r.matching(ID, 'small letters, digits and dashes, as in "sala-1"')


def coordinator_keys(value: object) -> dict[str, str]:
    """Coordinators by name, each with its public key."""
    expected = 'a section of names with their public keys, as in c1 = "…"'
    if not isinstance(value, dict) or not 0 < len(value) <= MOST_COORDINATORS:
        raise r.Bad(expected)
    for name, key in value.items():
        plain_id(name)
        if not isinstance(key, str) or key.count("+") < 2:
            raise r.Bad(expected)
    return dict(value)


BROKER_KEYS: Mapping[str, Key] = {
    "broker": Key(r.text, "127.0.0.1"),
    "broker_port": Key(r.whole(1, 65_535), None),
    "mqtt": Key(r.choice(MqttVersion), MqttVersion.V5),
    "tls_authority": Key(r.text, None),
    "tls_cert": Key(r.text, None),
    "tls_key": Key(r.text, None),
}

KEYS: Mapping[str, Key] = {
    "id": Key(plain_id, rule="CAN-9"),
    **BROKER_KEYS,
    "coordinators": Key(coordinator_keys, None, "CAN-9"),
}

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_TLS = ("tls_authority", "tls_cert", "tls_key")


def read_carrusel(raw: object, table: str | None, findings: list[Finding]) -> dict[str, Any] | None:
    """The section, or None when there is none; what is wrong becomes a finding."""
    if raw is None:
        return None
    read = read_keys(raw, KEYS, "carrusel", findings)
    findings += broker_findings(read, "carrusel")
    try:
        plain_id(table)
    except r.Bad as bad:
        to_do = "a table goes by its number in a carrusel; it stands in MQTT topics"
        findings.append(Finding("table.number", bad.expected, repr(table), to_do, "CAN-9"))
    return read


def broker_findings(read: Mapping[str, Any], section: str) -> list[Finding]:
    """Certificates are needed beyond this machine, and then all three."""
    given = [name for name in _TLS if read[name] is not None]
    if given and len(given) < len(_TLS):
        missing = ", ".join(name for name in _TLS if name not in given)
        return [
            Finding(
                f"{section}.{missing.split(', ')[0]}",
                "tls_authority, tls_cert and tls_key together",
                f"no {missing}",
                "write all three or none",
            )
        ]
    if not given and read["broker"] not in _LOOPBACK:
        return [
            Finding(
                f"{section}.tls_authority",
                "certificates for a broker on another machine",
                "none",
                "make them with `jackpot certs`: anybody could else speak for this table",
            )
        ]
    return []


def broker_config(read: Mapping[str, Any], base: Path) -> BrokerConfig:
    """The checked keys of a broker."""
    tls = None
    if read["tls_authority"] is not None:
        tls = TlsFiles(
            base / read["tls_authority"], base / read["tls_cert"], base / read["tls_key"]
        )
    port = read["broker_port"] or (OPEN_PORT if tls is None else TLS_PORT)
    return BrokerConfig(read["broker"], port, read["mqtt"], tls)


def carrusel_config(read: dict[str, Any] | None, base: Path) -> CarruselConfig | None:
    """The checked section."""
    if read is None:
        return None
    broker = broker_config(read, base)
    return CarruselConfig(read["id"], broker, read["coordinators"] or {})
