"""``jackpot officers``: whoever installs enters the first; everybody else is vouched for by two."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from jackpot.authority.roles import Role
from jackpot.commands.officers import register
from jackpot.config.template import Answers, config_text
from jackpot.daemon.officer_book import OfficerBook, Token
from jackpot.errors import Refused, exit_status


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
    book = OfficerBook(tmp_path / "officers.json")
    book.add("c1", (Role.CROUPIER,), "271828")
    book.add("j1", (Role.TABLE_CHIEF,), "314159")
    book.add("d1", (Role.GAMES_DIRECTOR,), "161803")
    return tmp_path


ANSWERS = Answers(
    casino_name="Casino de Ejemplo",
    casino_id="casino.example",
    table="7",
    layout="1",
    minimum_cents=1_000,
    bet_cents=200,
    percentage="25",
    seed_cents=1_000_000,
    authorisation="AUT-1",
    port=None,
)


def _roles(folder: Path) -> dict[str, tuple[Role, ...]]:
    return OfficerBook.open(folder / "officers.json").roles()


def test_officers_are_listed(folder: Path) -> None:
    assert _run(folder, "list") == "c1\tcroupier\nd1\tgames_director\nj1\ttable_chief\n"


def test_a_table_is_named_by_its_folder_its_configuration_or_its_record(tmp_path: Path) -> None:
    """As `jackpot init` leaves it: the configuration, and the book in the folder that it names."""
    config = config_text(ANSWERS)
    (tmp_path / "table.toml").write_text(config)
    (tmp_path / "record").mkdir()
    book = OfficerBook(tmp_path / "record" / "officers.json")
    book.add("c1", (Role.CROUPIER,), "271828")
    for place in (tmp_path, tmp_path / "table.toml", tmp_path / "record"):
        assert _run(place, "list") == "c1\tcroupier\n"


def test_a_new_officer_needs_two_who_vouch_with_their_pins(folder: Path) -> None:
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


def test_wrong_pins_slow_the_command_down_as_well(folder: Path) -> None:
    new = ("set-pin", "c1", "--by", "c1")
    for _ in range(3):
        with pytest.raises(Refused, match="wrong_pin"):
            _run(folder, *new, pins="000000\n141421\n")
    with pytest.raises(Refused, match="too_soon"):
        _run(folder, *new, pins="271828\n141421\n")


def test_a_removal_tells_what_the_rest_cannot_sign(folder: Path) -> None:
    told = _run(folder, "remove", "d1", "--by", "c1", "--by", "j1", pins="271828\n314159\n")
    assert "Too few officers for corrections and moves" in told
    assert "to open and close" not in told


def test_nobody_vouches_for_the_own_removal(folder: Path) -> None:
    with pytest.raises(Refused, match="not_vouched_for"):
        _run(folder, "remove", "c1", "--by", "c1", "--by", "j1", pins="271828\n314159\n")
    _run(folder, "remove", "c1", "--by", "j1", "--by", "d1", pins="314159\n161803\n")
    assert list(_roles(folder)) == ["d1", "j1"]


def test_a_new_pin_takes_the_old_one_or_two_others(folder: Path) -> None:
    _run(folder, "set-pin", "c1", "--by", "c1", pins="271828\n739104\n")
    _run(folder, "set-pin", "c1", "--by", "j1", "--by", "d1", pins="314159\n161803\n482915\n")
    book = OfficerBook.open(folder / "officers.json")
    assert book.check("c1", "482915", 0.0) is True


def test_lost_security_keys_go_by_the_rule_of_a_new_pin(folder: Path) -> None:
    file = folder / "officers.json"
    OfficerBook.open(file).add_token("c1", Token("mesa-2.casino.example", "AAAA"))
    assert "c1\tcroupier\t1 security key" in _run(folder, "list")
    with pytest.raises(Refused, match="not_vouched_for"):
        _run(folder, "remove-tokens", "c1", "--by", "j1", pins="314159\n")
    _run(folder, "remove-tokens", "c1", "--by", "j1", "--by", "d1", pins="314159\n161803\n")
    assert OfficerBook.open(file).tokens("c1") == ()


def test_a_weak_pin_and_a_missing_one_are_refused(folder: Path) -> None:
    vouched = ("add", "c2", "--role", "croupier", "--by", "c1", "--by", "j1")
    with pytest.raises(Refused, match="pin_weak"):
        _run(folder, *vouched, pins="271828\n314159\n123456\n")
    with pytest.raises(Refused, match="pin_missing"):
        _run(folder, *vouched, pins="271828\n314159\n")


def test_a_deleted_book_is_not_an_empty_one(folder: Path) -> None:
    (folder / "officers.json").unlink()
    for command, pins in (
        (("list",), ""),
        (("add", "x1", "--role", "games_director"), "271828\n"),
    ):
        with pytest.raises(Refused, match="officer_book_missing") as refused:
            _run(folder, *command, pins=pins)
        assert "backup" in refused.value.to_do
        assert exit_status(refused.value) == 2
    assert not (folder / "officers.json").exists()


def test_a_damaged_book_and_one_that_others_read_are_refused(folder: Path) -> None:
    file = folder / "officers.json"
    file.chmod(0o644)
    with pytest.raises(Refused, match="officer_book_open_to_others") as refused:
        _run(folder, "list")
    assert (refused.value.found, exit_status(refused.value)) == ("mode 644", 2)
    file.chmod(0o600)
    for text in ("", "{}", '{"officers":{}}', "[" * 100_000):
        file.write_text(text)
        with pytest.raises(Refused, match="officer_book_damaged"):
            _run(folder, "list")
