"""The casino's time beside UTC, in reports, evidence and hands shown."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from jackpot.audit.books.evidence_text import hand_text
from jackpot.audit.casino_time import both_times, both_times_exact, casino_zone, zone_of
from jackpot.audit.source import Source

CANARY = ZoneInfo("Atlantic/Canary")


def test_in_summer_the_casino_is_an_hour_ahead_of_utc() -> None:
    moment = datetime(2026, 7, 30, 21, 4, 5, tzinfo=UTC)
    assert both_times(moment, CANARY) == "2026-07-30 22:04:05 (21:04:05)"


def test_after_midnight_the_casino_names_its_own_date() -> None:
    """2026-07-30 23:30:00.007 UTC, 1,785,454,200 seconds after 1970 began."""
    at_ns = 1_785_454_200_007_000_000
    assert both_times_exact(at_ns, CANARY) == "2026-07-31 00:30:00.007 (23:30:00.007 UTC)"


def test_in_winter_both_are_the_same() -> None:
    moment = datetime(2026, 11, 30, 21, 4, 5, tzinfo=UTC)
    assert both_times(moment, CANARY) == "2026-11-30 21:04:05 (21:04:05)"


@pytest.mark.parametrize(
    ("config", "zone"),
    [
        ('[screens]\ntime_zone = "Europe/Madrid"\n', "Europe/Madrid"),
        ("[screens]\n", "Atlantic/Canary"),
        ("screens = 1\n", "Atlantic/Canary"),
        ('[screens]\ntime_zone = "Mars/Base"\n', "Atlantic/Canary"),
        ("no toml at all", "Atlantic/Canary"),
    ],
)
def test_the_recorded_configuration_names_the_zone(config: str, zone: str) -> None:
    assert zone_of(config).key == zone


def test_the_evidence_of_a_hand_names_the_zone_and_tells_both_times(story: Path) -> None:
    with Source(story) as source:
        assert casino_zone(source) == CANARY
        text = hand_text(source, 2, 19, 27, "es")
    assert "hora de Atlantic/Canary (UTC), secuencia, suceso, datos\n" in text
    assert "\n2027-01-15 08:00:22.000 (08:00:22.000 UTC)  " in text
