"""A real browser and a real server. The browser ends with its module: it occupies the event loop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from support.screen_server import PATIENCE_MS, ScreenServer, launch


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScreenServer]:
    server = ScreenServer(tmp_path_factory.mktemp("screens"))
    yield server
    server.kill()


@pytest.fixture
def server(running: ScreenServer) -> ScreenServer:
    """A server with a new table."""
    running.fresh()
    return running


@pytest.fixture
def page(browser: Browser, server: ScreenServer) -> Iterator[Page]:
    """A page that notes what it should not: other hosts, and anything that the policy blocked."""
    context = browser.new_context(viewport={"width": 1024, "height": 768}, locale="es-ES")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if "Security Policy" in said.text else None,
    )
    yield page
    context.close()
    assert [url for url in asked if not url.startswith((server.url, "http://evil.test"))] == []
    assert complaints == []
