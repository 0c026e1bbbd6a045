"""The ``[[signs]]`` of a configuration: defaults, and every finding with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackpot.config import ConfigErrors, SignConfig, SignKind, load_config
from jackpot.law.words import Language

TABLE = """
profile = "canarias"
[casino]
name = "Casino de Ejemplo"
id = "casino.example"
[table]
number = "7"
minimum = "10.00"
[jackpot]
bet = "2.00"
percentage = "25"
seed = "10000.00"
authorisation = "2026/001"
[slots]
port = "/dev/ttyUSB0"
[ledger]
dir = "record"
[screens]
language = "en"
"""

WALL = """
[[signs]]
name = "wall"
kind = "alpha"
port = "/dev/ttyUSB1"
"""


def places(text: str, base: Path | None = None) -> list[str]:
    """Where the findings are."""
    with pytest.raises(ConfigErrors) as caught:
        load_config(TABLE + text, base)
    return [finding.path for finding in caught.value.findings]


def test_without_signs_there_are_none() -> None:
    assert load_config(TABLE).signs == ()


def test_an_alpha_sign_has_defaults() -> None:
    config = load_config(TABLE + WALL, Path("/srv/table"))
    assert config.signs == (
        SignConfig(
            name="wall",
            kind=SignKind.ALPHA,
            port=Path("/dev/ttyUSB1"),
            host="",
            tcp_port=0,
            baud=9600,
            rows=1,
            columns=13,
            language=Language.EN,
            checksums=True,
            sign_address="00",
        ),
    )
    assert config.ledger.signs_socket == Path("/srv/table/record/signs.sock")


def test_a_pole_display_behind_an_adapter_has_two_rows_of_twenty() -> None:
    text = '[[signs]]\nname = "pole"\nkind = "cd5220"\naddress = "192.0.2.20:3001"\n'
    sign = load_config(TABLE + text + 'language = "es"\nrows = 2').signs[0]
    assert (sign.rows, sign.columns, sign.language) == (2, 20, Language.ES)
    assert (sign.port, sign.host, sign.tcp_port) == (None, "192.0.2.20", 3001)
    assert sign.place == "192.0.2.20:3001"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("signs = 3", ["screens.signs"]),
        ('[[signs]]\nname = "wall"', ["signs[1].kind"]),
        ('[[signs]]\nkind = "alpha"\nport = "x"', ["signs[1].name"]),
        ('[[signs]]\nname = "wall"\nkind = "neon"\nport = "x"', ["signs[1].kind"]),
        ('[[signs]]\nname = "wall"\nkind = "alpha"', ["signs[1].port"]),
        (WALL + 'address = "192.0.2.1:23"', ["signs[1].port"]),
        (WALL + 'adress = "192.0.2.1:23"', ["signs[1].adress"]),
        (WALL + "columns = 8", ["signs[1].columns"]),
        (WALL + "rows = 3", ["signs[1].rows"]),
        (WALL + 'sign_address = "0g"', ["signs[1].sign_address"]),
        (WALL.replace('port = "/dev/ttyUSB1"', 'address = "h:99999"'), ["signs[1].address"]),
        (WALL.replace("alpha", "cd5220") + "columns = 16", ["signs[1].columns"]),
        (WALL.replace("alpha", "cd5220") + "checksums = true", ["signs[1].checksums"]),
        (WALL + WALL, ["signs[2].name", "signs[2].port"]),
        (WALL.replace("ttyUSB1", "ttyUSB0"), ["signs[1].port"]),
        (9 * WALL, ["signs", *(f"signs[{n}].{key}" for n in range(2, 9) for key in ("name", "port"))]),
    ],
)  # fmt: skip
def test_every_mistake_is_found_at_its_place(text: str, expected: list[str]) -> None:
    assert places(text) == expected


def test_signs_that_are_no_list_are_found() -> None:
    assert places('[signs]\nname = "wall"') == ["signs"]


def test_a_ledger_too_deep_for_a_socket_is_found_only_with_signs() -> None:
    deep = Path("/" + 90 * "x")
    assert places(WALL, deep) == ["ledger.dir"]
    assert load_config(TABLE, deep).signs == ()
