"""The demonstration in manual mode: totals, slips, corrections, and the same sums done here by hand.

The table of the demonstration: bet 2.00, 25 % of it to the jackpot, seed 10,000.00, Canarias.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from played_ledger import ledger_of, of_kind, payments, rows

from jackpot.daemon.demo.deal import deal
from jackpot.daemon.demo.game import Script
from jackpot.daemon.demo.headless import play_headless
from jackpot.daemon.demo.house import demo_house
from jackpot.daemon.demo.rigs import NOTHING, RIGS, parse_rigs
from jackpot.errors import Refused
from jackpot.law.terms import BetMode

HANDS = 60
RIGGED = {12: "royal", 30: "void", 41: "sf-tie"}
SEED_CENTS, BET_ADDS_CENTS = 1_000_000, 50
SLIPS = (10, 20, 40, 50, 60)
"""Every tenth hand but the voided one."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual")
    rigs = parse_rigs(",".join(f"{name}@{number}" for number, name in RIGGED.items()))
    script = Script(seed=1, rigs=rigs, hands=HANDS, speed=0)
    config = demo_house(folder, 0, BetMode.MANUAL)
    asyncio.run(play_headless(config, folder, script, lambda _line: None))
    return folder


def _chips(number: int) -> int:
    rig = RIGS[RIGGED[number]] if number in RIGGED else NOTHING
    return 0 if RIGGED.get(number) == "void" else len(deal(1, number, range(1, 8), rig).bets)


def test_every_hand_but_the_voided_one_has_one_final_total(played: Path) -> None:
    assert [hand for hand, *_ in of_kind(played, "total_accepted")] == [
        number for number in range(1, HANDS + 1) if number != 30
    ]
    assert of_kind(played, "chip_seen") == []


def test_slips_are_taken_back_and_errors_corrected_by_two_officers(played: Path) -> None:
    assert [hand for hand, *_ in of_kind(played, "total_withdrawn")] == list(SLIPS)
    wrong = [number for number in (25, 50) if _chips(number) < 7]
    corrected = rows(
        played,
        "SELECT info ->> 'hand', info ->> 'by', info ->> 'second' FROM event WHERE kind = ?",
        ("total_corrected",),
    )
    assert corrected == [(number, "jefe-1", "director-1") for number in wrong]


def test_the_jackpot_is_what_these_chips_make_of_it(played: Path) -> None:
    cents, paid = SEED_CENTS, []
    for number in range(1, HANDS + 1):
        rig = RIGGED.get(number)
        if rig == "royal":
            paid.append((number, cents))
            cents = SEED_CENTS
        if rig == "sf-tie":  # CAN-8.6: each 10 % of the base
            paid += [(number, cents // 10)] * 2
            cents -= 2 * (cents // 10)
        cents += BET_ADDS_CENTS * _chips(number)
    assert [(hand, amount) for hand, _box, amount in payments(played)] == paid
    meter = rows(played, "SELECT microcents FROM meter WHERE pool = '1/jackpot'")
    assert meter == [(cents * 1_000_000,)]


def test_a_folder_of_the_other_mode_is_refused(played: Path) -> None:
    assert ledger_of(played).exists()
    with pytest.raises(Refused, match="not_a_demonstration"):
        demo_house(played, 0)
