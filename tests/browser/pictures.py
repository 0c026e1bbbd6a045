"""The pictures of the manual: ``python tests/browser/pictures.py docs/pictures``.

Each is taken from the real pages on a table in memory, so that a changed screen is a command away.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "demo"))
sys.path.insert(0, str(Path(__file__).parents[1] / "daemon"))
from daemon_process import PINS as STAFF
from played_ledger import ledger_of, play
from support.audit_process import AuditProcess
from support.fakedesk import PINS
from support.screen_server import ScreenServer, launch, log_in
from two_tables import TwoTables, certificate

HD = (1280, 720)
TERMINAL = (1024, 768)
AUDITOR = (1280, 960)
CHIEFS_SCREEN = (1920, 1080)
EVENING = "silent@9,sf-tie@15,royals@22,void@30,sf+quads@41"
"""What happens at the table that the auditor looks at."""

SETTLED_MS = 2_600
"""The odometer has climbed, the hit has flashed; or a box is known to be off."""


def main() -> None:
    """Write all pictures into the folder that is given."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        play(Path(place) / "demo", 60, rigs=EVENING, seed=3)  # before the browser has the loop
        _draw(Path(place), folder)


def _draw(place: Path, folder: Path) -> None:
    with sync_playwright() as playwright:
        server = ScreenServer(place, seed_cents=12_345_678)
        browser = launch(playwright)
        try:
            _take(browser, server, folder)
            _take_audit(browser, place, folder)
        finally:
            browser.close()
            server.kill()
        _take_two_tables(playwright, place, folder)


def _take(browser: Browser, server: ScreenServer, folder: Path) -> None:
    visor, console = _page(browser, HD), _page(browser, TERMINAL)
    visor.goto(server.url)
    console.goto(f"{server.url}/login")
    _picture(console, folder, "login")
    _picture(visor, folder, "visor-dashes")
    log_in(console, server, "c1")
    _alive(console)
    console.keyboard.press("1")
    console.wait_for_url("**/day")
    _sign(console, "j1")
    _picture(console, folder, "console-opening")
    console.keyboard.press("Enter")
    console.wait_for_url("**/console")
    server.play("hand/1,3,4,7")
    server.play("chip/3")
    _picture(visor, folder, "visor")
    _picture(console, folder, "console-betting")
    server.play("unknown/6")
    server.play("lock")
    _picture(console, folder, "console-locked")
    console.get_by_role("button", name="Casilla 6: no hay").click()
    console.locator("a.award").click()
    console.wait_for_url("**/awards")
    for key in "3k3q3j30393":
        console.keyboard.press(key)
    _picture(console, folder, "console-awards")
    console.locator("#another").click()
    console.wait_for_url("**/entry")
    for key in "471727374k1":
        console.keyboard.press(key)
    console.locator("#declare").click()
    console.wait_for_url("**/console")
    _picture(visor, folder, "visor-pending")
    _sign(console, "j1")
    _picture(console, folder, "console-confirm")
    console.keyboard.press("Enter")
    console.locator("#panel[data-phase=decided]").wait_for()
    server.play("sign")
    _picture(visor, folder, "visor-hit")
    _picture(console, folder, "console-paying")
    server.play("manual")
    server.play("open")
    server.play("hand")
    server.play("none")
    console.goto(f"{server.url}/console")
    console.keyboard.press("5")
    _picture(console, folder, "console-total")


def _take_audit(browser: Browser, place: Path, folder: Path) -> None:
    """The audit room over an evening of the demonstration."""
    process = AuditProcess(ledger_of(place / "demo"), temporary=place)
    try:
        process.wait_until_checked()
        page = _page(browser, AUDITOR)
        for name, path in (("overview", "1/"), ("day", "1/day/1"), ("hand", "1/hand/15")):
            page.goto(process.url + path)
            _picture(page, folder, f"audit-{name}")
    finally:
        process.kill()


def _take_two_tables(playwright: Playwright, place: Path, folder: Path) -> None:
    """Table 7 plays on while the box of table 8 is off."""
    trusted = certificate(place / "certificate")
    tables = TwoTables(place, trusted, trusted)
    browser = launch(playwright, f"--ignore-certificate-errors-spki-list={trusted.spki}")
    try:
        tables.run("7")
        tables.run("8")
        page = _page(browser, CHIEFS_SCREEN)
        page.goto(f"{tables.url('7')}/tables")
        half = page.frame_locator("#half-left iframe")
        half.locator("#officer").fill("c1")
        half.locator("#pin").fill(STAFF["c1"])
        half.locator("button.main").click()
        half.locator("#panel").wait_for()
        tables.daemons["8"].kill()
        page.locator("#half-right .lost").wait_for()
        _picture(page, folder, "two-tables")
    finally:
        browser.close()
        tables.end()


def _alive(page: Page) -> None:
    page.locator("body[data-ready]:not(:has(.arming))").wait_for()


def _page(browser: Browser, size: tuple[int, int]) -> Page:
    return browser.new_page(viewport={"width": size[0], "height": size[1]}, locale="es-ES")


def _sign(page: Page, officer: str) -> None:
    page.check(f"input[value={officer}]")
    page.fill("input[name=pin]", PINS[officer])
    page.locator("input[name=pin]").focus()


def _picture(page: Page, folder: Path, name: str) -> None:
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=folder / f"{name}.png")


if __name__ == "__main__":
    main()
