"""Every text has both languages, every refusal its sentence, every event its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from support.fakedesk import A_MOMENT_NS, FakeDesk
from support.terminal import Terminal

from jackpot.authority.roles import Role
from jackpot.console import catalogues, language, words
from jackpot.daemon.sign_feed import SIGN_ALARM
from jackpot.daemon.slot_keeper import LINE_ALARM
from jackpot.daemon.starting import CLOCK_BEHIND, LEDGER_RESTORED
from jackpot.daemon.table_desk import DISK_FULL
from jackpot.daemon.watches import DISK_ALARM
from jackpot.law.terms import AwardedHand
from jackpot.law.words import Language
from jackpot.mechanism.wire_events import Diagnosis
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES, ItemWhat
from jackpot.table.state import Phase
from jackpot.visor.state import Lamp

SOURCE = Path(words.__file__).parents[1]
ON_A_CONSOLE = ("authority", "table", "console", "law/cards.py", "law/winners.py")
"""Where refusals come from that a person at a console can meet, and the desk's own."""
OF_THE_DAEMON = (
    "daemon/desk_refusals.py",
    "daemon/tokens.py",
    "daemon/officer_book.py",
    "daemon/slip_printer.py",
    "daemon/link/page/acts.py",
)
NEVER_AT_A_CONSOLE = {
    "not_an_officer_id",
    "officer_book_damaged",
    "officer_book_missing",
    "officer_book_open_to_others",
    "pin_weak",
    "no_such_test",
    "test_differs",
}
"""Said by the command line, in English."""


def _files() -> Iterator[Path]:
    for place in (*ON_A_CONSOLE, *OF_THE_DAEMON):
        path = SOURCE / place
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _reasons() -> set[str]:
    """Every ``reason="..."`` that stands in the code of those files."""
    return {
        keyword.value.value
        for file in _files()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "reason"
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    }


def test_every_refusal_that_can_reach_a_console_has_its_sentence() -> None:
    found = _reasons()
    assert "stale_hand" in found
    assert found - words.REASONS.keys() == NEVER_AT_A_CONSOLE
    assert words.REASONS.keys() - found - {"not_an_amount"} == set()


@pytest.mark.parametrize("said", Language)
def test_the_catalogue_holds_every_text_and_no_other(said: Language) -> None:
    wanted = {str(message.id) for message in catalogues.extracted() if message.id}
    assert {str(message.id) for message in catalogues.read(said) if message.id} == wanted
    assert len(wanted) > 150


@pytest.mark.parametrize("said", Language)
def test_every_text_is_translated_with_the_same_blanks_to_fill_in(said: Language) -> None:
    catalog = catalogues.read(said)
    for message in catalog:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), message.id
        assert not message.fuzzy
        assert not message.check(catalog), message.id
        source = message.id if isinstance(message.id, str) else message.id[1]
        for blank in ("%(box)s", "%(amount)s", "%(officer)s", "%(hand)s", "%(num)s"):
            assert (blank in source) == (blank in str(forms[-1])), message.id


@pytest.mark.parametrize("said", Language)
def test_the_compiled_catalogue_is_in_step_with_the_written_one(said: Language) -> None:
    catalog = catalogues.read(said)
    assert catalogues.po_path(said).read_bytes() == catalogues.po_bytes(catalogues.merged(said))
    compiled = catalogues.po_path(said).with_suffix(".mo").read_bytes()
    assert compiled == catalogues.mo_bytes(catalog)


def test_every_stable_name_has_its_words() -> None:
    assert set(words.KINDS) == FACTS.keys() | OUTCOMES.keys()
    assert set(words.PHASES) == set(Phase)
    assert set(words.HANDS) == set(AwardedHand)
    assert set(words.LAMPS) == set(Lamp)
    assert set(words.ITEMS) == set(ItemWhat)
    assert set(words.ROLES) == set(Role)
    assert set(words.SLOT_FAULTS) == {"not_seen", *Diagnosis}
    started = {CLOCK_BEHIND, LEDGER_RESTORED}
    assert set(words.ALARMS) == {DISK_ALARM, DISK_FULL, LINE_ALARM, SIGN_ALARM, *started}
    assert words.KINDS.keys() > words.TOLD_BY_ANOTHER_LINE


def test_amounts_shares_days_and_times_are_written_as_in_the_casino() -> None:
    es, en = Language.ES, Language.EN
    assert language.euros(1_234_567, es) == "12.345,67\u00a0€"
    assert language.euros(123_456, es) == "1.234,56\u00a0€"
    assert language.euros(1_234_567, en) == "12,345.67\u00a0€"
    assert language.euros(7, es) == "0,07\u00a0€"
    assert language.euros(None, es) == "– – –"
    assert language.euros(9_000_000_000_000, es) == "90.000.000.000,00\u00a0€"
    canary, madrid = ZoneInfo("Atlantic/Canary"), ZoneInfo("Europe/Madrid")
    assert language.clock_text(A_MOMENT_NS, canary, es) == "20:00:00"
    assert language.clock_text(A_MOMENT_NS, madrid, es) == "21:00:00"
    four_hours_ns = 4 * 3_600_000_000_000
    assert language.day_name(A_MOMENT_NS + four_hours_ns, canary) == "2026-12-01"
    assert language.day_text("2026-11-30", es) == "30 de noviembre de 2026"
    assert language.day_text("2026-11-30", en) == "30 November 2026"


async def test_spanish_comes_first_and_english_by_the_switch(
    terminal: Terminal, desk: FakeDesk
) -> None:
    desk.open_day()
    await terminal.log_in("c1")
    assert "Siguiente jugada" in (await terminal.get("/console")).text
    await terminal.post("/language", {"language": "en", "place": "/console"})
    assert "Next hand" in (await terminal.get("/console")).text
    away = await terminal.post("/language", {"language": "es", "place": "//evil.example"})
    assert away.headers["location"] == "/console"
    assert "Four of a kind" in (await terminal.get("/?lang=en")).text
