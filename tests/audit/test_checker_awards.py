"""The checker's own arithmetic against the worked examples of docs/rules.md (base 100,000.00 €)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import msgspec
import pytest
from support.table import CANARIAS

from jackpot.audit.checker.awards import Declared, decide
from jackpot.audit.checker.cards import RANKS, awarded
from jackpot.audit.checker.pools import contribution, reversal, start
from jackpot.audit.checker.terms import Terms

BASE = 10_000_000_000_000
EMPTY = {"jackpot": 0, "overflow": 0, "reserve": 0}
FOUR_ACES, FOUR_SEVENS = "As Ah Ad Ac 3h", "7h 7s 7d 7c 2h"
KING_HIGH = "Kd Qd Jd Td 9d"
NINE_CLUBS, NINE_HEARTS = "9c 8c 7c 6c 5c", "9h 8h 7h 6h 5h"
ROYALS = ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "Ac Kc Qc Jc Tc")


def terms(policies: dict[str, Any] | None = None, **changes: Any) -> Terms:
    raw = msgspec.to_builtins(CANARIAS)
    return msgspec.convert(
        {**raw, **changes, "policies": {**raw["policies"], **(policies or {})}}, Terms
    )


def paid(force: Terms, *cards: str) -> tuple[list[int], int]:
    """The payments in order, and what is left of the meter before any restart, in cents."""
    declared = [Declared(box, 1, text) for box, text in enumerate(cards, 1)]
    decision = decide(force, force, BASE, {**EMPTY, "jackpot": BASE}, declared)
    payments = [payment.cents for payment in decision.payments]
    return payments, (BASE - decision.from_base - decision.house) // 1_000_000


@pytest.mark.parametrize(
    ("cards", "payments", "left"),
    [
        ((FOUR_ACES,), [500_000], 9_500_000),
        ((FOUR_SEVENS, KING_HIGH), [1_000_000, 450_000], 8_550_000),
        ((FOUR_SEVENS, FOUR_ACES), [500_000, 475_000], 9_025_000),
        ((NINE_CLUBS, NINE_HEARTS), [1_000_000, 1_000_000], 8_000_000),
        ((NINE_CLUBS, KING_HIGH, NINE_HEARTS), [1_000_000] * 3, 7_000_000),
        (ROYALS[:2], [5_000_000, 5_000_000], 0),
        (("5d 4d 3d 2d Ad",), [], 10_000_000),
        (ROYALS, [3_333_333, 3_333_333, 3_333_333], 1),
    ],
)
def test_CAN_8_the_worked_examples(cards: tuple[str, ...], payments: list[int], left: int) -> None:
    assert paid(terms(), *cards) == (payments, left)


def test_policy_equal_straight_flushes_of_remainder() -> None:
    force = terms({"equal_straight_flushes": "of_remainder"})
    assert paid(force, NINE_CLUBS, KING_HIGH, NINE_HEARTS) == (
        [1_000_000, 900_000, 900_000],
        7_200_000,
    )


def test_policy_below_royal_from_seed() -> None:
    """The four sevens are paid 5 % of the new 10,000.00."""
    force = terms({"below_royal": "from_seed"})
    declared = [Declared(1, 1, ROYALS[0]), Declared(2, 1, FOUR_SEVENS)]
    decision = decide(force, force, BASE, {**EMPTY, "jackpot": BASE}, declared)
    assert [payment.cents for payment in decision.payments] == [10_000_000, 50_000]
    assert decision.from_seed == 50_000_000_000
    assert decision.restart == (1_000_000_000_000, 0, 0)


def test_policy_payable_unit_cuts_down() -> None:
    """5 % of 100,000.00 less 10,000.00 is 4,500.00; a unit of 70.00 pays 4,480.00 and 9,940.00."""
    force = terms({"payable_unit_cents": 7_000})
    assert paid(force, KING_HIGH, FOUR_ACES) == ([994_000, 448_000], 8_558_000)


def test_GAL_8b_the_house_deduction_comes_first() -> None:
    """10 % for the house; then 10 % of 90,000.00."""
    assert paid(terms(house_deduction_ppm=100_000), KING_HIGH) == ([900_000], 8_100_000)


def test_CAN_8_a_a_fixed_jackpot_is_filled_up_to_its_amount() -> None:
    force = terms(kind="fixed", seed_cents=10_000_000, jackpot_ppm=0)
    declared = [Declared(1, 1, FOUR_ACES)]
    decision = decide(force, force, BASE, {**EMPTY, "jackpot": BASE}, declared)
    assert decision.restart == (500_000_000_000, 0, 0)


def test_a_ceiling_sends_the_rest_to_the_overflow() -> None:
    force = terms(ceiling_cents=10_000_000)
    pools = {**EMPTY, "jackpot": BASE - 20_000_000}
    assert contribution(force, pools, 200) == (("jackpot", 20_000_000), ("overflow", 30_000_000))
    assert start(force, {**EMPTY, "overflow": 9_500_000_000_000}) == (
        1_000_000_000_000,
        0,
        9_000_000_000_000,
    )


def test_CAN_10_1_a_bet_that_made_others_spill_takes_their_spill_back_first() -> None:
    pools = {"jackpot": 100, "overflow": 25, "reserve": 0}
    assert reversal(pools, [("jackpot", 50)], [("jackpot", 25), ("overflow", 25)]) == (
        ("jackpot", 25),
        ("overflow", 25),
    )


def test_CAN_2_1_and_GAL_3_every_suited_hand() -> None:
    """1,287 hands of a suit: one royal, eight straight flushes, with the low ace nine."""
    hands = [" ".join(rank + "s" for rank in ranks) for ranks in combinations(RANKS[2:], 5)]
    assert len(hands) == 1_287
    for ace_low, straight_flushes in ((False, 8), (True, 9)):
        kinds = [worth[0] for hand in hands if (worth := awarded(hand, ace_low))]
        assert sorted(kinds) == ["royal_flush", *["straight_flush"] * straight_flushes]


def test_CAN_8_3_every_four_of_a_kind() -> None:
    """13 ranks with 48 fifth cards: 624 hands, each of another value by its four and its fifth."""
    values = set()
    for rank in RANKS[2:]:
        four = " ".join(rank + suit for suit in "shdc")
        for fifth in RANKS[2:].replace(rank, ""):
            worth = awarded(f"{four} {fifth}d", ace_low=False)
            assert worth is not None
            assert worth[0] == "four_of_a_kind"
            values.add(worth[1])
    assert len(values) == 13 * 12
    assert max(values) == (1, 14, 13)


@pytest.mark.parametrize("text", ["8h 8s 8d 3c 3h", "As Ks Qs Js 9s", "As Kh Qs Js Ts"])
def test_lower_hands_earn_nothing(text: str) -> None:
    assert awarded(text, ace_low=True) is None


@pytest.mark.parametrize("text", ["As As Qs Js Ts", "As Ks", "1s Ks Qs Js Ts", "Ax Ks Qs Js Ts"])
def test_cards_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        awarded(text, ace_low=False)
