"""After «Pagado» the console offers the slip in one touch; every print stands in the ledger (CAN-8.7)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from support.fakedesk import FakeClock, FakeDesk
from support.terminal import ORIGIN, FakeBook, Terminal, reason

from jackpot.console.app import build_app
from jackpot.console.settings import ScreenSettings
from jackpot.errors import Refused
from jackpot.table import facts as f

SLIP = {"award": "1", "box": "3", "bet": "1"}


class FakeSlips:
    """Says what was asked for, or fails."""

    def __init__(self) -> None:
        self.broken = False

    async def slip(self, award: int, box: int, bet: int, *, a4: bool, copy: bool) -> bytes:
        if self.broken:
            raise Refused(reason="slip_failed", expected="a", found="b", to_do="c")
        return f"{award}-{box}-{bet} {'a4' if a4 else '80mm'} {'copy' if copy else 'original'}".encode()


@pytest.fixture
def slips() -> FakeSlips:
    return FakeSlips()


@pytest.fixture
async def printing(
    desk: FakeDesk, clock: FakeClock, book: FakeBook, slips: FakeSlips
) -> AsyncIterator[Terminal]:
    """c1 at a table that can print, after an award in box 3 was paid."""
    settings = ScreenSettings(secret_key="a key for tests", clock=clock, slips=slips)
    transport = httpx.ASGITransport(app=build_app(desk, book, settings))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        terminal = Terminal(client)
        desk.open_day()
        desk.start_hand(3)
        desk.lock()
        desk.declare(box3="7s 7h 7d 7c 2d")
        desk.confirm()
        desk.tell(f.AwardsSigned(by="d1", hand=1, total_cents=500_002))
        await terminal.log_in("c1")
        yield terminal


async def _paid(terminal: Terminal) -> None:
    answer = await terminal.press("paid", hand="1", box="3", bet="1", cents="500002")
    assert answer.status_code == 303


async def _print(
    terminal: Terminal, *, page: str = "/console/slips", **fields: str
) -> httpx.Response:
    posted = {"form": await terminal.form(page), **SLIP, **fields}
    return await terminal.post("/console/slips/print", posted)


async def test_CAN_8_7_the_slip_is_offered_once_it_is_paid_and_until_it_is_printed(
    printing: Terminal,
) -> None:
    assert "slip-row offered" not in (await printing.get("/console")).text
    await _paid(printing)
    assert "slip-row offered" in (await printing.get("/console")).text
    await _print(printing, paper="80mm")
    assert "slip-row offered" not in (await printing.get("/console")).text


async def test_CAN_8_7_the_first_print_is_the_original_and_each_later_one_a_copy(
    printing: Terminal, desk: FakeDesk
) -> None:
    await _paid(printing)
    first = await _print(printing, paper="80mm")
    again = await _print(printing, paper="a4")
    assert (first.text, again.text) == ("1-3-1 80mm original", "1-3-1 a4 copy")
    assert first.headers["content-type"] == "application/pdf"
    prints = [act for act in desk.acts if isinstance(act, f.SlipPrinted)]
    assert [(act.by, act.copy) for act in prints] == [("c1", False), ("c1", True)]


async def test_CAN_8_7_a_slip_of_what_is_not_paid_is_refused_and_not_recorded(
    printing: Terminal, desk: FakeDesk
) -> None:
    answer = await _print(printing, page="/console/void", paper="80mm")
    assert (answer.status_code, reason(answer)) == (409, "not_paid_yet")
    assert desk.acts == []


async def test_a_slip_that_could_not_be_made_is_a_copy_the_next_time(
    printing: Terminal, slips: FakeSlips
) -> None:
    """Two originals are worse than none: nobody knows what the first one became."""
    await _paid(printing)
    slips.broken = True
    assert reason(await _print(printing, paper="80mm")) == "slip_failed"
    slips.broken = False
    assert (await _print(printing, paper="80mm")).text == "1-3-1 80mm copy"


async def test_a_print_is_posted_once(printing: Terminal) -> None:
    await _paid(printing)
    fields = {"form": await printing.form("/console/slips"), **SLIP, "paper": "80mm"}
    await printing.post("/console/slips/print", fields)
    again = await printing.post("/console/slips/print", fields)
    assert (again.status_code, reason(again)) == (409, "form_already_posted")


async def test_where_nothing_can_print_nothing_is_offered(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    assert "/console/slips" not in (await terminal.get("/console")).text
    assert (await terminal.get("/console/slips")).headers["location"] == "/console"
