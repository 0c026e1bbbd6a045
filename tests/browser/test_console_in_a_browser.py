"""The croupier's console in a real browser: by touch, by keyboard alone, by two officers, and abused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from support.fakedesk import PINS
from support.screen_server import ScreenServer, expect_phase, log_in

from jackpot.console.freshness import LONGEST_WITHOUT_BEAT_MS

WHOLE_AWARD = [
    "hand_started:c1",
    "lock_pressed:c1",
    "awards_declared:c1",
    "awards_confirmed:j1",
    "awards_signed:d1",
    "award_paid:c1",
]
MAIN_KEY_PX = 104
SMALLEST_TARGET_PX = 44


def _alive(page: Page) -> None:
    """Until no key is new any more: what is pressed before presses nothing."""
    expect(page.locator("body[data-ready]")).to_have_count(1)
    expect(page.locator(".arming")).to_have_count(0)


def _keys(page: Page, keys: str) -> None:
    _alive(page)
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture
def console(page: Page, server: ScreenServer) -> Page:
    """The console of an open table, c1 logged in."""
    server.play("open")
    log_in(page, server, "c1")
    return page


def test_a_whole_hand_by_keyboard_alone(page: Page, server: ScreenServer) -> None:
    server.play("open")
    page.goto(f"{server.url}/login")
    page.keyboard.type("c1")
    page.keyboard.press("+")  # the next field, as on a number pad without a tab key
    page.keyboard.type(PINS["c1"])
    page.keyboard.press("Enter")
    expect_phase(page, "between_hands")
    _keys(page, "0")
    expect_phase(page, "betting")
    server.play("chip/3")
    expect(page.locator("#bets")).to_have_text("1")
    _keys(page, "2")
    expect_phase(page, "locked")
    _keys(page, "4")
    page.wait_for_url("**/awards")
    _keys(page, "3k3q3j30393")  # box 3; K, Q, J, 10 and 9 of diamonds
    expect(page.locator("#declare")).to_be_focused()
    expect(page.locator("#declare")).to_contain_text("casilla 3: 10.000,05\u00a0€")
    page.keyboard.press("Enter")
    expect_phase(page, "declared")
    _sign_by_keyboard(page, "j1")
    expect_phase(page, "decided")
    _sign_by_keyboard(page, "d1")
    expect_phase(page, "payable")
    _keys(page, "3")
    expect_phase(page, "between_hands")
    assert server.acts() == WHOLE_AWARD


def _sign_by_keyboard(page: Page, officer: str) -> None:
    """The officer's number, then the PIN and Enter: nobody has to walk anywhere."""
    number = page.locator(f"input[value={officer}]").get_attribute("data-pick")
    assert number is not None
    page.keyboard.type(number + PINS[officer])
    _keys(page, "")
    page.keyboard.press("Enter")


def test_no_digit_of_a_pin_picks_who_signs_when_the_number_before_it_was_lost(
    console: Page, server: ScreenServer
) -> None:
    """``/1`` was typed while the page came; the PIN 314159 alone once picked the third of the list."""
    server.play("hand/3")
    server.play("lock")
    server.play("declare/3/7s 7h 7d 7c 2d")
    expect_phase(console, "declared")
    _keys(console, PINS["j1"])
    expect(console.locator("[name=pin]")).to_have_value(PINS["j1"])
    expect(console.locator("[name=signer]:checked")).to_have_count(0)
    console.keyboard.press("Enter")
    expect_phase(console, "declared")
    assert server.acts() == []
    _keys(console, "/3")  # from the list, where the browser asks for somebody: the PIN begins anew
    expect(console.locator("[name=signer]:checked")).to_have_value("d1")
    expect(console.locator("[name=pin]")).to_have_value("")
    _keys(console, "14/1")  # from the field of the PIN: another officer
    expect(console.locator("[name=signer]:checked")).to_have_value("j1")
    expect(console.locator("[name=pin]")).to_have_value("")
    _keys(console, PINS["j1"])
    console.keyboard.press("Enter")
    expect_phase(console, "decided")
    assert server.acts() == ["awards_confirmed:j1"]


def test_a_whole_hand_by_touch_alone(browser: Browser, server: ScreenServer) -> None:
    server.play("open")
    context = browser.new_context(has_touch=True, viewport={"width": 1024, "height": 768})
    page = context.new_page()
    page.goto(f"{server.url}/login")
    page.locator("[data-fill=officer][value=c1]").tap()
    _tap_pin(page, "c1")
    page.locator("button.main").tap()
    page.wait_for_url("**/console")
    page.locator("button.main").tap()
    expect_phase(page, "betting")
    server.play("chip/3")
    expect(page.locator(".box[data-box='3']")).to_have_attribute("data-lamp", "steady")
    page.locator("button.main").tap()
    expect_phase(page, "locked")
    page.locator("a.award").tap()
    for value in ("3.1", "Kd", "Qd", "Jd", "Td", "9d"):
        page.locator(f"#entry input[value='{value}']").tap()
    page.locator("#declare").tap()
    for officer, phase in (("j1", "declared"), ("d1", "decided")):
        expect_phase(page, phase)
        page.locator(f"input[value={officer}]").tap()
        page.locator("input[name=pin]").tap()
        _tap_pin(page, officer)
        page.locator("button.main").tap()
    expect_phase(page, "payable")
    page.locator("button.main").tap()
    expect_phase(page, "between_hands")
    context.close()
    assert server.acts() == WHOLE_AWARD


def _tap_pin(page: Page, officer: str) -> None:
    pad = page.locator(".pad").first
    for digit in PINS[officer]:
        pad.locator(f"[data-digit='{digit}']").tap()


def test_the_second_officer_confirms_from_another_terminal(
    browser: Browser, console: Page, server: ScreenServer
) -> None:
    server.play("hand/3")
    server.play("lock")
    server.play("declare/3/7s 7h 7d 7c 2d")
    context = browser.new_context()
    chief = context.new_page()
    log_in(chief, server, "j1")
    expect(chief.locator("button.main")).to_contain_text("Confirmar premios 5.000,02\u00a0€")
    assert chief.locator("input[name=pin]").count() == 0
    _keys(chief, "1")
    expect_phase(chief, "decided")
    expect_phase(console, "decided")  # without a hand on this screen
    context.close()
    assert server.acts() == ["awards_confirmed:j1"]


def test_the_panel_follows_the_table_and_keeps_the_pin_that_is_being_typed(
    console: Page, server: ScreenServer
) -> None:
    server.play("hand/3")
    server.play("lock")
    server.play("declare/3/7s 7h 7d 7c 2d")
    expect_phase(console, "declared")
    console.check("input[value=j1]")
    console.locator("input[name=pin]").focus()
    console.keyboard.type("314")
    server.play("chip/5")
    expect(console.locator(".todo[data-box='5']")).to_be_visible()
    console.keyboard.type("159")
    assert console.locator("input[name=pin]").input_value() == "314159"
    _alive(console)
    console.keyboard.press("Enter")
    expect_phase(console, "decided")


def test_what_does_not_fit_stands_with_its_box_and_the_one_thing_to_do(
    console: Page, server: ScreenServer
) -> None:
    server.play("hand/3")
    server.play("chip/3")
    todo = console.locator(".todo[data-box='3']")
    expect(todo).to_contain_text("Devuelva la ficha al jugador.")
    expect(todo.locator("button")).to_contain_text("Hecho: casilla 3")
    expect(todo).to_contain_text("segunda ficha")
    _keys(console, "/1")
    expect(console.locator(".todo")).to_have_count(0)
    assert server.acts() == ["item_settled:c1"]


def test_a_slot_that_stayed_silent_is_asked_about_before_the_hand_goes_on(
    console: Page, server: ScreenServer
) -> None:
    server.play("unknown/6")
    server.play("hand/3")
    server.play("lock")
    expect(console.locator("button.main").first).to_be_disabled()
    console.get_by_role("button", name="Casilla 6: hay apuesta").click()
    expect(console.locator("#bets")).to_have_text("2")
    _alive(console)
    console.keyboard.press("3")  # «Sin premios» is held; a tap is not enough
    expect(console.locator(".holding")).to_have_count(0)
    expect_phase(console, "locked")
    console.keyboard.down("3")
    expect_phase(console, "between_hands")
    console.keyboard.up("3")
    assert server.acts() == ["slot_decided:c1", "no_awards_declared:c1"]


def test_two_quick_presses_of_one_key_act_once(console: Page, server: ScreenServer) -> None:
    console.locator("button.main").dblclick()
    expect_phase(console, "betting")
    assert server.acts() == ["hand_started:c1"]


def test_what_is_typed_while_a_page_goes_away_presses_nothing(
    console: Page, server: ScreenServer
) -> None:
    server.play("hand/3")
    server.play("lock")
    expect_phase(console, "locked")
    _keys(console, "43")  # awards, and at once box 3: 3 is also the key of «Sin premios»
    console.wait_for_url("**/awards")
    assert server.acts() == []


def test_a_page_kept_open_cannot_act_after_another_page_of_the_session_did(
    console: Page, server: ScreenServer
) -> None:
    server.play("hand/3")
    server.play("lock")
    server.play("declare/3/7s 7h 7d 7c 2d")
    old = console.context.new_page()
    old.goto(f"{server.url}/console/void")
    old.check("input[value='Exposed card']")
    old.check("input[value=j1]")
    old.fill("input[name=pin]", PINS["j1"])
    server.play("chip/5")  # the console gets newer forms than the page that was kept open
    expect(console.locator(".todo[data-box='5']")).to_be_visible()
    console.check("input[value=j1]")
    console.fill("input[name=pin]", PINS["j1"])
    _alive(console)
    console.keyboard.press("Enter")
    expect_phase(console, "decided")
    old.keyboard.press("Enter")
    expect(old.locator(".refusal")).to_have_attribute("data-reason", "form_is_old")
    assert server.acts() == ["awards_confirmed:j1"]


def test_a_form_that_is_sent_again_from_the_history_changes_nothing(
    console: Page, server: ScreenServer
) -> None:
    form = console.locator("form.act").first
    _alive(console)
    sealed = form.locator("[name=form]").input_value()
    again = """async (form) => (await fetch('/console/act/start', {method: 'POST',
        body: new URLSearchParams({form, hand: '1'})})).status"""
    assert console.evaluate(again, sealed) == 200  # it follows the redirect to the console
    assert console.evaluate(again, sealed) == 409
    assert server.acts() == ["hand_started:c1"]


def test_another_site_can_neither_post_nor_frame_nor_use_the_session(
    console: Page, server: ScreenServer
) -> None:
    sealed = console.locator("form.act [name=form]").first.input_value()
    page = f"""<form method=post action="{server.url}/console/act/start">
        <input name=form value="{sealed}"><input name=hand value=1><button>go</button></form>"""
    other = console.context.new_page()
    other.route(
        "http://evil.test/**", lambda route: route.fulfill(body=page, content_type="text/html")
    )
    other.goto("http://evil.test/")
    with other.expect_response("**/console/act/start") as answer:
        other.click("button")
    assert answer.value.status == 403
    expect(other.locator(".refusal")).to_have_attribute("data-reason", "other_site")
    assert "frame-ancestors 'none'" in answer.value.headers["content-security-policy"]
    assert server.acts() == []


def test_without_a_login_a_browser_gets_the_login_page_and_a_post_does_nothing(
    page: Page, server: ScreenServer
) -> None:
    server.play("open")
    page.goto(f"{server.url}/console")
    assert page.url == f"{server.url}/login"
    post = (
        "async () => (await fetch('/console/act/start', {method: 'POST', body: 'hand=1'})).status"
    )
    assert page.evaluate(post) == 401
    assert server.acts() == []


def test_a_wrong_pin_ten_times_slows_down_says_so_and_locks_nobody_out(
    page: Page, server: ScreenServer
) -> None:
    page.goto(f"{server.url}/login")
    page.fill("#officer", "c1")
    said = []
    for _ in range(10):
        page.fill("#pin", "000000")
        with page.expect_navigation(wait_until="load"):
            page.keyboard.press("Enter")
        said.append(page.locator(".refusal").get_attribute("data-reason"))
    assert said[:3] == ["wrong_pin", "wrong_pin", "wrong_pin"]
    assert "too_soon" in said[3:]
    assert page.url.endswith("/login")

    def right_pin_in_time() -> bool:
        page.fill("#pin", PINS["c1"])
        with page.expect_navigation(wait_until="load"):
            page.keyboard.press("Enter")
        return page.url.endswith("/console")

    _until(right_pin_in_time, tries=400)
    page.wait_for_url("**/console")


def _until(done: Callable[[], bool], *, tries: int) -> None:
    for _ in range(tries):
        if done():
            return
    raise AssertionError("not in time")


def test_a_dead_server_is_said_on_the_console_and_its_keys_are_dead_too(
    console: Page, server: ScreenServer
) -> None:
    server.freeze()
    try:
        expect(console.locator("#offline")).to_be_visible()
        pointer = "getComputedStyle(document.querySelector('button.main')).pointerEvents"
        assert console.evaluate(pointer) == "none"
    finally:
        server.thaw()
    expect(console.locator("#offline")).to_be_hidden()
    server.kill()
    expect(console.locator("#offline")).to_be_visible()
    server.start()
    console.wait_for_url("**/login")  # sessions live in the server's memory


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1366, 768), (1920, 1080)])
def test_keys_are_large_enough_and_nothing_falls_off_the_screen(
    console: Page, server: ScreenServer, width: int, height: int
) -> None:
    console.set_viewport_size({"width": width, "height": height})
    server.play("hand/1,2,3")
    server.play("chip/2")
    expect_phase(console, "betting")
    _fits(console, width, height)
    main = console.locator("button.main").bounding_box()
    assert main is not None
    assert main["height"] >= MAIN_KEY_PX
    _keys(console, "7")
    console.wait_for_url("**/void")
    _fits(console, width, height)


def _fits(page: Page, width: int, height: int) -> None:
    wide, high = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert (wide, high) == (width, height)
    small = page.evaluate(
        """(least) => [...document.querySelectorAll('a.key, button, .pick span')]
        .filter((e) => e.offsetParent && e.getBoundingClientRect().height < least)
        .map((e) => e.outerHTML)""",
        SMALLEST_TARGET_PX,
    )
    assert small == []


COVERED = """() => [...document.querySelectorAll(
  '.signing .steps :is(.pad button, [name=pin], .pick input, button.main)')].filter((e) => {
  const r = e.getBoundingClientRect();
  const seen = r.width > 0 && r.top >= 0 && r.left >= 0;
  const inside = seen && r.bottom <= innerHeight && r.right <= innerWidth;
  const middle = [r.left + r.width / 2, r.top + r.height / 2];
  const corners = [[r.left + 10, r.top + 10], [r.right - 10, r.bottom - 10], middle];
  return !inside || !corners.every(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && (e === top || e.contains(top) || top.contains(e) && top.matches('.pick, .pick span'));
  });
}).map((e) => e.outerHTML.slice(0, 120))"""
"""What of the signing form cannot be touched where it stands."""


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1366, 768)])
@pytest.mark.parametrize("winners", ["3", "1,2,3,4", "1,2,3,4,5,6,7"])
def test_nothing_covers_the_form_in_which_an_award_is_signed(
    console: Page, server: ScreenServer, width: int, height: int, winners: str
) -> None:
    console.set_viewport_size({"width": width, "height": height})
    server.play("hand/1,2,3,4,5,6,7")
    server.play("lock")
    server.play(f"winners/{winners}")
    server.play("bars")
    expect_phase(console, "declared")
    expect(console.locator(".alert")).to_have_count(2)
    assert console.locator(".signing .pad button").count() == 12
    assert console.evaluate(COVERED) == []
    server.play("confirm")
    expect_phase(console, "decided")
    assert console.evaluate(COVERED) == []


def test_a_second_tap_never_presses_the_next_key(console: Page, server: ScreenServer) -> None:
    server.play("hand/3")
    expect_phase(console, "betting")
    _keys(console, "2")
    expect_phase(console, "locked")
    _tap_blindly(console, "button.main")
    console.keyboard.press("3")
    expect(console.locator(".holding")).to_have_count(0)
    expect_phase(console, "locked")
    assert server.acts() == ["lock_pressed:c1"]


TRIES_TO_SEE = 20  # one redrawing is seen at most a few times in a row


def _tap_blindly(page: Page, where: str) -> None:
    """A finger that does not look whether the key is alive; only that there is one: the panel may
    be drawn anew at this very moment, and then the key has no place for an instant."""
    box = None
    for _ in range(TRIES_TO_SEE):
        page.locator(where).first.wait_for()
        box = page.locator(where).first.bounding_box()
        if box is not None:
            break
    assert box is not None
    for _ in range(3):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_each_award_is_paid_by_its_own_key_and_quick_taps_pay_no_other(
    console: Page, server: ScreenServer
) -> None:
    server.play("hand/3,5")
    server.play("lock")
    server.play("winners/3,5")
    server.play("confirm")
    server.play("sign")
    expect_phase(console, "payable")
    _alive(console)
    _tap_blindly(console, "[data-key='5']")
    expect(console.locator("[data-paid='5']")).to_contain_text("✓ Pagado: casilla 5")
    for _ in range(8):
        console.keyboard.press("5")
    expect_phase(console, "payable")
    assert server.acts() == ["award_paid:c1"]
    _keys(console, "33333333")
    expect_phase(console, "between_hands")
    _keys(console, "3")
    expect_phase(console, "between_hands")
    assert server.acts() == ["award_paid:c1", "award_paid:c1"]


def test_a_key_pressed_at_a_frozen_controller_does_nothing_also_when_it_is_back(
    console: Page, server: ScreenServer
) -> None:
    server.play("hand/3")
    expect_phase(console, "betting")
    _alive(console)
    server.freeze()
    try:
        console.keyboard.press("2")  # nobody knows yet: it waits at the controller
        expect(console.locator("#offline")).to_be_visible()
        console.evaluate("document.querySelector('button.main').form.requestSubmit()")
        _tap_blindly(console, "button.main")
        console.keyboard.press("2")
        console.wait_for_timeout(LONGEST_WITHOUT_BEAT_MS)  # real time: the process stands still
    finally:
        server.thaw()
    expect(console.locator("#offline")).to_be_hidden()
    _alive(console)
    expect_phase(console, "betting")
    assert server.acts() == []


def test_a_refusal_stays_while_the_panel_moves_on_and_goes_with_the_next_key(
    console: Page, server: ScreenServer
) -> None:
    server.play("down/6")
    _keys(console, "0")
    refusal = console.locator(".refusal[data-reason=slot_down]")
    expect(refusal).to_be_visible()
    server.play("down/7")
    expect(console.locator(".todo[data-box='7']")).to_be_visible()
    expect(refusal).to_be_visible()
    server.play("up/6")
    server.play("up/7")
    expect(console.locator(".todo")).to_have_count(0)
    _keys(console, "0")
    expect_phase(console, "betting")
    expect(refusal).to_have_count(0)
