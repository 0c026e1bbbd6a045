"""What the visor shows, state by state; amounts worked out by hand from 100,000.00 and 0.50 a bet."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from support.fakedesk import FakeDesk, some_terms

from jackpot.console.desk import DeskStatus
from jackpot.law.policies import BaseOfHand, Policies
from jackpot.law.terms import AwardedHand
from jackpot.table import facts as f
from jackpot.table.state import INITIAL
from jackpot.visor.state import NOTHING_KNOWN, Hit, Lamp, VisorState, visor_state

READY = DeskStatus(ready=True)
ROYAL, STRAIGHT, FOUR = AwardedHand


def _shown(desk: FakeDesk) -> VisorState:
    return visor_state(desk.state, desk.status)


def _at_hand_one(*boxes: int) -> FakeDesk:
    desk = FakeDesk()
    desk.open_day()
    desk.start_hand(*boxes)
    return desk


async def test_without_a_configuration_nothing_is_known() -> None:
    assert visor_state(INITIAL, READY) == NOTHING_KNOWN


async def test_before_the_first_opening_there_are_dashes_but_bet_and_shares_are_shown() -> None:
    shown = _shown(FakeDesk())
    assert shown.amount_cents is None
    assert shown.closed
    assert shown.bet_cents == 200
    assert [(line.share_ppm, line.cents) for line in shown.awards] == [
        (1_000_000, None),
        (100_000, None),
        (50_000, None),
    ]


async def test_unverified_or_halted_means_dashes_no_lamps_and_no_hits() -> None:
    desk = _at_hand_one(3)
    desk.lock()
    desk.declare(box3="Kd Qd Jd Td 9d")
    desk.confirm()
    for status in (DeskStatus(ready=False), DeskStatus(ready=True, halted="a broken invariant")):
        shown = visor_state(desk.state, status)
        assert shown.amount_cents is None
        assert shown.lamps == (Lamp.UNKNOWN,) * 7
        assert shown.hits == ()
        assert not shown.pending


async def test_can_8_b2_each_bet_adds_a_quarter_of_it_and_lights_its_lamp() -> None:
    shown = _shown(_at_hand_one(1, 3, 7))
    assert shown.amount_cents == 10_000_150
    on, off = Lamp.STEADY, Lamp.OFF
    assert shown.lamps == (on, off, on, off, off, off, on)


async def test_can_8_3_the_list_of_awards_has_present_amounts_rounded_down() -> None:
    shown = _shown(_at_hand_one(1))
    assert [(line.hand, line.cents) for line in shown.awards] == [
        (ROYAL, 10_000_050),
        (STRAIGHT, 1_000_005),
        (FOUR, 500_002),  # 5 % of 100,000.50 is 5,000.025
    ]


async def test_from_the_lock_the_base_is_shown_and_growth_appears_after_the_hand() -> None:
    desk = _at_hand_one(1)
    desk.unknown_boxes = (5,)
    desk.lock()
    desk.tell(f.SlotDecided(by="c1", hand=1, box=5, bet=True))
    assert desk.state.pools.jackpot_microcents == 10_000_100_000_000
    assert _shown(desk).amount_cents == 10_000_050
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    assert _shown(desk).amount_cents == 10_000_100


async def test_with_the_policy_at_hand_start_the_visor_stays_at_the_start_of_the_hand() -> None:
    desk = FakeDesk(some_terms(policies=Policies(base_of_hand=BaseOfHand.AT_HAND_START)))
    desk.open_day()
    desk.start_hand(1, 2)
    assert _shown(desk).amount_cents == 10_000_000
    desk.lock()
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    assert _shown(desk).amount_cents == 10_000_100


async def test_a_declared_award_is_pending_and_shows_no_amount_of_its_own_yet() -> None:
    desk = _at_hand_one(3)
    desk.lock()
    desk.declare(box3="Kd Qd Jd Td 9d")
    shown = _shown(desk)
    assert (shown.pending, shown.hits, shown.amount_cents) == (True, (), 10_000_050)


async def test_can_8_7_once_decided_the_new_meter_is_shown_with_the_hit_beside_it() -> None:
    desk = _at_hand_one(3)
    desk.lock()
    desk.declare(box3="Kd Qd Jd Td 9d")
    desk.confirm()
    shown = _shown(desk)
    assert shown.hits == (Hit(box=3, hand=STRAIGHT, cents=1_000_005, paid=False),)
    assert shown.amount_cents == 9_000_045
    assert shown.pending  # 10,000.05 is above the threshold of 3,000.00
    desk.tell(f.AwardsSigned(by="d1", hand=1, total_cents=1_000_005))
    assert not _shown(desk).pending
    desk.tell(f.AwardPaid(by="c1", hand=1, box=3, cents=1_000_005))
    assert _shown(desk).hits[0].paid
    desk.start_hand()
    assert _shown(desk).hits == ()


async def test_can_7_3b_the_last_hands_count_down() -> None:
    desk = FakeDesk()
    desk.open_day()
    desk.tell(f.LastHandsAnnounced(by="j1"))
    assert _shown(desk).hands_left == 3
    desk.start_hand()
    desk.lock()
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    assert _shown(desk).hands_left == 2


async def test_lamps_tell_a_closed_box_from_a_silent_slot_from_a_bet_with_a_dead_slot() -> None:
    desk = FakeDesk()
    desk.open_day()
    desk.tell(f.BoxClosed(by="j1", box=2, why="broken"))
    desk.start_hand(4)
    desk.tell(f.SlotDown(box=4, why="silent"), f.SlotDown(box=6, why="silent"))
    lamps = _shown(desk).lamps
    assert (lamps[1], lamps[3], lamps[5]) == (Lamp.CLOSED, Lamp.STEADY, Lamp.UNKNOWN)


async def test_the_picture_survives_json() -> None:
    shown = _shown(_at_hand_one(1))
    assert msgspec.json.decode(msgspec.json.encode(shown), type=VisorState) == shown


async def test_a_layout_of_five_boxes_shows_two_as_closed() -> None:
    desk = FakeDesk(replace(some_terms(), boxes=5))
    assert _shown(desk).lamps[5:] == (Lamp.CLOSED, Lamp.CLOSED)
