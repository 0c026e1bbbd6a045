"""The optional ``[lamps]`` of a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_config_signs import TABLE, places

from jackpot.config import LampsConfig, load_config

LAMPS = "\n[lamps]\nlines = [5, 6, 13, 19, 26, 16, 20]\n"


def test_without_lamps_there_are_none() -> None:
    assert load_config(TABLE).lamps is None


def test_seven_lamps_and_a_button() -> None:
    assert load_config(TABLE + LAMPS + "button = 21").lamps == LampsConfig(
        chip=Path("/dev/gpiochip0"),
        lines=(5, 6, 13, 19, 26, 16, 20),
        active_low=False,
        button=21,
        button_active_low=True,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n[lamps]\n", ["lamps.lines"]),
        ("\n[lamps]\nlines = [5, 6]", ["lamps.lines"]),
        (LAMPS + "button = 26", ["lamps.button"]),
        (LAMPS + "buton = 21", ["lamps.buton"]),
        (LAMPS + "active_low = 1", ["lamps.active_low"]),
    ],
)
def test_every_mistake_is_found_at_its_place(text: str, expected: list[str]) -> None:
    assert places(text) == expected
