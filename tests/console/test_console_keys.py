"""The keys of the console, pressed over HTTP: what each asks of the table, and by whom."""

from __future__ import annotations

import re

from support.fakedesk import OFFICERS, FakeDesk
from support.terminal import Terminal, reason

from jackpot.console.desk import DeskStatus
from jackpot.table import facts as f
from jackpot.table.state import Phase

J1 = {"signer": "j1", "pin": "314159"}
D1 = {"signer": "d1", "pin": "161803"}
STRAIGHT_FLUSH = ["Kd", "Qd", "Jd", "Td", "9d"]


async def test_a_day_opens_with_two_signatures_under_the_displayed_amount(
    terminal: Terminal, desk: FakeDesk
) -> None:
    await terminal.log_in("c1")
    page = await terminal.get("/console/day")
    assert "100.000,00" in page.text
    opening = {"day": "2026-11-30", "cents": "10000000", "page": "day"}
    alone = await terminal.press("open-day", **opening)
    assert (alone.status_code, reason(alone)) == (409, "second_officer_missing")
    other_amount = await terminal.press("open-day", **{**opening, "cents": "10000001"}, **J1)
    assert reason(other_amount) == "amount_differs"
    assert (await terminal.press("open-day", **opening, **J1)).status_code == 303
    assert desk.acts == [
        f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=10_000_000)
    ]


async def test_a_chief_who_is_logged_in_vouches_while_the_croupier_signs_in_the_form(
    terminal: Terminal, desk: FakeDesk
) -> None:
    await terminal.log_in("j1")
    fields = {"day": "2026-11-30", "cents": "10000000", "signer": "c1", "pin": "271828"}
    await terminal.press("open-day", **fields)
    assert desk.acts == [
        f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=10_000_000)
    ]


async def test_a_hand_without_awards_is_three_keys(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    await terminal.press("start", hand="1")
    desk.chip(3)
    await terminal.press("lock", hand="1")
    assert desk.state.phase is Phase.LOCKED
    await terminal.press("no-awards", hand="1")
    assert desk.state.phase.value == "between_hands"
    assert [act.kind for act in desk.acts] == ["hand_started", "lock_pressed", "no_awards_declared"]
    assert {act.by for act in desk.acts} == {"c1"}


async def _declared(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    desk.start_hand(3, 5)
    desk.lock()
    await terminal.log_in("c1")
    form = await terminal.form("/console/awards")
    fields = {"form": form, "hand": ["1"], "place": ["3.1"], "card": STRAIGHT_FLUSH}
    answer = await terminal.post("/console/awards/declare", fields)
    assert answer.status_code == 303


async def test_an_award_needs_croupier_chief_and_above_the_threshold_a_third(
    terminal: Terminal, desk: FakeDesk
) -> None:
    await _declared(terminal, desk)
    page = (await terminal.get("/console")).text
    assert re.search(r"Confirmar premios <span class=\"sum\">10\.000,10\s€", page)  # of 100,001.00
    assert re.search(r"Más de 3\.000,00\s€: después de usted firma", page)
    own = await terminal.press("confirm", hand="1")
    assert reason(own) == "role_missing"
    wrong = await terminal.press("confirm", hand="1", signer="j1", pin="000000")
    assert (wrong.status_code, reason(wrong)) == (401, "wrong_pin")
    assert desk.state.phase is Phase.DECLARED
    await terminal.press("confirm", hand="1", **J1)
    twice = await terminal.press("sign", hand="1", cents="1000010", **J1)
    assert reason(twice) == "same_officer"
    await terminal.press("sign", hand="1", cents="1000010", **D1)
    less = await terminal.press("paid", hand="1", box="3", bet="1", cents="1000009")
    assert reason(less) == "not_owed"
    await terminal.press("paid", hand="1", box="3", bet="1", cents="1000010")
    assert [(act.kind, act.by) for act in desk.acts] == [
        ("awards_declared", "c1"),
        ("awards_confirmed", "j1"),
        ("awards_signed", "d1"),
        ("award_paid", "c1"),
    ]
    assert desk.state.pools.jackpot_microcents == 9_000_090_000_000


async def test_the_preview_names_the_hand_the_amount_and_every_step_with_its_rule(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    await terminal.log_in("c1")
    fields: dict[str, str | list[str]] = {"hand": "1", "place": "3.1", "card": STRAIGHT_FLUSH[:4]}
    assert "Falta una carta." in (await terminal.post("/console/awards/preview", fields)).text
    fields["card"] = STRAIGHT_FLUSH
    text = (await terminal.post("/console/awards/preview", fields)).text
    assert "escalera de color al rey" in text
    assert "10.000,05" in text
    for rule in ("criterio: importe base de los premios", "CAN-8.3", "CAN-8.7"):
        assert f'<span class="rule">{rule}</span>' in text
    assert desk.acts == []


async def test_can_2_1_the_preview_refuses_a_hand_without_an_award(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    await terminal.log_in("c1")
    wheel = ["Ad", "2d", "3d", "4d", "5d"]
    fields: dict[str, str | list[str]] = {"hand": "1", "place": "3.1", "card": wheel}
    answer = await terminal.post("/console/awards/preview", fields)
    assert reason(answer) == "no_award_for_hand"


async def test_only_boxes_with_a_bet_can_be_picked_and_used_cards_are_gone(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3, 5)
    desk.lock()
    await terminal.log_in("c1")
    page = (await terminal.get("/console/awards")).text
    assert re.findall(r'name="place" value="([0-9.]+)"', page) == ["3.1", "5.1"]
    fields: dict[str, str | list[str]] = {"hand": "1", "place": "3.1", "card": STRAIGHT_FLUSH}
    page = (await terminal.post("/console/awards/entry", fields)).text
    assert re.findall(r'name="place" value="([0-9.]+)"', page) == ["5.1"]
    assert re.findall(r'value="(..)" disabled', page) == STRAIGHT_FLUSH
    listed = re.findall(r'name="listed" value="([^"]+)"', page)
    assert listed == ["3.1:Kd Qd Jd Td 9d"]
    page = (
        await terminal.post("/console/awards/entry", {"hand": "1", "listed": listed, "drop": ["0"]})
    ).text
    assert re.findall(r'name="listed"', page) == []


async def test_a_misdeal_is_voided_with_a_reason_and_the_chiefs_signature(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    await terminal.log_in("c1")
    assert reason(await terminal.press("void", hand="1", bets="1", **J1)) == "why_missing"
    await terminal.press("void", hand="1", bets="1", why="Exposed card", **J1)
    assert desk.acts == [f.HandVoided(by="c1", second="j1", hand=1, why="Exposed card")]
    page = (await terminal.get("/console")).text
    assert 'data-todo="hand_back_chip" data-box="3"' in page
    await terminal.press("settle", item="1")
    assert desk.state.items == ()


async def test_can_7_3b_the_chief_announces_the_last_hands(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    assert reason(await terminal.press("last-hands", page="last-hands")) == "role_missing"
    await terminal.press("last-hands", **J1)
    assert desk.acts == [f.LastHandsAnnounced(by="j1")]
    assert desk.state.hands_left == 3


async def test_a_silent_slot_is_a_question_that_the_croupier_answers(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    desk.unknown_boxes = (5, 6)
    desk.lock()
    await terminal.log_in("c1")
    assert reason(await terminal.press("no-awards", hand="1")) == "box_unknown"
    await terminal.press("slot", hand="1", box="5", bet="yes")
    await terminal.press("slot", hand="1", box="6", bet="no")
    assert [bet.box for bet in desk.state.hand.bets] == [3, 5]  # type: ignore[union-attr]


async def test_the_chief_closes_a_box_with_a_broken_slot_and_opens_it_again(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.tell(f.SlotDown(box=4, why="silent"))
    await terminal.log_in("c1")
    assert reason(await terminal.press("start", hand="1")) == "slot_down"
    closing = {"page": "boxes", "box": "4", "why": "Slot out of service"}
    answer = await terminal.press("box-close", **closing, **J1)
    assert answer.headers["location"] == "/console/boxes"
    assert (await terminal.press("start", hand="1")).status_code == 303
    await terminal.press("lock", hand="1")
    await terminal.press("no-awards", hand="1")
    await terminal.press("box-open", box="4", **J1)
    assert desk.state.closed_boxes == ()


async def test_a_person_who_presses_a_key_takes_over_from_the_automatic_croupier(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.set_status(DeskStatus(ready=True, automatic_croupier=True))
    await terminal.log_in("c1")
    assert "Tomar el mando" in (await terminal.get("/console")).text
    await terminal.press("start", hand="1")
    assert desk.taken_over


async def test_the_take_over_key_needs_a_form_of_this_session(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.set_status(DeskStatus(ready=True, automatic_croupier=True))
    await terminal.log_in("c1")
    assert (await terminal.post("/console/take-over", {"form": "x"})).status_code == 403
    assert not desk.taken_over
    page = (await terminal.get("/console")).text
    form = re.findall(r'name="form" value="([^"]+)"', page)[0]
    assert (await terminal.post("/console/take-over", {"form": form})).status_code == 303
    assert desk.taken_over


async def test_whoever_took_over_in_a_demonstration_can_hand_back(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.set_status(DeskStatus(ready=True, automatic_croupier=False, demonstration=True))
    await terminal.log_in("c1")
    page = (await terminal.get("/console")).text
    assert "Devolver el mando" in page
    assert (await terminal.post("/console/hand-back", {"form": "x"})).status_code == 403
    assert not desk.status.automatic_croupier
    form = re.findall(r'name="form" value="([^"]+)"', page)[0]
    assert (await terminal.post("/console/hand-back", {"form": form})).status_code == 303
    assert desk.status.automatic_croupier


async def test_a_halted_table_and_a_lost_line_stand_on_the_panel(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.set_status(
        DeskStatus(ready=True, halted="a pool below zero", line_fault="line_lost: ENODEV")
    )
    desk.tell(f.AlarmRaised(alarm="disk_full"), f.AlarmRaised(alarm="slot_line"))
    await terminal.log_in("c1")
    page = (await terminal.get("/console")).text
    for words in (
        "a pool below zero",
        "el adaptador serie ha desaparecido",
        "El disco está lleno",
        "– – –",
    ):
        assert words in page
    assert page.count("La línea con las ranuras") == 1


async def test_the_history_names_both_signers_and_says_what_an_alarm_is(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.tell(f.AlarmRaised(alarm="disk_full"))
    await terminal.log_in("c1")
    page = (await terminal.get("/console/history")).text
    assert "<td>c1 + j1</td>" in page
    assert "Alarma: El disco está lleno" in page
    assert "<td>0</td>" not in page


async def test_the_console_says_what_too_few_officers_cannot_sign(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    assert "data-lacking" not in (await terminal.get("/console")).text
    desk.tell(f.OfficersListed(officers={name: OFFICERS[name] for name in ("c1", "j1", "j2")}))
    page = (await terminal.get("/console")).text
    assert re.findall('data-lacking="([a-z]+)"', page) == ["entries"]
    assert "Faltan oficiales para correcciones y traslados" in page
