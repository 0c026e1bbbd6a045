"""A cryptographic token as the second signature: where it may sign, what it signs, and once."""

from __future__ import annotations

import re

import httpx
import pytest
from support.fakedesk import PINS, FakeDesk
from support.terminal import FakeBook, Terminal, hidden, reason

from jackpot.console.pit_forms import PIT_FORMS
from jackpot.console.signing import SIGNED_BY_TWO
from jackpot.table.facts import TokenUsed

VOID = {"hand": "1", "bets": "0", "why": "Exposed card", "signer": "j1"}
KEY = "0123456789abcdef"


@pytest.fixture
def tokens(book: FakeBook) -> FakeBook:
    """j1 has a token."""
    book.tokens["j1"] = KEY
    return book


async def _voidable(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    desk.start_hand()
    await terminal.log_in("c1")


async def _ask(terminal: Terminal, key: str, fields: dict[str, str]) -> httpx.Response:
    return await terminal.post(f"/console/token/question/{key}", fields)


async def test_a_token_signs_in_place_of_the_second_officers_pin_and_the_ledger_says_so(
    terminal: Terminal, desk: FakeDesk, tokens: FakeBook
) -> None:
    await _voidable(terminal, desk)
    assert (await _ask(terminal, "void", VOID)).status_code == 200
    assert (await terminal.press("void", token=KEY, **VOID)).status_code == 303
    assert [(act.kind, act.by) for act in desk.acts] == [("hand_voided", "c1")]
    assert desk.tokens_used == (TokenUsed(officer="j1", token=KEY),)
    assert tokens.asked == ["c1"], "the PIN of the login, and no other"


async def test_CAN_10_1_a_token_signs_the_form_that_it_was_shown_and_no_other(
    terminal: Terminal, desk: FakeDesk, tokens: FakeBook
) -> None:
    await _voidable(terminal, desk)
    await _ask(terminal, "void", VOID)
    other = {**VOID, "why": "Wrong number of cards"}
    answer = await terminal.press("void", token=KEY, **other)
    assert (answer.status_code, reason(answer)) == (401, "token_wrong")
    await _ask(terminal, "void", VOID)
    assert reason(await terminal.press("close-day", token=KEY, **VOID)) == "token_wrong"
    assert desk.acts == []


async def test_an_answer_counts_once_and_only_to_a_question(
    terminal: Terminal, desk: FakeDesk, tokens: FakeBook
) -> None:
    await _voidable(terminal, desk)
    assert reason(await terminal.press("void", token=KEY, **VOID)) == "token_wrong"
    await _ask(terminal, "void", VOID)
    await terminal.press("void", token="another", **VOID)
    assert reason(await terminal.press("void", token=KEY, **VOID)) == "token_wrong"
    assert desk.acts == []


@pytest.mark.parametrize("key", ["box-close", "settle", "last-hands", "reject", "mode", "minimum"])
async def test_a_token_never_signs_what_one_officer_signs_alone(
    terminal: Terminal, desk: FakeDesk, tokens: FakeBook, key: str
) -> None:
    await _voidable(terminal, desk)
    asked = await _ask(terminal, key, {"signer": "j1"})
    assert (asked.status_code, asked.json()["reason"]) == (409, "token_not_here")
    answer = await terminal.press(key, token=KEY, signer="j1", item="1", box="1", why="x", hand="1")
    assert reason(answer) == "token_not_here"
    assert desk.acts == []


async def test_a_token_never_logs_in(terminal: Terminal, tokens: FakeBook) -> None:
    form = hidden((await terminal.get("/login")).text)
    answer = await terminal.post("/login", {"form": form, "officer": "j1", "token": KEY})
    assert (answer.status_code, reason(answer)) == (401, "wrong_pin")


def test_the_forms_of_two_signatures_are_those_that_take_a_token() -> None:
    by_one = {form.key for form in PIT_FORMS.values() if form.second is None}
    assert {"open-day", "close-day", "void", "confirm", "sign"} <= SIGNED_BY_TWO
    assert by_one & SIGNED_BY_TWO == set()
    assert by_one == {"mode", "box-mode", "suspend", "resume", "minimum"}


async def test_the_key_for_a_token_stands_only_where_somebody_may_use_one(
    terminal: Terminal, desk: FakeDesk, book: FakeBook
) -> None:
    await _voidable(terminal, desk)
    assert "data-token" not in (await terminal.get("/console/void")).text
    book.tokens["j1"] = KEY
    page = (await terminal.get("/console/void")).text
    assert re.search(r'data-token data-holders="j1"', page)


async def test_registering_takes_the_officers_own_pin_again(
    terminal: Terminal, book: FakeBook
) -> None:
    await terminal.log_in("j1")
    await terminal.post("/console/token/new", {})
    fields = {"form": await terminal.form("/console/token"), "token": KEY, "pin": "000000"}
    answer = await terminal.post("/console/token/add", fields)
    assert (answer.status_code, reason(answer)) == (401, "wrong_pin")
    assert book.tokens == {}
    await terminal.post("/console/token/new", {})
    fields |= {"form": await terminal.form("/console/token"), "pin": PINS["j1"]}
    assert (await terminal.post("/console/token/add", fields)).status_code == 303
    assert book.tokens == {"j1": KEY}
    again = await terminal.post("/console/token/add", fields)
    assert reason(again) == "form_already_posted"


async def test_removing_takes_the_pin_too(terminal: Terminal, tokens: FakeBook) -> None:
    await terminal.log_in("j1")
    wrong = {"form": await terminal.form("/console/token"), "pin": "000000"}
    assert reason(await terminal.post("/console/token/remove", wrong)) == "wrong_pin"
    right = {"form": await terminal.form("/console/token"), "pin": PINS["j1"]}
    assert (await terminal.post("/console/token/remove", right)).status_code == 303
    assert tokens.tokens == {}
