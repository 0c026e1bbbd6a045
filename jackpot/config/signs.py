"""The ``[[signs]]`` of a configuration: text signs on a serial line or behind a TCP adapter."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jackpot.config import readers as r
from jackpot.config.findings import Finding
from jackpot.config.readers import found_text
from jackpot.config.reading import read_keys
from jackpot.config.sections import Key, SignConfig, SignKind
from jackpot.law.words import Language

MOST_SIGNS = 8
"""Signs of one table; a wall of them hangs on one line and counts as one."""


LONGEST_LEDGER_DIR_BYTES = 90
"""The kernel takes 107 bytes for the name of a socket."""

ALPHA_COLUMNS = (9, 40)
"""Nine dashes fit; forty characters twice fit into what the sign keeps of one STRING."""

POLE_ROWS, POLE_COLUMNS = 2, 20

KEYS: Mapping[str, Key] = {
    "name": Key(r.matching(r"[a-z0-9-]{1,20}", 'small letters, digits and dashes, as in "wall"')),
    "kind": Key(r.choice(SignKind)),
    "port": Key(r.text, None),
    "address": Key(
        r.matching(r"[A-Za-z0-9.-]{1,100}:[1-9][0-9]{0,4}", 'as in "192.0.2.20:3001"'), None
    ),
    "baud": Key(r.whole(1200, 115_200), 9600),
    "rows": Key(r.whole(1, 2), None),
    "columns": Key(r.whole(*ALPHA_COLUMNS), None),
    "language": Key(r.choice(Language), None),
    "checksums": Key(r.flag, None),
    "sign_address": Key(r.matching(r"[0-9A-F]{2}", 'two digits of 0-9 and A-F, as in "00"'), None),
}

ALPHA_DEFAULTS: Mapping[str, Any] = {
    "rows": 1,
    "columns": 13,
    "checksums": True,
    "sign_address": "00",
}
POLE_DEFAULTS: Mapping[str, Any] = {"rows": POLE_ROWS, "columns": POLE_COLUMNS}
"""A pole display has this one size; what is written all the same must be the same."""


def read_signs(raw: object, findings: list[Finding]) -> list[dict[str, Any]]:
    """Every ``[[signs]]``, key by key; what is wrong becomes a finding."""
    if raw is None:
        return []
    if not isinstance(raw, list):
        findings.append(Finding("signs", "[[signs]]", found_text(raw), "write [[signs]]"))
        return []
    if len(raw) > MOST_SIGNS:
        findings.append(Finding("signs", f"at most {MOST_SIGNS}", str(len(raw)), "take some out"))
    read = []
    for number, section in enumerate(raw[:MOST_SIGNS], 1):
        before = len(findings)
        values = read_keys(section, KEYS, f"signs[{number}]", findings)
        if len(findings) == before:
            findings += _sign_findings(values, f"signs[{number}]")
        read.append(values)
    return read


def shared_findings(
    signs: Sequence[dict[str, Any]], slot_port: str | None, ledger: Path
) -> list[Finding]:
    """What one sign alone cannot tell: a name or a line that somebody else has, room for a socket."""
    findings = []
    if signs and len(os.fsencode(ledger)) > LONGEST_LEDGER_DIR_BYTES:
        findings.append(
            Finding(
                "ledger.dir",
                f"a path of at most {LONGEST_LEDGER_DIR_BYTES} bytes, for the signs' socket in it",
                f"{len(os.fsencode(ledger))} bytes",
                "choose a shorter path",
            )
        )
    seen: dict[tuple[str, object], str] = {}
    if slot_port is not None:
        seen["port", slot_port] = "slots.port"
    for number, sign in enumerate(signs, 1):
        for key in ("name", "port", "address"):
            if sign[key] is None:
                continue
            taken = seen.setdefault((key, sign[key]), f"signs[{number}].{key}")
            if taken != f"signs[{number}].{key}":
                findings.append(
                    Finding(
                        f"signs[{number}].{key}",
                        "a name and a line of its own for each sign",
                        f"the same as {taken}",
                        "correct one of the two; signs that share a line are one sign here",
                    )
                )
    return findings


def sign_configs(
    signs: Sequence[dict[str, Any]], base: Path, language: Language
) -> tuple[SignConfig, ...]:
    """The checked signs; paths relative to ``base``, ``language`` where a sign states none."""
    return tuple(_sign_config(sign, base, language) for sign in signs)


def _sign_config(sign: dict[str, Any], base: Path, language: Language) -> SignConfig:
    given = {key: value for key, value in sign.items() if value is not None}
    values = {**ALPHA_DEFAULTS, **_defaults(sign), "language": language, **given}
    host, _, tcp_port = (values.pop("address", None) or ":0").rpartition(":")
    port = values.pop("port", None)
    return SignConfig(
        port=None if port is None else base / port, host=host, tcp_port=int(tcp_port), **values
    )


def _defaults(sign: dict[str, Any]) -> Mapping[str, Any]:
    return ALPHA_DEFAULTS if sign["kind"] is SignKind.ALPHA else POLE_DEFAULTS


def _sign_findings(sign: dict[str, Any], path: str) -> list[Finding]:
    findings = []
    places = [key for key in ("port", "address") if sign[key] is not None]
    if len(places) != 1:
        findings.append(
            Finding(
                f"{path}.port",
                "port (a serial line) or address (host:port), one of the two",
                "both" if places else "neither",
                "say where the sign is",
            )
        )
    if sign["address"] is not None and int(sign["address"].rpartition(":")[2]) > 65_535:
        findings.append(
            Finding(f"{path}.address", "a port up to 65535", sign["address"], "correct the port")
        )
    if sign["kind"] is SignKind.CD5220:
        findings += [
            Finding(
                f"{path}.{key}",
                f"{POLE_DEFAULTS[key]} for a CD5220" if key in POLE_DEFAULTS else "nothing",
                found_text(sign[key]),
                "take it out",
            )
            for key in ALPHA_DEFAULTS
            if sign[key] is not None and sign[key] != POLE_DEFAULTS.get(key)
        ]
    return findings
