"""Whatever a page of the audit room lists can be taken along: as a workbook, as CSV, as JSON."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from forgery import MICROCENTS, Forgery
from site_client import client_of, room_of

from jackpot.audit.site import lists
from jackpot.audit.site.events import Filters
from jackpot.audit.site.export import as_csv, as_xlsx
from jackpot.audit.site.lists import LISTS
from jackpot.audit.site.room import Room

FORMS = ["xlsx", "csv", "json"]
PAGES = {
    "": {"days", "hands", "officers", "notes"},
    "day/1": {"hands", "marks"},
    "day/1?name=award": {"hands", "marks"},
    "hand/1": {"moments", "events"},
    "hand/2": {"moments", "payments", "derivation", "events"},
    "events?officer=D1": {"events"},
}
"""What each page of the long story lists; the curve of the first page is the list of all hands."""


@pytest.fixture(scope="module")
def room(story: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    room = room_of(story, tmp_path_factory.mktemp("index"))
    yield room
    room.close()


@pytest.fixture
async def site(room: Room) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of([room]) as client:
        yield client


def listed(page: httpx.Response) -> set[str]:
    return set(re.findall(r'data-list="(\w+)"', page.text))


def exports(page: httpx.Response) -> list[tuple[str, str, str]]:
    """Address, name and form of every export that a page offers."""
    return re.findall(r'<a href="(/token/1/export/(\w+)\.(\w+)[^"]*)"', page.text)


@pytest.mark.parametrize("path", PAGES)
async def test_every_list_of_a_page_is_offered_in_every_form(
    site: httpx.AsyncClient, path: str
) -> None:
    page = await site.get(f"1/{path}")
    offered = {(name, form) for _, name, form in exports(page)}
    assert offered == {(name, form) for name in PAGES[path] for form in FORMS}
    assert listed(page) | ({"hands"} if path == "" else set()) == PAGES[path]
    lists_without_name = re.findall(r"<(?:table|ol)(?![^>]*data-list)[^>]*>", page.text)
    assert [tag for tag in lists_without_name if 'class="lamps"' not in tag] == []


@pytest.mark.parametrize("path", PAGES)
async def test_every_export_of_a_page_has_its_lines(site: httpx.AsyncClient, path: str) -> None:
    for address, name, form in exports(await site.get(f"1/{path}")):
        answer = await site.get(f"http://127.0.0.1:8000{address.replace('&amp;', '&')}")
        assert answer.status_code == 200, address
        assert f"table-2-{name}.{form}" in answer.headers["content-disposition"]
        if form == "json":
            assert answer.json(), address


async def test_findings_and_differences_are_lists_too(forgery: Forgery, tmp_path: Path) -> None:
    forgery.event("contributed", 2)[MICROCENTS] += 1
    room = room_of(forgery.well_made(), tmp_path)
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert listed(page) >= {"findings", "differences"}
        findings = (await client.get("1/export/findings.json")).json()
        differences = (await client.get("1/export/differences.json")).json()
    room.close()
    assert ("contributions", 30) in {(one["validator"], one["seq"]) for one in findings}
    assert ("other", 30) in {(one["what"], one["seq"]) for one in differences}


def test_no_list_is_left_without_a_page() -> None:
    assert set().union(*PAGES.values(), {"findings", "differences"}) == LISTS.keys()


async def test_what_is_shown_is_exported_as_csv_and_json(site: httpx.AsyncClient) -> None:
    answer = await site.get("1/export/hands.csv?day=1")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text.lstrip("\ufeff"))))
    assert [row["hand"] for row in rows] == [str(number) for number in range(1, 10)]
    assert (rows[1]["paid_cents"], rows[1]["meter_microcents"]) == ("145036", "855214000000")
    days = (await site.get("1/export/days.json")).json()
    assert [day["bets_cents"] for day in days] == [200, 2_800]
    of_hand = (await site.get("1/export/events.json?hand=2")).json()
    assert (of_hand[0]["seq"], of_hand[-1]["seq"]) == (36, 54)


async def test_a_time_is_also_told_in_the_casinos_zone(site: httpx.AsyncClient) -> None:
    """Hand 2 begins 19 seconds after 1,800,000,000 s, on 15 January 2027, winter in the Canaries."""
    moments = (await site.get("1/export/moments.json?hand=2")).json()
    assert moments[0]["at_local"] == "2027-01-15T08:00:19.000+00:00"
    assert moments[0]["at_ns"] == 1_800_000_019_000_000_000
    assert (moments[0]["facts"], moments[0]["officers"]) == ("hand_started", "C1")


async def test_a_hand_is_exported_with_its_cards_payments_and_derivation(
    site: httpx.AsyncClient,
) -> None:
    payments = (await site.get("1/export/payments.json?hand=2")).json()
    assert [(one["box"], one["combination"], one["cents"]) for one in payments] == [
        (1, "straight_flush", 100_025),
        (2, "four_of_a_kind", 45_011),
    ]
    steps = (await site.get("1/export/derivation.json?hand=2")).json()
    assert steps[-1]["rule"] == "CAN-8.7"
    assert "Deducción en el visor" in steps[-1]["spanish"]
    assert (await site.get("1/export/payments.json?hand=99")).json() == []


def test_a_text_that_a_spreadsheet_would_run_stays_a_text() -> None:
    assert as_csv(["why"], [["=1+1"], ["-5"], [-5]]).decode() == (
        "\ufeffwhy\r\n'=1+1\r\n'-5\r\n-5\r\n"
    )


def cells(workbook: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(workbook)) as pack:
        return pack.read("xl/worksheets/sheet1.xml").decode()


async def test_a_workbook_keeps_every_digit(site: httpx.AsyncClient) -> None:
    """Micro-cents are numbers; nanoseconds have too many digits for one, and stand as text."""
    sheet = cells((await site.get("1/export/hands.xlsx?day=1")).content)
    assert "<v>855214000000</v>" in sheet
    assert "<t>1800000019000000000</t>" in sheet


def test_nothing_in_a_workbook_is_run() -> None:
    sheet = cells(as_xlsx(["why"], [["=1+1"]]))
    assert "<t>=1+1</t>" in sheet
    assert "<f>" not in sheet


def test_an_export_goes_on_where_one_query_ends(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.audit.site.events.WINDOW_EVENTS", 20)
    rows = LISTS["events"](room, Filters(kind="day_closed")).rows
    assert len(rows) == 2


async def test_an_export_that_is_cut_says_so_in_its_name(
    site: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LIMIT", 6)
    monkeypatch.setattr("jackpot.audit.site.pages.MOST_ROWS", 5)
    answer = await site.get("1/export/events.json")
    assert len(answer.json()) == 5
    assert "table-2-events-first-5.json" in answer.headers["content-disposition"]
