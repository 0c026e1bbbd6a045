"""The adjacent table in the section ``[screens]`` of a configuration (CAN-3.1)."""

from __future__ import annotations

import pytest
from test_config_signs import TABLE, places

from jackpot.config import load_config

NEIGHBOUR = '\nneighbour = "http://127.0.0.1:8081"\nneighbour_table = "8"\n'


def test_a_table_has_no_neighbour_unless_it_is_named() -> None:
    assert load_config(TABLE).screens.neighbour is None


def test_CAN_3_1_the_adjacent_table_by_address_and_number() -> None:
    screens = load_config(TABLE + NEIGHBOUR).screens
    assert (screens.neighbour, screens.neighbour_table) == ("http://127.0.0.1:8081", "8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\nneighbour = "http://127.0.0.1:8081"', ["screens.neighbour_table"]),
        ('\nneighbour_table = "8"', ["screens.neighbour"]),
        (NEIGHBOUR.replace('"8"', '"OWN"'), ["screens.neighbour_table"]),
        (NEIGHBOUR.replace("http:", "https:"), ["screens.neighbour"]),
        (NEIGHBOUR.replace(":8081", ":8081/console"), ["screens.neighbour"]),
        (NEIGHBOUR.replace("http://", ""), ["screens.neighbour"]),
    ],
)
def test_every_mistake_about_the_neighbour_is_found_at_its_place(
    text: str, expected: list[str]
) -> None:
    own = load_config(TABLE).table.number
    assert places(text.replace("OWN", own)) == expected
