"""Slots that stay silent, restart, lose events or are tampered with (CAN-8.b2)."""

from __future__ import annotations

from support.table import CANARIAS, canarias, identified, of_kind, open_table

from jackpot.law.policies import ExtraChip, Policies
from jackpot.table import facts as f
from jackpot.table import outcomes as o


def test_a_silent_slot_at_the_lock_is_unknown_until_the_croupier_has_looked() -> None:
    table = open_table().hand(1).lock(4)
    assert table.refused(f.NoAwardsDeclared(by="C1", hand=1)).reason == "box_unknown"
    table.play(f.SlotDecided(by="C1", hand=1, box=4, bet=False))
    table.no_awards()
    assert table.meter_microcents == 1_000_050_000_000


def test_a_slot_that_fell_silent_after_its_bet_leaves_no_question() -> None:
    table = open_table().hand(4).lock(4)
    assert table.state.hand is not None
    assert table.state.hand.unknown_boxes == ()
    table.no_awards()
    assert table.meter_microcents == 1_000_050_000_000


def test_a_bet_that_the_croupier_asserted_is_not_counted_again_when_the_slot_speaks() -> None:
    table = open_table().hand(1).lock(4)
    table.play(f.SlotDecided(by="C1", hand=1, box=4, bet=True))
    assert table.meter_microcents == 1_000_100_000_000
    assert table.chip(4)[1:] == (o.ChipMatched(box=4),)
    assert table.meter_microcents == 1_000_100_000_000
    assert of_kind(table.chip(4), o.ChipRefused)  # a further one is simply late


def test_an_acceptor_that_restarted_owes_no_chip_any_more() -> None:
    table = open_table().hand(1).lock(4)
    table.play(f.SlotDecided(by="C1", hand=1, box=4, bet=True))
    table.play(f.SlotRestarted(box=4, epoch=1))
    table.no_awards().hand()
    assert of_kind(table.chip(4), o.BetAccepted)


def test_a_box_that_was_not_silent_is_not_decided_by_hand() -> None:
    table = open_table().hand(1).lock(4)
    refusal = table.refused(f.SlotDecided(by="C1", hand=1, box=5, bet=True))
    assert refusal.reason == "box_not_unknown"


def test_lost_events_are_told_and_never_guessed() -> None:
    table = open_table().hand()
    events = table.play(f.SlotEventsLost(box=2, lost=4))
    assert events[1:] == (o.ItemOpened(box=2, item=1, what=o.ItemWhat.EVENTS_LOST),)
    assert table.meter_microcents == 1_000_000_000_000


def test_the_record_of_an_acceptor_follows_its_counter() -> None:
    table = open_table().hand(2)
    table.play(f.SlotEvent(box=2, a=0, b=1, name="reject"))
    table.play(f.SlotEventsLost(box=2, lost=3))
    table.play(f.ChipSeen(box=2, expected=True, a=1, b=1))
    slot = table.state.slots[1]
    assert (slot.epoch, slot.count, slot.pairs) == (0, 6, ((1, 1),))
    table.play(f.SlotRestarted(box=2, epoch=1))
    slot = table.state.slots[1]
    assert (slot.epoch, slot.count, slot.pairs) == (1, 0, ())


def test_a_fraud_sign_and_a_doubtful_base_line_are_questions_and_no_bets() -> None:
    table = open_table().hand()
    table.play(f.SlotEvent(box=1, a=0, b=20, name="coin_on_string", fraud=True))
    table.play(identified(2, f.Continuity.DOUBTFUL, count=9))
    assert [(i.box, i.what) for i in table.state.items] == [
        (1, o.ItemWhat.FRAUD_SIGN),
        (2, o.ItemWhat.SLOT_DOUBTFUL),
    ]
    assert table.state.hand is not None
    assert table.state.hand.bets == ()


def test_no_hand_starts_with_a_broken_slot_in_an_open_box() -> None:
    table = open_table()
    table.play(f.SlotDown(box=6, why="jam"))
    start = f.HandStarted(by="C1", hand=1)
    assert table.refused(start).reason == "slot_down"
    table.play(f.BoxClosed(by="J1", box=6, why="jammed"))
    table.play(start)
    assert of_kind(table.chip(6), o.ChipRefused)[0].why is o.RefusedChip.CLOSED_BOX
    table.lock().no_awards()
    table.play(f.SlotUp(box=6), f.BoxOpened(by="J1", box=6))
    table.hand(6)
    assert of_kind(table.last, o.BetAccepted)


def test_policy_extra_chip_next_hand_waits_for_the_croupiers_word() -> None:
    table = open_table(canarias(Policies(extra_chip=ExtraChip.NEXT_HAND))).hand(1).lock()
    assert table.chip(2)[1:] == (o.ChipHeld(box=2),)
    table.no_awards().hand(1)
    assert table.refused(f.LockPressed(by="C1", hand=2)).reason == "chip_waiting"
    plays = table.play(f.ChipDecided(by="C1", hand=2, box=2, plays=True))
    assert plays[1:] == (
        o.BetAccepted(box=2, bet_cents=200, source=o.BetSource.HELD),
        o.Contributed(box=2, microcents=50_000_000),
    )
    table.lock().no_awards()
    assert table.meter_microcents == 1_000_150_000_000


def test_policy_extra_chip_next_hand_hands_back_what_has_no_initial_bet() -> None:
    table = open_table(canarias(Policies(extra_chip=ExtraChip.NEXT_HAND))).hand(1).lock()
    table.chip(2)
    table.no_awards().hand()
    back = table.play(f.ChipDecided(by="C1", hand=2, box=2, plays=False))
    assert back[1:] == (o.ItemOpened(box=2, item=1, what=o.ItemWhat.HAND_BACK_CHIP),)
    assert table.state.waiting_chips == ()
    assert table.state.day is not None
    assert table.state.day.bets_cents == 200  # a held chip was never a bet
    assert table.meter_microcents == 1_000_050_000_000


def test_GAL_5_where_three_bets_may_stand_in_a_box_the_fourth_chip_is_too_many() -> None:
    table = open_table(canarias(bets_per_box=3)).hand(1, 1, 1)
    assert table.state.hand is not None
    assert [(bet.box, bet.bet) for bet in table.state.hand.bets] == [(1, 1), (1, 2), (1, 3)]
    assert of_kind(table.chip(1), o.ChipRefused)


def test_chips_at_a_closed_table_are_handed_back_and_never_bets() -> None:
    table = open_table()
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=CANARIAS.seed_cents))
    assert of_kind(table.chip(1), o.ChipRefused)
    assert table.meter_microcents == 1_000_000_000_000


def test_policy_extra_chip_next_hand_a_second_chip_waits_for_the_hand_after_this_one() -> None:
    table = open_table(canarias(Policies(extra_chip=ExtraChip.NEXT_HAND))).hand(1, 1)
    assert of_kind(table.last, o.ChipHeld)
    plays = f.ChipDecided(by="C1", hand=1, box=1, plays=True)
    assert table.refused(plays).reason == "box_has_its_bet"
    table.lock().no_awards().hand()
    table.play(f.ChipDecided(by="C1", hand=2, box=1, plays=True))
    assert table.meter_microcents == 1_000_100_000_000
