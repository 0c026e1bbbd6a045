"""A security key in a real browser: registered, then used as the second signature (WebAuthn).

The browser's own virtual authenticator stands in for the key: real keys, real signatures.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect
from support.fakedesk import PINS
from support.screen_server import ScreenServer

UNANSWERED = "La llave de seguridad no ha respondido."


@pytest.fixture
def page(browser: Browser, server: ScreenServer) -> Iterator[Page]:
    """``localhost`` is a secure context without a certificate; an address of numbers has no tokens."""
    context = browser.new_context(locale="es-ES", base_url=f"http://localhost:{server.port}")
    yield context.new_page()
    context.close()


class Key:
    """A virtual security key at a page."""

    def __init__(self, session: CDPSession, name: str) -> None:
        self._session, self._name = session, name

    def is_handled_by(self, owner: bool) -> None:
        """Whether whoever touches it knows its PIN."""
        answer = {"authenticatorId": self._name, "isUserVerified": owner}
        self._session.send("WebAuthn.setUserVerified", answer)


def _key(page: Page) -> Key:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "usb",
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return Key(session, added["authenticatorId"])


def _log_in(page: Page, officer: str) -> None:
    page.goto("/login")
    page.fill("#officer", officer)
    page.fill("#pin", PINS[officer])
    page.keyboard.press("Enter")
    page.wait_for_url("**/console")


def _register(page: Page, officer: str) -> None:
    _log_in(page, officer)
    page.goto("/console/token")
    page.fill("#pin-token", PINS[officer])
    page.get_by_role("button", name="Registrar una llave de seguridad").click()
    expect(page.locator("#has-token")).to_contain_text("✓")
    page.get_by_role("button", name="Salir").click()
    page.wait_for_url("**/login")


def _declared(page: Page, server: ScreenServer) -> None:
    server.play("open")
    server.play("hand/3")
    server.play("lock")
    server.play("declare/3/7s 7h 7d 7c 2d")
    _log_in(page, "c1")
    expect(page.locator("#panel")).to_have_attribute("data-phase", "declared")
    expect(page.locator(".arming")).to_have_count(0)


def test_a_registered_key_confirms_an_award_in_place_of_the_pin(
    page: Page, server: ScreenServer
) -> None:
    _key(page)
    _register(page, "j1")
    _declared(page, server)
    page.get_by_role("button", name="Con llave de seguridad").click()
    expect(page.locator("#panel")).to_have_attribute("data-phase", "decided")
    assert server.acts() == ["awards_confirmed:j1"]
    page.goto("/console/history")
    expect(page.locator("tbody")).to_contain_text("Firmado con llave de seguridad")


def test_a_key_in_strange_hands_signs_nothing_and_the_pin_still_does(
    page: Page, server: ScreenServer
) -> None:
    """Presence alone is not enough: a key that was found on a table is nobody's signature."""
    key = _key(page)
    _register(page, "j1")
    _declared(page, server)
    key.is_handled_by(owner=False)
    page.get_by_role("button", name="Con llave de seguridad").click()
    expect(page.locator("[data-token-told]")).to_have_text(UNANSWERED)
    assert server.acts() == []
    page.locator("input[value=j1]").check(force=True)
    page.fill("input[name=pin]", PINS["j1"])
    page.locator("button.main").click()
    expect(page.locator("#panel")).to_have_attribute("data-phase", "decided")


def test_a_key_without_its_own_pin_is_not_registered(page: Page, server: ScreenServer) -> None:
    _key(page).is_handled_by(owner=False)
    _log_in(page, "j1")
    page.goto("/console/token")
    page.fill("#pin-token", PINS["j1"])
    page.get_by_role("button", name="Registrar una llave de seguridad").click()
    expect(page.locator("[data-token-told]")).to_have_text(UNANSWERED)


def test_under_an_address_of_numbers_the_page_says_why_there_are_no_keys(
    page: Page, server: ScreenServer
) -> None:
    page.goto(f"{server.url}/login")
    page.fill("#officer", "j1")
    page.fill("#pin", PINS["j1"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/console")
    page.goto(f"{server.url}/console/token")
    expect(page.locator(".without-tokens")).to_contain_text("dirección numérica")
    expect(page.locator("[data-new-token]")).to_be_hidden()
