"""Two adjacent tables on one screen (CAN-3.1): which side, who may frame whom, and whose cookie."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from support.fakedesk import PINS, FakeClock, FakeDesk
from support.terminal import FakeBook, Terminal, hidden, reason

from jackpot.console.app import build_app
from jackpot.console.neighbour import neighbour_of, same_site
from jackpot.console.settings import ScreenSettings
from jackpot.terminal.page import read_page

OWN = "https://mesa-2.casino.example:8080"
OTHER = "https://mesa-3.casino.example:8080"


@pytest.fixture
async def half(desk: FakeDesk, clock: FakeClock, book: FakeBook) -> AsyncIterator[Terminal]:
    """A browser at table 2, whose neighbour is table 3."""
    settings = ScreenSettings(
        secret_key="a key for tests", clock=clock, neighbour=neighbour_of("2", OTHER, "3")
    )
    transport = httpx.ASGITransport(app=build_app(desk, book, settings))
    async with httpx.AsyncClient(transport=transport, base_url=OWN) as client:
        yield Terminal(client)


def _policy(answer: httpx.Response) -> dict[str, str]:
    parts = answer.headers["content-security-policy"].split("; ")
    return {name: rest for name, _, rest in (part.partition(" ") for part in parts)}


@pytest.mark.parametrize(
    ("own", "other", "side"),
    [("2", "3", "left"), ("3", "2", "right"), ("9", "10", "left"), ("10", "9", "right")],
)
def test_CAN_3_1_the_lower_number_stands_on_the_left_on_both_boxes(
    own: str, other: str, side: str
) -> None:
    neighbour = neighbour_of(own, OTHER, other)
    assert neighbour.ours == side
    assert neighbour.theirs != side


@pytest.mark.parametrize(
    ("host", "origin", "same"),
    [
        ("mesa-2.casino.example", "https://mesa-3.casino.example:8080", True),
        ("127.0.0.1", "http://127.0.0.1:8081", True),
        ("10.0.0.2", "https://10.0.0.3", False),
        ("mesa-2.casino.example", "https://10.0.0.3", False),
        ("mesa2.local", "https://mesa3.local", False),
        ("mesa-2.casino.example", "https://mesa-3.other.example", False),
    ],
)
def test_a_browser_keeps_both_logins_only_within_one_site(
    host: str, origin: str, same: bool
) -> None:
    assert same_site(host, origin) is same


async def test_CAN_3_1_the_page_has_both_halves_with_their_numbers_and_frames_them_alone(
    half: Terminal,
) -> None:
    page = await half.get("/tables")
    assert page.status_code == 200
    assert page.text.index('id="half-left"') < page.text.index('id="half-right"')
    assert page.text.index("Mesa 2") < page.text.index("Mesa 3")
    policy = _policy(page)
    assert policy["frame-src"] == f"'self' {OTHER}"
    assert policy["frame-ancestors"] == "'none'"


async def test_a_console_is_framed_by_the_screen_of_two_tables_and_by_nobody_else(
    half: Terminal, terminal: Terminal
) -> None:
    assert _policy(await half.get("/login"))["frame-ancestors"] == f"'self' {OTHER}"
    assert _policy(await terminal.get("/login"))["frame-ancestors"] == "'none'"
    assert "frame-src" not in _policy(await half.get("/login"))


async def test_without_a_neighbour_there_is_no_such_page(terminal: Terminal) -> None:
    assert (await terminal.get("/tables")).status_code == 404


async def test_boxes_that_a_browser_takes_for_two_sites_are_refused_with_the_reason(
    half: Terminal,
) -> None:
    answer = await half.client.get("https://10.0.0.2:8080/tables")
    assert (answer.status_code, reason(answer)) == (409, "neighbour_elsewhere")


async def _log_in(half: Terminal) -> httpx.Response:
    page = await half.get("/login")
    fields = {"form": hidden(page.text), "officer": "c1", "pin": PINS["c1"]}
    return await half.post("/login", fields, origin=OWN)


async def test_two_tables_on_one_machine_keep_their_sessions_apart(half: Terminal) -> None:
    """A browser tells hosts apart, not ports."""
    answer = await _log_in(half)
    assert answer.headers["set-cookie"].startswith("jackpot_session_8080=")


async def test_every_key_of_the_main_path_names_its_table(half: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    await _log_in(half)
    shown = (await half.get("/console")).text
    assert '<small class="of-table">Mesa 2</small>Siguiente jugada' in shown


async def test_a_terminal_shows_one_table_and_no_key_to_the_other(half: Terminal) -> None:
    await _log_in(half)
    page = (await half.get("/console")).text
    assert "data-away" in page
    assert [key.label for key in read_page(page).bar] == ["ES", "EN", "Salir"]
