"""The rhythm of each lamp, worked out by hand."""

from __future__ import annotations

import pytest

from jackpot.visor.lamps import lit, next_change_ms
from jackpot.visor.state import Lamp


def rhythm(lamp: Lamp, every_ms: int, until_ms: int) -> str:
    """Lit or dark at regular times."""
    return "".join("#" if lit([lamp], ms)[0] else "." for ms in range(0, until_ms, every_ms))


@pytest.mark.parametrize(
    ("lamp", "shown"),
    [
        (Lamp.STEADY, "########"),
        (Lamp.OFF, "........"),
        (Lamp.CLOSED, "........"),
        (Lamp.FLASHING, "##..##.."),
    ],
)
def test_every_quarter_of_a_half_second(lamp: Lamp, shown: str) -> None:
    assert rhythm(lamp, 125, 1_000) == shown


def test_a_box_that_nobody_knows_of_blinks_shortly_every_two_seconds() -> None:
    assert rhythm(Lamp.UNKNOWN, 100, 4_000) == ("#" + 19 * ".") * 2


def test_the_next_change_is_the_nearest_of_all_lamps() -> None:
    assert next_change_ms([Lamp.STEADY, Lamp.OFF], 10) is None
    assert next_change_ms([Lamp.STEADY, Lamp.FLASHING], 10) == 250
    assert next_change_ms([Lamp.FLASHING], 250) == 500
    assert next_change_ms([Lamp.UNKNOWN, Lamp.FLASHING], 10) == 100
    assert next_change_ms([Lamp.UNKNOWN], 100) == 2_000
