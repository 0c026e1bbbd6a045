"""The pages of table chief and director: what they list, repeat, and have signed by whom."""

from __future__ import annotations

import re
from collections.abc import Mapping

import httpx
import pytest
from support.fakedesk import OFFICERS, PINS, FakeDesk, some_terms
from support.terminal import ORIGIN, Terminal, hidden, reason

from jackpot.authority.roles import Role
from jackpot.console import amounts
from jackpot.console.pit_acts import READERS
from jackpot.console.pit_forms import PIT_FORMS
from jackpot.errors import Refused
from jackpot.law.policies import BrokenSlot, Policies
from jackpot.law.pools import Pool
from jackpot.law.terms import BetMode
from jackpot.law.words import Language
from jackpot.table import facts as f

CROUPIER = next(one for one, roles in OFFICERS.items() if Role.CROUPIER in roles)
CHIEF = next(one for one, roles in OFFICERS.items() if Role.TABLE_CHIEF in roles)
DIRECTOR = next(one for one, roles in OFFICERS.items() if Role.GAMES_DIRECTOR in roles)


async def _repeated(terminal: Terminal, key: str, fields: Mapping[str, str]) -> httpx.Response:
    return await terminal.post(f"/console/pit/{key}", fields)


async def _signed(
    terminal: Terminal, key: str, fields: Mapping[str, str], signer: str = ""
) -> httpx.Response:
    """Fill in, look at the repetition, sign it as it stands there."""
    page = await _repeated(terminal, key, fields)
    assert page.status_code == 200, page.text
    told = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', page.text))
    told["form"] = hidden(page.text)
    if signer:
        told |= {"signer": signer, "pin": PINS[signer]}
    return await terminal.post(f"/console/pit/{key}/sign", told)


def _said(page: httpx.Response, name: str) -> str:
    found = re.search(rf'data-said="{name}">([^<]*)<', page.text)
    assert found is not None, name
    return found.group(1).replace("\u00a0", " ")


def test_every_form_has_its_reader() -> None:
    assert PIT_FORMS.keys() <= READERS.keys()
    assert {form.page for form in PIT_FORMS.values()} == {"table", "jackpot"}


async def test_every_act_that_is_possible_has_a_key_that_it_shows(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.reset(some_terms(mode=BetMode.MANUAL))
    desk.open_day()
    await terminal.log_in(CHIEF)
    keys: dict[str, str] = {}
    for page in ("table", "jackpot"):
        text = (await terminal.get(f"/console/pit/{page}")).text
        acts = re.findall(r'<a class="key" href="/console/pit/([a-z-]+)" ([^>]*)>(.*)</a>', text)
        for act, attributes, label in acts:
            key = re.search(r'data-key="([^"]+)"', attributes)
            assert key is not None, act
            assert f">{key[1]}</kbd>" in label, act
            keys[act] = key[1]
        assert len(set(re.findall(r'data-key="([^"]+)"', text))) == text.count("data-key=")
    assert keys["correct-total"].startswith("/")


async def test_the_chief_changes_to_manual_mode_with_a_reason(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.reset(some_terms(policies=Policies(broken_slot=BrokenSlot.TABLE_MANUAL)))
    desk.open_day()
    await terminal.log_in(CHIEF)
    fields = {"why": "Slots out of service"}
    page = await _repeated(terminal, "mode", fields)
    assert _said(page, "mode") == "manual"
    assert _said(page, "why") == "Ranuras fuera de servicio"
    answer = await _signed(terminal, "mode", fields)
    assert answer.status_code == 303
    assert desk.acts == [f.ModeChanged(by=CHIEF, mode=BetMode.MANUAL, why="Slots out of service")]
    assert "Modo manual" in (await terminal.get("/console")).text


async def test_where_the_authorisation_does_not_allow_the_mode_the_page_says_so(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CHIEF)
    answer = await _repeated(terminal, "mode", {"why": "Slots out of service"})
    assert (answer.status_code, reason(answer)) == (409, "mode_not_authorised")
    assert desk.acts == []


CORRECTION = {"of_hand": "1", "chips": "6", "why": "Counted wrongly"}
LONG_AGO = {
    "payment": "9.3.1",
    "way": "more",
    "amount": "1",
    "why_other": "a slip",
}


@pytest.mark.parametrize(
    ("key", "fields", "why"),
    [
        ("correct-total", {**CORRECTION, "of_hand": "7"}, "total_not_known"),
        ("correct-total", {**CORRECTION, "chips": "8"}, "total_out_of_range"),
        ("correct-total", {**CORRECTION, "chips": "5"}, "nothing_to_correct"),
        ("undo-payment", LONG_AGO, "no_such_award"),
    ],
)
async def test_what_the_table_would_refuse_is_refused_before_anybody_signs(
    terminal: Terminal, desk: FakeDesk, key: str, fields: dict[str, str], why: str
) -> None:
    """Hand 1 ended with five chips, and there was no award 9."""
    _one_manual_hand(desk)
    await terminal.log_in(CHIEF)
    page = await _repeated(terminal, key, fields)
    assert (page.status_code, reason(page)) == (409, why)
    assert 'name="pin"' not in page.text
    assert f'action="/console/pit/{key}" class="act pit-form"' in page.text, "to fill in anew"


async def test_what_only_the_signers_lack_is_still_repeated(
    terminal: Terminal, desk: FakeDesk
) -> None:
    _one_manual_hand(desk)
    await terminal.log_in(CROUPIER)
    page = await _repeated(terminal, "correct-total", CORRECTION)
    assert page.status_code == 200
    assert "data-said" in page.text


async def test_a_croupier_at_the_console_lets_the_chief_sign_in_the_form(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CROUPIER)
    await _signed(terminal, "suspend", {"why": "No players"}, CHIEF)
    assert desk.acts == [f.TableSuspended(by=CHIEF, why="No players")]
    assert "Fuera de servicio" in (await terminal.get("/console")).text
    lists = (await terminal.get("/console/pit/table")).text
    assert "/console/pit/resume" in lists
    assert "/console/pit/suspend" not in lists
    assert "Sin jugadores" in lists


async def test_CAN_6_1_the_director_sets_the_minimum_and_the_chief_cannot(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CHIEF)
    page = await _repeated(terminal, "minimum", {"amount": "10"})
    assert _said(page, "amount") == "10,00 €"
    alone = await _signed(terminal, "minimum", {"amount": "10"})
    assert reason(alone) == "role_missing"
    await _signed(terminal, "minimum", {"amount": "10"}, DIRECTOR)
    assert desk.acts == [f.TableMinimumSet(by=DIRECTOR, cents=1_000)]


async def test_a_jackpot_is_corrected_by_chief_and_director_to_the_micro_cent(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    fields = {
        "jackpot": "1",
        "pool": "jackpot",
        "way": "less",
        "amount": "0,00000001",
        "authorisation": "2026/009",
        "why_other": "0.1 % of <b>nothing</b>",
    }
    await terminal.log_in(CROUPIER)
    nobody = await _signed(terminal, "correct", fields, DIRECTOR)
    assert reason(nobody) == "no_first_officer"
    await terminal.post("/logout", {})
    await terminal.log_in(DIRECTOR)
    page = await _repeated(terminal, "correct", fields)
    assert _said(page, "amount") == "0,00000001 €"
    assert "<b>nothing" not in page.text
    alone = await _signed(terminal, "correct", {**fields, "why_other": "a slip"})
    assert reason(alone) == "second_officer_missing"
    await _signed(terminal, "correct", {**fields, "why_other": "a slip"}, CHIEF)
    assert desk.acts == [
        f.JackpotCorrected(
            by=CHIEF,
            second=DIRECTOR,
            why="a slip",
            microcents=-1,
            jackpot=1,
            authorisation="2026/009",
            pool=Pool.JACKPOT,
        )
    ]


async def test_a_running_jackpot_is_taken_over_before_the_first_opening(
    terminal: Terminal, desk: FakeDesk
) -> None:
    await terminal.log_in(CHIEF)
    fields = {"amount": "123456,78", "authorisation": "2026/001", "why": "As authorised"}
    page = await _repeated(terminal, "take-over", fields)
    assert _said(page, "amount") == "123.456,78 €"
    await _signed(terminal, "take-over", fields, DIRECTOR)
    assert desk.state.pools.jackpot_microcents == 12_345_678_000_000
    assert "123.456,78" in (await terminal.get("/console/day")).text


async def test_a_jackpot_that_moves_is_signed_at_the_amount_that_is_shown(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.tell(f.DayClosed(by=CROUPIER, second=CHIEF, displayed_cents=10_000_000))
    await terminal.log_in(CHIEF)
    fields = {"place": "3", "layout": "B", "authorisation": "2026/010", "why": "As authorised"}
    page = await _repeated(terminal, "move", fields)
    assert _said(page, "amount") == "100.000,00 €"
    assert (_said(page, "place"), _said(page, "layout")) == ("3", "B")
    await _signed(terminal, "move", fields, DIRECTOR)
    assert desk.state.pools.jackpot_microcents == 0


async def test_CAN_8_b2_a_disputed_bet_is_accepted_while_the_hand_is_locked(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    await terminal.log_in(CHIEF)
    await _signed(terminal, "dispute", {"box": "5", "why": "Dispute of a player"}, DIRECTOR)
    assert desk.state.hand is not None
    assert [bet.box for bet in desk.state.hand.bets] == [3, 5]


async def test_the_final_total_of_a_hand_is_corrected_against_what_was_recorded(
    terminal: Terminal, desk: FakeDesk
) -> None:
    _one_manual_hand(desk)
    await terminal.log_in(CHIEF)
    page = await _repeated(terminal, "correct-total", CORRECTION)
    assert (_said(page, "chips_before"), _said(page, "chips")) == ("5", "6")
    await _signed(terminal, "correct-total", CORRECTION, DIRECTOR)
    assert desk.state.pools.jackpot_microcents == 10_000_300_000_000  # 25 % of 12.00


def _one_manual_hand(desk: FakeDesk) -> None:
    desk.reset(some_terms(mode=BetMode.MANUAL))
    desk.open_day()
    desk.start_hand()
    desk.tell(
        f.NoAwardsDeclared(by=CROUPIER, hand=1),
        f.TotalEntered(by=CROUPIER, hand=1, chips=5, cents=1_000),
        f.TotalFinal(by=CROUPIER, hand=1, chips=5),
    )


async def test_the_chips_of_the_day_are_counted_by_croupier_and_chief(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    desk.start_hand(3)
    desk.lock()
    desk.tell(f.NoAwardsDeclared(by=CROUPIER, hand=1))
    await terminal.log_in(CROUPIER)
    await _signed(terminal, "drop", {"box": "0", "chips": "2"}, CHIEF)
    assert desk.acts == [f.DropCounted(by=CROUPIER, second=CHIEF, day="2026-11-30", chips=2)]
    page = (await terminal.get("/console")).text
    assert "Las fichas contadas no coinciden" in page
    assert "Fichas comparadas · 2 ≠ 1" in page
    assert "Fichas comparadas: 2 ≠ 1" in (await terminal.get("/console/history")).text
    await _signed(terminal, "drop", {"box": "0", "chips": "1"}, CHIEF)
    assert "Fichas comparadas · 1 = 1" in (await terminal.get("/console")).text


async def test_a_repetition_that_was_signed_twice_counts_once(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CHIEF)
    page = await _repeated(terminal, "suspend", {"why": "No players"})
    form = {"form": hidden(page.text), "why": "No players"}
    assert (await terminal.post("/console/pit/suspend/sign", form)).status_code == 303
    second = await terminal.post("/console/pit/suspend/sign", form)
    assert second.status_code in (303, 409)
    assert [act.kind for act in desk.acts] == ["table_suspended"]


async def test_incomplete_forms_stay_open_with_what_was_typed(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CHIEF)
    page = await _repeated(terminal, "raise", {"amount": "1.000", "authorisation": "7", "why": ""})
    assert reason(page) == "not_an_amount"
    assert 'value="1.000"' in page.text
    nothing = await _repeated(terminal, "raise", {"amount": "10", "authorisation": "7"})
    assert reason(nothing) == "why_missing"
    other = await terminal.post("/console/pit/raise", {"amount": "1"}, origin="http://evil.example")
    assert (other.status_code, reason(other)) == (403, "other_site")
    assert ORIGIN != "http://evil.example"


@pytest.mark.parametrize(
    ("typed", "microcents"),
    [
        ("1234,56", 123_456_000_000),
        ("1234.5", 123_450_000_000),
        ("0,00000001", 1),
        (" 7 € ", 700_000_000),
    ],
)
def test_amounts_are_read_with_point_or_comma(typed: str, microcents: int) -> None:
    assert amounts.microcents_typed(typed) == microcents


@pytest.mark.parametrize("typed", ["", "1.000", "1.234,56", "-1", "1,2,3", "1e5", "9" * 13])
def test_amounts_that_two_people_could_read_differently_are_refused(typed: str) -> None:
    with pytest.raises(Refused, match="not_an_amount"):
        amounts.microcents_typed(typed)


def test_an_amount_hides_no_micro_cent() -> None:
    assert amounts.exact_euros(123_456_000_000, Language.ES) == "1.234,56\u00a0€"
    assert amounts.exact_euros(123_456_000_001, Language.ES) == "1.234,56000001\u00a0€"
    assert amounts.exact_euros(1, Language.EN) == "0.00000001\u00a0€"
    with pytest.raises(Refused, match="not_an_amount"):
        amounts.cents_typed("1,0001")
