"""Ledgers that many tests look at; each test forges a copy of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from both_ways import verify_both_ways
from carrusel_story import carrusel_story
from forgery import Forgery
from pit_story import pit_story
from stories import carried_story, long_story, one_award

from jackpot.audit.checker import verify


@pytest.fixture(autouse=True)
def every_ledger_is_walked_both_ways(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever these tests hand to the checker, clean or forged: both of its ways say the same.

    Not the thousands of turned bits and rows: they would take minutes more, and find nothing else."""
    if request.module.__name__.startswith("test_tampering"):
        return
    if getattr(request.module, "verify", None) is verify:
        monkeypatch.setattr(request.module, "verify", verify_both_ways)


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two gaming days with everything that happens at a table of the default policies."""
    return long_story(tmp_path_factory.mktemp("story") / "ledger")


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One hand with one award on one day: 20 batches, 39 events, checkpoints 0, 18 and 20."""
    return one_award(tmp_path_factory.mktemp("small") / "ledger")


@pytest.fixture(scope="session")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with a ceiling where voided bets are carried and extra chips wait."""
    return carried_story(tmp_path_factory.mktemp("carried") / "ledger")


@pytest.fixture(scope="session")
def pit_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two layouts, manual mode, disputes, corrections, moves: amounts in ``pit_story``."""
    return pit_story(tmp_path_factory.mktemp("pit") / "ledger")


@pytest.fixture(scope="session")
def carrusel_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A member of a carrusel that pays, gives, takes back and leaves: ``carrusel_story``."""
    return carrusel_story(tmp_path_factory.mktemp("carrusel") / "ledger")


@pytest.fixture
def forgery(story: Path, tmp_path: Path) -> Forgery:
    """The long story on the forger's bench."""
    return Forgery(story, tmp_path / "forged")
