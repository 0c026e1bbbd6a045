"""Who gets through to the table: every door of the console, and everything that stays outside."""

from __future__ import annotations

import re

import httpx
import pytest
from support.fakedesk import PINS, FakeClock, FakeDesk
from support.terminal import ORIGIN, FakeBook, Terminal, hidden, reason

from jackpot.console.forms import MOST_FORM_BYTES
from jackpot.console.security import security_headers
from jackpot.console.sessions import MOST_SESSIONS, Sessions
from jackpot.errors import Refused

S_NS = 1_000_000_000


def _unchanged(desk: FakeDesk) -> bool:
    return desk.acts == []


async def test_a_login_with_id_and_pin_opens_the_console(terminal: Terminal) -> None:
    await terminal.log_in("c1")
    page = await terminal.get("/console")
    assert page.status_code == 200
    assert "c1" in page.text


async def test_the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites(
    terminal: Terminal,
) -> None:
    page = await terminal.get("/login")
    fields = {"form": hidden(page.text), "officer": "C1", "pin": PINS["c1"]}
    cookie = (await terminal.post("/login", fields)).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize(("officer", "pin"), [("c1", "000000"), ("nobody", "271828"), ("", "")])
async def test_a_wrong_pin_and_an_unknown_id_are_told_the_same(
    terminal: Terminal, officer: str, pin: str
) -> None:
    form = hidden((await terminal.get("/login")).text)
    answer = await terminal.post("/login", {"form": form, "officer": officer, "pin": pin})
    assert (answer.status_code, reason(answer)) == (401, "wrong_pin")
    assert (await terminal.get("/console")).headers["location"] == "/login"


async def test_only_an_id_comes_back_into_its_field(terminal: Terminal) -> None:
    """A PIN that was typed into the field of the id is not drawn for everybody to read."""
    for typed, drawn in (("C1", 'value="c1"'), ("391726", 'value=""')):
        form = hidden((await terminal.get("/login")).text)
        answer = await terminal.post("/login", {"form": form, "officer": typed, "pin": "000000"})
        field = re.search('<input name="officer"[^>]*>', answer.text)
        assert field is not None
        assert drawn in field[0]
        assert "391726" not in answer.text


async def test_too_soon_after_misses_says_how_long_to_wait(
    terminal: Terminal, book: FakeBook
) -> None:
    book.wait_s = 8
    form = hidden((await terminal.get("/login")).text)
    answer = await terminal.post("/login", {"form": form, "officer": "c1", "pin": PINS["c1"]})
    assert (answer.status_code, reason(answer)) == (429, "too_soon")
    assert "8 s" in answer.text


async def test_without_a_login_no_key_works_and_no_page_opens(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    answer = await terminal.post("/console/act/start", {"form": "x", "hand": "1"})
    assert (answer.status_code, reason(answer)) == (401, "not_logged_in")
    for page in ("/console", "/console/panel", "/console/day", "/console/awards"):
        assert (await terminal.get(page)).headers["location"] == "/login"
    assert _unchanged(desk)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"{ORIGIN}.evil.example", None])
async def test_a_post_from_another_site_changes_nothing(
    terminal: Terminal, desk: FakeDesk, origin: str | None
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    fields = {"form": await terminal.form(), "hand": "1"}
    answer = await terminal.post("/console/act/start", fields, origin=origin)
    assert (answer.status_code, reason(answer)) == (403, "other_site")
    assert _unchanged(desk)


async def test_a_form_posted_twice_acts_once(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    fields = {"form": await terminal.form(), "hand": "1"}
    assert (await terminal.post("/console/act/start", fields)).status_code == 303
    again = await terminal.post("/console/act/start", fields)
    assert (again.status_code, reason(again)) == (409, "form_already_posted")
    assert [act.kind for act in desk.acts] == ["hand_started"]


async def test_an_older_page_is_refused_once_a_newer_one_acted(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    old = await terminal.form()
    await terminal.press("start", hand="1")
    answer = await terminal.post("/console/act/lock", {"form": old, "hand": "1"})
    assert (answer.status_code, reason(answer)) == (409, "form_is_old")
    assert [act.kind for act in desk.acts] == ["hand_started"]


async def test_a_stale_page_cannot_act_on_a_newer_hand(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    desk.start_hand()
    await terminal.log_in("c1")
    answer = await terminal.press("lock", hand="7")
    assert (answer.status_code, reason(answer)) == (409, "stale_hand")
    assert _unchanged(desk)


async def test_a_form_of_another_session_or_a_forged_one_is_refused(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    c1s = await terminal.form()
    await terminal.post("/logout", {})
    await terminal.log_in("j1")
    for form in (c1s, c1s[:-1] + "A", "", "W10.x"):
        answer = await terminal.post("/console/act/start", {"form": form, "hand": "1"})
        assert (answer.status_code, reason(answer)) == (403, "form_forged")
    assert _unchanged(desk)


async def test_a_form_that_is_too_large_or_broken_is_refused(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    large = await terminal.press("start", hand="1" * MOST_FORM_BYTES)
    assert (large.status_code, reason(large)) == (413, "form_too_large")
    for hand in ("", "one", "-1", "٣", "1e3"):
        answer = await terminal.press("start", hand=hand)
        assert (answer.status_code, reason(answer)) == (422, "form_incomplete")
    assert (await terminal.press("no-such-key")).status_code == 404
    assert _unchanged(desk)


async def test_a_session_times_out_when_nobody_acts_though_the_page_looks_on(
    terminal: Terminal, clock: FakeClock
) -> None:
    await terminal.log_in("c1")
    clock.now_ns += 899 * S_NS
    assert (await terminal.get("/console/panel")).status_code == 200
    clock.now_ns += 2 * S_NS
    assert (await terminal.get("/console/panel")).headers["location"] == "/login"


async def test_logging_out_ends_the_session_on_the_server(terminal: Terminal) -> None:
    await terminal.log_in("c1")
    cookie = terminal.client.cookies["jackpot_session"]
    await terminal.post("/logout", {})
    terminal.client.cookies.set("jackpot_session", cookie)
    assert (await terminal.get("/console")).headers["location"] == "/login"


async def test_an_officer_who_is_taken_off_the_list_is_out_at_once(
    terminal: Terminal, book: FakeBook
) -> None:
    await terminal.log_in("c1")
    del book.officers["c1"]
    assert (await terminal.get("/console")).headers["location"] == "/login"


def test_sessions_are_bounded_and_the_idlest_makes_room() -> None:
    sessions = Sessions(900)
    first = sessions.open("c1", 0)
    for moment in range(1, MOST_SESSIONS + 1):
        sessions.open("j1", moment)
    assert len(sessions) == MOST_SESSIONS
    assert sessions.find(first.token, MOST_SESSIONS, touch=False) is None


def test_form_numbers_only_grow() -> None:
    session = Sessions(900).open("c1", 0)
    one, two = session.next_form(), session.next_form()
    assert session.use_form(two) == f"{session.name}.2"
    for number in (one, two, 3, 0, -1):
        with pytest.raises(Refused):
            session.use_form(number)


async def test_every_answer_carries_the_security_headers_and_no_page_has_a_script_in_it(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    pages = ["/", "/login", "/console", "/console/day", "/console/boxes", "/console/history"]
    for path in [*pages, "/visor/state", "/static/visor.js", "/no-such-page"]:
        answer = await terminal.get(path)
        for name, value in security_headers().items():
            if name != "Cache-Control":
                assert answer.headers[name] == value
        _only_own_sources(answer)


def _only_own_sources(answer: httpx.Response) -> None:
    if not answer.headers.get("content-type", "").startswith("text/html"):
        return
    assert re.findall(r"<script(?![^>]*\bsrc=)", answer.text) == []
    assert re.findall(r"\son[a-z]+=|\sstyle=|javascript:|https?:", answer.text) == []


async def test_health_is_ready_only_while_the_desk_vouches(
    terminal: Terminal, desk: FakeDesk
) -> None:
    from jackpot.console.desk import DeskStatus

    assert (await terminal.get("/healthz")).status_code == 200
    desk.set_status(DeskStatus(ready=False))
    assert (await terminal.get("/healthz")).status_code == 503
    desk.set_status(DeskStatus(ready=True, halted="an invariant broke"))
    answer = await terminal.get("/healthz")
    assert (answer.status_code, answer.json()["halted"]) == (503, "an invariant broke")
