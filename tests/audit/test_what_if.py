"""What if: the recorded facts under changed rules about amounts. Expected amounts by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted import opened
from support.table import (
    FOUR_ACES,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    canarias,
)

from jackpot.audit.source import Source
from jackpot.audit.what_if import ABOUT_AMOUNTS, Changes, WhatIfResult, what_if
from jackpot.errors import Refused
from jackpot.law.policies import EqualStraightFlushes, Policies
from jackpot.law.profile import load_profile


def tried(path: Path, *policies: str, profile: str | None = None) -> WhatIfResult:
    changes = Changes(policies, None if profile is None else load_profile(profile))
    with Source(path) as source:
        return what_if(source, changes)


def test_the_rules_that_applied_change_nothing(story: Path) -> None:
    result = tried(story, "base_of_hand=at_lock", "below_royal=nothing")
    assert (result.awards, result.not_possible) == ((), ())
    assert result.what_if_pools_microcents == result.recorded_pools_microcents
    assert (result.recorded_paid_cents, result.what_if_paid_cents) == (1_000_550, 1_000_550)


def test_lower_hands_paid_from_the_seed(story: Path) -> None:
    """CAN-8.3: hand 6 had a royal flush and four sevens; 5 % of the new seed of 12,000.00."""
    result = tried(story, "below_royal=from_seed")
    assert len(result.awards) == 1
    award = result.awards[0]
    assert (award.hand, award.batch) == (6, 68)
    assert award.recorded == ((1, 1, "royal_flush", 684_452),)
    assert award.what_if == (*award.recorded, (3, 1, "four_of_a_kind", 60_000))
    assert result.what_if_paid_cents - result.recorded_paid_cents == 60_000
    lost = result.recorded_pools_microcents["jackpot"] - result.what_if_pools_microcents["jackpot"]
    assert lost == 60_000_000_000


def test_another_payable_unit_cuts_off_more_and_the_rest_stays(tmp_path: Path) -> None:
    """5 % of 10,000.50 is 500.025: paid 500.02, or 500.00 in steps of 0.50."""
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().declare(box1=FOUR_ACES).confirm().pay(1, 50_002)
    result = tried(table.close(), "payable_unit=50")
    assert result.awards[0].recorded == ((1, 1, "four_of_a_kind", 50_002),)
    assert result.awards[0].what_if == ((1, 1, "four_of_a_kind", 50_000),)
    assert result.not_possible == ()


def test_a_profile_without_the_award_ends_the_hand_without_it(tmp_path: Path) -> None:
    """GAL-8b: four of a kind earns nothing; the straight flush of the next hand is 10 %."""
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().declare(box1=FOUR_ACES).confirm().pay(1, 50_002)
    table.hand(2).lock().declare(box2=NINE_HIGH_STRAIGHT_FLUSH_CLUBS).confirm()
    table.pay(2, 95_009)  # 10 % of 9,500.98
    result = tried(table.close(), profile="galicia")
    assert [award.hand for award in result.awards] == [1, 2]
    assert result.awards[0].what_if == ()
    assert result.awards[1].what_if == ((2, 1, "straight_flush", 100_010),)  # 10 % of 10,001.00
    assert result.not_possible == ()


def test_an_amount_that_needs_another_signature_is_taken_as_signed(tmp_path: Path) -> None:
    """CAN-8.6 on a base of 10,001.50: 1,000.15 each of the three is 3,000.45, above the threshold
    of 3,000.00; of the remainder the equal two are paid 10 % of 9,001.35, 2,800.41 in all."""
    policies = Policies(equal_straight_flushes=EqualStraightFlushes.OF_REMAINDER)
    table = opened(tmp_path / "ledger", canarias(policies))
    table.hand(1, 2, 3).lock().declare(
        box1=KING_HIGH_STRAIGHT_FLUSH,
        box2=NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
        box3=NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    )
    table.confirm().pay(1, 100_015).pay(2, 90_013).pay(3, 90_013)
    table.hand(1).lock().no_awards()
    result = tried(table.close(), "equal_straight_flushes=of_base")
    assert result.not_possible == ()
    assert [payment[3] for payment in result.awards[0].what_if] == [100_015, 100_015, 100_015]
    assert (result.recorded_paid_cents, result.what_if_paid_cents) == (280_041, 300_045)
    assert result.what_if_pools_microcents["jackpot"] == 700_155_000_000


@pytest.mark.parametrize("policy", ["void_bets=carry", "extra_chip=next_hand", "link_lost=queue"])
def test_rules_about_people_are_not_tried(story: Path, policy: str) -> None:
    with pytest.raises(Refused, match="policy_about_people"):
        tried(story, policy)


def test_an_unknown_policy_or_value_is_refused(story: Path) -> None:
    with pytest.raises(Refused, match="unknown_policy"):
        tried(story, "weather=fine")
    with pytest.raises(Refused, match="unknown_policy_value"):
        tried(story, "below_royal=perhaps")
    assert "below_royal" in ABOUT_AMOUNTS


def test_a_profile_without_awards_is_refused(story: Path) -> None:
    with pytest.raises(Refused, match="profile_without_awards"):
        tried(story, profile="castilla-y-leon")
