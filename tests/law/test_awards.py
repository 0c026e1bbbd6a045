"""Who gets what in one hand (CAN-8.3 to CAN-8.7, CAN-8.a, and the policies where it is silent)."""

from __future__ import annotations

import pytest
from law_examples import (
    BASE_CENTS,
    CANARIAS,
    FOUR_ACES,
    FOUR_SEVENS,
    FOUR_TWOS,
    KING_HIGH,
    MICROCENTS,
    NINE_HIGH_CLUBS,
    NINE_HIGH_HEARTS,
    NINE_HIGH_SPADES,
    ROYAL_DIAMONDS,
    ROYAL_HEARTS,
    ROYAL_SPADES,
    SUITED_FIVE_HIGH,
    changed,
    decide,
    paid,
    rules_of,
    winners,
    with_policies,
)

from jackpot.errors import Refused
from jackpot.invariant import InvariantBroken
from jackpot.law.awards import decide_awards
from jackpot.law.cards import parse_card, parse_hand
from jackpot.law.hands import HandKind
from jackpot.law.policies import BelowRoyal, EqualStraightFlushes
from jackpot.law.pools import Pools, Restart
from jackpot.law.terms import AwardedHand, JackpotKind, Terms
from jackpot.law.winners import Winner

OF_REMAINDER = with_policies(CANARIAS, equal_straight_flushes=EqualStraightFlushes.OF_REMAINDER)
FROM_SEED = with_policies(CANARIAS, below_royal=BelowRoyal.FROM_SEED)
FIXED = changed(CANARIAS, kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
GALICIA_LIKE = changed(
    CANARIAS,
    bets_per_box=3,
    ace_low_in_straights=True,
    award_shares_ppm={AwardedHand.ROYAL_FLUSH: 1_000_000, AwardedHand.STRAIGHT_FLUSH: 100_000},
)


def test_CAN_8_3_four_of_a_kind_is_paid_five_percent() -> None:
    decision = decide(CANARIAS, FOUR_ACES)
    assert paid(decision) == [(1, 500_000)]
    assert rules_of(decision) == ["CAN-8.3"]
    assert decision.left_microcents == 9_500_000 * MICROCENTS
    assert decision.restart is None


def test_CAN_8_3_a_straight_flush_is_paid_ten_percent() -> None:
    assert paid(decide(CANARIAS, KING_HIGH)) == [(1, 1_000_000)]


def test_CAN_8_3_a_royal_flush_takes_all_and_the_jackpot_restarts_at_the_seed() -> None:
    decision = decide(CANARIAS, ROYAL_SPADES)
    assert paid(decision) == [(1, BASE_CENTS)]
    assert decision.restart == Restart(1_000_000 * MICROCENTS, 0, 0)
    assert decision.left_microcents == 1_000_000 * MICROCENTS


def test_CAN_8_5_the_higher_hand_is_paid_first_and_the_lower_of_what_remains() -> None:
    decision = decide(CANARIAS, FOUR_SEVENS, KING_HIGH)
    assert paid(decision) == [(2, 1_000_000), (1, 450_000)]
    assert rules_of(decision) == ["CAN-8.5", "CAN-8.5"]
    assert decision.left_microcents == 8_550_000 * MICROCENTS


def test_CAN_8_5_of_two_fours_of_a_kind_the_higher_is_paid_first() -> None:
    decision = decide(CANARIAS, FOUR_SEVENS, FOUR_ACES)
    assert paid(decision) == [(2, 500_000), (1, 475_000)]
    assert decision.left_microcents == 9_025_000 * MICROCENTS


def test_CAN_8_6_equal_straight_flushes_are_each_paid_of_the_base() -> None:
    decision = decide(CANARIAS, NINE_HIGH_HEARTS, NINE_HIGH_SPADES)
    assert paid(decision) == [(1, 1_000_000), (2, 1_000_000)]
    assert rules_of(decision) == ["CAN-8.6", "CAN-8.6"]
    assert decision.left_microcents == 8_000_000 * MICROCENTS


def test_CAN_8_6_also_under_a_higher_straight_flush() -> None:
    decision = decide(CANARIAS, NINE_HIGH_HEARTS, NINE_HIGH_SPADES, KING_HIGH)
    assert paid(decision) == [(3, 1_000_000), (1, 1_000_000), (2, 1_000_000)]
    assert rules_of(decision) == ["CAN-8.5", "CAN-8.6", "CAN-8.6"]
    assert decision.left_microcents == 7_000_000 * MICROCENTS


def test_CAN_8_6_the_policy_of_remainder_pays_equal_ones_the_same_of_what_remains() -> None:
    decision = decide(OF_REMAINDER, NINE_HIGH_HEARTS, NINE_HIGH_SPADES, KING_HIGH)
    assert paid(decision) == [(3, 1_000_000), (1, 900_000), (2, 900_000)]
    assert decision.left_microcents == 7_200_000 * MICROCENTS


def test_CAN_8_6_a_four_of_a_kind_below_gets_five_percent_of_what_they_leave() -> None:
    # 10,000 + 10,000 + 10,000 of the base; then 5 % of 70,000.00 = 3,500.00
    decision = decide(CANARIAS, NINE_HIGH_HEARTS, NINE_HIGH_SPADES, KING_HIGH, FOUR_TWOS)
    assert paid(decision)[3] == (4, 350_000)
    assert decision.left_microcents == 6_650_000 * MICROCENTS


def test_CAN_8_4_two_royal_flushes_share_the_whole() -> None:
    decision = decide(CANARIAS, ROYAL_SPADES, ROYAL_HEARTS)
    assert paid(decision) == [(1, 5_000_000), (2, 5_000_000)]
    assert rules_of(decision) == ["CAN-8.4", "CAN-8.4"]
    assert decision.left_microcents == 1_000_000 * MICROCENTS


def test_CAN_8_4_of_three_royal_flushes_the_odd_cent_stays_under_the_seed() -> None:
    decision = decide(CANARIAS, ROYAL_SPADES, ROYAL_HEARTS, ROYAL_DIAMONDS)
    assert paid(decision) == [(1, 3_333_333), (2, 3_333_333), (3, 3_333_333)]
    assert decision.left_microcents == (1_000_000 + 1) * MICROCENTS


def test_CAN_2_1_a_suited_five_high_earns_nothing() -> None:
    decision = decide(CANARIAS, SUITED_FIVE_HIGH)
    assert decision.payments == ()
    assert [(entry.kind, entry.rule) for entry in decision.unpaid] == [(HandKind.FLUSH, "CAN-2.1")]
    assert decision.left_microcents == BASE_CENTS * MICROCENTS


def test_GAL_3_a_suited_five_high_is_a_straight_flush_where_the_ace_may_be_low() -> None:
    assert paid(decide(GALICIA_LIKE, SUITED_FIVE_HIGH)) == [(1, 1_000_000)]


def test_GAL_8b_four_of_a_kind_earns_no_award_there() -> None:
    decision = decide(GALICIA_LIKE, FOUR_ACES)
    assert decision.payments == ()
    assert [entry.kind for entry in decision.unpaid] == [HandKind.FOUR_OF_A_KIND]


def test_CAN_8_3_hands_without_an_award_are_listed_and_paid_nothing() -> None:
    decision = decide(CANARIAS, "Ac Ad Ah Kc Kd", "9s 8s 7s 6s 2s")
    assert decision.payments == ()
    assert [(entry.box, entry.rule) for entry in decision.unpaid] == [
        (1, "CAN-8.3"),
        (2, "CAN-8.3"),
    ]
    assert decision.deducted_microcents == 0
    assert decision.restart is None


def test_policy_below_royal_nothing_remains_for_lower_hands() -> None:
    decision = decide(CANARIAS, ROYAL_SPADES, KING_HIGH, FOUR_TWOS)
    assert paid(decision) == [(1, BASE_CENTS)]
    assert [(entry.box, entry.rule) for entry in decision.unpaid] == [
        (2, "policy:below_royal"),
        (3, "policy:below_royal"),
    ]
    assert decision.left_microcents == 1_000_000 * MICROCENTS


def test_policy_below_royal_from_seed_pays_lower_hands_from_the_restarted_meter() -> None:
    # seed 10,000.00: straight flush 1,000.00, then four of a kind 5 % of 9,000.00 = 450.00
    decision = decide(FROM_SEED, ROYAL_SPADES, KING_HIGH, FOUR_TWOS)
    assert paid(decision) == [(1, BASE_CENTS), (2, 100_000), (3, 45_000)]
    assert decision.from_seed_microcents == 145_000 * MICROCENTS
    assert decision.left_microcents == 855_000 * MICROCENTS
    assert decision.restart == Restart(1_000_000 * MICROCENTS, 0, 0)


def test_policy_below_royal_from_seed_equal_ones_are_paid_of_the_restarted_meter() -> None:
    decision = decide(FROM_SEED, ROYAL_DIAMONDS, NINE_HIGH_HEARTS, NINE_HIGH_SPADES)
    assert paid(decision) == [(1, BASE_CENTS), (2, 100_000), (3, 100_000)]
    assert rules_of(decision) == ["CAN-8.3", "CAN-8.6", "CAN-8.6"]


def test_policy_below_royal_from_seed_where_an_own_table_of_awards_gives_the_whole_twice() -> None:
    awards = {AwardedHand.ROYAL_FLUSH: 1_000_000, AwardedHand.STRAIGHT_FLUSH: 1_000_000}
    decision = decide(changed(FROM_SEED, award_shares_ppm=awards), ROYAL_SPADES, KING_HIGH)
    assert paid(decision) == [(1, BASE_CENTS), (2, 1_000_000)]
    assert decision.from_seed_microcents == 1_000_000 * MICROCENTS
    assert decision.restart == Restart(2_000_000 * MICROCENTS, 0, 0)
    assert decision.left_microcents == 1_000_000 * MICROCENTS


def test_policy_payable_unit_cuts_down_and_the_rest_stays() -> None:
    # 5 % of 1,234.56 = 61.728; in steps of 0.50: 61.50; left 1,173.06
    terms = with_policies(CANARIAS, payable_unit_cents=50)
    decision = decide(terms, FOUR_ACES, base_cents=123_456)
    assert paid(decision) == [(1, 6_150)]
    assert decision.left_microcents == 117_306 * MICROCENTS


def test_policy_payable_unit_an_award_below_it_is_listed_and_stays() -> None:
    terms = with_policies(CANARIAS, payable_unit_cents=50)
    decision = decide(terms, FOUR_ACES, base_cents=999)
    assert decision.payments == ()
    assert [entry.rule for entry in decision.unpaid] == ["policy:payable_unit"]
    assert decision.left_microcents == 999 * MICROCENTS


def test_policy_base_of_hand_later_bets_stay_in_the_meter() -> None:
    base = BASE_CENTS * MICROCENTS
    decision = decide_awards(
        CANARIAS,
        base_microcents=base,
        pools=Pools(base + 123_456_789),
        winners=winners(ROYAL_SPADES),
    )
    assert paid(decision) == [(1, BASE_CENTS)]
    assert decision.left_microcents == 1_000_000 * MICROCENTS + 123_456_789


def test_CAN_8_3_fractions_of_a_cent_stay_in_the_meter() -> None:
    # 10 % of 100,000.001234 euros = 10,000.0001234: paid 10,000.00
    base = 10_000_000 * MICROCENTS + 123_400
    decision = decide_awards(
        CANARIAS, base_microcents=base, pools=Pools(base), winners=winners(KING_HIGH)
    )
    assert paid(decision) == [(1, 1_000_000)]
    assert decision.left_microcents == 9_000_000 * MICROCENTS + 123_400


def test_a_base_above_the_meter_breaks_an_invariant() -> None:
    with pytest.raises(InvariantBroken):
        decide_awards(CANARIAS, base_microcents=2, pools=Pools(1), winners=winners(KING_HIGH))


def test_CAN_8_a_a_fixed_jackpot_is_full_again_after_any_award() -> None:
    # 20,000.00: straight flush 2,000.00, four of a kind 5 % of 18,000.00 = 900.00
    decision = decide(FIXED, KING_HIGH, FOUR_SEVENS, base_cents=2_000_000)
    assert paid(decision) == [(1, 200_000), (2, 90_000)]
    assert decision.restart == Restart(290_000 * MICROCENTS, 0, 0)
    assert decision.left_microcents == 2_000_000 * MICROCENTS


def test_CAN_8_a_a_fixed_jackpot_is_full_again_after_a_royal_flush_with_lower_hands() -> None:
    terms = with_policies(FIXED, below_royal=BelowRoyal.FROM_SEED)
    decision = decide(terms, ROYAL_SPADES, KING_HIGH, base_cents=2_000_000)
    assert paid(decision) == [(1, 2_000_000), (2, 200_000)]
    assert decision.from_seed_microcents == 200_000 * MICROCENTS
    assert decision.restart == Restart(2_200_000 * MICROCENTS, 0, 0)
    assert decision.left_microcents == 2_000_000 * MICROCENTS


def test_GAL_8b_the_house_deduction_comes_first() -> None:
    # 2 % of 100,000.00 = 2,000.00; 10 % of 98,000.00 = 9,800.00; left 88,200.00
    terms = changed(GALICIA_LIKE, house_deduction_ppm=20_000)
    decision = decide(terms, KING_HIGH)
    assert decision.house_microcents == 200_000 * MICROCENTS
    assert paid(decision) == [(1, 980_000)]
    assert decision.left_microcents == 8_820_000 * MICROCENTS


def test_GAL_8b_without_an_award_the_house_takes_nothing() -> None:
    terms = changed(GALICIA_LIKE, house_deduction_ppm=20_000)
    decision = decide(terms, FOUR_ACES)
    assert decision.house_microcents == 0
    assert decision.left_microcents == BASE_CENTS * MICROCENTS


def test_GAL_8b_the_house_takes_whole_cents_only() -> None:
    # 2 % of 0.99 = 0.0198: 0.01 for the house
    terms = changed(GALICIA_LIKE, house_deduction_ppm=20_000)
    decision = decide(terms, ROYAL_SPADES, base_cents=99)
    assert decision.house_microcents == 1 * MICROCENTS
    assert paid(decision) == [(1, 98)]


def test_GAL_8b_equal_straight_flushes_are_paid_of_what_the_house_left() -> None:
    # 2 % of 100,000.00 = 2,000.00; 10 % of 98,000.00 = 9,800.00 each; left 78,400.00
    terms = changed(GALICIA_LIKE, house_deduction_ppm=20_000)
    decision = decide(terms, NINE_HIGH_HEARTS, NINE_HIGH_SPADES)
    assert paid(decision) == [(1, 980_000), (2, 980_000)]
    assert decision.left_microcents == 7_840_000 * MICROCENTS


def test_CAN_8_a_a_fixed_jackpot_is_filled_up_for_the_house_deduction_too() -> None:
    # 2 % of 0.60 = 0.012: 0.01 for the house; 10 % of 0.59 is below the payable unit of 0.50
    terms = with_policies(
        changed(FIXED, seed_cents=60, house_deduction_ppm=20_000), payable_unit_cents=50
    )
    decision = decide(terms, KING_HIGH, base_cents=60)
    assert decision.payments == ()
    assert decision.house_microcents == 1 * MICROCENTS
    assert decision.restart == Restart(1 * MICROCENTS, 0, 0)
    assert decision.left_microcents == 60 * MICROCENTS


def bets_on(hand: str, box: int, bets: int) -> list[Winner]:
    return [Winner(box, parse_hand(hand), bet) for bet in range(1, bets + 1)]


def test_GAL_5_three_bets_in_a_box_are_three_winners() -> None:
    decision = decide_awards(
        GALICIA_LIKE,
        base_microcents=BASE_CENTS * MICROCENTS,
        pools=Pools(BASE_CENTS * MICROCENTS),
        winners=bets_on(ROYAL_SPADES, box=4, bets=3),
    )
    assert [(entry.box, entry.bet, entry.cents) for entry in decision.payments] == [
        (4, 1, 3_333_333),
        (4, 2, 3_333_333),
        (4, 3, 3_333_333),
    ]


def test_GAL_5_twelve_equal_straight_flushes_share_all_there_is_and_no_more() -> None:
    # four suits x three bets x 10 % would be 120 % of the base: 100,000.00 / 12 = 8,333.33
    hands = (NINE_HIGH_HEARTS, NINE_HIGH_SPADES, NINE_HIGH_CLUBS, "9d 8d 7d 6d 5d")
    entries = [bet for box, hand in enumerate(hands, 1) for bet in bets_on(hand, box, 3)]
    base = BASE_CENTS * MICROCENTS
    decision = decide_awards(GALICIA_LIKE, base_microcents=base, pools=Pools(base), winners=entries)
    assert [entry.cents for entry in decision.payments] == [833_333] * 12
    assert decision.left_microcents == 4 * MICROCENTS


def test_two_bets_on_one_four_of_a_kind_are_each_paid_of_what_the_higher_hand_left() -> None:
    # 10,000.00; then 5 % of 90,000.00 = 4,500.00 for each of the two bets; left 81,000.00
    base = BASE_CENTS * MICROCENTS
    decision = decide_awards(
        changed(CANARIAS, bets_per_box=3),
        base_microcents=base,
        pools=Pools(base),
        winners=[Winner(1, parse_hand(KING_HIGH)), *bets_on(FOUR_SEVENS, box=2, bets=2)],
    )
    assert [entry.cents for entry in decision.payments] == [1_000_000, 450_000, 450_000]
    assert decision.left_microcents == 8_100_000 * MICROCENTS


def test_CAN_8_6_equal_hands_are_paid_box_by_box_however_they_were_entered() -> None:
    base = BASE_CENTS * MICROCENTS
    entries = [Winner(5, parse_hand(NINE_HIGH_SPADES)), Winner(2, parse_hand(NINE_HIGH_HEARTS))]
    decision = decide_awards(CANARIAS, base_microcents=base, pools=Pools(base), winners=entries)
    assert [entry.box for entry in decision.payments] == [2, 5]


def test_CAN_8_6_seven_straight_flushes_take_seventy_percent_the_most_there_can_be() -> None:
    queen_high = [f"Q{suit} J{suit} T{suit} 9{suit} 8{suit}" for suit in "cdhs"]
    seven_high = [f"7{suit} 6{suit} 5{suit} 4{suit} 3{suit}" for suit in "cdh"]
    decision = decide(CANARIAS, *queen_high, *seven_high)
    assert paid(decision) == [(box, 1_000_000) for box in range(1, 8)]
    assert decision.left_microcents == 3_000_000 * MICROCENTS


def test_config_change_at_restart_the_new_seed_is_used() -> None:
    base = BASE_CENTS * MICROCENTS
    decision = decide_awards(
        CANARIAS,
        base_microcents=base,
        pools=Pools(base),
        winners=winners(ROYAL_SPADES),
        restart_terms=changed(CANARIAS, seed_cents=1_500_000),
    )
    assert decision.left_microcents == 1_500_000 * MICROCENTS


@pytest.mark.parametrize(
    ("terms", "entries", "reason", "rule"),
    [
        (CANARIAS, [Winner(0, parse_hand(KING_HIGH))], "box_out_of_range", "CAN-2.2"),
        (CANARIAS, [Winner(8, parse_hand(KING_HIGH))], "box_out_of_range", "CAN-2.2"),
        (CANARIAS, [Winner(1, parse_hand(KING_HIGH), 2)], "bet_out_of_range", "CAN-8.1"),
        (
            CANARIAS,
            [Winner(1, (*parse_hand(KING_HIGH), parse_card("8d")))],
            "not_five_cards",
            "CAN-8.2",
        ),
        (CANARIAS, [Winner(1, (parse_card("8d"),) * 5)], "card_twice", "CAN-2.1"),
        (
            CANARIAS,
            [Winner(1, parse_hand(KING_HIGH)), Winner(1, parse_hand(FOUR_TWOS))],
            "box_twice",
            "CAN-8.1",
        ),
        (
            GALICIA_LIKE,
            [Winner(1, parse_hand(KING_HIGH), 1), Winner(1, parse_hand(NINE_HIGH_CLUBS), 2)],
            "box_with_two_hands",
            "CAN-8.2",
        ),
        (
            CANARIAS,
            [Winner(1, parse_hand(KING_HIGH)), Winner(2, parse_hand(ROYAL_DIAMONDS))],
            "card_twice",
            "CAN-2.1",
        ),
    ],
)
def test_hands_that_cannot_be_are_refused_with_reason_and_rule(
    terms: Terms, entries: list[Winner], reason: str, rule: str
) -> None:
    with pytest.raises(Refused) as refusal:
        decide_awards(terms, base_microcents=MICROCENTS, pools=Pools(MICROCENTS), winners=entries)
    assert (refusal.value.reason, refusal.value.rule) == (reason, rule)
