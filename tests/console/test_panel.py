"""The panel's plain values: what is open, and who may sign what."""

from __future__ import annotations

import re
from datetime import date

from msgspec.structs import replace
from support.fakedesk import OFFICERS, FakeDesk, some_terms
from support.terminal import FakeBook, Terminal

from jackpot.authority.roles import Role
from jackpot.console.panel import (
    HISTORY_KEPT,
    Signature,
    ToDo,
    day_cents,
    one_signature,
    opening_days,
    panel,
    payments,
    seen_lately,
    to_confirm,
    two_signatures,
)
from jackpot.law.policies import ExtraChip, Policies
from jackpot.table import facts as f
from jackpot.table.state import Day


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
        ToDo("hand_back_chip", 3, notices=(1,)),
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
    assert one_signature(state, "j1") == Signature(False, ("j2", "d1"))
    assert one_signature(state, "c1") == Signature(True, ("j1", "j2", "d1"))
    assert one_signature(state, "j1", not_by=("j1",)) == Signature(True, ("j2", "d1"))


async def test_the_second_of_two_is_a_chief_beside_a_croupier_and_anybody_beside_a_chief() -> None:
    state = FakeDesk().state
    assert two_signatures(state, "c1") == Signature(True, ("j1", "j2", "d1"))
    assert two_signatures(state, "j1") == Signature(True, ("c1", "d1", "j2"))


async def test_who_was_at_the_table_lately_comes_first_then_the_very_role_then_the_id() -> None:
    desk = FakeDesk()
    desk.tell(f.DayOpened(by="c1", second="j2", day="2026-11-30", displayed_cents=10_000_000))
    seen = seen_lately(desk.history(HISTORY_KEPT))
    assert seen == {"c1", "j2"}
    assert one_signature(desk.state, "c1", seen=seen).officers == ("j2", "j1", "d1")
    assert two_signatures(desk.state, "j1", seen).officers == ("c1", "j2", "d1")


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


async def test_chips_of_one_box_for_one_reason_are_one_thing_to_do_and_one_key_settles_them(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3, 3, 3, 2, 2)
    desk.chip(3, expected=False)
    await terminal.log_in("c1")
    page = (await terminal.get("/console")).text
    todos = re.findall(r'data-todo="hand_back_chip" data-box="(\d)".*?<em>(.*?)</em>', page, re.S)
    assert todos == [("2", "segunda ficha"), ("3", "segunda ficha"), ("3", "ficha de otro valor")]
    assert "Devuelva 2 fichas al jugador." in page
    form = await terminal.form()
    await terminal.post("/console/act/settle", {"form": [form], "item": ["1", "2"]})
    assert [(item.item, item.box) for item in desk.state.items] == [(3, 2), (4, 3)]


async def test_can_8_7_a_paid_award_keeps_its_place_and_the_key_is_the_number_of_the_box() -> None:
    desk = _open_table(FakeDesk())
    desk.start_hand(2, 5)
    desk.lock()
    desk.declare(box2="7s 7h 7d 7c 2d", box5="Ks Qs Js Ts 9s")
    desk.confirm()
    total_cents = 1_000_010 + 450_004
    desk.tell(f.AwardsSigned(by="d1", hand=1, total_cents=total_cents))
    assert [(p.payment.box, p.payment.paid, p.key) for p in payments(desk.state)] == [
        (2, False, "2"),
        (5, False, "5"),
    ]
    desk.tell(f.AwardPaid(by="c1", hand=1, box=2, cents=450_004))
    assert [(p.payment.box, p.payment.paid, p.key) for p in payments(desk.state)] == [
        (2, True, ""),
        (5, False, "5"),
    ]


def test_can_2_2_today_comes_first_and_yesterday_for_a_table_that_opens_after_midnight() -> None:
    state, today = FakeDesk().state, date(2026, 12, 3)
    assert opening_days(state, today) == ("2026-12-03", "2026-12-02")
    over = replace(state, day=Day("2026-12-02"))
    assert opening_days(over, today) == ("2026-12-03",)
    assert opening_days(replace(state, day=Day("2026-12-03")), today) == ("2026-12-04",)
    assert opening_days(replace(state, day=Day("2026-12-04")), today) == ()


async def test_a_technician_gets_no_keys_of_the_croupier(
    terminal: Terminal, desk: FakeDesk, book: FakeBook
) -> None:
    desk.open_day()
    officers = {**OFFICERS, "t1": (Role.TECHNICIAN,)}
    desk.tell(f.OfficersListed(officers=officers))
    book.officers = officers
    await terminal.log_in("t1")
    page = (await terminal.get("/console")).text
    assert "Usted puede mirar" in page
    assert "/console/act/start" not in page
    assert 'href="/console/day"' not in page
