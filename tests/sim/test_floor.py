"""A floor under every fault: tables, coordinators and wires that fail, and a judge that keeps its own books.

Each seed is another evening. A failure names its seed; ``jackpot simulate-floor --seed`` plays it again.
"""

from __future__ import annotations

import pytest

from jackpot.floor.faults import Fault
from jackpot.floor.simulate import Floor, FloorBroken, Played, simulate

SEEDS = range(1, 14)
HANDS = 1_600
MESSAGES_IN_ALL = 1_000_000


@pytest.fixture(scope="module")
def evenings() -> list[Played]:
    """Thirteen evenings with everything that can go wrong."""
    return [simulate(Floor(seed=seed, hands=HANDS, tables=8)) for seed in SEEDS]


def test_a_million_messages_under_every_fault_lose_and_double_nothing(
    evenings: list[Played],
) -> None:
    """Conservation, each contribution once, each decision once, no base twice: the judge found no
    fault in any of them (CAN-9)."""
    assert sum(evening.messages for evening in evenings) >= MESSAGES_IN_ALL


def test_the_evenings_had_what_the_judge_is_for(evenings: list[Played]) -> None:
    """Awards, awards taken back, faults by the hundred: a quiet evening would prove nothing."""
    assert sum(evening.decisions for evening in evenings) > 200
    assert sum(evening.undone for evening in evenings) > 10
    assert sum(evening.faults for evening in evenings) > 1_000
    assert all(evening.hands == HANDS for evening in evenings)


def test_the_same_seed_plays_the_same_evening() -> None:
    """To the last message: a failure can be looked at again."""
    floor = Floor(seed=7, hands=80)
    assert simulate(floor) == simulate(floor)


@pytest.mark.parametrize("fault", list(Fault))
def test_each_fault_alone_is_survived(fault: Fault) -> None:
    """So that a fault that hides another one is seen."""
    assert simulate(Floor(seed=3, hands=160, faults=(fault,))).hands == 160


def test_one_coordinator_is_enough() -> None:
    """An SQLite log has one writer; awards wait while it is down."""
    assert simulate(Floor(seed=5, hands=160, coordinators=1)).hands == 160


def test_a_broken_floor_names_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the message can play it again."""
    monkeypatch.setattr("jackpot.link.base.bases", lambda _state, _locked: {})
    with pytest.raises(FloorBroken, match=r"^seed 9, at [0-9]+ ms: "):
        simulate(Floor(seed=9, hands=400, faults=()))
