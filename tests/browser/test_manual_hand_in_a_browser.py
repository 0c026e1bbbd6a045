"""Manual mode (CAN-8.b1) in a real browser: by number pad alone, by touch, and the chief's pages."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from support.fakedesk import OFFICERS, PINS
from support.screen_server import ScreenServer, expect_phase, log_in

from jackpot.authority.roles import Role

CROUPIER = next(one for one, roles in OFFICERS.items() if Role.CROUPIER in roles)
CHIEF = next(one for one, roles in OFFICERS.items() if Role.TABLE_CHIEF in roles)
DIRECTOR = next(one for one, roles in OFFICERS.items() if Role.GAMES_DIRECTOR in roles)
SMALLEST_TARGET_PX = 44
ONE_PRESS_MS = 900
"""Longer than a newly drawn key stays dead after another was pressed."""


def _press(page: Page, key: str) -> None:
    """As a person does: look, then press."""
    page.wait_for_timeout(ONE_PRESS_MS)
    page.keyboard.press(key)


def _open(page: Page, server: ScreenServer) -> None:
    server.play("manual")
    server.play("open")
    log_in(page, server, CROUPIER)
    expect_phase(page, "between_hands")


def _to_the_total(page: Page, server: ScreenServer) -> None:
    _open(page, server)
    server.play("hand")
    expect_phase(page, "betting")
    server.play("none")
    expect_phase(page, "total")


def test_CAN_8_b1_a_total_by_the_number_pad_alone(page: Page, server: ScreenServer) -> None:
    _to_the_total(page, server)
    echo = page.locator(".echo:visible")
    expect(echo).to_have_count(0)
    _press(page, "4")
    expect(echo).to_have_text("Mesa 2: 4 × 2,00\u00a0€ = 8,00\u00a0€")
    _press(page, "5")
    expect(echo).to_have_text("Mesa 2: 5 × 2,00\u00a0€ = 10,00\u00a0€")
    _press(page, "Enter")
    expect(page.locator("#entered")).to_contain_text("5 × 2,00\u00a0€ = 10,00\u00a0€")
    _press(page, "1")  # undo
    expect(page.locator("[name=chips]")).to_have_count(8)
    _press(page, "6")
    _press(page, "Enter")
    expect(page.locator("#entered")).to_contain_text("12,00\u00a0€")
    _press(page, "9")  # it is right
    expect_phase(page, "between_hands")
    assert server.acts() == [
        f"{kind}:{CROUPIER}"
        for kind in ("total_entered", "total_withdrawn", "total_entered", "total_final")
    ]


def test_CAN_8_b1_enter_without_a_number_enters_nothing(page: Page, server: ScreenServer) -> None:
    _to_the_total(page, server)
    _press(page, "Enter")
    _press(page, "8")
    _press(page, "Enter")
    expect_phase(page, "total")
    assert server.acts() == []


def test_CAN_8_b1_a_total_by_touch_becomes_final_by_itself(
    page: Page, server: ScreenServer
) -> None:
    _to_the_total(page, server)
    page.wait_for_timeout(ONE_PRESS_MS)
    page.locator(".chips label", has_text="7").first.click()
    expect(page.locator(".echo:visible")).to_contain_text("14,00")
    page.locator("button.main").click()
    expect(page.locator("#entered")).to_contain_text("14,00")
    server.play("time-up")
    expect_phase(page, "between_hands")
    expect(page.locator("#meter")).to_have_text("100.003,50\u00a0€")


def test_a_picked_number_stays_while_the_panel_moves_on(page: Page, server: ScreenServer) -> None:
    _to_the_total(page, server)
    _press(page, "3")
    server.play("down/2")
    expect(page.locator(".echo:visible")).to_contain_text("6,00")


def test_every_key_of_the_total_is_in_sight_and_large_enough(
    page: Page, server: ScreenServer
) -> None:
    _to_the_total(page, server)
    for width, height in ((1024, 768), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        for key in (*page.locator(".chips span").all(), page.locator("button.main")):
            box = key.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= SMALLEST_TARGET_PX
            assert box["y"] + box["height"] <= height


def test_the_chief_signs_a_form_by_keys_and_the_director_beside_it(
    page: Page, server: ScreenServer
) -> None:
    server.play("open")
    log_in(page, server, CHIEF)
    page.goto(f"{server.url}/console/pit/jackpot")
    page.get_by_role("link", name="Aportación de la casa al jackpot").click()
    page.locator("[name=amount]").fill("250,50")
    page.locator("[name=authorisation]").fill("2026/7")
    page.locator("label", has_text="Según la autorización").click()
    page.get_by_role("button", name="Revisar antes de firmar").click()
    expect(page.locator("[data-said=amount]")).to_have_text("250,50\u00a0€")
    page.locator(f"[name=signer][value={DIRECTOR}]").check(force=True)
    page.locator("[name=pin]").fill(PINS[DIRECTOR])
    _press(page, "Enter")
    page.wait_for_url("**/console")
    expect(page.locator("#meter")).to_have_text("100.250,50\u00a0€")
    assert server.acts() == [f"seed_raised:{CHIEF}"]


PAD = set("0123456789+-*/,") | {"Enter"}
"""The keys of a number pad, with the comma that a Spanish one has."""


def _on_the_pad(page: Page, *keys: str) -> None:
    """Keys of a number pad, once no key of the page is new any more."""
    expect(page.locator("body[data-ready]")).to_have_count(1)
    expect(page.locator(".arming")).to_have_count(0)
    for key in keys:
        assert key in PAD
        page.keyboard.press(key)


def _sign_on_the_pad(page: Page, officer: str) -> None:
    number = page.locator(f"input[value={officer}]").get_attribute("data-pick")
    assert number is not None
    _on_the_pad(page, *number, *PINS[officer])
    _on_the_pad(page, "Enter")


def test_CAN_8_b1_a_whole_manual_hand_with_an_award_by_the_number_pad_alone(
    page: Page, server: ScreenServer
) -> None:
    _open(page, server)
    _on_the_pad(page, "0")
    expect_phase(page, "betting")
    _on_the_pad(page, "4")
    page.wait_for_url("**/awards")
    # box 3; the ace (1) of each suit, then the two of spades
    _on_the_pad(page, "3", "1", "1", "1", "2", "1", "3", "1", "4", "2", "1")
    expect(page.locator("#declare")).to_contain_text("casilla 3: 5.000,00\u00a0€")
    expect(page.locator("#declare")).to_be_focused()
    _on_the_pad(page, "Enter")
    expect_phase(page, "declared")
    _sign_on_the_pad(page, CHIEF)
    expect_phase(page, "decided")
    _sign_on_the_pad(page, DIRECTOR)
    expect_phase(page, "payable")
    _on_the_pad(page, "3")
    expect_phase(page, "total")
    _on_the_pad(page, "5", "Enter")
    expect(page.locator("#entered")).to_contain_text("5 × 2,00\u00a0€ = 10,00\u00a0€")
    _on_the_pad(page, "9")
    expect_phase(page, "between_hands")
    assert server.acts() == [
        f"hand_started:{CROUPIER}",
        f"awards_declared:{CROUPIER}",
        f"awards_confirmed:{CHIEF}",
        f"awards_signed:{DIRECTOR}",
        f"award_paid:{CROUPIER}",
        f"total_entered:{CROUPIER}",
        f"total_final:{CROUPIER}",
    ]


def test_CAN_8_7_a_slip_by_the_number_pad_alone(page: Page, server: ScreenServer) -> None:
    server.play("open")
    server.play("hand/3")
    server.play("lock")
    server.play("winners/3")
    server.play("confirm")
    server.play("sign")
    log_in(page, server, CROUPIER)
    _on_the_pad(page, "3")
    expect_phase(page, "between_hands")
    _on_the_pad(page, "/", "9")
    page.wait_for_url("**/slips")
    with page.context.expect_page() as opened:
        _on_the_pad(page, "1")
    assert server.acts()[-1] == f"slip_printed:{CROUPIER}"
    opened.value.close()
