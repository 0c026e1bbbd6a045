"""CAN-3.1: one chief, two adjacent tables, two real daemons, one screen; and one of them is off."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from daemon_process import PINS
from playwright.sync_api import Browser, FrameLocator, Page, expect, sync_playwright
from support.screen_server import PATIENCE_MS, launch
from two_tables import Certificate, TwoTables, certificate

SCREEN = {"width": 1920, "height": 1080}
SMALLEST_TARGET_PX = 44


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Certificate, Certificate]:
    """One that the browser trusts, and one that it does not."""
    folder = tmp_path_factory.mktemp("certificates")
    return certificate(folder / "trusted"), certificate(folder / "strange")


@pytest.fixture(scope="module")
def browser(certificates: tuple[Certificate, Certificate]) -> Iterator[Browser]:
    trusted = f"--ignore-certificate-errors-spki-list={certificates[0].spki}"
    with sync_playwright() as playwright:
        browser = launch(playwright, trusted)
        yield browser
        browser.close()


@pytest.fixture
def tables(tmp_path: Path, certificates: tuple[Certificate, Certificate]) -> Iterator[TwoTables]:
    two = TwoTables(tmp_path, certificates[0], certificates[0])
    yield two
    two.end()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=SCREEN, locale="es-ES")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def _half(page: Page, side: str) -> FrameLocator:
    return page.frame_locator(f"#half-{side} iframe")


def _log_in(half: FrameLocator, officer: str) -> None:
    half.locator("#officer").fill(officer)
    half.locator("#pin").fill(PINS[officer])
    half.get_by_role("button", name="Entrar").click()
    expect(half.locator("#panel")).to_be_visible()


def _lost(page: Page, side: str, lost: bool) -> None:
    expect(page.locator(f"#half-{side} .lost")).to_be_visible(visible=lost)


def _open_day(half: FrameLocator) -> None:
    half.get_by_role("link", name="Abrir la mesa").click()
    half.locator("input[value=j1]").check(force=True)
    half.locator("input[name=pin]").fill(PINS["j1"])
    half.get_by_role("button", name="Abrir con").click()
    expect(half.locator("#panel")).to_have_attribute("data-phase", "between_hands")
    expect(half.locator("body.framed[data-ready]")).to_be_visible()  # its scripts have begun


def test_CAN_3_1_two_tables_on_one_screen_and_each_act_at_its_own(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('8')}/tables")
    left, right = _half(page, "left"), _half(page, "right")
    for half, number in ((left, "7"), (right, "8")):
        _log_in(half, "c1")
        expect(half.locator(".table-name")).to_contain_text(number)
    found = Axe().run(
        page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa"], "iframes": False}
    )
    assert found.response["violations"] == []
    _open_day(left)
    expect(right.locator("#panel")).to_have_attribute("data-phase", "closed")
    expect(left.locator("button.main")).to_contain_text("Mesa 7")
    assert "day_opened" in tables.kinds("7")
    assert "day_opened" not in tables.kinds("8")


def test_CAN_3_1_the_half_that_has_the_keyboard_is_marked_and_f2_changes_it(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('7')}/tables")
    left, right = _half(page, "left"), _half(page, "right")
    _log_in(left, "c1")
    _log_in(right, "c1")
    _open_day(left)
    here = page.locator(".half.here")
    expect(here).to_have_attribute("id", "half-left")
    expect(page.locator("#half-left .keyboard")).to_be_visible()
    page.keyboard.press("F2")
    expect(here).to_have_attribute("id", "half-right")
    expect(page.locator("#half-left .keyboard")).to_be_hidden()
    page.keyboard.press(
        "0"
    )  # no key of table 8, which is closed; the hand of table 7 must not start
    for key in "/0":
        page.keyboard.press(key)
    expect(here).to_have_attribute("id", "half-left")
    assert "hand_started" not in tables.kinds("7")
    expect(left.locator(".arming")).to_have_count(0)
    page.keyboard.press("0")
    expect(left.locator("#panel")).to_have_attribute("data-phase", "betting")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
def test_CAN_3_1_a_dead_or_frozen_box_says_so_and_the_other_table_plays_on(
    page: Page, tables: TwoTables, end: signal.Signals
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('8')}/tables")  # the page of the very box that goes
    left = _half(page, "left")
    _log_in(left, "c1")
    _log_in(_half(page, "right"), "c1")
    _open_day(left)
    tables.daemons["8"].process.send_signal(end)
    expect(page.locator("#half-right .lost")).to_be_visible()
    expect(page.locator("#half-right .lost")).to_contain_text("Mesa 8: sin conexión")
    _lost(page, "left", lost=False)
    expect(left.locator(".arming")).to_have_count(0)
    left.get_by_role("button", name="Siguiente jugada").click()
    expect(left.locator("#panel")).to_have_attribute("data-phase", "betting")
    if end is signal.SIGKILL:
        tables.daemons["8"].end()
        tables.run("8")
    else:
        tables.daemons["8"].process.send_signal(signal.SIGCONT)
    _lost(page, "right", lost=False)
    expect(_half(page, "right").locator("body")).to_have_attribute("data-table", "8")


def test_CAN_3_1_a_box_that_never_answered_is_found_when_it_comes(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    page.goto(f"{tables.url('7')}/tables")
    _lost(page, "right", lost=True)
    _log_in(_half(page, "left"), "c1")
    tables.run("8")
    _lost(page, "right", lost=False)
    _log_in(_half(page, "right"), "c1")


def test_CAN_3_1_a_box_with_another_certificate_is_not_believed(
    page: Page, tmp_path: Path, certificates: tuple[Certificate, Certificate]
) -> None:
    tables = TwoTables(tmp_path, *certificates)
    try:
        tables.run("7")
        tables.run("8")
        page.goto(f"{tables.url('7')}/tables")
        _lost(page, "right", lost=True)
        _log_in(_half(page, "left"), "c1")
    finally:
        tables.end()


def test_CAN_3_1_every_key_of_a_half_is_in_sight_and_large_enough(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('7')}/tables")
    left = _half(page, "left")
    _log_in(left, "c1")
    _open_day(left)
    for key in left.locator("#panel .key").all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= SMALLEST_TARGET_PX
        assert box["x"] + box["width"] <= SCREEN["width"] / 2
        assert box["y"] + box["height"] <= SCREEN["height"]
