"""A form counts only on a living page, on a key that was there to be read, and on what is still so."""

from __future__ import annotations

import re

import pytest
from support.fakedesk import FakeClock, FakeDesk
from support.terminal import Terminal, reason

from jackpot.table import facts as f

MS_NS = 1_000_000
S_NS = 1_000_000_000
J1 = {"signer": "j1", "pin": "314159"}


async def _key(terminal: Terminal, action: str) -> str:
    """The hidden field of the key that posts to ``action``, as the panel shows it now."""
    page = (await terminal.get("/console")).text
    found = re.search(rf'/console/act/{action}".*?name="form" value="([^"]+)"', page, re.DOTALL)
    assert found is not None
    return found[1]


async def test_a_key_that_has_just_appeared_is_no_target_for_the_second_tap(
    terminal: Terminal, desk: FakeDesk, clock: FakeClock
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    form = await _key(terminal, "start")
    clock.now_ns += 399 * MS_NS
    early = await terminal.post("/console/act/start", {"form": form, "hand": "1"})
    assert (early.status_code, reason(early)) == (409, "too_quick")
    form = await _key(terminal, "start")  # drawn anew, but it has been there since before
    clock.now_ns += 1 * MS_NS
    assert (await terminal.post("/console/act/start", {"form": form, "hand": "1"})).is_redirect
    assert [act.kind for act in desk.acts] == ["hand_started"]


async def test_a_form_that_waited_at_a_frozen_controller_is_not_carried_out_afterwards(
    terminal: Terminal, desk: FakeDesk, clock: FakeClock
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    form = await _key(terminal, "start")
    beat = str(clock.now_ns // MS_NS)
    clock.now_ns += 6 * S_NS
    fields = {"form": form, "hand": "1", "beat": beat}
    late = await terminal.post("/console/act/start", fields)
    assert (late.status_code, reason(late)) == (409, "page_was_stale")
    assert desk.acts == []


async def test_a_page_that_stood_open_for_long_counts_while_it_hears_the_heartbeat(
    terminal: Terminal, desk: FakeDesk, clock: FakeClock
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    form = await _key(terminal, "start")
    clock.now_ns += 600 * S_NS
    fields = {"form": form, "hand": "1", "beat": str(clock.now_ns // MS_NS - 2_000)}
    assert (await terminal.post("/console/act/start", fields)).is_redirect


async def test_can_10_1_a_void_is_signed_for_the_bets_that_the_page_showed(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    await terminal.log_in("c1")
    page = (await terminal.get("/console/void")).text
    assert 'name="bets" value="1"' in page
    assert "checked" not in page.split('name="why"', 1)[1].split("</fieldset>")[0]
    desk.chip(5)
    answer = await terminal.press("void", hand="1", bets="1", why="Exposed card", **J1)
    assert (answer.status_code, reason(answer)) == (409, "bets_changed")
    assert desk.acts == []


async def _close_first_day(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    desk.tell(f.DayClosed(by="c1", second="j1", displayed_cents=10_000_000))
    await terminal.log_in("c1")


async def test_can_2_2_after_a_closed_day_only_the_next_one_is_offered_and_the_last_is_named(
    terminal: Terminal, desk: FakeDesk
) -> None:
    await _close_first_day(terminal, desk)
    page = (await terminal.get("/console/day")).text
    assert re.findall(r'name="day" value="([^"]+)" required checked', page) == ["2026-12-01"]
    assert page.count('name="day"') == 1
    assert "Última jornada, cerrada: 30 de noviembre de 2026" in page


@pytest.mark.parametrize(
    ("day", "why"),
    [
        ("2026-11-30", "day_not_after_last"),
        ("2026-11-28", "day_not_today"),
        ("2026-12-02", "day_not_today"),
    ],
)
async def test_can_2_2_no_other_gaming_day_can_be_opened(
    terminal: Terminal, desk: FakeDesk, day: str, why: str
) -> None:
    await _close_first_day(terminal, desk)
    answer = await terminal.press("open-day", day=day, cents="10000000", page="day", **J1)
    assert (answer.status_code, reason(answer)) == (409, why)
    assert desk.acts == []


async def test_an_entry_of_awards_for_a_hand_that_is_over_is_cleared_and_says_so(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    await terminal.log_in("c1")
    form = await terminal.form("/console/awards")
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    entry = {"form": [form], "hand": ["1"], "listed": ["3.1:Kd Qd Jd Td 9d"]}
    over = await terminal.post("/console/awards/declare", entry)
    assert (over.status_code, reason(over)) == (409, "entry_of_old_hand")
    desk.start_hand(3)
    desk.lock()
    for way in ("declare", "entry"):
        answer = await terminal.post(f"/console/awards/{way}", entry)
        assert reason(answer) == "entry_of_old_hand"
        assert 'name="listed"' not in answer.text
    assert desk.acts == []


async def test_closing_with_something_open_lists_it_and_has_no_key_to_sign_in_vain(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3, 3)
    desk.lock()
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    await terminal.log_in("c1")
    page = (await terminal.get("/console/day")).text
    assert "Casilla 3: Devuelva la ficha al jugador." in page
    assert "/console/act/close-day" not in page
    await terminal.press("settle", item="1")
    assert "/console/act/close-day" in (await terminal.get("/console/day")).text


@pytest.mark.parametrize(("path", "status"), [("/console/act/start", 405), ("/no/such", 404)])
async def test_an_address_that_leads_nowhere_says_so_in_the_language_of_the_screen(
    terminal: Terminal, path: str, status: int
) -> None:
    answer = await terminal.get(path)
    assert answer.status_code == status
    assert "Aquí no hay ninguna página" in answer.text
    assert 'href="/console"' in answer.text
