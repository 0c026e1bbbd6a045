"""The panel's plain values: what is open, and who may sign what."""

from __future__ import annotations

from support.fakedesk import FakeDesk, some_terms

from jackpot.console.panel import (
    Signature,
    ToDo,
    day_cents,
    one_signature,
    panel,
    to_confirm,
    two_signatures,
)
from jackpot.law.policies import ExtraChip, Policies
from jackpot.table import facts as f


def _open_table(desk: FakeDesk) -> FakeDesk:
    desk.open_day()
    return desk


async def test_what_blocks_the_hand_stands_before_what_blocks_the_closing() -> None:
    desk = _open_table(FakeDesk(unknown_boxes=(7,)))
    desk.start_hand(3, 3)
    desk.tell(f.SlotDown(box=5, why="no_reply"))
    desk.lock()
    assert panel(desk.state, desk.status).todos == (
        ToDo("slot_unknown", 7),
        ToDo("hand_back_chip", 3, item=1),
        ToDo("slot_down", 5),
    )


async def test_a_late_chip_that_waits_may_play_only_while_betting_is_open() -> None:
    policies = Policies(extra_chip=ExtraChip.NEXT_HAND)
    desk = _open_table(FakeDesk(some_terms(policies=policies)))
    desk.chip(4)
    assert panel(desk.state, desk.status).todos == (ToDo("chip_held", 4, may_play=False),)
    desk.start_hand()
    assert panel(desk.state, desk.status).todos == (ToDo("chip_held", 4, may_play=True),)


async def test_a_second_chip_in_a_full_box_can_only_be_handed_back_in_this_hand() -> None:
    policies = Policies(extra_chip=ExtraChip.NEXT_HAND)
    desk = _open_table(FakeDesk(some_terms(policies=policies)))
    desk.start_hand(4, 4)
    assert panel(desk.state, desk.status).todos == (ToDo("chip_held", 4, may_play=False),)


async def test_the_chief_who_is_logged_in_needs_nobody_else_and_a_croupier_needs_a_chief() -> None:
    state = FakeDesk().state
    assert one_signature(state, "j1") == Signature(False, ("d1", "j2"))
    assert one_signature(state, "c1") == Signature(True, ("d1", "j1", "j2"))
    assert one_signature(state, "j1", not_by=("j1",)) == Signature(True, ("d1", "j2"))


async def test_the_second_of_two_is_a_chief_beside_a_croupier_and_anybody_beside_a_chief() -> None:
    state = FakeDesk().state
    assert two_signatures(state, "c1") == Signature(True, ("d1", "j1", "j2"))
    assert two_signatures(state, "j1") == Signature(True, ("c1", "d1", "j2"))


async def test_the_panel_counts_bets_and_forgets_them_between_hands() -> None:
    desk = _open_table(FakeDesk())
    desk.start_hand(1, 2, 6)
    shown = panel(desk.state, desk.status)
    assert (shown.bets, shown.bets_cents, shown.may_void, shown.may_close) == (3, 600, True, False)
    desk.lock()
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    shown = panel(desk.state, desk.status)
    assert (shown.bets, shown.bets_cents, shown.may_void, shown.may_close) == (0, 0, False, True)


async def test_what_would_be_paid_is_in_paying_order_before_the_chief_confirms() -> None:
    desk = _open_table(FakeDesk())
    desk.start_hand(2, 5)
    desk.lock()
    desk.declare(box2="7s 7h 7d 7c 2d", box5="Ks Qs Js Ts 9s")
    assert to_confirm(desk.state) == (
        (5, 1, "straight_flush", 1_000_010),  # 10 % of 100,001.00
        (2, 1, "four_of_a_kind", 450_004),  # 5 % of the 90,000.90 that remain
    )


async def test_the_first_opening_signs_the_seed_and_the_closing_the_meter() -> None:
    desk = FakeDesk()
    assert day_cents(desk.state) == 10_000_000
    desk.open_day()
    desk.start_hand(1)
    desk.lock()
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    assert day_cents(desk.state) == 10_000_050
