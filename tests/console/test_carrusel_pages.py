"""The console at a carrusel's member: what it says, and what two officers ask of it (CAN-9)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest
from msgspec.structs import replace
from support.carrusel import NAME, award
from support.fakedesk import PINS, FakeClock, FakeDesk, some_terms
from support.terminal import ORIGIN, FakeBook, Terminal, hidden, reason

from jackpot.console.app import build_app
from jackpot.console.desk import CarruselStatus
from jackpot.console.settings import ScreenSettings
from jackpot.law.policies import LinkLost, Policies
from jackpot.law.terms import AwardedHand, BetMode
from jackpot.table import facts as f
from jackpot.table.carrusel_finding import finding
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.state import Phase

CHIEF, DIRECTOR, CROUPIER = "j1", "d1", "c1"
EURO = 100_000_000
FOUR = "7s 7h 7d 7c 2d"


@pytest.fixture
async def terminal(desk: FakeDesk, clock: FakeClock, book: FakeBook) -> AsyncIterator[Terminal]:
    """A browser at a table whose configuration names a carrusel."""
    settings = ScreenSettings(secret_key="a key for tests", clock=clock, carrusel=NAME)
    transport = httpx.ASGITransport(app=build_app(desk, book, settings))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield Terminal(client)


def join(desk: FakeDesk) -> None:
    """Table 2 holds 100,000.00; with two more the prize is 300,000.00."""
    if desk.state.phase is Phase.CLOSED:
        desk.open_day()
    desk.tell(f.CarruselJoinAsked(by=CHIEF, second=DIRECTOR, carrusel=NAME, authorisation="AUT-9"))
    desk.tell(
        f.CarruselJoined(
            carrusel=NAME,
            incarnation=1,
            position=7,
            decision=0,
            meter_microcents=100_000 * EURO,
        )
    )
    desk.tell(f.CarruselLinkBack())
    hear(desk)


def hear(desk: FakeDesk, *, pending: tuple[str, ...] = (), decision: int = 0) -> None:
    heard = CarruselStatus(300_000 * EURO, pending, linked=True, decision=decision)
    desk.set_status(replace(desk.status, carrusel=heard))


def claim(desk: FakeDesk) -> None:
    """Hand 1, box 3 with four sevens, confirmed by the table chief."""
    desk.start_hand(3)
    desk.tell(f.LockPressed(by=CROUPIER, hand=1))
    desk.tell(
        f.CarruselViewed(position=20, decision=0, total_microcents=300_000 * EURO),
        f.LockReached(unknown_boxes=()),
    )
    desk.declare(box3=FOUR)
    desk.tell(f.AwardsConfirmed(by=CHIEF, hand=1))


async def signed(
    terminal: Terminal, key: str, fields: dict[str, str], signer: str
) -> httpx.Response:
    """The form filled in, its repetition signed as it stands there."""
    page = await terminal.post(f"/console/pit/{key}", fields)
    told = dict(fields)
    if "data-said" in page.text:
        told |= said_fields(page.text)
    told |= {"form": hidden(page.text), "signer": signer, "pin": PINS[signer]}
    return await terminal.post(f"/console/pit/{key}/sign", told)


def said_fields(page: str) -> dict[str, str]:
    """The hidden fields of a repetition."""
    return dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', page))


async def test_CAN_9_chief_and_director_join_the_carrusel_of_the_configuration(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CHIEF)
    listed = (await terminal.get("/console/pit/table")).text
    assert "/console/pit/carrusel" in listed
    assert "Ingresar en el carrusel" in (await terminal.get("/console/pit/carrusel")).text
    answer = await signed(terminal, "carrusel-join", {"authorisation": "AUT-9"}, DIRECTOR)
    assert answer.status_code == 303
    assert desk.acts == [
        f.CarruselJoinAsked(by=CHIEF, second=DIRECTOR, carrusel=NAME, authorisation="AUT-9")
    ]
    page = (await terminal.get("/console")).text
    assert "espera la respuesta del carrusel" in page
    assert reason(await terminal.press("start", hand="1")) == "carrusel_joining"


async def test_a_table_without_a_carrusel_in_its_configuration_shows_no_such_page(
    desk: FakeDesk, clock: FakeClock, book: FakeBook
) -> None:
    settings = ScreenSettings(secret_key="a key for tests", clock=clock)
    transport = httpx.ASGITransport(app=build_app(desk, book, settings))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        terminal = Terminal(client)
        await terminal.log_in(CHIEF)
        assert "/console/pit/carrusel" not in (await terminal.get("/console/pit/table")).text


async def test_the_panel_names_the_carrusel_and_shows_the_prize(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    await terminal.log_in(CROUPIER)
    page = (await terminal.get("/console")).text
    assert "Carrusel norte" in page
    assert '<strong id="meter">300.000,00' in page
    pit = (await terminal.get("/console/pit/carrusel")).text
    assert "Parte propia de esta mesa" in pit
    assert "100.000,00" in pit


async def test_a_restored_box_is_told_with_the_step_to_take_and_no_more_once_it_is_mended(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    await terminal.log_in(CROUPIER)
    heard = desk.status.carrusel
    assert heard is not None
    found = finding("restored_copy", log=9, ledger=4)
    desk.set_status(replace(desk.status, carrusel=replace(heard, finding=found)))
    page = (await terminal.get("/console")).text
    assert 'id="carrusel-finding"' in page
    assert "El carrusel tiene la operación 9 de esta caja, su registro termina en la 4" in page
    assert "Jefe de mesa y director vuelven a ingresar la mesa." in page
    desk.set_status(replace(desk.status, carrusel=heard))
    assert "carrusel-finding" not in (await terminal.get("/console")).text


async def test_a_stopped_box_says_why_in_the_words_of_the_page(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    why = finding("other_operation", number=3).text()
    desk.tell(f.CarruselStopped(carrusel=NAME, incarnation=1, why=why))
    await terminal.log_in(CROUPIER)
    assert (
        "El registro tiene otra operación 3 de esta mesa" in (await terminal.get("/console")).text
    )


async def test_a_join_says_what_it_waits_for(terminal: Terminal, desk: FakeDesk) -> None:
    desk.open_day()
    desk.tell(f.CarruselJoinAsked(by=CHIEF, second=DIRECTOR, carrusel=NAME, authorisation="AUT-9"))
    await terminal.log_in(CROUPIER)
    for name, said in (
        ("broker", "Espera al bróker, que no responde."),
        ("coordinator", "Espera a un coordinador: no se oye ninguno."),
        ("answer", "Se oye un coordinador; espera su respuesta."),
    ):
        waits = CarruselStatus(None, (), linked=False, decision=0, waits_for=name)
        desk.set_status(replace(desk.status, carrusel=waits))
        assert said in (await terminal.get("/console")).text


async def test_without_the_link_the_panel_says_what_that_means(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    desk.tell(f.CarruselLinkLost())
    await terminal.log_in(CROUPIER)
    page = (await terminal.get("/console")).text
    assert 'id="unlinked"' in page
    assert "no se admiten apuestas" in page
    assert reason(await terminal.press("start", hand="1")) == "carrusel_link_lost"


async def test_under_queue_the_bets_go_on_without_the_link(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.reset(some_terms(policies=Policies(link_lost=LinkLost.QUEUE)))
    join(desk)
    desk.tell(f.CarruselLinkLost())
    await terminal.log_in(CROUPIER)
    assert "Las apuestas siguen" in (await terminal.get("/console")).text
    assert (await terminal.press("start", hand="1")).status_code == 303


async def test_CAN_9_a_claimed_award_is_pending_and_nothing_can_be_paid(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    claim(desk)
    await terminal.log_in(CROUPIER)
    page = (await terminal.get("/console")).text
    assert "PENDIENTE: decide el carrusel" in page
    assert 'id="awaits"' in page
    refused = await terminal.press("paid", hand="1", box="3", bet="1", cents="1500000")
    assert reason(refused) == "wrong_phase"


async def test_an_award_that_waits_elsewhere_is_told(terminal: Terminal, desk: FakeDesk) -> None:
    join(desk)
    hear(desk, pending=("1",))
    await terminal.log_in(CROUPIER)
    assert "espera su decisión en la mesa 1" in (await terminal.get("/console")).text


async def test_CAN_9_chief_and_director_take_a_claim_back(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    claim(desk)
    await terminal.log_in(DIRECTOR)
    answer = await signed(terminal, "claim-back", {"why": "Wrong cards"}, CHIEF)
    assert answer.status_code == 303
    assert desk.acts == [f.ClaimWithdrawn(by=CHIEF, second=DIRECTOR, hand=1, why="Wrong cards")]
    assert "Se está retirando" in (await terminal.get("/console")).text
    again = await terminal.post("/console/pit/claim-back", {"why": "Wrong cards"})
    assert reason(again) == "already_asked"


async def test_the_decision_is_paid_and_shows_how_it_was_computed(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    claim(desk)
    share = f.CarruselShare("2", 100_000 * EURO, 100_000 * EURO, 5_000 * EURO)
    payment = f.CarruselPayment(3, 1, AwardedHand.FOUR_OF_A_KIND, "CAN-8.3", 500_000)
    desk.tell(award(share, payments=(payment,)))
    hear(desk, decision=1)
    await terminal.log_in(CROUPIER)
    page = (await terminal.get("/console")).text
    assert "5.000,00" in page
    assert "Cómo se calcula" in page


async def test_CAN_9_chief_and_director_leave_the_carrusel(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    await terminal.log_in(CHIEF)
    await signed(terminal, "carrusel-leave", {"why": "End of the authorisation"}, DIRECTOR)
    assert desk.acts == [
        f.CarruselLeaveAsked(by=CHIEF, second=DIRECTOR, why="End of the authorisation")
    ]
    member = desk.state.carrusel
    assert member is not None
    assert member.stage is MemberStage.LEAVING
    assert "está saliendo" in (await terminal.get("/console")).text


async def test_CAN_8_b1_in_manual_mode_the_lock_comes_before_the_awards(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.reset(some_terms(mode=BetMode.MANUAL))
    join(desk)
    desk.tell(f.HandStarted(by=CROUPIER, hand=1))
    await terminal.log_in(CROUPIER)
    page = (await terminal.get("/console")).text
    assert "primero va el «no va más»" in page
    assert "/console/awards" not in page


async def test_opening_and_closing_sign_the_own_part_of_the_prize(
    terminal: Terminal, desk: FakeDesk
) -> None:
    join(desk)
    await terminal.log_in(CROUPIER)
    page = (await terminal.get("/console/day")).text
    assert "Parte propia de esta mesa en el premio" in page
    assert "100.000,00" in page
