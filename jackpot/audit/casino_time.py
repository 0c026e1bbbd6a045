"""The casino's time beside UTC, as people read both: a ledger stores UTC and orders by number."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jackpot.audit.source import Source

DEFAULT_ZONE = "Atlantic/Canary"
"""Where the decree applies; a recorded configuration names its own."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_CONFIGURATION = """
SELECT info ->> 'config_text' FROM event
WHERE kind = 'configuration_loaded' AND seq <= ? ORDER BY seq LIMIT 1
"""


def zone_of(config_text: str) -> ZoneInfo:
    """The casino's time zone, as a recorded configuration states it."""
    try:
        screens = tomllib.loads(config_text).get("screens", {})
        return ZoneInfo(str(screens.get("time_zone", DEFAULT_ZONE)))
    except (tomllib.TOMLDecodeError, ZoneInfoNotFoundError, ValueError, AttributeError):
        return ZoneInfo(DEFAULT_ZONE)


def casino_zone(source: Source) -> ZoneInfo:
    """The time zone of the first configuration that a ledger records."""
    rows = source.rows(_FIRST_CONFIGURATION, (source.seq,))
    return zone_of(str(rows[0][0]) if rows else "")


def moment_of(at_ns: int) -> datetime:
    """A stored time, in UTC, to the microsecond."""
    return _EPOCH + timedelta(microseconds=at_ns // 1_000)


def both_times(moment: datetime, zone: ZoneInfo) -> str:
    """``2026-07-30 22:04:05 (21:04:05)``: the casino's time, and UTC in parentheses."""
    local, utc = moment.astimezone(zone), moment.astimezone(UTC)
    return f"{local:%Y-%m-%d %H:%M:%S} ({utc:%H:%M:%S})"


def both_times_exact(at_ns: int, zone: ZoneInfo) -> str:
    """``2026-07-30 22:04:05.123 (21:04:05.123 UTC)``, for lines without a heading."""
    moment = moment_of(at_ns)
    local, utc = moment.astimezone(zone), moment.astimezone(UTC)
    milliseconds = f"{moment.microsecond // 1_000:03d}"
    return f"{local:%Y-%m-%d %H:%M:%S}.{milliseconds} ({utc:%H:%M:%S}.{milliseconds} UTC)"
