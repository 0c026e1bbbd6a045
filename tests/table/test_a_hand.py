"""One hand from betting to payment: CAN-7.1 to CAN-8.7, with amounts worked out by hand."""

from __future__ import annotations

import pytest
from support.table import (
    FOUR_ACES,
    FOUR_SEVENS,
    FULL_HOUSE,
    KING_HIGH_STRAIGHT_FLUSH,
    ROYAL_HEARTS,
    ROYAL_SPADES,
    canarias,
    of_kind,
    open_table,
)

from jackpot.law.policies import BaseOfHand, BelowRoyal, Policies
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase, accepting_boxes


def test_CAN_8_b_the_first_opening_starts_the_jackpot_at_its_seed() -> None:
    table = open_table()
    assert table.meter_microcents == 1_000_000_000_000  # 10,000.00
    assert table.phase() is Phase.BETWEEN_HANDS


def test_CAN_8_b2_a_chip_in_time_is_a_bet_and_adds_its_percentage() -> None:
    table = open_table().hand()
    events = table.chip(3)
    assert events == (
        f.ChipSeen(box=3, expected=True, a=1, b=1),
        o.BetAccepted(box=3, bet_cents=200),
        o.Contributed(box=3, microcents=50_000_000),
    )
    assert table.meter_microcents == 1_000_050_000_000  # 10,000.50


def test_CAN_7_1_a_slot_takes_a_chip_only_while_its_box_has_room_and_betting_is_open() -> None:
    table = open_table()
    assert accepting_boxes(table.state) == ()
    table.hand(2, 5)
    assert accepting_boxes(table.state) == (1, 3, 4, 6, 7)
    table.play(f.LockPressed(by="C1", hand=1))
    assert accepting_boxes(table.state) == ()


def test_CAN_7_1_a_chip_drained_between_key_and_lock_counts() -> None:
    table = open_table().hand(1)
    table.play(f.LockPressed(by="C1", hand=1))
    assert of_kind(table.chip(2), o.BetAccepted)
    (locked,) = of_kind(table.play(f.LockReached(unknown_boxes=())), o.HandLocked)
    assert locked == o.HandLocked(meter_microcents=1_000_100_000_000, bets_cents=400)


def test_CAN_7_1_a_chip_after_the_lock_is_late_and_handed_back() -> None:
    table = open_table().hand(1).lock()
    assert table.chip(2)[1:] == (
        o.ChipRefused(box=2, why=o.RefusedChip.LATE),
        o.ItemOpened(box=2, item=1, what=o.ItemWhat.HAND_BACK_CHIP),
    )
    assert table.meter_microcents == 1_000_050_000_000


def test_CAN_8_1_a_second_chip_in_a_box_is_no_bet() -> None:
    table = open_table().hand(1)
    assert o.ChipRefused(box=1, why=o.RefusedChip.SECOND) in table.chip(1)
    assert table.meter_microcents == 1_000_050_000_000


def test_CAN_8_1_a_chip_of_another_value_is_no_bet() -> None:
    table = open_table().hand()
    events = table.play(f.ChipSeen(box=4, expected=False, a=2, b=1))
    assert o.ChipRefused(box=4, why=o.RefusedChip.WRONG) in events
    assert table.meter_microcents == 1_000_000_000_000


def test_CAN_8_5_the_highest_hand_is_paid_first_and_the_next_of_what_remains() -> None:
    table = open_table().hand(3, 5).lock()
    # base 10,001.00; 10 % = 1,000.10; remains 9,000.90; 5 % = 450.045 -> 450.04
    table.declare(box5=FOUR_SEVENS, box3=KING_HIGH_STRAIGHT_FLUSH).confirm()
    assert [(p.box, p.cents) for p in of_kind(table.last, o.PaymentDecided)] == [
        (3, 100_010),
        (5, 45_004),
    ]
    # 10,001.00 - 1,000.10 - 450.04 = 8,550.86
    assert table.meter_microcents == 855_086_000_000
    assert table.phase() is Phase.PAYABLE  # 1,450.14 needs no second signature
    table.pay(3, 100_010)
    assert table.phase() is Phase.PAYABLE
    table.pay(5, 45_004)
    assert table.phase() is Phase.BETWEEN_HANDS


def test_CAN_8_3_a_royal_flush_takes_all_and_the_jackpot_starts_again_at_its_seed() -> None:
    table = open_table().hand(1).lock().declare(box1=ROYAL_SPADES).confirm()
    assert table.owed_cents == 1_000_050
    assert table.meter_microcents == 1_000_000_000_000
    assert table.phase() is Phase.DECIDED  # over 3,000.00: a further officer signs
    table.sign().pay(1, 1_000_050)
    assert table.phase() is Phase.BETWEEN_HANDS


def test_CAN_8_4_several_royal_flushes_share_the_whole_equally() -> None:
    table = open_table().hand(1, 7).lock().declare(box1=ROYAL_SPADES, box7=ROYAL_HEARTS).confirm()
    assert [p.cents for p in of_kind(table.last, o.PaymentDecided)] == [500_050, 500_050]


@pytest.mark.parametrize(
    ("policy", "paid_cents"),
    [
        (BaseOfHand.AT_LOCK, 50_005),  # 5 % of 10,001.00
        (BaseOfHand.AT_HAND_START, 50_000),  # 5 % of 10,000.00
        (BaseOfHand.AT_PAYMENT, 50_007),  # 5 % of 10,001.50 = 500.075
    ],
)
def test_policy_base_of_hand_names_the_amount_that_awards_are_computed_on(
    policy: BaseOfHand, paid_cents: int
) -> None:
    table = open_table(canarias(Policies(base_of_hand=policy))).hand(1, 2).lock(3)
    table.play(f.SlotDecided(by="C1", hand=1, box=3, bet=True))  # reaches the meter after the lock
    table.declare(box1=FOUR_ACES).confirm()
    assert table.owed_cents == paid_cents


def test_policy_below_royal_from_seed_pays_lower_hands_from_the_restarted_meter() -> None:
    table = open_table(canarias(Policies(below_royal=BelowRoyal.FROM_SEED))).hand(1, 2).lock()
    table.declare(box1=ROYAL_SPADES, box2=FOUR_SEVENS).confirm()
    # the royal flush takes 10,001.00; four sevens 5 % of the seed 10,000.00
    assert [p.cents for p in of_kind(table.last, o.PaymentDecided)] == [1_000_100, 50_000]
    assert table.meter_microcents == 950_000_000_000
    assert o.PaidFromSeed(microcents=50_000_000_000) in table.last


def test_CAN_7_3a_no_new_hand_while_an_award_is_unpaid() -> None:
    table = open_table().hand(1).lock().declare(box1=FOUR_ACES)
    start = f.HandStarted(by="C1", hand=2)
    assert table.refused(start).reason == "wrong_phase"
    table.confirm()
    assert table.refused(start).reason == "wrong_phase"
    table.pay(1, 50_002)  # 5 % of 10,000.50 = 500.025
    table.play(start)
    assert table.phase() is Phase.BETTING


def test_CAN_8_b2_a_box_without_a_detected_bet_has_no_award() -> None:
    table = open_table().hand(1).lock()
    declared = f.AwardsDeclared(by="C1", hand=1, hands=(f.DeclaredHand(2, FOUR_ACES),))
    assert table.refused(declared).reason == "no_bet_in_box"


def test_CAN_8_3_a_full_house_earns_no_award_and_is_not_declared() -> None:
    table = open_table().hand(1).lock()
    declared = f.AwardsDeclared(by="C1", hand=1, hands=(f.DeclaredHand(1, FULL_HOUSE),))
    assert table.refused(declared).reason == "no_award_for_hand"


def test_CAN_2_1_a_suited_five_high_run_with_an_ace_is_not_declared() -> None:
    table = open_table().hand(1).lock()
    declared = f.AwardsDeclared(by="C1", hand=1, hands=(f.DeclaredHand(1, "As 2s 3s 4s 5s"),))
    assert table.refused(declared).reason == "no_award_for_hand"


def test_a_declaration_may_be_made_again_and_rejected_before_it_is_confirmed() -> None:
    table = open_table().hand(1, 2).lock().declare(box1=FOUR_ACES)
    table.declare(box2=FOUR_SEVENS)
    table.play(f.AwardsRejected(by="J1", hand=1, why="the seven of clubs lies in the muck"))
    assert table.phase() is Phase.LOCKED
    table.no_awards()
    assert table.phase() is Phase.BETWEEN_HANDS


def test_whoever_declared_cannot_confirm_and_neither_signs_the_amount() -> None:
    table = open_table().hand(1).lock()
    declared = (f.DeclaredHand(1, ROYAL_SPADES),)
    table.play(f.AwardsDeclared(by="J1", hand=1, hands=declared))
    assert table.refused(f.AwardsConfirmed(by="J1", hand=1)).reason == "same_officer"
    table.play(f.AwardsConfirmed(by="D1", hand=1))
    for officer in ("J1", "D1"):
        signature = f.AwardsSigned(by=officer, hand=1, total_cents=1_000_050)
        assert table.refused(signature).reason == "same_officer"


def test_a_signature_names_the_very_amount() -> None:
    table = open_table().hand(1).lock().declare(box1=ROYAL_SPADES).confirm()
    refusal = table.refused(f.AwardsSigned(by="D1", hand=1, total_cents=1_000_051))
    assert refusal.reason == "amount_differs"
    assert "10000.50" in refusal.expected


def test_a_payment_names_the_very_amount_and_happens_once() -> None:
    table = open_table().hand(1, 2).lock()
    table.declare(box1=FOUR_ACES, box2=FOUR_SEVENS).confirm()
    assert table.refused(f.AwardPaid(by="C1", hand=1, box=1, cents=1)).reason == "not_owed"
    table.pay(1, 50_005)
    again = f.AwardPaid(by="C1", hand=1, box=1, cents=50_005)
    assert table.refused(again).reason == "not_owed"


def test_the_payable_unit_rounds_down_and_the_rest_stays_in_the_meter() -> None:
    table = open_table(canarias(Policies(payable_unit_cents=50))).hand(1).lock()
    table.declare(box1=FOUR_ACES).confirm()  # 5 % of 10,000.50 = 500.025 -> 500.00
    assert table.owed_cents == 50_000
    assert table.meter_microcents == 950_050_000_000  # 9,500.50
