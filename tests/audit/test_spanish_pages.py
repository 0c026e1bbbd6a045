"""No English sentence on a Spanish page: every page of the audit room, and the report of a period."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import httpx
import pytest
from forgery import MICROCENTS, Forgery
from site_client import client_of, room_of, text_of

from jackpot.audit.books.period import period
from jackpot.audit.books.report import report_pdf
from jackpot.audit.books.report_words import WORDS
from jackpot.audit.source import Source

ENGLISH = re.compile(
    r"\b(the|of|is|are|not|with|without|and|was|were|nothing|none|expected|found|finding|findings|"
    r"batch|box|bet|hand|hands|table|meter|award|awards|from|ended|paid|open|opened|signed|day|days|"
    r"time|royal|flush|straight|four|kind|pool|officer|officers|amount|rules|events|export)\b",
    re.IGNORECASE,
)
"""Words that no Spanish sentence has."""

TYPED = ("agreed", "light again", "no light", "seen by all", "tables change places", "box 2, not 3",
         "counted again", "typed wrongly", "a false card", "anniversary", "box 3",
         "end of the season")  # fmt: skip
"""Reasons that the officers of the story typed: a record keeps their words."""


def spoken(page: httpx.Response) -> str:
    """What a page says in words: codes and stored rows stay as they are."""
    body = re.sub(r"<code.*?</code>|<option.*?</option>|<pre.*?</pre>", " ", page.text, flags=re.S)
    plain = text_of(httpx.Response(200, text=body.partition("<body")[2]))
    return without_typed(re.sub(r"\S*[_/+:]\S*", " ", plain))


def without_typed(text: str) -> str:
    for reason in TYPED:
        text = text.replace(reason, " ")
    return text


def assert_spanish(text: str, where: str) -> None:
    found = ENGLISH.search(text)
    assert found is None, f"{where}: …{text[max(0, found.start() - 60) : found.end() + 60]}…"


def wrong_contribution(bench: Forgery) -> None:
    bench.event("contributed", 0)[MICROCENTS] += 1


def nothing_wrong(_: Forgery) -> None:
    """As it was played."""


@pytest.mark.parametrize("plant", [wrong_contribution, nothing_wrong])
@pytest.mark.parametrize("story_name", ["story", "pit_ledger", "carrusel_ledger"])
async def test_every_page_of_the_audit_room_is_spanish(
    story_name: str,
    plant: Callable[[Forgery], None],
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    ledger: Path = request.getfixturevalue(story_name)
    bench = Forgery(ledger, tmp_path / "forged")
    plant(bench)
    room = room_of(bench.well_made(), tmp_path)
    pages = ["1/", "1/events", "1/events?name=award", "1/hand/999", "1/find?q=nobody"]
    pages += [f"1/day/{row.day}" for row in room.index.days()]
    pages += [
        f"1/hand/{row.hand}" for day in room.index.days() for row in room.index.hands(day.day)
    ]
    async with client_of([room]) as client:
        for address in pages:
            assert_spanish(spoken(await client.get(address)), address)
    room.close()


@pytest.mark.parametrize("story_name", ["story", "pit_ledger", "carrusel_ledger"])
def test_the_report_of_a_period_is_spanish(
    story_name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with Source(request.getfixturevalue(story_name)) as source:
        figures = period(source, date(2026, 1, 1), date(2027, 12, 31))
        (tmp_path / "report.pdf").write_bytes(report_pdf(source, figures, "es"))
    command = ["pdftotext", "-layout", str(tmp_path / "report.pdf"), "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Informe del Jackpot" in text
    plain = without_typed(" ".join(re.sub(r"\S*[_/+]\S*", " ", text).split()))
    assert_spanish(plain.replace("jackpot export", ""), story_name)


def test_every_word_of_the_report_is_in_both_languages() -> None:
    same = {name for name, text in WORDS.items() if text[0] == text[1]}
    assert same == {"base", "total"}


def test_an_english_sentence_would_be_found() -> None:
    with pytest.raises(AssertionError, match="a page"):
        assert_spanish("El total is wrong", "a page")
