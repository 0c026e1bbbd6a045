"""The visor page in a real browser: what players really see, second by second."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from support.screen_server import PATIENCE_MS, ScreenServer

SCREEN_32_INCH_MM = 398.5
"""The height of a 32-inch screen of 16:9."""
READABLE_AT_10_M_MM = 84
DASHES_WITHIN_MS = 2_500
BACK_WITHIN_MS = 8_000

VISIBLE = """() => [...document.querySelectorAll('#amount > span')].map((cell) => {
  if (!cell.classList.contains('digit')) return cell.textContent;
  const box = cell.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
  return [...cell.querySelectorAll('.reel span')].find((n) => {
    const own = n.getBoundingClientRect();
    return own.top <= middle && middle < own.bottom;
  }).textContent;
}).join('')"""
"""The digits that stand in the middle of their cells: what the eye reads."""

RECORD = """() => {
  window.seen = [];
  const look = () => { window.seen.push(odometer.shown); requestAnimationFrame(look); };
  look();
}"""

DIGIT_PX = """() => {
  const style = getComputedStyle(document.getElementById('amount'));
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `600 ${style.fontSize} 'Barlow Condensed'`;
  return pen.measureText('1').actualBoundingBoxAscent;
}"""


def _reads(page: Page, text: str, within_ms: int = PATIENCE_MS) -> None:
    page.wait_for_function(f"(text) => ({VISIBLE})() === text", arg=text, timeout=within_ms)


def _settled(page: Page, cents: int) -> None:
    page.wait_for_function("(cents) => odometer.shown === cents", arg=cents)


@pytest.fixture
def visor(page: Page, server: ScreenServer) -> Page:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(server.url)
    return page


def test_dashes_before_the_first_opening_then_the_seed(visor: Page, server: ScreenServer) -> None:
    _reads(visor, "–––.–––,––€")
    expect(visor.locator("#closed")).to_be_visible()
    server.play("open")
    _reads(visor, "100.000,00€")
    expect(visor.locator("#closed")).to_be_hidden()


def test_the_odometer_climbs_from_below_and_never_passes_the_amount(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    _reads(visor, "100.000,00€")
    visor.evaluate(RECORD)
    server.play("hand/1,2,3,4,5,6,7")
    visor.wait_for_function("() => window.seen.at(-1) === 10000350")
    seen = visor.evaluate("window.seen")
    assert seen == sorted(seen)
    assert max(seen) == 10_000_350
    assert len(set(seen)) > 5
    _reads(visor, "100.003,50€")


def test_a_deduction_snaps_and_the_hit_stands_beside_the_new_amount(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    server.play("hand/3,4")
    _settled(visor, 10_000_100)
    server.play("lock")
    expect(visor.locator("#no-more")).to_be_visible()
    server.play("declare/3/Kd Qd Jd Td 9d")
    expect(visor.locator("#pending")).to_be_visible()
    _reads(visor, "100.001,00€")
    visor.evaluate(RECORD)
    server.play("confirm")
    _reads(visor, "90.000,90€")
    assert set(visor.evaluate("window.seen")) <= {10_000_100, 9_000_090}
    hit = visor.locator(".hit")
    for text in ("Casilla 3", "Escalera de Color", "10.000,10"):
        expect(hit).to_contain_text(text)


def test_can_9_a_visor_of_a_carrusel_says_so_and_says_when_it_is_not_heard(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    _settled(visor, 10_000_000)
    expect(visor.locator("#carrusel")).to_be_hidden()
    visor.evaluate("show({...latest, carrusel: 'norte'})")
    expect(visor.locator("#carrusel")).to_be_visible()
    expect(visor.locator("#unlinked")).to_be_hidden()
    visor.evaluate("show({...latest, carrusel: 'norte', unlinked: true})")
    expect(visor.locator("#unlinked")).to_have_text("SIN ENLACE")


def test_can_8_b_a_restart_after_a_royal_flush_snaps_also_when_it_is_more_than_was_shown(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    _settled(visor, 10_000_000)
    visor.evaluate(RECORD)
    hit = "{box: 3, hand: 'royal_flush', cents: 10000000, paid: false}"
    visor.evaluate(f"show({{...latest, amount_cents: 20000000, hits: [{hit}]}})")
    _reads(visor, "200.000,00€")
    assert set(visor.evaluate("window.seen")) <= {10_000_000, 20_000_000}


def test_seven_awards_stay_clear_of_the_title_and_of_what_is_pending(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    server.play("hand/1,2,3,4,5,6,7")
    server.play("lock")
    server.play("winners/1,2,3,4,5,6,7")
    server.play("confirm")
    expect(visor.locator(".hit")).to_have_count(7)
    for width, height in ((1920, 1080), (1366, 768), (1280, 720)):
        visor.set_viewport_size({"width": width, "height": height})
        boxes = [visor.locator(one).bounding_box() for one in ("#pending", ".jackpot h1", "#hits")]
        pending, title, hits = (box for box in boxes if box is not None)
        assert pending["y"] + pending["height"] < title["y"]
        assert title["y"] + title["height"] < hits["y"]


def test_bet_and_awards_with_present_amounts_and_lamps_that_do_not_need_colour(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    server.play("hand/2")
    server.play("down/6")
    expect(visor.locator("#bet")).to_have_text("2,00\u00a0€")
    expect(visor.locator("[data-hand=royal_flush] .cents")).to_have_text("100.000,50\u00a0€")
    expect(visor.locator("[data-hand=straight_flush] .cents")).to_have_text("10.000,05\u00a0€")
    expect(visor.locator("[data-hand=four_of_a_kind] .cents")).to_have_text("5.000,02\u00a0€")
    expect(visor.locator(".lamp[data-box='6']")).to_have_class("lamp unknown")
    signs = visor.evaluate(
        "[2, 6, 7].map((box) => getComputedStyle(document.querySelector("
        "`.lamp[data-box='${box}'] i`), '::before').content)"
    )
    assert signs == ['"✓"', '"?"', '""']


@pytest.mark.parametrize(
    ("seed_cents", "text"), [(10_000_000, "100.000,00€"), (999_999_999, "9.999.999,99€")]
)
def test_the_digits_are_readable_at_ten_metres_on_a_32_inch_screen(
    browser: Browser, tmp_path: Path, seed_cents: int, text: str
) -> None:
    server = ScreenServer(tmp_path, seed_cents=seed_cents)
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(server.url)
    server.play(f"open/{seed_cents}")
    _reads(page, text)
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    mm = page.evaluate(DIGIT_PX) * SCREEN_32_INCH_MM / 1080
    fits = page.evaluate("document.getElementById('amount').getBoundingClientRect().right <= 1920")
    page.close()
    server.kill()
    assert mm >= READABLE_AT_10_M_MM
    assert fits


def test_a_killed_server_leaves_dashes_and_a_new_one_is_shown_without_a_hand_on_the_screen(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    _reads(visor, "100.000,00€")
    instance = visor.evaluate("document.body.dataset.instance")
    server.kill()
    _reads(visor, "–––.–––,––€", DASHES_WITHIN_MS)
    expect(visor.locator("[data-hand=royal_flush] .cents")).to_have_text("– – –")
    server.start()
    server.play("open")
    _reads(visor, "100.000,00€", BACK_WITHIN_MS)
    assert visor.evaluate("document.body.dataset.instance") != instance


def test_a_frozen_server_leaves_dashes_though_its_connection_stays_open(
    visor: Page, server: ScreenServer
) -> None:
    server.play("open")
    _reads(visor, "100.000,00€")
    server.freeze()
    try:
        _reads(visor, "–––.–––,––€", DASHES_WITHIN_MS)
    finally:
        server.thaw()
    _reads(visor, "100.000,00€", BACK_WITHIN_MS)


def test_a_table_that_is_not_sure_shows_dashes_at_once(visor: Page, server: ScreenServer) -> None:
    server.play("open")
    _reads(visor, "100.000,00€")
    server.play("unsure")
    _reads(visor, "–––.–––,––€")


def test_who_wants_no_motion_sees_the_amount_at_once(
    browser: Browser, server: ScreenServer
) -> None:
    page = browser.new_page(reduced_motion="reduce", viewport={"width": 1920, "height": 1080})
    page.goto(server.url)
    server.play("open")
    _reads(page, "100.000,00€")
    page.evaluate(RECORD)
    server.play("hand/1")
    _reads(page, "100.000,50€")
    page.wait_for_function("() => window.seen.at(-1) === 10000050")
    assert set(page.evaluate("window.seen")) == {10_000_000, 10_000_050}
    page.close()
