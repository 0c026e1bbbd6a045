"""What if: the recorded facts under changed rules about amounts. Expected amounts by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from scripted import opened
from support.table import (
    FOUR_ACES,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    canarias,
)

from jackpot.audit.source import Source
from jackpot.audit.what_if import WhatIfResult, what_if
from jackpot.audit.what_if_changes import ABOUT_AMOUNTS, Changes
from jackpot.errors import Refused
from jackpot.law.policies import BrokenSlot, EqualStraightFlushes, Policies
from jackpot.law.profile import load_profile
from jackpot.law.terms import BetMode
from jackpot.table import facts as f


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
    recorded, other = result.recorded_pools_microcents, result.what_if_pools_microcents
    assert recorded["2A/jackpot"] - other["2A/jackpot"] == 60_000_000_000


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
    assert result.what_if_pools_microcents["2A/jackpot"] == 700_155_000_000


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


# ---- manual mode and the acts of the pit (``pit_story``) -------------------------------------------

RECORDED_PAID_CENTS = 61_733 + 117_471
"""Hands 1 and 2; what hand 5 was to be paid was struck out, and award 1 was taken back."""


def test_under_the_same_rules_the_pit_does_the_same(pit_ledger: Path) -> None:
    result = tried(pit_ledger, "below_royal=nothing")
    assert (result.awards, result.not_possible) == ((), ())
    assert result.what_if_pools_microcents == result.recorded_pools_microcents
    assert result.recorded_paid_cents == result.what_if_paid_cents == RECORDED_PAID_CENTS


def test_what_was_agreed_about_another_amount_nobody_knows(pit_ledger: Path) -> None:
    """Hand 1: 617.3335 in steps of 0.50 is 617.00, and nobody knows what would have come back of it.
    Hand 2: the base is 12,347.17 - 617.00 = 11,730.17, and 10 % of it in steps of 0.50 is 1,173.00."""
    result = tried(pit_ledger, "payable_unit=50")
    assert [award.what_if for award in result.awards] == [
        ((2, 1, "four_of_a_kind", 61_700),),
        ((4, 1, "straight_flush", 117_300),),
    ]
    assert [fact.fact.partition(" ")[0] for fact in result.not_possible] == ["payment_reversed"]
    assert "nobody_knows" in result.not_possible[0].why


def test_a_jackpot_moves_whole_as_it_would_have_been(pit_ledger: Path) -> None:
    """Up to the move (event by event the last day but its arrival): the meter is empty either way."""
    with Source(pit_ledger) as source:
        moved = source.rows("SELECT batch FROM event WHERE kind = 'jackpot_moved'")[0][0]
        result = what_if(source, Changes(("payable_unit=50",)), last=moved)
    assert result.recorded_pools_microcents["2A/jackpot"] == 0
    assert result.what_if_pools_microcents["2A/jackpot"] == 0


def test_a_manual_hand_without_its_award_still_has_its_total(pit_ledger: Path) -> None:
    """GAL-8b: no award for hand 1, and nothing to take back; hand 2: 10 % of 12,347.17 is 1,234.71,
    then six bets of which 0.50 each: 12,347.17 - 1,234.71 + 3.00 = 11,115.46."""
    with Source(pit_ledger) as source:
        second = source.rows("SELECT batch FROM event WHERE kind = 'total_final'")[0][0]
        result = what_if(source, Changes(profile=load_profile("galicia")), last=second)
    assert [award.what_if for award in result.awards] == [
        (),
        ((4, 1, "straight_flush", 123_471),),
    ]
    assert result.what_if_pools_microcents["2A/jackpot"] == 1_111_546_000_000


def test_a_manual_hand_whose_only_award_is_gone_awaits_its_total(tmp_path: Path) -> None:
    """CAN-8.b1: 10,000.00, no award under the other rules, three bets of which 0.50 each."""
    table = opened(tmp_path / "ledger", canarias(Policies(broken_slot=BrokenSlot.TABLE_MANUAL)))
    table.play(f.ModeChanged(by="J1", mode=BetMode.MANUAL, why="mechanism broken"))
    table.hand().declare(box1=FOUR_ACES).confirm().pay(1, 50_000)
    table.play(f.TotalEntered(by="C1", hand=1, chips=3, cents=600))
    table.play(f.TotalFinal(by="C1", hand=1, chips=3))
    result = tried(table.close(), profile="galicia")
    assert result.not_possible == ()
    assert result.awards[0].what_if == ()
    assert result.recorded_pools_microcents["2A/jackpot"] == 950_150_000_000
    assert result.what_if_pools_microcents["2A/jackpot"] == 1_000_150_000_000


def test_what_the_other_layout_sends_arrives_as_it_would_have_been(tmp_path: Path) -> None:
    """5 % of 10,000.50 in steps of 0.50: 500.00 instead of 500.02: 9,500.50 arrives at 2B."""
    table = opened(tmp_path / "ledger")
    other = replace(canarias(), layout="2B")
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=other))
    table.hand(1).lock().declare(box1=FOUR_ACES).confirm().pay(1, 50_002)
    table.close_day()
    signed: dict[str, Any] = {
        "by": "J1",
        "second": "D1",
        "authorisation": "A-1",
        "why": "2B goes on with it",
    }
    table.play(f.JackpotMoved(**signed, cents=950_048, to_table="2", to_layout="2B"))
    table.play(
        f.LayoutChanged(by="J1", second="D1", day="2026-12-01", layout="2B"),
    )
    table.play(
        f.JackpotReceived(**signed, microcents=950_048_000_000, from_table="2", from_layout="2A")
    )
    path = table.close()
    assert tried(path, "below_royal=nothing").not_possible == ()
    result = tried(path, "payable_unit=50")
    assert result.not_possible == ()
    assert result.recorded_pools_microcents["2B/jackpot"] == 950_048_000_000
    assert result.what_if_pools_microcents["2B/jackpot"] == 950_050_000_000
