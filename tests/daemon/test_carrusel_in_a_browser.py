"""CAN-9 in a real browser: the coordinator's page, the carrusel's visor, a join at a table's console."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from anyio import open_file as _loaded_before_any_thread  # noqa: F401 - pytest rewrites that module
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect, sync_playwright
from support.brokers import free_port, mosquitto
from support.linked_floor import (
    FOUR_ACES,
    OFFICERS,
    FloorTable,
    found_coordinator,
    install_table,
    table_runs,
)
from support.screen_server import launch

from jackpot.daemon.link.process import coordinator_with_pages

T = TypeVar("T")
WITHIN_MS = 30_000
START_S = 120
PINS = {new.officer: new.pin for new in OFFICERS}
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
BY_LOCK = '\n[policies]\ncarrusel_order = "lock_position"\n'


class Floor:
    """A coordinator with its pages and real tables, in a loop of their own: the browser has this one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._broker = mosquitto(folder / "broker")
        self._broker.start()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._stack = AsyncExitStack()
        self.url = self.do(self._start())

    def do(self, what: Coroutine[Any, Any, T]) -> T:
        """Something that happens on the floor, to its end."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(START_S)

    async def _start(self) -> str:
        config = await found_coordinator(self._folder, self._broker.port)
        _, _, url = await self._stack.enter_async_context(coordinator_with_pages(config))
        return url.rstrip("/")

    def table(self, number: str) -> FloorTable:
        """A new table with screens, its day open, in no carrusel yet."""
        return self.do(self._seat(number))

    async def _seat(self, number: str) -> FloorTable:
        folder = self._folder / f"table-{number}"
        config = install_table(folder, number, self._broker.port, screens=free_port(), more=BY_LOCK)
        table = await self._stack.enter_async_context(table_runs(config, folder, screens=True))
        await table.open()
        return table

    def end(self) -> None:
        """Everything in good order."""
        self.do(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._broker.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="es-ES")
    page = context.new_page()
    page.set_default_timeout(WITHIN_MS)
    yield page
    context.close()


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    floor = Floor(tmp_path)
    yield floor
    floor.end()


def expect_clean(page: Page) -> None:
    page.wait_for_load_state("load")  # without its style sheets a page has other sizes
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": LEVELS}})
    assert [rule["id"] for rule in found.response["violations"]] == []


def expect_text(page: Page, where: str, text: str) -> None:
    expect(page.locator(where)).to_contain_text(text, timeout=WITHIN_MS)


def test_two_officers_join_a_table_at_its_console_and_the_coordinators_page_shows_it(
    page: Page, floor: Floor
) -> None:
    table = floor.table("7")
    page.goto(floor.url)
    expect_text(page, "#panel", "Ninguna mesa se ha unido todavía")
    expect_clean(page)
    console = table.running.url.rstrip("/")
    page.goto(f"{console}/login")
    page.locator("#officer").fill("j1")
    page.locator("#pin").fill(PINS["j1"])
    page.get_by_role("button", name="Entrar").click()
    page.wait_for_url("**/console")
    page.goto(f"{console}/console/pit/carrusel-join")
    page.locator("[name=authorisation]").fill("2026/9")
    page.get_by_role("button", name="Revisar antes de firmar").click()
    expect(page.locator("[data-said=carrusel]")).to_have_text("sala", timeout=WITHIN_MS)
    page.locator("input[name=signer][value=d1]").check(force=True)
    page.locator("input[name=pin]").fill(PINS["d1"])
    page.get_by_role("button", name="Firmar:").click()
    floor.do(table.until(table.is_member))
    page.goto(floor.url)
    expect_text(page, "tr[data-table='7']", "miembro")
    expect_text(page, "tr[data-table='7']", "10.000,00")
    expect_clean(page)


def test_a_claim_that_waits_names_the_hand_and_then_the_award_is_there(
    page: Page, floor: Floor
) -> None:
    """``lock_position``: table 8 locked first, so table 7 waits for it."""
    seven, eight = floor.table("7"), floor.table("8")
    for table in (seven, eight):
        floor.do(table.join())
    page.goto(floor.url)
    floor.do(eight.lock_a_hand())
    expect_text(page, "tr[data-table='8']", "1 @")  # the log has it
    floor.do(seven.lock_a_hand())
    floor.do(seven.claim(FOUR_ACES))
    expect_text(page, ".prize .badge.pending", "PENDIENTE: 7")
    expect_text(page, "tr[data-table='7']", "Espera: mesa 8, jugada 1 cerrada")
    expect_clean(page)
    page.goto(f"{floor.url}/visor")
    expect(page.locator("#pending")).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#amount")).to_have_text("20.000,00\u00a0€", timeout=WITHIN_MS)
    expect_clean(page)
    floor.do(eight.end_the_hand(chips=0))
    assert floor.do(seven.pay()) == 100_000
    expect(page.locator("#pending")).to_be_hidden(timeout=WITHIN_MS)
    expect(page.locator("#amount")).to_have_text("19.000,00\u00a0€", timeout=WITHIN_MS)
    page.goto(floor.url)
    expect_text(page, "details[data-decision='1'] summary", "1.000,00")
    expect(page.locator("details[data-decision='1'] tbody tr")).to_have_count(2)
    expect_clean(page)


def test_what_is_signed_wrongly_is_refused_in_words_and_rightly_it_goes_to_the_log(
    page: Page, floor: Floor
) -> None:
    floor.do(floor.table("7").join())

    def sign(subject: str, pin: str) -> None:
        page.goto(floor.url)
        page.locator("select[name=act]").select_option("stop")
        for name, text in (
            ("subject", subject),
            ("why", "La caja no responde"),
            ("officer", "j1"),
            ("pin", pin),
            ("second", "d1"),
            ("second_pin", PINS["d1"]),
        ):
            page.locator(f"[name={name}]").fill(text)
        page.get_by_role("button", name="Firmar").click()

    sign("9", PINS["j1"])
    expect_text(page, ".refused", "Ninguna mesa del carrusel se llama así.")
    sign("7", "000000")
    expect_text(page, ".refused", "Identificador o PIN incorrecto.")
    expect_clean(page)
    sign("7", PINS["j1"])
    expect_text(page, ".signed", "Firmado")
    expect_text(page, "tr[data-table='7']", "detenida")
    expect_text(page, "tr[data-table='7']", "La caja no responde")
