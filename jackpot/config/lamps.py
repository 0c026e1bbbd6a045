"""The optional ``[lamps]``: lamps of the boxes and a «no va más» button on GPIO lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jackpot.config import readers as r
from jackpot.config.findings import Finding
from jackpot.config.reading import read_keys
from jackpot.config.sections import MOST_BOXES, Key, LampsConfig

MOST_OFFSET = 511
"""No GPIO chip has more lines."""

KEYS: Mapping[str, Key] = {
    "chip": Key(r.text, "/dev/gpiochip0"),
    "lines": Key(r.wholes(0, MOST_OFFSET, MOST_BOXES)),
    "active_low": Key(r.flag, False),
    "button": Key(r.whole(0, MOST_OFFSET), None),
    "button_active_low": Key(r.flag, True),
}


def read_lamps(raw: object, findings: list[Finding]) -> dict[str, Any] | None:
    """The section, or None when there is none; what is wrong becomes a finding."""
    if raw is None:
        return None
    read = read_keys(raw, KEYS, "lamps", findings)
    lines = read["lines"] or ()
    if read["button"] is not None and read["button"] in lines:
        findings.append(
            Finding(
                "lamps.button",
                "a line that is no lamp's",
                str(read["button"]),
                "correct one of the two",
            )
        )
    return read


def count_findings(read: dict[str, Any] | None, boxes: int) -> list[Finding]:
    """One lamp for each box, in their order."""
    lines = None if read is None else read["lines"]
    if lines is None or len(lines) == boxes:
        return []
    return [
        Finding(
            "lamps.lines",
            f"{boxes} lines: one for each box",
            str(len(lines)),
            "write the lamps' lines in the order of the boxes",
            "CAN-2.2",
        )
    ]


def lamps_config(read: dict[str, Any] | None, base: Path) -> LampsConfig | None:
    """The checked section."""
    return None if read is None else LampsConfig(**{**read, "chip": base / read["chip"]})
