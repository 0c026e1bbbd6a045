"""Every form of the screens, whichever it is: from our own page, by somebody, once, on what is so now.

The forms are found by walking over the application and its tables of keys, so a new one is held to
the same without a line here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from starlette.datastructures import FormData
from starlette.routing import Route
from support.fakedesk import OFFICERS, PINS, FakeClock, FakeDesk
from support.terminal import FakeBook, Terminal, reason

from jackpot.console import acts, carrusel_forms, pit_acts
from jackpot.console.acts import Signers
from jackpot.console.app import build_app
from jackpot.console.pit_forms import PIT_FORMS
from jackpot.console.screens import HERE
from jackpot.console.settings import ScreenSettings
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.state import Phase

KEYS = sorted(acts.READERS.keys() | pit_acts.READERS.keys() | carrusel_forms.READERS.keys())
OPEN_TO_ALL = {"/login", "/logout", "/language"}
"""What somebody posts who is not logged in; it reaches no table."""
ANYTHING: dict[str, str | list[str]] = {
    "hand": "7",
    "of_hand": "7",
    "bets": "0",
    "box": "3",
    "bet": "1",
    "cents": "500002",
    "amount": "1",
    "bet_cents": "200",
    "chips": "1",
    "chips_before": "0",
    "item": "1",
    "award": "1",
    "why": "x",
    "card": ["7s", "7h", "7d", "7c", "2d"],
    "plays": "yes",
    "payment": "1.3.1",
    "day": "2026-11-30",
    "mode": "manual",
    "layout": "A",
    "authorisation": "1",
    "jackpot": "1",
    "batch": "1",
    "hash": "0",
    "place": "3.1",
    "pool": "jackpot",
    "way": "more",
}
"""Fills in any form: what is not asked for is not read."""


def _posts() -> Iterator[str]:
    settings = ScreenSettings(secret_key="a key for tests", clock=FakeClock())
    for route in build_app(FakeDesk(), FakeBook(), settings).routes:
        if isinstance(route, Route) and "POST" in (route.methods or ()):
            yield route.path.replace("{key}", "suspend")


def _hand_keys() -> list[str]:
    """Keys whose act belongs to a hand."""
    found = []
    form = _form()
    signers = Signers("j1", "d1", OFFICERS)
    for key in KEYS:
        try:
            act = carrusel_forms.read_act(key, form, signers)
        except Refused:
            continue
        if isinstance(act, f.HandAct):
            found.append(key)
    return found


def _form() -> FormData:
    fields = [(name, value) for name, value in ANYTHING.items() if isinstance(value, str)]
    return FormData([*fields, *(("card", card) for card in ANYTHING["card"])])


POSTS = [
    "/console/act/suspend",
    "/console/awards/declare",
    "/console/awards/entry",
    "/console/awards/preview",
    "/console/hand-back",
    "/console/pit/suspend",
    "/console/pit/suspend/sign",
    "/console/slips/print",
    "/console/take-over",
    "/console/token/add",
    "/console/token/new",
    "/console/token/question/suspend",
    "/console/token/remove",
    "/language",
    "/login",
    "/logout",
]


async def test_these_are_all_the_addresses_that_take_a_form() -> None:
    assert sorted(_posts()) == POSTS


@pytest.mark.parametrize("path", POSTS)
async def test_no_address_takes_a_form_from_another_site(
    terminal: Terminal, desk: FakeDesk, path: str
) -> None:
    desk.open_day()
    await terminal.log_in("j1")
    answer = await terminal.post(path, ANYTHING, origin="http://evil.example")
    assert answer.status_code == 403, answer.text
    assert desk.acts == []


@pytest.mark.parametrize("path", [path for path in POSTS if path not in OPEN_TO_ALL])
async def test_no_address_takes_a_form_from_nobody(
    terminal: Terminal, desk: FakeDesk, path: str
) -> None:
    answer = await terminal.post(path, ANYTHING)
    assert answer.status_code == 401, answer.text
    assert desk.acts == []


def test_every_form_on_every_page_carries_its_number() -> None:
    """But for those that reach no table."""
    without = []
    for template in sorted((HERE / "templates").rglob("*.html")):
        text = template.read_text(encoding="utf-8")
        for found in re.finditer(
            r'<form method="post" action="([^"]*)"(.*?)(?=<form|\Z)', text, re.S
        ):
            if 'name="form"' not in found[2]:
                without.append((template.name, found[1]))
    assert without == [
        ("frame.html", "/logout"),
        ("macros.html", "/language"),
        ("form.html", "/console/pit/{{ form.key }}"),  # it is only repeated, and signed then
    ]


@pytest.mark.parametrize("key", KEYS)
async def test_no_key_takes_the_same_form_twice(
    terminal: Terminal, desk: FakeDesk, key: str
) -> None:
    """Whatever became of it the first time."""
    desk.open_day()
    desk.start_hand()
    await terminal.log_in("j1")
    path = f"/console/pit/{key}/sign" if key in PIT_FORMS else f"/console/act/{key}"
    fields = {**ANYTHING, "form": await terminal.form()}
    await terminal.post(path, fields)
    done = list(desk.acts)
    again = await terminal.post(path, fields)
    assert (again.status_code, reason(again)) == (409, "form_already_posted")
    assert desk.acts == done


@pytest.mark.parametrize("key", _hand_keys())
async def test_no_key_acts_on_another_hand_than_its_page_showed(
    terminal: Terminal, desk: FakeDesk, key: str
) -> None:
    """The page showed hand 7; hand 1 is running. In no phase of it does anything happen."""
    desk.open_day()
    await terminal.log_in("j1")
    fields = {**ANYTHING, "signer": "d1", "pin": PINS["d1"]}
    steps: tuple[Callable[[], object], ...] = (
        lambda: desk.start_hand(3),
        desk.lock,
        lambda: desk.declare(box3="7s 7h 7d 7c 2d"),
        desk.confirm,
    )
    for step in steps:
        step()
        answer = await terminal.press(key, **fields)
        assert answer.status_code == 409
        assert reason(answer) == ("bets_changed" if key == "void" else "stale_hand")
    assert desk.acts == []


def test_the_keys_of_a_hand_are_all_there() -> None:
    kinds = {cls for cls in f.FACTS.values() if issubclass(cls, f.HandAct)}
    assert len(_hand_keys()) == len(kinds)


@pytest.mark.parametrize("officer", OFFICERS)
async def test_nobody_pays_above_the_threshold_alone(
    terminal: Terminal, desk: FakeDesk, officer: str
) -> None:
    """One officer, one PIN, every key over and over, from the declaration on: 5,000.02 euros."""
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    await terminal.log_in(officer)
    alone = {**ANYTHING, "hand": "1"}
    for signer in ({}, {"signer": officer, "pin": PINS[officer]}):
        for key in ("declare", *KEYS, "declare", *KEYS):
            if key != "no-awards":  # that ends the hand without a payment
                await terminal.press(key, **alone, **signer)
            assert desk.state.phase in (Phase.LOCKED, Phase.DECLARED, Phase.DECIDED)
    assert not any(isinstance(act, f.AwardPaid | f.AwardsSigned) for act in desk.acts)
    assert (await terminal.get("/console/slips")).status_code == 303


@pytest.mark.parametrize("signer", ["c1", "j1"])
async def test_the_sum_above_the_threshold_takes_a_third_officer(
    terminal: Terminal, desk: FakeDesk, signer: str
) -> None:
    """Neither who declared nor who confirmed signs it, logged in or in the form."""
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    desk.declare(box3="7s 7h 7d 7c 2d")  # by c1
    desk.confirm()  # by j1
    for officer in ("c1", "j1"):
        await terminal.post("/logout", {})
        await terminal.log_in(officer)
        fields = {"hand": "1", "cents": "500002", "signer": signer, "pin": PINS[signer]}
        assert (await terminal.press("sign", **fields)).status_code == 409
    assert desk.state.phase is Phase.DECIDED
