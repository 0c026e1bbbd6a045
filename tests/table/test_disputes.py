"""A detector dispute, a decision reversed, a payment reversed: what moves, and what never does."""

from __future__ import annotations

from msgspec.structs import replace
from support.table import (
    CANARIAS,
    FOUR_ACES,
    FOUR_SEVENS,
    KING_HIGH_STRAIGHT_FLUSH,
    ROYAL_SPADES,
    Table,
    canarias,
    of_kind,
    open_table,
)

from jackpot.law.policies import Policies, SeedSource
from jackpot.law.terms import JackpotKind
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase


def disputed(box: int = 2, hand: int = 1, second: str = "D1") -> f.BetDisputed:
    why = "the chip lies in the box, the camera shows it"
    return f.BetDisputed(by="J1", second=second, hand=hand, box=box, why=why)


def reversed_decision(award: int = 1) -> f.DecisionReversed:
    return f.DecisionReversed(by="J1", second="D1", hand=1, award=award, why="six cards in the box")


def reversal(box: int, cents: int, award: int = 1) -> f.PaymentReversed:
    why = "the camera shows another card"
    return f.PaymentReversed(by="J1", second="D1", award=award, box=box, cents=cents, why=why)


def test_CAN_8_b2_two_officers_accept_a_bet_that_the_slot_did_not_detect() -> None:
    table = open_table().hand(1).lock()
    assert table.refused(disputed(second="J1")).reason == "role_missing"
    table.play(disputed())
    assert table.last[1:] == (
        o.BetAccepted(box=2, bet_cents=200, source=o.BetSource.DISPUTED),
        o.Contributed(box=2, microcents=50_000_000),
    )
    table.declare(box2=FOUR_ACES).confirm()
    assert table.owed_cents == 50_002  # 5 % of 10,000.50, the amount at the lock
    assert table.chip(2)[1:] == (o.ChipMatched(box=2),)  # told of late: no second bet


def test_a_box_with_its_bet_or_an_undecided_one_is_no_dispute() -> None:
    table = open_table().hand(1)
    assert table.refused(disputed()).reason == "wrong_phase"
    table.lock(3)
    assert table.refused(disputed(box=1)).reason == "box_full"
    assert table.refused(disputed(box=3)).reason == "box_unknown"


def test_a_decision_is_taken_back_before_it_is_paid_and_declared_anew() -> None:
    table = open_table().hand(3, 5).lock()
    table.declare(box3=KING_HIGH_STRAIGHT_FLUSH).confirm()
    assert table.refused(reversed_decision(award=2)).reason == "no_such_award"
    table.play(reversed_decision())
    assert table.last[1:] == (
        o.DecisionUndone(
            award=1,
            microcents=100_010_000_000,
            deducted_microcents=100_010_000_000,
            house_microcents=0,
        ),
    )
    assert table.meter_microcents == 1_000_100_000_000
    assert table.phase() is Phase.LOCKED
    table.declare(box5=FOUR_SEVENS).confirm()
    assert table.owed_cents == 50_005  # 5 % of 10,001.00
    assert table.state.awards == 2
    table.pay(5, 50_005)
    assert table.phase() is Phase.BETWEEN_HANDS


def test_a_royal_flush_taken_back_before_it_is_paid_undoes_the_restart() -> None:
    policies = Policies(seed_source=SeedSource.RESERVE)
    terms = canarias(policies, reserve_ppm=500_000, ceiling_cents=1_000_050)
    dearer = replace(terms, seed_cents=1_000_010, jackpot_ppm=300_000)
    table = open_table(terms).hand(1, 2).lock()
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=dearer))
    before = table.state.pools
    table.declare(box1=ROYAL_SPADES).confirm()
    assert (table.state.jackpots, table.state.terms) == (2, dearer)
    table.play(reversed_decision())
    assert table.state.pools == before
    assert (table.state.terms, table.state.pending_terms) == (terms, dearer)
    assert table.state.jackpots == 1
    assert table.state.totals.deducted == 0
    assert table.state.totals.seeds == 1_000_000_000_000


def test_a_decision_of_which_something_was_paid_is_not_taken_back_whole() -> None:
    table = open_table().hand(3, 5).lock()
    table.declare(box3=KING_HIGH_STRAIGHT_FLUSH, box5=FOUR_SEVENS).confirm().pay(3, 100_010)
    assert table.refused(reversed_decision()).reason == "already_paid"
    assert table.refused(reversal(5, 45_003)).reason == "not_owed"
    assert table.refused(reversal(3, 100_010)).reason == "not_owed"
    table.play(reversal(5, 45_004))
    assert table.last[1:] == (
        o.AmountAdjusted(microcents=45_004_000_000),
        o.PaymentStruck(box=5, cents=45_004),
        o.HandEnded(hand=1, how=o.HandOutcome.PAID),
    )
    assert table.meter_microcents == 900_090_000_000  # 10,001.00 - 1,000.10


def paid() -> Table:
    """Hand 1: box 3 was paid 1,000.05 of 10,000.50; the meter shows 9,000.45."""
    table = open_table().hand(3).lock().declare(box3=KING_HIGH_STRAIGHT_FLUSH).confirm()
    return table.pay(3, 100_005)


def test_CAN_8_7_what_comes_back_after_the_payment_goes_onto_the_meter() -> None:
    table = paid()
    table.play(reversal(3, 5))
    assert table.meter_microcents == 900_050_000_000
    assert table.refused(reversal(3, 100_001)).reason == "more_than_paid"
    table.play(reversal(3, 100_000))
    assert table.meter_microcents == 1_000_050_000_000
    assert table.state.totals.adjusted == 100_005_000_000


def test_CAN_8_7_what_a_player_is_owed_more_comes_from_the_jackpot_that_paid() -> None:
    table = paid()
    table.play(reversal(3, -45))
    assert table.meter_microcents == 900_000_000_000
    assert table.refused(reversal(3, -900_001)).reason == "below_zero"


def test_after_a_restart_the_house_bears_what_is_owed_and_the_new_seed_is_not_touched() -> None:
    table = paid().hand(1).lock().declare(box1=ROYAL_SPADES).confirm().sign()
    table.pay(1, 900_095)
    table.play(reversal(3, -45))
    assert table.last[1:] == (o.HouseSettled(microcents=45_000_000),)
    assert table.meter_microcents == 1_000_000_000_000
    table.play(reversal(1, 900_095, award=2))  # the royal flush was none: it comes back
    assert table.meter_microcents == 1_900_095_000_000  # on top of the seed, which stays


def test_CAN_8_a_under_a_fixed_jackpot_the_house_settles_both_ways() -> None:
    fixed = canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
    table = open_table(fixed).hand(3).lock().declare(box3=KING_HIGH_STRAIGHT_FLUSH).confirm()
    table.pay(3, 200_000)
    table.play(reversal(3, 200_000))
    assert table.last[1:] == (o.HouseSettled(microcents=-200_000_000_000),)
    assert table.meter_microcents == 2_000_000_000_000


def test_an_award_that_is_not_known_is_not_reversed() -> None:
    table = paid()
    assert table.refused(reversal(3, 1, award=2)).reason == "no_such_award"
    assert table.refused(reversal(4, 1)).reason == "no_such_award"
    assert table.refused(reversal(3, 0)).reason == "nothing_to_correct"
    speechless = replace(reversal(3, 1), why=" ")
    assert table.refused(speechless).reason == "no_reason"


def test_CAN_8_a_a_fixed_jackpot_pays_in_order_and_is_full_again_for_the_next_hand() -> None:
    fixed = canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
    table = open_table(fixed).hand(1, 2).lock()
    assert of_kind(table.events, o.Contributed) == []
    table.declare(box1=FOUR_SEVENS, box2=KING_HIGH_STRAIGHT_FLUSH).confirm()
    # 10 % of 20,000.00; then 5 % of 18,000.00
    assert [(p.box, p.cents) for p in of_kind(table.last, o.PaymentDecided)] == [
        (2, 200_000),
        (1, 90_000),
    ]
    assert of_kind(table.last, o.JackpotStarted) == [
        o.JackpotStarted(microcents=290_000_000_000, house_microcents=290_000_000_000)
    ]
    assert table.meter_microcents == 2_000_000_000_000
    table.pay(2, 200_000).pay(1, 90_000).hand(1).lock().declare(box1=ROYAL_SPADES).confirm()
    assert table.owed_cents == 2_000_000


def test_GAL_8b_the_houses_deduction_comes_first_and_each_bet_of_a_box_is_paid() -> None:
    galicia = canarias(
        bets_per_box=3,
        ace_low_in_straights=True,
        closing_hands=5,
        house_deduction_ppm=20_000,
        award_shares_ppm={
            hand: share
            for hand, share in CANARIAS.award_shares_ppm.items()
            if hand.value != "four_of_a_kind"
        },
    )
    table = open_table(galicia).hand(1, 1, 4).lock()
    nothing = f.AwardsDeclared(by="C1", hand=1, hands=(f.DeclaredHand(4, FOUR_ACES),))
    assert table.refused(nothing).reason == "no_award_for_hand"
    wheel = "5d 4d 3d 2d Ad"
    two = (f.DeclaredHand(1, wheel, 1), f.DeclaredHand(1, wheel, 2))
    table.play(f.AwardsDeclared(by="C1", hand=1, hands=two))
    table.confirm()
    # base 10,001.50, the house 200.03, rest 9,801.47; equal straight flushes: 10 % of it each
    assert [(p.bet, p.cents) for p in of_kind(table.last, o.PaymentDecided)] == [
        (1, 98_014),
        (2, 98_014),
    ]
    assert table.meter_microcents == 784_119_000_000  # 9,801.47 - 2 × 980.14
    table.play(reversed_decision())
    assert table.meter_microcents == 1_000_150_000_000
