"""A hand in manual mode at the console (CAN-8.b1): the chips, their echo, undo, final, awards."""

from __future__ import annotations

import re

import pytest
from support.fakedesk import OFFICERS, PINS, FakeDesk, some_terms
from support.terminal import Terminal, reason

from jackpot.authority.roles import Role
from jackpot.law.policies import BrokenSlot, ManualTotal, Policies
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table.state import Phase

CROUPIER = next(one for one, roles in OFFICERS.items() if Role.CROUPIER in roles)
CHIEF = next(one for one, roles in OFFICERS.items() if Role.TABLE_CHIEF in roles)
DIRECTOR = next(one for one, roles in OFFICERS.items() if Role.GAMES_DIRECTOR in roles)
FOUR_ACES = ["As", "Ah", "Ad", "Ac", "3h"]


def _signed(officer: str) -> dict[str, str]:
    return {"signer": officer, "pin": PINS[officer]}


@pytest.fixture
def manual(desk: FakeDesk) -> FakeDesk:
    """An open table in manual mode, total after the awards: bet 2.00, 25 %, seed 100,000.00."""
    desk.reset(some_terms(mode=BetMode.MANUAL))
    desk.open_day()
    return desk


async def _text(terminal: Terminal, path: str = "/console") -> str:
    return (await terminal.get(path)).text.replace("\u00a0", " ")


async def test_CAN_8_b1_a_hand_is_start_no_awards_chips_and_final(
    terminal: Terminal, manual: FakeDesk
) -> None:
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    assert "Modo manual" in await _text(terminal)
    await terminal.press("no-awards", hand="1")
    page = await _text(terminal)
    assert re.findall(r'name="chips" value="(\d)" required data-key="(\d)"', page) == [
        (str(chips), str(chips)) for chips in range(8)
    ]
    assert "Mesa 2: 5 × 2,00 € = 10,00 €" in page
    await terminal.press("total", hand="1", chips="5", bet_cents="200")
    page = await _text(terminal)
    assert 'id="entered"' in page
    assert "Mesa 2: 5 × 2,00 € = 10,00 €" in page
    assert "Deshacer" in page
    await terminal.press("total-final", hand="1", chips="5")
    assert manual.state.phase is Phase.BETWEEN_HANDS
    assert manual.state.pools.jackpot_microcents == 10_000_250_000_000  # 25 % of 10.00
    assert [act.kind for act in manual.acts] == [
        "hand_started",
        "no_awards_declared",
        "total_entered",
        "total_final",
    ]


async def test_CAN_8_b1_undo_brings_the_number_keys_back(
    terminal: Terminal, manual: FakeDesk
) -> None:
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    await terminal.press("no-awards", hand="1")
    await terminal.press("total", hand="1", chips="6", bet_cents="200")
    await terminal.press("total-undo", hand="1")
    assert manual.state.phase is Phase.TOTAL
    assert 'name="chips" value="6"' in await _text(terminal)
    stale = await terminal.press("total-final", hand="1", chips="6")
    assert reason(stale) == "no_total_entered"


async def test_CAN_8_b1_wrong_totals_are_refused_with_the_reason(
    terminal: Terminal, manual: FakeDesk
) -> None:
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    await terminal.press("no-awards", hand="1")
    eight = await terminal.press("total", hand="1", chips="8", bet_cents="200")
    assert reason(eight) == "total_out_of_range"
    other_bet = await terminal.press("total", hand="1", chips="5", bet_cents="150")
    assert reason(other_bet) == "total_not_multiple"
    await terminal.press("total", hand="1", chips="5", bet_cents="200")
    other = await terminal.press("total-final", hand="1", chips="4")
    assert reason(other) == "total_differs"


async def test_CAN_8_b1_any_open_box_can_win_and_the_chief_vouches_for_its_bet(
    terminal: Terminal, manual: FakeDesk
) -> None:
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    page = await _text(terminal, "/console/awards")
    assert [int(box) for box in re.findall(r'data-box="(\d)"', page)] == [1, 2, 3, 4, 5, 6, 7]
    form = await terminal.form("/console/awards")
    fields = {"form": form, "hand": ["1"], "place": ["4.1"], "card": FOUR_ACES}
    assert (await terminal.post("/console/awards/declare", fields)).status_code == 303
    assert "confirma también la apuesta" in await _text(terminal)
    await terminal.press("confirm", hand="1", **_signed(CHIEF))
    # 5 % of 100,000.00 is above the threshold of 3,000.00
    await terminal.press("sign", hand="1", cents="500000", **_signed(DIRECTOR))
    await terminal.press("paid", hand="1", box="4", bet="1", cents="500000")
    assert manual.state.phase is Phase.TOTAL
    none = await terminal.press("total", hand="1", chips="0", bet_cents="200")
    assert reason(none) == "total_contradicts_awards"
    assert "la jugada sigue abierta" in none.text
    await terminal.press("total", hand="1", chips="1", bet_cents="200")
    await terminal.press("total-final", hand="1", chips="1")
    assert manual.state.pools.jackpot_microcents == 9_500_050_000_000


async def test_CAN_8_b1_before_awards_the_total_comes_first(
    terminal: Terminal, desk: FakeDesk
) -> None:
    policies = Policies(manual_total=ManualTotal.BEFORE_AWARDS)
    desk.reset(some_terms(mode=BetMode.MANUAL, policies=policies))
    desk.open_day()
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    assert 'name="chips" value="7"' in await _text(terminal)
    early = await terminal.press("no-awards", hand="1")
    assert reason(early) == "total_missing"
    await terminal.press("total", hand="1", chips="7", bet_cents="200")
    await terminal.press("total-final", hand="1", chips="7")
    page = await _text(terminal)
    assert 'data-phase="locked"' in page
    assert "Sin premios" in page
    # what awards would be paid on: the total's 3.50 are on the meter, but not on the visor yet
    assert re.search(r'id="meter">100\.000,00 €', page)
    await terminal.press("no-awards", hand="1")
    assert re.search(r'id="meter">100\.003,50 €', await _text(terminal))


async def test_a_hand_whose_total_is_awaited_can_be_voided(
    terminal: Terminal, manual: FakeDesk
) -> None:
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    await terminal.press("no-awards", hand="1")
    assert 'href="/console/void"' in await _text(terminal)
    await terminal.press("void", hand="1", bets="0", why="Exposed card", **_signed(CHIEF))
    assert manual.state.phase is Phase.BETWEEN_HANDS


async def test_a_box_without_its_slot_plays_by_a_key(terminal: Terminal, desk: FakeDesk) -> None:
    desk.reset(some_terms(policies=Policies(broken_slot=BrokenSlot.BOX_MANUAL)))
    desk.open_day()
    desk.tell(
        f.SlotDown(box=3, why="no_reply"),
        f.BoxModeChanged(by=CHIEF, box=3, mode=BetMode.MANUAL, why="slot out of service"),
    )
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    page = await _text(terminal)
    assert "Casilla 3: hay apuesta" in page or "Casilla 3: apuesta" in page
    assert 'data-todo="slot_down"' not in page
    await terminal.press("assert", hand="1", box="3")
    assert desk.state.hand is not None
    assert [(bet.box, bet.source.value) for bet in desk.state.hand.bets] == [(3, "asserted")]
    again = await terminal.press("assert", hand="1", box="3")
    assert reason(again) == "box_full"


async def test_CAN_8_b1_no_number_of_bets_is_shown_before_the_chips_are_counted(
    terminal: Terminal, manual: FakeDesk
) -> None:
    await terminal.log_in(CROUPIER)
    assert '<strong id="bets">0</strong>' in await _text(terminal)
    await terminal.press("start", hand="1")
    for path in ("/console", "/console/void"):
        page = await _text(terminal, path)
        assert not re.search(r"\b0 apuestas|>0,00 €| 0,00 €", page), path
    assert "apuestas sin contar" in await _text(terminal)
    assert "aún no se han contado" in await _text(terminal, "/console/void")
    assert "solo casillas con apuesta" not in await _text(terminal, "/console/awards")
    await terminal.press("no-awards", hand="1")
    await terminal.press("total", hand="1", chips="5", bet_cents="200")
    assert '<strong id="bets">5</strong>' in await _text(terminal)


async def test_CAN_8_b2_slots_tell_the_number_of_bets_at_once(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in(CROUPIER)
    await terminal.press("start", hand="1")
    assert '<strong id="bets">0</strong>' in await _text(terminal)
