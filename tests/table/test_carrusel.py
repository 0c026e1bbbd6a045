"""One table in a carrusel (CAN-9): joining, locking on a view, claims, decisions, leaving.

Table 2 starts at 10,000.00 = 1,000,000,000,000 micro-cents. A bet adds 50 cents = 50,000,000.
"""

from __future__ import annotations

import pytest
from support.carrusel import Member, award, open_member, paid
from support.table import (
    FOUR_SEVENS,
    ONE_BET_MICROCENTS,
    ROYAL_SPADES,
    canarias,
    of_kind,
    open_table,
)

from jackpot.law.policies import BaseOfHand, LinkLost, ManualTotal, Policies, SeedSource
from jackpot.law.terms import AwardedHand, BetMode, JackpotKind
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_state import MemberStage, View
from jackpot.table.state import Phase, accepting_boxes, conserved

SEED = 1_000_000_000_000
TOTAL = 3_000_000_000_000
"""What three tables hold: 30,000.00."""

FOUR = AwardedHand.FOUR_OF_A_KIND
ROYAL = AwardedHand.ROYAL_FLUSH


def share(table: str, base: int, deducted: int, **more: int) -> f.CarruselShare:
    return f.CarruselShare(
        table=table,
        view_microcents=base,
        base_microcents=base,
        deducted_microcents=deducted,
        **more,
    )


def claimed(cards: str = FOUR_SEVENS) -> Member:
    """Hand 1, locked on a total of 30,000.00; box 3 is declared and confirmed."""
    table = open_member()
    table.hand(3)
    table.lock_on(TOTAL).declare(box3=cards).confirm()
    return table


# ---- joining -------------------------------------------------------------------------------------


def test_CAN_9_two_officers_ask_to_join_and_no_hand_starts_before_the_answer() -> None:
    table = Member()
    table.start().open()
    table.ask()
    assert table.membership.stage is MemberStage.JOINING
    assert table.membership.offered_microcents == SEED
    assert table.membership.incarnation == 1
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "carrusel_joining"
    table.answered(position=7, decision=4)
    member = table.membership
    assert (member.stage, member.position, member.decision) == (MemberStage.MEMBER, 7, 4)
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "carrusel_not_heard"
    table.heard().hand(1)
    assert table.phase() is Phase.BETTING


def test_CAN_9_the_join_itself_tells_nothing_and_what_follows_is_counted_from_one() -> None:
    table = open_member()
    assert table.membership.operation == 0
    table.hand(1)
    assert table.told() == o.CarruselOperation(
        operation=1, stage=o.Stage.MOVED, microcents=50_000_000, hand=0
    )
    table.chip(2)
    told = table.told()
    assert told is not None
    assert told.operation == 2


def test_an_entry_before_the_answer_is_an_operation_of_the_new_incarnation() -> None:
    table = Member()
    table.start().open()
    table.ask()
    table.play(f.SeedRaised(by="J1", second="D1", why="bonus", cents=100, authorisation="A"))
    told = table.told()
    assert told is not None
    assert (told.operation, told.microcents) == (1, 100_000_000)
    assert table.membership.offered_microcents == SEED


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (
            canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000),
            "jackpot_is_fixed",
        ),
        (canarias(Policies(base_of_hand=BaseOfHand.AT_PAYMENT)), "base_not_at_lock"),
    ],
)
def test_CAN_9_a_table_that_cannot_share_its_prize_is_refused(terms: object, reason: str) -> None:
    table = Member(terms)  # type: ignore[arg-type]
    table.start().open()
    ask = f.CarruselJoinAsked(by="J1", second="D1", carrusel="norte", authorisation="A")
    assert table.refused(ask).reason == reason


def test_a_refused_join_leaves_the_table_alone() -> None:
    table = Member()
    table.start().open()
    table.ask()
    table.play(f.CarruselJoinRefused(carrusel="norte", incarnation=1, why="bet_cents: 200, 500"))
    assert table.state.carrusel is None
    table.hand(1)
    assert table.told() is None
    table.lock().no_awards()
    assert table.ask().membership.incarnation == 2


def test_a_restored_box_books_what_the_carrusel_knows_better() -> None:
    table = open_member()
    table.hand(1)
    table.play(f.CarruselStopped(carrusel="norte", why="operation 1 is known with another hash"))
    table.play(f.HandVoided(by="C1", second="J1", hand=1, why="stopped"))
    assert table.told() is None
    assert table.refused(f.HandStarted(by="C1", hand=2)).reason == "carrusel_stopped"
    table.ask()
    assert table.membership.incarnation == 2
    table.answered(position=50, decision=3, meter=SEED + 70_000_000)
    assert of_kind(table.last, o.AmountAdjusted) == [o.AmountAdjusted(microcents=70_000_000)]
    assert table.told() is None
    assert table.meter_microcents == SEED + 70_000_000
    assert table.membership.decision == 3


def test_a_stopped_box_takes_no_chip_even_in_a_running_hand() -> None:
    table = open_member()
    table.hand(1)
    table.play(f.CarruselStopped(carrusel="norte", incarnation=1, why="two boxes"))
    assert accepting_boxes(table.state) == ()


def test_a_restored_box_that_is_refused_stays_stopped() -> None:
    table = open_member()
    table.play(f.CarruselStopped(carrusel="norte", why="two boxes"))
    table.ask()
    table.play(f.CarruselJoinRefused(carrusel="norte", incarnation=2, why="not now"))
    assert table.membership.stage is MemberStage.STOPPED
    assert table.membership.why == "two boxes"


def test_a_copy_from_before_its_join_is_stopped_too() -> None:
    table = Member()
    table.start().open()
    table.play(f.CarruselStopped(carrusel="norte", why="known under incarnation 1"))
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "carrusel_stopped"


# ---- the lock ------------------------------------------------------------------------------------


def test_CAN_9_a_hand_is_locked_on_the_total_that_the_visor_showed() -> None:
    table = open_member()
    table.hand(3)
    table.lock_on(TOTAL, position=20)
    assert of_kind(table.last, o.HandLocked) == [
        o.HandLocked(meter_microcents=TOTAL, bets_cents=200)
    ]
    assert table.told() == o.CarruselOperation(
        operation=2, stage=o.Stage.LOCKED, microcents=0, hand=1
    )
    assert table.state.hand is not None
    assert table.state.hand.view == View(20, 0, TOTAL)


def test_without_a_view_the_hand_stays_at_the_barrier() -> None:
    table = open_member()
    table.hand(3)
    table.lock()
    assert table.phase() is Phase.LOCKING
    table.play(
        f.CarruselViewed(position=20, decision=0, total_microcents=TOTAL),
        f.LockReached(unknown_boxes=()),
    )
    assert table.phase() is Phase.LOCKED


def test_CAN_8_b1_in_a_carrusel_the_lock_key_is_required_in_manual_mode() -> None:
    table = open_member(canarias(mode=BetMode.MANUAL))
    table.hand()
    hands = (f.DeclaredHand(3, FOUR_SEVENS),)
    assert table.refused(f.AwardsDeclared(by="C1", hand=1, hands=hands)).reason == "wrong_phase"
    assert table.refused(f.LockPressed(by="C1", hand=1)).reason == "carrusel_not_heard"
    table.play(
        f.CarruselViewed(position=20, decision=0, total_microcents=TOTAL),
        f.LockPressed(by="C1", hand=1),
    )
    assert table.phase() is Phase.LOCKED
    told = table.told()
    assert told is not None
    assert told.stage is o.Stage.LOCKED


def test_a_total_before_the_awards_needs_the_lock_as_well() -> None:
    policies = Policies(manual_total=ManualTotal.BEFORE_AWARDS)
    table = open_member(canarias(policies, mode=BetMode.MANUAL))
    table.hand()
    total = f.TotalEntered(by="C1", hand=1, chips=2, cents=400)
    assert table.refused(total).reason == "wrong_phase"


# ---- the link ------------------------------------------------------------------------------------


def test_link_lost_stop_bets_closes_every_slot_and_starts_no_hand() -> None:
    table = open_member()
    table.hand(1)
    table.play(f.CarruselLinkLost())
    assert accepting_boxes(table.state) == ()
    table.lock_on(TOTAL).no_awards()
    assert table.refused(f.HandStarted(by="C1", hand=2)).reason == "carrusel_link_lost"
    table.heard().hand()
    assert accepting_boxes(table.state) == (1, 2, 3, 4, 5, 6, 7)


def test_link_lost_queue_goes_on_with_what_was_heard() -> None:
    table = open_member(canarias(Policies(link_lost=LinkLost.QUEUE)))
    table.play(f.CarruselLinkLost())
    table.hand(1)
    assert 2 in accepting_boxes(table.state)
    table.lock_on(TOTAL).no_awards()
    table.play(f.ControllerStarted(version="test", clean=False))
    for box in range(1, 8):
        table.play(f.SlotUp(box=box))
    assert table.refused(f.HandStarted(by="C1", hand=2)).reason == "carrusel_not_heard"


# ---- claims and decisions ------------------------------------------------------------------------


def test_CAN_9_a_confirmed_award_waits_for_the_carrusel() -> None:
    table = claimed()
    assert table.phase() is Phase.PENDING
    assert of_kind(table.last, o.AwardsClaimed) == [
        o.AwardsClaimed(award=1, hand=1, view_position=20, hands=(f.DeclaredHand(3, FOUR_SEVENS),))
    ]
    told = table.told()
    assert told is not None
    assert (told.stage, told.microcents, told.hand) == (o.Stage.CLAIMED, 0, 1)
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS


def test_CAN_8_3_the_claiming_table_pays_what_was_decided_and_gives_its_share() -> None:
    """5 % of 30,000.00 = 1,500.00; the three tables hold the same and bear 500.00 each."""
    table = claimed()
    third = 50_000_000_000
    table.decided(
        share("1", SEED, third),
        share("2", SEED, third),
        share("3", SEED, third),
        payments=(paid(3, FOUR, 150_000),),
    )
    assert table.phase() is Phase.PAYABLE
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS - third
    assert table.told() is None
    table.pay(3, 150_000)
    assert table.phase() is Phase.BETWEEN_HANDS
    told = table.told()
    assert told is not None
    assert (told.stage, told.hand) == (o.Stage.ENDED, 1)
    assert table.state.day is not None
    assert table.state.day.paid_cents == 150_000


def test_CAN_9_a_table_that_did_not_win_gives_its_share_in_any_phase() -> None:
    table = open_member()
    table.hand(5)
    table.decided(share("1", SEED, 7), share("2", SEED, 11), table="1", hand=40)
    assert of_kind(table.last, o.CarruselDeducted) == [
        o.CarruselDeducted(decision=1, microcents=11)
    ]
    assert table.phase() is Phase.BETTING
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS - 11
    assert table.told() is None
    assert conserved(table.state)


def test_CAN_8_b_another_tables_royal_flush_restarts_this_one_at_its_own_seed() -> None:
    table = open_member()
    table.hand(5)
    table.decided(
        share("1", SEED, SEED, seed_microcents=SEED),
        share("2", SEED, SEED, seed_microcents=SEED),
        table="1",
        hand=40,
        restart=True,
    )
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS
    assert table.state.jackpots == 2
    assert table.told() is None


def test_an_overflow_that_is_poured_into_the_restarted_meter_is_told() -> None:
    """Ceiling 10,000.20: of the bet's 50 cents 20 stay on the meter and 30 wait in the overflow."""
    table = open_member(canarias(ceiling_cents=1_000_020))
    table.hand(5)
    assert table.state.pools.overflow_microcents == 30_000_000
    table.decided(
        share("2", SEED + 20_000_000, SEED + 20_000_000, seed_microcents=SEED),
        table="1",
        hand=40,
        restart=True,
    )
    assert table.meter_microcents == SEED + 20_000_000
    told = table.told()
    assert told is not None
    assert (told.stage, told.microcents) == (o.Stage.MOVED, 20_000_000)
    assert conserved(table.state)


def test_CAN_8_b_a_royal_flush_here_restarts_the_meter_and_leaves_later_bets() -> None:
    table = claimed(ROYAL_SPADES)
    table.decided(
        share("1", SEED, SEED, seed_microcents=SEED),
        share("2", SEED, SEED, seed_microcents=SEED),
        payments=(paid(3, ROYAL, 2_000_000),),
        restart=True,
    )
    assert table.phase() is Phase.DECIDED
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS
    table.sign().pay(3, 2_000_000)
    assert table.phase() is Phase.BETWEEN_HANDS


def test_another_tables_restart_while_an_award_waits_for_its_payment_is_no_seed_of_that_award() -> (
    None
):
    table = claimed()
    table.decided(share("2", SEED, 50_000_000_000), payments=(paid(3, FOUR, 5_000_000),))
    assert table.state.hand is not None
    mine = table.state.hand.decided
    table.decided(
        share("2", SEED, 900_000_000_000, seed_microcents=SEED),
        decision=2,
        table="1",
        hand=9,
        restart=True,
    )
    assert table.state.hand is not None
    assert table.state.hand.decided == mine
    assert table.phase() is Phase.DECIDED


def test_what_the_meter_lacks_the_house_bears_and_the_carrusel_is_told() -> None:
    """The decision takes the bet along; the hand was voided here while it was on its way."""
    table = open_member()
    table.hand(5)
    table.play(f.HandVoided(by="C1", second="J1", hand=1, why="misdeal"))
    table.decided(
        share("2", SEED + ONE_BET_MICROCENTS, SEED + ONE_BET_MICROCENTS), table="1", hand=40
    )
    assert of_kind(table.last, o.ShortfallBorne) == [
        o.ShortfallBorne(decision=1, microcents=ONE_BET_MICROCENTS)
    ]
    assert table.meter_microcents == 0
    told = table.told()
    assert told is not None
    assert told.microcents == ONE_BET_MICROCENTS
    assert conserved(table.state)


def test_only_the_next_decision_is_applied() -> None:
    table = open_member()
    table.decided(share("2", SEED, 11), decision=2, table="1")
    table.decided(share("2", SEED, 11), decision=1, table="1")
    table.decided(share("2", SEED, 11), decision=1, table="1")
    assert table.meter_microcents == SEED - 11
    assert table.membership.decision == 1


def test_a_decision_that_does_not_touch_this_table_is_counted_all_the_same() -> None:
    table = open_member()
    table.decided(share("1", SEED, 11), table="1")
    assert table.membership.decision == 1
    assert table.meter_microcents == SEED


def test_a_claim_that_is_paid_nothing_ends_the_hand() -> None:
    table = claimed()
    table.decided(share("2", 0, 0))
    assert table.phase() is Phase.BETWEEN_HANDS
    told = table.told()
    assert told is not None
    assert told.stage is o.Stage.ENDED


# ---- taken back ----------------------------------------------------------------------------------

WITHDRAWAL = f.ClaimWithdrawn(by="J1", second="D1", hand=1, why="wrong box")


def test_a_claim_taken_back_in_time_is_declared_anew() -> None:
    table = claimed()
    table.play(WITHDRAWAL)
    told = table.told()
    assert told is not None
    assert told.stage is o.Stage.WITHDRAWN
    assert table.phase() is Phase.PENDING
    assert table.refused(WITHDRAWAL).reason == "already_asked"
    table.play(f.CarruselClaimFreed(hand=1))
    assert table.phase() is Phase.LOCKED
    table.declare(box3=FOUR_SEVENS).confirm()
    assert of_kind(table.last, o.AwardsClaimed)[0].award == 2


def test_a_claim_taken_back_too_late_is_decided() -> None:
    table = claimed()
    table.play(WITHDRAWAL)
    table.decided(share("2", SEED, 50_000_000_000), payments=(paid(3, FOUR, 50_000),))
    assert table.phase() is Phase.PAYABLE
    table.play(f.CarruselClaimFreed(hand=1))
    assert table.phase() is Phase.PAYABLE


def test_CAN_8_7_a_decision_taken_back_returns_every_share_and_seed() -> None:
    table = claimed(ROYAL_SPADES)
    shares = (
        share("1", SEED, SEED, seed_microcents=SEED),
        share("2", SEED, SEED, seed_microcents=SEED),
    )
    table.decided(*shares, payments=(paid(3, ROYAL, 2_000_000),), restart=True)
    assert table.state.jackpots == 2
    table.play(f.DecisionReversed(by="J1", second="D1", hand=1, award=1, why="hidden card"))
    told = table.told()
    assert told is not None
    assert (told.stage, told.microcents) == (o.Stage.REVERSAL, 0)
    assert table.phase() is Phase.PENDING
    table.undone(*shares, decision=2, undoes=1, restart=True)
    assert table.phase() is Phase.LOCKED
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS
    assert table.state.jackpots == 1
    assert table.told() is None
    assert conserved(table.state)


def test_another_table_gets_its_share_back_and_the_reserve_its_seed() -> None:
    """The reserve held 20 cents when it paid them to the seed; they go back to it."""
    policies = Policies(seed_source=SeedSource.RESERVE)
    table = open_member(canarias(policies, reserve_ppm=100_000))
    table.hand(5)
    shares = (share("2", SEED, SEED, seed_microcents=SEED),)
    table.decided(*shares, table="1", hand=9, restart=True)
    assert table.state.pools.reserve_microcents == 0
    table.undone(*shares, decision=2, undoes=1, table="1", hand=9, restart=True)
    assert of_kind(table.last, o.CarruselReturned) == [
        o.CarruselReturned(
            decision=1,
            microcents=SEED,
            seed_house_microcents=SEED - 20_000_000,
            seed_reserve_microcents=20_000_000,
        )
    ]
    assert table.state.pools.reserve_microcents == 20_000_000
    assert table.meter_microcents == SEED + ONE_BET_MICROCENTS


def test_what_a_later_restart_has_poured_is_not_taken_from_the_overflow_again() -> None:
    """Ceiling 10,000.20. The first restart puts 9,999.80 above it; the second one pours 0.20 of them.
    Taking the first back asks the overflow for 9,999.80, and it has 9,999.60."""
    table = open_member(canarias(ceiling_cents=1_000_020))
    first = share("2", 0, 0, seed_microcents=SEED)
    table.decided(first, table="1", hand=9, restart=True)
    assert table.state.pools.overflow_microcents == 999_980_000_000
    whole = share("2", SEED + 20_000_000, SEED + 20_000_000, seed_microcents=SEED)
    table.decided(whole, decision=2, table="1", hand=10, restart=True)
    assert table.state.pools.overflow_microcents == 999_960_000_000
    table.undone(first, decision=3, undoes=1, table="1", hand=9, restart=True)
    assert table.state.pools.overflow_microcents == 0
    assert table.meter_microcents == 999_980_000_000
    assert conserved(table.state)


def test_a_stopped_box_takes_its_claim_back_at_once() -> None:
    table = claimed()
    table.play(f.CarruselStopped(carrusel="norte", why="two boxes"))
    table.play(WITHDRAWAL)
    assert table.phase() is Phase.LOCKED
    table.declare(box3=FOUR_SEVENS)
    confirm = f.AwardsConfirmed(by="J1", hand=1)
    assert table.refused(confirm).reason == "carrusel_stopped"
    table.play(f.HandVoided(by="C1", second="J1", hand=1, why="stopped"))


# ---- what a member may not do --------------------------------------------------------------------


def test_CAN_9_the_jackpot_of_a_member_is_neither_moved_nor_ended() -> None:
    table = open_member()
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000))
    ended = f.JackpotEnded(
        by="J1", second="D1", why="end", authorisation="A", cents=1_000_000, paid_to="charity"
    )
    assert table.refused(ended).reason == "in_carrusel"
    moved = f.JackpotMoved(
        by="J1",
        second="D1",
        why="move",
        authorisation="A",
        cents=1_000_000,
        to_table="9",
        to_layout="9A",
    )
    assert table.refused(moved).reason == "in_carrusel"
    change = f.LayoutChanged(by="J1", second="D1", layout="2B", day="2026-12-01")
    assert table.refused(change).reason == "in_carrusel"


def test_changed_terms_of_a_member_wait_even_over_a_restart() -> None:
    table = open_member()
    more = canarias(jackpot_ppm=300_000)
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=more))
    table.decided(share("2", SEED, SEED, seed_microcents=SEED), table="1", hand=9, restart=True)
    assert table.state.terms is not None
    assert table.state.terms.jackpot_ppm == 250_000
    assert table.state.pending_terms == more


# ---- leaving -------------------------------------------------------------------------------------

LEAVE = f.CarruselLeaveAsked(by="J1", second="D1", why="end of the season")


def test_CAN_9_a_leaving_table_takes_its_own_meter_along() -> None:
    table = open_member()
    table.play(LEAVE)
    told = table.told()
    assert told is not None
    assert (told.operation, told.stage, told.hand) == (1, o.Stage.LEAVING, 0)
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "carrusel_leaving"
    assert table.refused(LEAVE).reason == "carrusel_leaving"
    table.decided(share("2", SEED, 11), table="1", hand=9)
    table.play(f.CarruselLeft(carrusel="norte", position=30))
    assert table.state.carrusel is None
    assert table.meter_microcents == SEED - 11
    table.hand(1)
    assert table.told() is None


def test_a_join_that_was_not_answered_is_taken_back() -> None:
    table = Member()
    table.start().open()
    table.ask()
    table.play(LEAVE)
    told = table.told()
    assert told is not None
    assert told.stage is o.Stage.LEAVING
    table.answered()
    assert table.membership.stage is MemberStage.LEAVING
    table.play(f.CarruselLeft(carrusel="norte", position=30))
    assert table.state.carrusel is None


def test_only_a_member_leaves() -> None:
    assert open_table().refused(LEAVE).reason == "not_in_carrusel"


def test_what_does_not_fit_changes_nothing() -> None:
    table = open_table()
    before = table.state
    for fact in (
        f.CarruselJoined(carrusel="x", incarnation=1, position=1, decision=0, meter_microcents=5),
        f.CarruselJoinRefused(carrusel="x", incarnation=1, why=""),
        f.CarruselLeft(carrusel="x", position=1),
        f.CarruselLinkLost(),
        f.CarruselLinkBack(),
        f.CarruselViewed(position=1, decision=0, total_microcents=1),
        f.CarruselClaimFreed(hand=1),
        award(share("2", SEED, 11)),
    ):
        table.play(fact)
    assert table.state == before
