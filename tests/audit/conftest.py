"""Ledgers that many tests look at; each test forges a copy of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from carrusel_story import carrusel_story
from forgery import Forgery
from pit_story import pit_story
from stories import carried_story, long_story


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two gaming days with everything that happens at a table of the default policies."""
    return long_story(tmp_path_factory.mktemp("story") / "ledger")


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
