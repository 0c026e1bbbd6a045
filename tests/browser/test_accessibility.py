"""Every page against WCAG, levels A and AA, by axe-core in a real browser: no violation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect
from support.audit_process import AuditProcess
from support.screen_server import ScreenServer, log_in

from jackpot.console.pit_forms import PIT_FORMS

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))
from stories import long_story

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {"runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"]}


def _expect_clean(page: Page) -> None:
    page.wait_for_load_state("load")  # without its style sheets a page has other sizes
    expect(page.locator(".arming")).to_have_count(0)
    found = Axe().run(page, options=OPTIONS)
    told = [
        f"{rule['id']}: {node['html'][:120]} ({node['failureSummary'][:200]})"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]
    assert told == []


def test_axe_finds_a_planted_fault(page: Page, server: ScreenServer) -> None:
    """Or a clean page would say nothing."""
    page.goto(f"{server.url}/login")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    with pytest.raises(AssertionError, match="html-has-lang"):
        _expect_clean(page)


@pytest.mark.parametrize("said", ["es", "en"])
def test_visor_and_login(page: Page, server: ScreenServer, said: str) -> None:
    server.play("open")
    server.play("hand/3")
    for path in ("/", "/login"):
        page.goto(f"{server.url}{path}?lang={said}")
        page.wait_for_load_state("networkidle" if path == "/login" else "load")
        _expect_clean(page)


CONSOLE = {
    "closed": (),
    "between hands": ("open",),
    "betting": ("open", "hand/1,3", "down/6", "chip/3"),
    "locked": ("open", "unknown/6", "hand/1", "lock"),
    "declared": ("open", "hand/3", "lock", "declare/3/7s 7h 7d 7c 2d"),
    "decided": ("open", "hand/3", "lock", "declare/3/7s 7h 7d 7c 2d", "confirm"),
    "payable": ("open", "hand/1,2", "lock", "winners/1,2", "confirm", "sign"),
    "manual betting": ("manual", "open", "hand"),
    "manual total": ("manual", "open", "hand", "none"),
    "bars": ("open", "bars"),
    "not sure": ("open", "unsure"),
}


@pytest.mark.parametrize("state", CONSOLE)
def test_the_console_in_every_phase(page: Page, server: ScreenServer, state: str) -> None:
    for what in CONSOLE[state]:
        server.play(what)
    log_in(page, server, "c1")
    _expect_clean(page)


def test_the_pages_around_a_hand(page: Page, server: ScreenServer) -> None:
    server.play("open")
    server.play("hand/3")
    log_in(page, server, "j1")
    for name in ("void", "history", "token", "slips"):
        page.goto(f"{server.url}/console/{name}")
        _expect_clean(page)
    server.play("lock")
    server.play("none")
    for name in ("day", "boxes", "last-hands"):
        page.goto(f"{server.url}/console/{name}")
        _expect_clean(page)


def test_the_entry_of_awards_with_a_hand_and_a_refusal(page: Page, server: ScreenServer) -> None:
    server.play("open")
    server.play("hand/3,4")
    server.play("lock")
    log_in(page, server, "c1")
    page.goto(f"{server.url}/console/awards")
    _expect_clean(page)
    for key in "3k3q3j30393":
        page.keyboard.press(key)
    expect(page.locator("#declare")).to_be_focused()
    _expect_clean(page)
    page.locator("#another").click()
    page.wait_for_url("**/entry")
    page.locator("[data-box='4']").check(force=True)
    expect(page.locator("#preview")).to_contain_text("Faltan 5 cartas")
    _expect_clean(page)


def test_every_form_of_table_chief_and_director(page: Page, server: ScreenServer) -> None:
    server.play("open")
    log_in(page, server, "j1")
    for key in ("table", "jackpot", *PIT_FORMS):
        page.goto(f"{server.url}/console/pit/{key}")
        _expect_clean(page)


def test_a_form_repeated_to_be_signed_and_a_refused_one(page: Page, server: ScreenServer) -> None:
    server.play("open")
    log_in(page, server, "j1")
    page.goto(f"{server.url}/console/pit/suspend")
    page.get_by_role("button", name="Revisar antes de firmar").click()
    _expect_clean(page)  # the reason is missing
    page.locator("[name=why_other]").fill("Obras")
    page.get_by_role("button", name="Revisar antes de firmar").click()
    expect(page.locator("[data-said=why]")).to_have_text("Obras")
    _expect_clean(page)
    page.goto(f"{server.url}/nowhere")
    _expect_clean(page)


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> AuditProcess:
    folder = tmp_path_factory.mktemp("audited")
    return AuditProcess(long_story(folder / "table.ledger"), temporary=folder)


def test_the_audit_room(browser: Browser, audited: AuditProcess) -> None:
    try:
        audited.wait_until_checked()
        page = browser.new_page(locale="es-ES")
        for path in ("1/", "1/day/1", "1/hand/1"):
            page.goto(audited.url + path)
            _expect_clean(page)
        page.close()
    finally:
        audited.kill()
