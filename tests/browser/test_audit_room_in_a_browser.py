"""The audit room in a real browser: the verdict arrives by itself, keys step through a hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from support.audit_process import AuditProcess

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))
from stories import long_story

VERDICT_WITHIN_MS = 60_000
"""Two processes start beside the browser on cores that others use."""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AuditProcess]:
    folder = tmp_path_factory.mktemp("audited")
    process = AuditProcess(long_story(folder / "table.ledger"), temporary=folder)
    yield process
    process.kill()


@pytest.fixture
def room(browser: Browser, audited: AuditProcess) -> Iterator[Page]:
    """A page that notes other hosts, faults of scripts, and what the policy blocked."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(20_000)
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(audited.url)] == []
    assert complaints == []


def press(page: Page, key: str) -> None:
    """A key that leads to another page; its script is there once that has loaded."""
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press(key)


def test_the_verdict_arrives_without_a_hand_on_the_page(room: Page, audited: AuditProcess) -> None:
    room.goto(audited.url)
    for name in ("chain", "checkpoints", "amounts", "replay"):
        verdict = room.locator(f"[data-verdict={name}]")
        expect(verdict).to_have_class("good", timeout=VERDICT_WITHIN_MS)
    expect(room.locator("#days tbody tr")).to_have_count(2)
    expect(room.locator(".totals .gold").first).to_have_text("12.002,00 €")


def test_a_click_on_the_curve_leads_to_the_hand(room: Page, audited: AuditProcess) -> None:
    audited.wait_until_checked()
    room.goto(f"{audited.url}1/day/1")
    room.locator(".curve a").nth(5).click()
    expect(room.locator("h1")).to_contain_text("Jugada 6")


def test_arrow_keys_step_through_the_moments_of_a_hand(room: Page, audited: AuditProcess) -> None:
    audited.wait_until_checked()
    room.goto(f"{audited.url}1/hand/2?at=19")
    amount = room.locator(".shown-amount")
    expect(amount).to_have_text("10.001,50 €")
    expect(room.locator(".lamps .steady")).to_have_count(0)
    for shown, lamps in (("10.002,00 €", 1), ("10.002,50 €", 2)):
        press(room, "ArrowRight")
        expect(amount).to_have_text(shown)
        expect(room.locator(".lamps .steady")).to_have_count(lamps)
    press(room, "ArrowLeft")
    expect(amount).to_have_text("10.002,00 €")
    press(room, "PageDown")
    expect(room.locator("h1")).to_contain_text("Jugada 3")


def test_a_slash_finds_an_event_and_marks_its_row(room: Page, audited: AuditProcess) -> None:
    audited.wait_until_checked()
    room.goto(f"{audited.url}1/")
    room.keyboard.press("/")
    room.keyboard.type("seq:49")
    room.keyboard.press("Enter")
    expect(room.locator("h1")).to_contain_text("Jugada 2")
    expect(room.locator("#seq-49:target")).to_contain_text("payment_decided")


def test_filters_narrow_the_list_and_export_what_is_shown(
    room: Page, audited: AuditProcess
) -> None:
    audited.wait_until_checked()
    room.goto(f"{audited.url}1/events")
    room.select_option("select[name=officer]", "D1")
    room.get_by_role("button", name="Mostrar").click()
    expect(room.locator("#events tbody tr")).to_have_count(1)
    with room.expect_download() as download:
        room.get_by_role("link", name="CSV").click()
    text = Path(download.value.path()).read_text("utf-8-sig")
    assert text.splitlines()[0].startswith("seq,batch,kind,box,cents")
    assert text.count("awards_signed") == 1


def test_lamps_do_not_need_colour_and_nothing_hangs_over_on_a_narrow_screen(
    room: Page, audited: AuditProcess
) -> None:
    audited.wait_until_checked()
    room.set_viewport_size({"width": 800, "height": 1000})
    room.goto(f"{audited.url}1/hand/2?at=23")
    sign = "getComputedStyle(document.querySelector('.lamps .steady i'), '::before').content"
    assert room.evaluate(sign) == '"✓"'
    assert room.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", ["", "day/1", "hand/2?at=23", "events", "hand/99"])
def test_on_a_phone_a_wide_table_scrolls_by_itself_and_the_page_does_not(
    browser: Browser, audited: AuditProcess, path: str
) -> None:
    audited.wait_until_checked()
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{audited.url}1/{path}", wait_until="load")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    outside = """[...document.querySelectorAll('.visor *')].filter(
        (each) => each.getBoundingClientRect().right > innerWidth).length"""
    assert page.evaluate(outside) == 0
    context.close()
