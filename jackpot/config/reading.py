"""Reading one section key by key: what is wrong becomes a finding, and its default goes on."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from jackpot.config.findings import Finding
from jackpot.config.readers import Bad, found_text
from jackpot.config.sections import REQUIRED, Key


def read_keys(
    raw: object, keys: Mapping[str, Key], name: str, findings: list[Finding]
) -> dict[str, Any]:
    """The values of section ``name``; a key that is missing or wrong has its default, or None."""
    section: Mapping[str, Any] | None = raw if isinstance(raw, dict) else None
    if section is None:
        found = "nothing" if raw is None else found_text(raw)
        findings.append(Finding(name, f"a section [{name}]", found, "write the section"))
    read: dict[str, Any] = {}
    for key, spec in keys.items():
        path = f"{name}.{key}"
        read[key] = None if spec.default is REQUIRED else spec.default
        if section is None:
            continue
        if key not in section:
            if spec.default is REQUIRED:
                findings.append(
                    Finding(path, "a value", "nothing", f"write {key} in [{name}]", spec.rule)
                )
            continue
        try:
            read[key] = spec.read(section[key])
        except Bad as bad:
            findings.append(
                Finding(
                    path, bad.expected, found_text(section[key]), "correct the value", spec.rule
                )
            )
    unknown_keys(section or {}, set(keys), f"{name}.", findings)
    return read


def unknown_keys(
    raw: Mapping[str, Any], known: set[str], prefix: str, findings: list[Finding]
) -> None:
    """A finding for each key that nobody reads, with the nearest one that somebody does."""
    for key in raw:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            to_do = f"did you mean {near[0]}?" if near else "take it out"
            expected = f"one of {', '.join(sorted(known))}"
            findings.append(Finding(f"{prefix}{key}", expected, "an unknown key", to_do))
