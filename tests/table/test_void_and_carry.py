"""A misdeal voids the whole hand (CAN-10.1), under both policies, with and without a ceiling."""

from __future__ import annotations

import pytest
from support.table import FOUR_ACES, canarias, of_kind, open_table

from jackpot.law.policies import BaseOfHand, ExtraChip, Policies, VoidBets
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase

CARRY = canarias(Policies(void_bets=VoidBets.CARRY))


def void(hand: int) -> f.HandVoided:
    return f.HandVoided(by="C1", second="J1", hand=hand, why="six cards in box 2")


def test_policy_refund_reverses_contributions_and_hands_every_chip_back() -> None:
    table = open_table().hand(1, 5).lock()
    table.play(void(1))
    assert table.meter_microcents == 1_000_000_000_000
    assert [e.box for e in of_kind(table.last, o.BetReturned)] == [5, 1]
    assert {i.box for i in table.state.items} == {1, 5}
    assert table.phase() is Phase.BETWEEN_HANDS
    assert table.state.day is not None
    assert (table.state.day.bets_cents, table.state.day.hands) == (0, 0)


@pytest.mark.parametrize("moment", ["betting", "locked", "declared"])
def test_a_hand_can_be_voided_until_its_award_is_decided(moment: str) -> None:
    table = open_table().hand(1)
    if moment != "betting":
        table.lock()
    if moment == "declared":
        table.declare(box1=FOUR_ACES)
    table.play(void(1))
    assert table.phase() is Phase.BETWEEN_HANDS


def test_a_decided_award_is_not_voided() -> None:
    table = open_table().hand(1).lock().declare(box1=FOUR_ACES).confirm()
    assert table.refused(void(1)).reason == "wrong_phase"


def test_a_void_needs_the_table_chief_and_two_people() -> None:
    table = open_table().hand(1)
    alone = f.HandVoided(by="J1", second="J1", hand=1, why="exposed card")
    assert table.refused(alone).reason == "same_officer"
    croupiers = f.HandVoided(by="C1", second="C2", hand=1, why="exposed card")
    assert table.refused(croupiers).reason == "role_missing"


def test_policy_carry_keeps_the_contribution_and_counts_the_bet_once() -> None:
    table = open_table(CARRY).hand(1, 5).lock()
    table.play(void(1))
    assert table.meter_microcents == 1_000_100_000_000
    table.hand()
    assert table.refused(f.LockPressed(by="C1", hand=2)).reason == "chip_waiting"
    plays = table.play(f.ChipDecided(by="C1", hand=2, box=1, plays=True))
    assert plays[1:] == (o.BetAccepted(box=1, bet_cents=200, source=o.BetSource.CARRIED),)
    table.play(f.ChipDecided(by="C1", hand=2, box=5, plays=False))
    assert table.meter_microcents == 1_000_050_000_000  # box 5 took its fifty cents back
    table.lock().no_awards()
    assert table.state.day is not None
    assert table.state.day.bets_cents == 200


def test_policy_carry_twice_still_reverses_the_first_contribution() -> None:
    table = open_table(CARRY).hand(3).lock()
    table.play(void(1))
    table.hand()
    table.play(f.ChipDecided(by="C1", hand=2, box=3, plays=True))
    table.play(void(2))
    table.play(f.ChipDecided(by="C1", hand=2, box=3, plays=False))
    assert table.meter_microcents == 1_000_000_000_000


def test_policy_carry_takes_no_second_chip_into_the_waiting_box() -> None:
    table = open_table(CARRY).hand(3).lock()
    table.play(void(1))
    table.hand()
    assert of_kind(table.chip(3), o.ChipRefused)[0].why is o.RefusedChip.SECOND


def test_a_void_under_a_ceiling_empties_the_overflow_first() -> None:
    # ceiling 10,000.75: the first bet fits (0.50), the second puts 0.25 on top and 0.25 over
    table = open_table(canarias(ceiling_cents=1_000_075)).hand(1, 2)
    assert table.state.pools.jackpot_microcents == 1_000_075_000_000
    assert table.state.pools.overflow_microcents == 25_000_000
    table.play(void(1))
    assert table.state.pools.jackpot_microcents == 1_000_000_000_000
    assert table.state.pools.overflow_microcents == 0


def test_CAN_7_3b_a_voided_hand_is_played_again_and_not_counted_down() -> None:
    table = open_table()
    table.play(f.LastHandsAnnounced(by="J1"))
    table.hand(1)
    table.play(void(1))
    assert table.state.hands_left == 3


def test_policy_carry_carries_each_bet_of_a_box_with_its_own_movements() -> None:
    # ceiling 10,000.75: the first bet moved 0.50 onto the meter, the second 0.25 and 0.25 over
    carry = canarias(Policies(void_bets=VoidBets.CARRY), bets_per_box=3, ceiling_cents=1_000_075)
    table = open_table(carry).hand(1, 1).lock()
    table.play(void(1))
    assert [[m.microcents for m in chip.movements] for chip in table.state.waiting_chips] == [
        [50_000_000],
        [25_000_000, 25_000_000],
    ]
    table.hand()
    table.play(f.ChipDecided(by="C1", hand=2, box=1, plays=True))
    table.play(f.ChipDecided(by="C1", hand=2, box=1, plays=False))
    assert table.state.waiting_chips == ()
    assert table.state.pools.jackpot_microcents == 1_000_050_000_000  # the first bet alone
    assert table.state.pools.overflow_microcents == 0


def test_policy_base_at_hand_start_is_never_more_than_the_meter_holds() -> None:
    policies = Policies(base_of_hand=BaseOfHand.AT_HAND_START, void_bets=VoidBets.CARRY)
    table = open_table(canarias(policies)).hand(1, 2).lock()
    table.play(void(1))
    table.hand()  # starts at 10,001.00 with two carried bets
    table.play(f.ChipDecided(by="C1", hand=2, box=1, plays=True))
    table.play(f.ChipDecided(by="C1", hand=2, box=2, plays=False))
    table.lock().declare(box1=FOUR_ACES).confirm()
    assert table.owed_cents == 50_002  # 5 % of 10,000.50 = 500.025


def test_a_held_and_a_carried_chip_in_one_box_are_decided_one_by_one() -> None:
    both = Policies(void_bets=VoidBets.CARRY, extra_chip=ExtraChip.NEXT_HAND)
    table = open_table(canarias(both)).hand(2, 2).lock()
    table.play(void(1))
    assert [chip.source for chip in table.state.waiting_chips] == ["held", "carried"]
    table.hand()
    table.play(f.ChipDecided(by="C1", hand=2, box=2, plays=True))
    again = f.ChipDecided(by="C1", hand=2, box=2, plays=True)
    assert table.refused(again).reason == "box_has_its_bet"
    table.lock().no_awards()  # the other one waits for the next hand
    assert len(table.state.waiting_chips) == 1
    table.play(f.ChipDecided(by="C1", hand=2, box=2, plays=False))
    assert table.meter_microcents == 1_000_050_000_000  # of two contributions one went back
