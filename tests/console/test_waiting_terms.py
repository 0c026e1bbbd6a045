"""New terms that wait stand on the console: what changes, and when."""

from __future__ import annotations

import msgspec
from support.fakedesk import FakeDesk, some_terms
from support.terminal import Terminal

from jackpot.console.waiting_terms import AT_OPENING, AT_RESTART, Change, waiting_terms
from jackpot.law.policies import BelowRoyal, ConfigChange, Policies
from jackpot.law.policy_texts import POLICY_TEXTS
from jackpot.law.terms import Terms
from jackpot.law.words import Language
from jackpot.table import facts as f


def _told(desk: FakeDesk, terms: Terms) -> None:
    desk.tell(f.ConfigurationLoaded(config_text="", profile_text="", terms=terms))


async def test_a_new_percentage_waits_until_the_jackpot_starts_again() -> None:
    desk = FakeDesk()
    desk.open_day()
    assert waiting_terms(desk.state, Language.ES) is None
    _told(desk, some_terms(jackpot_ppm=300_000, seed_cents=20_000_000))
    waiting = waiting_terms(desk.state, Language.ES)
    assert waiting is not None
    assert waiting.when == AT_RESTART
    assert waiting.changes == (
        Change("Share of a bet", "25 %", "30 %"),
        Change("Starting amount", "100.000,00\u00a0€", "200.000,00\u00a0€"),
    )


async def test_CAN_6_1_a_new_threshold_waits_for_the_next_opening() -> None:
    desk = FakeDesk()
    desk.open_day()
    _told(desk, some_terms(second_signature_over_cents=100_000))
    waiting = waiting_terms(desk.state, Language.EN)
    assert waiting is not None
    assert waiting.when == AT_OPENING
    assert waiting.changes == (
        Change("Second signature above", "3,000.00\u00a0€", "1,000.00\u00a0€"),
    )


async def test_config_change_at_opening_waits_for_an_opening_with_its_authorisation() -> None:
    policies = Policies(config_change=ConfigChange.AT_OPENING)
    desk = FakeDesk(some_terms(policies=policies))
    desk.open_day()
    _told(desk, some_terms(policies=policies, jackpot_ppm=300_000, authorisation="2026/077"))
    waiting = waiting_terms(desk.state, Language.ES)
    assert waiting is not None
    assert waiting.when == AT_OPENING
    assert Change("Authorisation number", "–", "2026/077") in waiting.changes


async def test_policies_are_named_and_whatever_has_no_name_is_other_rules() -> None:
    desk = FakeDesk()
    desk.open_day()
    _told(desk, some_terms(policies=Policies(below_royal=BelowRoyal.FROM_SEED), bets_per_box=3))
    waiting = waiting_terms(desk.state, Language.EN)
    assert waiting is not None
    text = POLICY_TEXTS["below_royal"].text("en")
    assert waiting.changes == (Change(text, "nothing", "from_seed"), Change("Other rules", "", ""))
    named = {name.removesuffix("_cents") for name in msgspec.structs.asdict(Policies())}
    assert named <= POLICY_TEXTS.keys()


async def test_officers_see_them_between_hands_and_the_public_never(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    _told(desk, some_terms(jackpot_ppm=300_000))
    await terminal.log_in("c1")
    for page in ("/console", "/console/pit/table"):
        text = (await terminal.get(page)).text
        assert "Nuevas condiciones a la espera de que el Jackpot empiece de nuevo." in text, page
        assert "25\u00a0%" in text or "25 % → 30 %" in text, page
    assert "waiting-terms" not in (await terminal.get("/")).text
    desk.start_hand(3)
    assert "waiting-terms" not in (await terminal.get("/console")).text
