"""docs/events.md names every kind, its columns and its fields, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jackpot.audit.checker.judge import FACTS as CHECKED_FACTS
from jackpot.audit.checker.outcomes import OUTCOMES as CHECKED_OUTCOMES
from jackpot.table.event import Event, OfficerAct
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES

PAGE = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| `(?P<kind>[a-z_.0-9]+)` \| .+ \| (?P<columns>[^|]+) \| (?P<info>[^|]+) \|$", re.M
)
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))

MACHINE = {kind: cls for kind, cls in FACTS.items() if not issubclass(cls, OfficerAct)}
ACTS = {kind: cls for kind, cls in FACTS.items() if issubclass(cls, OfficerAct)}


@pytest.mark.parametrize(
    ("section", "kinds"),
    [("Machine facts", MACHINE), ("Acts of officers", ACTS), ("Outcomes", OUTCOMES)],
)
def test_the_dictionary_is_complete_and_exact(section: str, kinds: dict[str, type[Event]]) -> None:
    rows = {row["kind"]: row for row in ROW.finditer(SECTIONS[section])}
    assert list(rows) == list(kinds)
    for kind, cls in kinds.items():
        columns = [
            f"`{column}`" if column == field else f"`{column}` = `{field}`"
            for column, field in cls.columns._asdict().items()
            if field is not None
        ]
        info = [f"`{name}`" for name in cls.__struct_fields__ if name not in cls.columns]
        assert rows[kind]["columns"] == (", ".join(columns) or "–"), kind
        assert rows[kind]["info"] == (", ".join(info) or "–"), kind


def test_the_checker_knows_every_kind_and_no_other() -> None:
    """It was written apart; that it covers everything is checked here and not by an import."""
    assert set(CHECKED_FACTS) == set(FACTS)
    assert set(CHECKED_OUTCOMES) == set(OUTCOMES)


def test_what_follows_from_what_names_only_kinds() -> None:
    table = SECTIONS["What follows from what"]
    rows = re.findall(r"^\| (`.+`) \| (.+) \|$", table, re.M)
    named = {kind for fact, text in rows for kind in re.findall(r"`([a-z_]+)`", fact + text)}
    assert named <= FACTS.keys() | OUTCOMES.keys()
    assert {fact.strip("`") for fact, _ in rows} <= FACTS.keys()
    assert named >= OUTCOMES.keys()
