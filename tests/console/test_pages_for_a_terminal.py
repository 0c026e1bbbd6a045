"""What the console's pages promise to the terminal, which draws them with letters."""

from __future__ import annotations

import pytest
from support.fakedesk import FakeDesk, some_terms
from support.terminal import Terminal

from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.terminal.items import Answer, Cards, Choice, Key, Lamps, Page, Preview, Words
from jackpot.terminal.page import read_page


async def page_at(terminal: Terminal, path: str = "/console") -> Page:
    return read_page((await terminal.get(path)).text)


def key(page: Page, beginning: str) -> Key:
    """The key whose label begins so."""
    return next(one for one in page.all_keys() if one.label.startswith(beginning))


def said(page: Page) -> str:
    return "\n".join(item.text for item in page.items if isinstance(item, Words))


async def test_the_login_asks_for_id_and_a_hidden_pin(terminal: Terminal) -> None:
    page = await page_at(terminal, "/login")
    officer, pin = (item for item in page.items if isinstance(item, Answer))
    assert (officer.name, officer.secret, officer.required) == ("officer", False, True)
    assert (pin.name, pin.secret, pin.longest) == ("pin", True, 12)
    entry = key(page, "Entrar")
    assert page.forms[entry.form].action == "/login"
    assert [name for name, _ in page.forms[entry.form].hidden] == ["form"]
    assert [one.answer for one in page.bar] == [("language", "es"), ("language", "en")]
    assert page.offline == "", "nobody is logged in: there is nothing to follow"


async def test_a_hand_shows_lamps_what_is_open_and_its_keys(
    terminal: Terminal, desk: FakeDesk
) -> None:
    """Box 3 has a bet and a second chip: one thing to do, with a key of its own."""
    await terminal.log_in("c1")
    desk.open_day()
    desk.start_hand(3)
    desk.chip(3)
    page = await page_at(terminal)
    assert (page.live, page.phase, page.language) == (True, "betting", "es")
    assert page.offline.startswith("Sin conexión")
    lamps = next(item for item in page.items if isinstance(item, Lamps)).lamps
    assert [lamp.sign for lamp in lamps] == ["○", "○", "●", "○", "○", "○", "○"]
    assert "En el visor 100.000,50 €" in said(page)
    assert "segunda ficha" in said(page)
    done = key(page, "Hecho: casilla 3")
    assert done.shortcut == "/1"
    assert ("item", "1") in page.forms[done.form].hidden
    lock = key(page, "No va más")
    assert (lock.shortcut, lock.main, page.forms[lock.form].action) == (
        "2",
        True,
        "/console/act/lock",
    )


async def test_CAN_8_b1_the_total_is_a_choice_that_the_key_repeats(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.reset(some_terms(mode=BetMode.MANUAL))
    desk.open_day()
    desk.start_hand()
    await terminal.log_in("c1")
    no_awards = key(await page_at(terminal), "Sin premios")
    assert no_awards.hold
    desk.tell(f.NoAwardsDeclared(by="c1", hand=1))
    page = await page_at(terminal)
    chips = next(item for item in page.items if isinstance(item, Choice))
    assert [option.pick for option in chips.options] == list("01234567")
    total = key(page, "Anotar el total")
    assert total.shortcut == "Enter"
    assert dict(total.echo)["5"] == "Mesa 2: 5 × 2,00 € = 10,00 €"


async def test_the_entry_of_awards_is_a_box_five_cards_and_a_preview(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3, 5)
    desk.lock()
    await terminal.log_in("c1")
    page = await page_at(terminal, "/console/awards")
    place = next(item for item in page.items if isinstance(item, Choice))
    assert [(option.value, option.pick) for option in place.options] == [("3.1", "3"), ("5.1", "5")]
    cards = next(item for item in page.items if isinstance(item, Cards))
    assert cards.suits == ("p", "c", "d", "t")
    assert any(isinstance(item, Preview) for item in page.items)
    fields = {
        "form": [await terminal.form("/console/awards")],
        "hand": ["1"],
        "place": ["3.1"],
        "card": ["Kd", "Qd", "Jd", "Td", "9d"],
    }
    part = read_page((await terminal.post("/console/awards/preview", fields)).text)
    shown = next(item for item in part.items if isinstance(item, Preview))
    labels = [item.label for item in shown.items if isinstance(item, Key)]
    assert labels == ["Declarar: casilla 3: 10.000,10 €", "Otro ganador"]


async def test_the_boxes_page_posts_its_one_form_from_many_keys(
    terminal: Terminal, desk: FakeDesk
) -> None:
    await terminal.log_in("j1")
    page = await page_at(terminal, "/console/boxes")
    close = key(page, "Cerrar casilla 4")
    assert (close.address, close.answer) == ("/console/act/box-close", ("box", "4"))
    assert page.forms[close.form].action == "/console/act/box-close"


@pytest.mark.parametrize("officer", ["c1", "j1", "d1"])
async def test_a_refusal_stands_apart(officer: str, terminal: Terminal, desk: FakeDesk) -> None:
    await terminal.log_in(officer)
    answer = await terminal.press("lock", hand="1")
    page = read_page(answer.text)
    assert page.refusal.startswith("✕ ")
    assert page.refusal not in said(page)
