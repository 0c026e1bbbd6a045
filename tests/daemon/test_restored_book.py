"""A lost officer book is made anew: nobody new, nobody with another role, and the ledger tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon_process import PINS, TEXT, installed, recorded
from typer.testing import CliRunner

from jackpot.audit.checker import verify
from jackpot.authority.roles import Role
from jackpot.cli import build_app
from jackpot.config import Config
from jackpot.daemon.officer_book import OfficerBook
from jackpot.daemon.restored_book import restore_book
from jackpot.errors import Refused
from jackpot.ledger.keys import load_key
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.decide import play

NEW_PINS = {"c1": "918273", "j1": "827364", "d1": "736455"}
LATER_NS = 1_764_600_000_000_000_000


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A table that has run once, so that its ledger knows c1, j1 and d1; then the book is lost."""
    config = installed(tmp_path, TEXT)
    roles = OfficerBook.open(config.ledger.officers_file).roles()
    told = f.OfficersListed(officers=roles)
    with Ledger.open(config.ledger.file, TABLE, load_key(config.ledger.key_file)) as ledger:
        events, _ = play(ledger.state, [f.ControllerStarted(version="test", clean=True), told])
        ledger.append([NewBatch(LATER_NS, None, Cause("controller", 1), events)])
    config.ledger.officers_file.unlink()
    return config


def test_those_present_enter_new_pins_and_keep_their_roles(config: Config, tmp_path: Path) -> None:
    file = str(tmp_path / "table.toml")
    command = ["officers", "restore", "c1", "j1", "d1", "--data", file, "--pin-stdin"]
    done = CliRunner().invoke(build_app(["officers"]), command, input="\n".join(NEW_PINS.values()))
    assert done.exit_code == 0, done.output
    book = OfficerBook.open(config.ledger.officers_file)
    assert book.roles() == {
        "c1": (Role.CROUPIER,),
        "d1": (Role.GAMES_DIRECTOR,),
        "j1": (Role.TABLE_CHIEF,),
    }
    assert book.check("c1", NEW_PINS["c1"], 1.0) is True
    assert book.check("j1", PINS["j1"], 1.0) is False, "the old PIN is gone"


def test_the_ledger_tells_for_ever_who_was_entered(config: Config) -> None:
    restore_book(config, NEW_PINS, LATER_NS + 1)
    kinds = [event.kind for event in recorded(config)[-1].events]
    assert kinds == ["alarm_raised", "officers_listed", "alarm_cleared"]
    raised = recorded(config)[-1].events[0]
    assert raised == f.AlarmRaised(alarm="officers_restored", detail="c1, d1, j1")
    assert verify(config.ledger.file).findings == ()


@pytest.mark.parametrize(
    ("present", "reason"),
    [
        ({"c1", "j1"}, "director_missing"),
        ({"c1", "d1", "x9"}, "no_such_officer"),
        ({"j1", "d1"}, "too_few_officers"),
    ],
)
def test_nobody_new_and_nobody_alone(config: Config, present: set[str], reason: str) -> None:
    pins = {name: NEW_PINS.get(name, "645546") for name in present}
    batches = len(recorded(config))
    with pytest.raises(Refused, match=reason):
        restore_book(config, pins, LATER_NS + 1)
    assert not config.ledger.officers_file.exists()
    assert len(recorded(config)) == batches


def test_a_book_that_is_there_is_never_replaced(config: Config) -> None:
    restore_book(config, NEW_PINS, LATER_NS + 1)
    with pytest.raises(Refused, match="officer_book_there"):
        restore_book(config, NEW_PINS, LATER_NS + 2)
