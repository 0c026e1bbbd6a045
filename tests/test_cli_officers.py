"""``jackpot officers``: the first three freely, then only vouched for by two."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from jackpot.authority.roles import Role
from jackpot.cli_officers import register
from jackpot.daemon.officer_book import OfficerBook
from jackpot.errors import Refused


def _run(folder: Path, *arguments: str, pins: str = "") -> str:
    app = typer.Typer()

    @app.callback()
    def jackpot() -> None:
        """As the real command line has it."""

    register(app)
    command = ["officers", *arguments, "--data", str(folder)]
    if pins:
        command.append("--pin-stdin")
    result = CliRunner().invoke(app, command, input=pins)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    _run(tmp_path, "add", "c1", "--role", "croupier", pins="271828\n")
    _run(tmp_path, "add", "j1", "--role", "table_chief", pins="314159\n")
    _run(tmp_path, "add", "d1", "--role", "games_director", pins="161803\n")
    return tmp_path


def _roles(folder: Path) -> dict[str, tuple[Role, ...]]:
    return OfficerBook.open(folder / "officers.json").roles()


def test_the_first_three_need_nobody_and_are_listed(folder: Path) -> None:
    assert _run(folder, "list") == "c1\tcroupier\nd1\tgames_director\nj1\ttable_chief\n"


def test_the_fourth_needs_two_who_vouch_with_their_pins(folder: Path) -> None:
    new = ("add", "j2", "--role", "croupier")
    with pytest.raises(Refused, match="not_vouched_for"):
        _run(folder, *new, pins="141421\n")
    with pytest.raises(Refused, match="not_vouched_for"):
        _run(folder, *new, "--by", "j1", "--by", "j1", pins="314159\n314159\n141421\n")
    with pytest.raises(Refused, match="wrong_pin"):
        _run(folder, *new, "--by", "c1", "--by", "j1", pins="271828\n000000\n141421\n")
    assert "j2" not in _roles(folder)
    _run(folder, *new, "--by", "c1", "--by", "j1", pins="271828\n314159\n141421\n")
    assert _roles(folder)["j2"] == (Role.CROUPIER,)


def test_nobody_vouches_for_the_own_removal(folder: Path) -> None:
    with pytest.raises(Refused, match="not_vouched_for"):
        _run(folder, "remove", "c1", "--by", "c1", "--by", "j1", pins="271828\n314159\n")
    _run(folder, "remove", "c1", "--by", "j1", "--by", "d1", pins="314159\n161803\n")
    assert list(_roles(folder)) == ["j1", "d1"]


def test_a_new_pin_takes_the_old_one_or_two_others(folder: Path) -> None:
    _run(folder, "set-pin", "c1", "--by", "c1", pins="271828\n739104\n")
    _run(folder, "set-pin", "c1", "--by", "j1", "--by", "d1", pins="314159\n161803\n482915\n")
    book = OfficerBook.open(folder / "officers.json")
    assert book.check("c1", "482915", 0.0) is True


def test_a_weak_pin_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="pin_weak"):
        _run(tmp_path, "add", "c1", "--role", "croupier", pins="123456\n")
    with pytest.raises(Refused, match="pin_missing"):
        _run(tmp_path, "add", "c1", "--role", "croupier", pins="\n")
