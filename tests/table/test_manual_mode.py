"""Mode b.1: the total at the end of a hand (CAN-8.b1), with amounts worked out by hand."""

from __future__ import annotations

import pytest
from support.table import (
    FOUR_ACES,
    FOUR_SEVENS,
    KING_HIGH_STRAIGHT_FLUSH,
    OFFICERS,
    ROYAL_SPADES,
    Table,
    canarias,
    of_kind,
    open_table,
)

from jackpot.law.policies import BaseOfHand, BrokenSlot, ManualTotal, Policies
from jackpot.law.terms import BetMode, JackpotKind, Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase, accepting_boxes

MANUAL = canarias(mode=BetMode.MANUAL)
BEFORE = canarias(Policies(manual_total=ManualTotal.BEFORE_AWARDS), mode=BetMode.MANUAL)


def without_slots(terms: Terms = MANUAL) -> Table:
    """A manual table: no acceptor ever answered."""
    table = Table(terms)
    table.play(f.ControllerStarted(version="test", clean=True))
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=terms))
    table.play(f.OfficersListed(officers=OFFICERS))
    return table.open()


def enter(table: Table, chips: int) -> Table:
    act = f.TotalEntered(by="C1", hand=table.number, chips=chips, cents=chips * 200)
    table.play(act)
    return table


def final(table: Table, chips: int) -> Table:
    table.play(f.TotalFinal(by="C1", hand=table.number, chips=chips))
    return table


def test_CAN_8_b1_a_manual_table_plays_without_slots_and_adds_the_percentage_of_the_total() -> None:
    table = without_slots().hand().no_awards()
    assert table.phase() is Phase.TOTAL
    assert table.last[1:] == (o.TotalDue(how=o.HandOutcome.NO_AWARDS),)
    enter(table, 5)
    assert table.meter_microcents == 1_000_000_000_000  # not before it is final
    final(table, 5)
    assert table.last[1:] == (
        o.TotalAccepted(chips=5, cents=1_000),
        o.TotalContributed(microcents=250_000_000),  # 25 % of 10.00
        o.HandEnded(hand=1, how=o.HandOutcome.NO_AWARDS),
    )
    assert table.meter_microcents == 1_000_250_000_000
    assert table.state.day is not None
    assert (table.state.day.bets_cents, table.state.day.hands) == (1_000, 1)


def test_CAN_8_b1_a_hand_without_bets_ends_with_a_total_of_nothing() -> None:
    table = final(enter(without_slots().hand().no_awards(), 0), 0)
    assert of_kind(table.last, o.TotalContributed) == []
    assert table.phase() is Phase.BETWEEN_HANDS


@pytest.mark.parametrize(
    ("chips", "cents", "reason"),
    [
        (5, 999, "total_not_multiple"),
        (5, 1_001, "total_not_multiple"),
        (8, 1_600, "total_out_of_range"),
        (-1, -200, "total_out_of_range"),
    ],
)
def test_CAN_8_b1_only_whole_chips_and_at_most_seven(chips: int, cents: int, reason: str) -> None:
    table = without_slots().hand().no_awards()
    refusal = table.refused(f.TotalEntered(by="C1", hand=1, chips=chips, cents=cents))
    assert refusal.reason == reason
    assert refusal.rule == "CAN-8.b1"


def test_an_entered_total_is_replaced_or_withdrawn_until_it_is_final() -> None:
    table = enter(enter(without_slots().hand().no_awards(), 6), 4)
    assert table.refused(f.TotalFinal(by="C1", hand=1, chips=6)).reason == "total_differs"
    table.play(f.TotalWithdrawn(by="C1", hand=1))
    assert table.refused(f.TotalFinal(by="C1", hand=1, chips=4)).reason == "no_total_entered"
    assert table.refused(f.TotalWithdrawn(by="C1", hand=1)).reason == "no_total_entered"
    final(enter(table, 3), 3)
    assert table.meter_microcents == 1_000_150_000_000
    late = f.TotalEntered(by="C1", hand=1, chips=4, cents=800)
    assert table.refused(late).reason == "wrong_phase"


def test_the_undo_time_makes_final_only_the_total_that_it_was_started_for() -> None:
    table = enter(enter(without_slots().hand().no_awards(), 6), 4)
    assert table.play(f.TotalTimeUp(hand=1, entry=1)) == (f.TotalTimeUp(hand=1, entry=1),)
    table.play(f.TotalTimeUp(hand=1, entry=2))
    assert table.meter_microcents == 1_000_200_000_000
    assert table.play(f.TotalTimeUp(hand=1, entry=2))[1:] == ()


def test_policy_after_awards_a_hands_own_bets_are_not_in_its_base() -> None:
    table = without_slots().hand()
    table.declare(box3=FOUR_ACES).confirm()  # the lock key is optional: 5 % of 10,000.00
    assert table.owed_cents == 50_000
    table.pay(3, 50_000)
    assert table.phase() is Phase.TOTAL
    final(enter(table, 2), 2)
    # 10,000.00 - 500.00 + 25 % of 4.00
    assert table.meter_microcents == 950_100_000_000
    assert of_kind(table.last, o.HandEnded)[0].how is o.HandOutcome.PAID


def test_policy_after_awards_the_total_of_a_royal_flush_feeds_the_next_jackpot() -> None:
    table = without_slots().hand().lock().declare(box1=ROYAL_SPADES).confirm().sign()
    table.pay(1, 1_000_000)
    final(enter(table, 3), 3)
    assert table.meter_microcents == 1_000_150_000_000  # the seed and 25 % of 6.00


@pytest.mark.parametrize(
    ("base", "paid_cents"),
    [
        (BaseOfHand.AT_LOCK, 50_000),  # shown at the lock: 10,000.00
        (BaseOfHand.AT_HAND_START, 50_000),
        (BaseOfHand.AT_PAYMENT, 50_017),  # 5 % of 10,003.50 = 500.175
    ],
)
def test_policy_before_awards_the_total_is_final_first(base: BaseOfHand, paid_cents: int) -> None:
    policies = Policies(manual_total=ManualTotal.BEFORE_AWARDS, base_of_hand=base)
    table = without_slots(canarias(policies, mode=BetMode.MANUAL)).hand()
    declared = f.AwardsDeclared(by="C1", hand=1, hands=(f.DeclaredHand(1, FOUR_ACES),))
    assert table.refused(declared).reason == "total_missing"
    assert table.refused(f.NoAwardsDeclared(by="C1", hand=1)).reason == "total_missing"
    enter(table, 7)
    assert table.refused(declared).reason == "wrong_phase"
    final(table, 7)
    assert table.phase() is Phase.LOCKED
    again = f.TotalEntered(by="C1", hand=1, chips=6, cents=1_200)
    assert table.refused(again).reason == "total_is_final"
    table.declare(box1=FOUR_ACES).confirm().pay(1, paid_cents)
    assert table.phase() is Phase.BETWEEN_HANDS
    assert of_kind(table.last, o.HandEnded) == [o.HandEnded(hand=1, how=o.HandOutcome.PAID)]


def test_CAN_8_b1_a_total_below_the_winning_bets_leaves_the_hand_open() -> None:
    table = without_slots().hand()
    table.declare(box1=KING_HIGH_STRAIGHT_FLUSH, box2=FOUR_SEVENS).confirm()
    table.pay(1, 100_000).pay(2, 45_000)
    low = f.TotalEntered(by="C1", hand=1, chips=1, cents=200)
    assert table.refused(low).reason == "total_contradicts_awards"
    assert table.phase() is Phase.TOTAL
    final(enter(table, 2), 2)
    before = final(enter(without_slots(BEFORE).hand(), 1), 1)
    two = (f.DeclaredHand(1, KING_HIGH_STRAIGHT_FLUSH), f.DeclaredHand(2, FOUR_SEVENS))
    refusal = before.refused(f.AwardsDeclared(by="C1", hand=1, hands=two))
    assert refusal.reason == "total_contradicts_awards"


def test_CAN_8_b1_the_chief_confirms_what_the_croupier_asserts() -> None:
    table = without_slots().hand().declare(box7=FOUR_ACES)
    assert table.refused(f.AwardsConfirmed(by="C1", hand=1)).reason == "role_missing"
    table.confirm()
    assert [p.box for p in of_kind(table.last, o.PaymentDecided)] == [7]


def test_CAN_10_1_a_void_takes_a_final_total_back_and_the_replayed_hand_has_its_own() -> None:
    table = final(enter(without_slots(BEFORE).hand(), 5), 5)
    table.play(f.HandVoided(by="C1", second="J1", hand=1, why="six cards"))
    assert table.last[1:] == (
        o.TotalReversed(microcents=250_000_000),
        o.TotalReturned(chips=5, cents=1_000),
        o.HandEnded(hand=1, how=o.HandOutcome.VOIDED),
    )
    assert table.meter_microcents == 1_000_000_000_000
    assert table.state.hand_totals == ()


def test_CAN_7_3b_the_last_hands_are_counted_when_their_totals_are_final() -> None:
    table = without_slots()
    table.play(f.LastHandsAnnounced(by="J1"))
    table.hand().no_awards()
    assert table.state.hands_left == 3
    final(enter(table, 1), 1)
    assert table.state.hands_left == 2


def test_CAN_8_a_a_fixed_jackpot_has_totals_and_no_contributions() -> None:
    fixed = canarias(
        mode=BetMode.MANUAL, kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000
    )
    table = final(enter(without_slots(fixed).hand().no_awards(), 7), 7)
    assert table.meter_microcents == 2_000_000_000_000
    assert table.state.day is not None
    assert table.state.day.bets_cents == 1_400


def test_GAL_5_three_bets_in_a_box_make_a_total_of_up_to_twenty_one() -> None:
    table = without_slots(canarias(mode=BetMode.MANUAL, bets_per_box=3)).hand().no_awards()
    act = f.TotalEntered(by="C1", hand=1, chips=22, cents=4_400)
    assert table.refused(act).reason == "total_out_of_range"
    final(enter(table, 21), 21)
    assert table.meter_microcents == 1_001_050_000_000  # 25 % of 42.00


# ---- the mode changes in the day ---------------------------------------------------------------------

BREAKABLE = canarias(Policies(broken_slot=BrokenSlot.TABLE_MANUAL))


def manual(table: Table) -> Table:
    table.play(f.ModeChanged(by="J1", mode=BetMode.MANUAL, why="box 4 is jammed"))
    return table


def test_policy_table_manual_the_table_plays_on_by_totals_and_back_again() -> None:
    table = open_table(BREAKABLE).hand(1, 2).lock().no_awards()
    table.play(f.SlotDown(box=4, why="jammed"))
    assert table.refused(f.HandStarted(by="C1", hand=2)).reason == "slot_down"
    manual(table).hand()
    assert accepting_boxes(table.state) == ()
    final(enter(table.no_awards(), 4), 4)
    back = f.ModeChanged(by="J1", mode=BetMode.AUTOMATIC, why="repaired")
    assert table.refused(back).reason == "slot_down"
    table.play(f.SlotUp(box=4))
    table.play(back)
    table.hand(3).lock().no_awards()
    # 10,000.00 + 2 × 0.50 + 4 × 0.50 + 1 × 0.50
    assert table.meter_microcents == 1_000_350_000_000


def test_a_mode_changes_between_hands_by_the_chief_and_only_where_the_policy_says_so() -> None:
    table = open_table(BREAKABLE)
    act = f.ModeChanged(by="C1", mode=BetMode.MANUAL, why="")
    assert table.refused(act).reason == "role_missing"
    same = f.ModeChanged(by="J1", mode=BetMode.AUTOMATIC, why="")
    assert table.refused(same).reason == "mode_is_so"
    table.hand(1)
    act = f.ModeChanged(by="J1", mode=BetMode.MANUAL, why="")
    assert table.refused(act).reason == "wrong_phase"
    assert open_table().refused(act).reason == "mode_not_authorised"
    to_slots = f.ModeChanged(by="J1", mode=BetMode.AUTOMATIC, why="")
    assert without_slots().refused(to_slots).reason == "mode_not_authorised"


def test_a_chip_that_a_slot_tells_of_in_manual_mode_is_no_second_bet() -> None:
    table = manual(open_table(BREAKABLE)).hand()
    assert table.chip(3)[1:] == (o.ChipMatched(box=3),)
    final(enter(table.no_awards(), 1), 1)
    assert table.meter_microcents == 1_000_050_000_000


def test_policy_box_manual_the_croupier_asserts_the_bet_of_one_box_by_a_key() -> None:
    table = open_table(canarias(Policies(broken_slot=BrokenSlot.BOX_MANUAL)))
    table.play(f.SlotDown(box=4, why="jammed"))
    table.play(f.BoxModeChanged(by="J1", box=4, mode=BetMode.MANUAL, why="jammed"))
    table.hand(1)
    assert accepting_boxes(table.state) == (2, 3, 5, 6, 7)
    other = f.BetAsserted(by="C1", hand=1, box=2)
    assert table.refused(other).reason == "box_not_manual"
    asserted = f.BetAsserted(by="C1", hand=1, box=4)
    assert o.BetAccepted(box=4, bet_cents=200, source=o.BetSource.ASSERTED) in table.play(asserted)
    assert table.refused(asserted).reason == "box_full"
    table.lock(4)  # the silent slot of box 4 is no question: its bet was asserted by key
    assert table.state.hand is not None
    assert table.state.hand.unknown_boxes == ()
    assert o.ChipMatched(box=4) in table.chip(4)
    table.declare(box4=FOUR_ACES).confirm()
    assert table.owed_cents == 50_005  # 5 % of 10,001.00


def test_a_repaired_box_owes_nothing_so_that_its_next_chip_is_a_bet() -> None:
    table = open_table(canarias(Policies(broken_slot=BrokenSlot.BOX_MANUAL)))
    table.play(f.BoxModeChanged(by="J1", box=4, mode=BetMode.MANUAL, why="jammed"))
    table.hand()
    table.play(f.BetAsserted(by="C1", hand=1, box=4))
    table.lock().no_awards()
    table.play(f.BoxModeChanged(by="J1", box=4, mode=BetMode.AUTOMATIC, why="repaired"))
    table.hand(4)
    assert table.meter_microcents == 1_000_100_000_000


def test_a_box_changes_its_mode_only_where_that_is_authorised() -> None:
    act = f.BoxModeChanged(by="J1", box=4, mode=BetMode.MANUAL, why="")
    assert open_table(BREAKABLE).refused(act).reason == "mode_not_authorised"
    allowed = open_table(canarias(Policies(broken_slot=BrokenSlot.BOX_MANUAL)))
    nowhere = f.BoxModeChanged(by="J1", box=8, mode=BetMode.MANUAL, why="")
    assert allowed.refused(nowhere).reason == "no_such_box"
    allowed.play(act)
    assert allowed.refused(act).reason == "mode_is_so"
