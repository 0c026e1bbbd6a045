"""How a log line looks."""

from __future__ import annotations

from enum import StrEnum


class LogFormat(StrEnum):
    """For machines, or for people."""

    JSON = "json"
    CONSOLE = "console"
