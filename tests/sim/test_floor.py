"""A floor under every fault: tables, coordinators and wires that fail, and a judge that keeps its own books.

Each seed is another evening. A failure names its seed; ``jackpot simulate-floor --seed`` plays it again.
"""

from __future__ import annotations

import pytest

from jackpot.floor.faults import Fault
from jackpot.floor.simulate import Floor, FloorBroken, Stage, simulate
from jackpot.law.policies import SeedSource, VoidBets
from jackpot.law.terms import BetMode

SEEDS = range(1, 15)
HANDS = 1_760
MESSAGES_IN_ALL = 1_000_000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_million_messages_under_every_fault_lose_and_double_nothing(seed: int) -> None:
    """Conservation, each contribution once, each decision once, no base twice: the judge found no
    fault in this evening (CAN-9), and it had what the judge is for. All of them together have a
    million messages; any number of processes may share them."""
    evening = simulate(Floor(seed=seed, hands=HANDS, tables=8))
    assert evening.messages >= MESSAGES_IN_ALL // len(SEEDS)
    assert evening.hands == HANDS
    assert evening.decisions > 10
    assert evening.faults > 70


def test_the_same_seed_plays_the_same_evening() -> None:
    """To the last message: a failure can be looked at again."""
    floor = Floor(seed=7, hands=80)
    assert simulate(floor) == simulate(floor)


@pytest.mark.parametrize("fault", list(Fault))
def test_each_fault_alone_is_survived(fault: Fault) -> None:
    """So that a fault that hides another one is seen."""
    assert simulate(Floor(seed=3, hands=160, faults=(fault,))).hands == 160


def test_the_tables_of_a_floor_are_of_every_kind_that_may_play_together() -> None:
    """By their slots and by hand, seeds of the house and of a reserve, void bets back and carried."""
    terms = [one for seed in (1, 2) for one in Stage(Floor(seed=seed)).terms.values()]
    assert {one.mode for one in terms} == {BetMode.AUTOMATIC, BetMode.MANUAL}
    assert {one.policies.seed_source for one in terms} == set(SeedSource)
    assert {one.policies.void_bets for one in terms} == set(VoidBets)


def test_one_coordinator_is_enough() -> None:
    """An SQLite log has one writer; awards wait while it is down."""
    assert simulate(Floor(seed=5, hands=160, coordinators=1)).hands == 160


def test_a_broken_floor_names_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the message can play it again."""
    monkeypatch.setattr("jackpot.link.base.bases", lambda _state, _locked: {})
    with pytest.raises(FloorBroken, match=r"^seed 9, at [0-9]+ ms: "):
        simulate(Floor(seed=9, hands=400, faults=()))
