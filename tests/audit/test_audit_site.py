"""The audit room over HTTP: verdict, days, hands as they were, filters, exports, and no way to write."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from forgery import MICROCENTS, Forgery
from site_client import ORIGIN, client_of, room_of, text_of, unfinished_room

from jackpot.audit.checker import verify
from jackpot.audit.site.background import Done, Work
from jackpot.audit.site.events import Filters, find_events
from jackpot.audit.site.index import IndexWriter
from jackpot.audit.site.language import CLASS_NAMES, SPANISH
from jackpot.audit.site.room import Room
from jackpot.audit.source import Source
from jackpot.audit.words import KINDS, PHASES
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES
from jackpot.table.state import Phase

READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


@pytest.fixture(scope="module")
def room(story: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    room = room_of(story, tmp_path_factory.mktemp("index"))
    yield room
    room.close()


@pytest.fixture
async def site(room: Room) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of([room]) as client:
        yield client


# ---- the first page --------------------------------------------------------------------------------


async def test_the_first_page_says_that_everything_holds_and_the_totals(
    site: httpx.AsyncClient,
) -> None:
    page = await site.get("1/")
    assert page.text.count('class="good"') == 4
    text = text_of(page)
    for said in (
        "Cadena de huellas ✓ se sostiene",
        "Puntos firmados ✓ se sostiene",
        "Importes y reglas ✓ se sostiene",
        "Repetición con las reglas de la mesa ✓ se sostiene",
        "Acumulado 2A 12.002,00 €",
        "Pagado 10.005,50 €",
        "Jugadas 9",
    ):
        assert said in text


async def test_both_layouts_of_a_table_are_named_with_their_pools(
    pit_ledger: Path, tmp_path: Path
) -> None:
    """``pit_story``: 2A ends with 5,000.00 and seven micro-cents, 2B with 10,000.50."""
    room = room_of(pit_ledger, tmp_path)
    async with client_of([room]) as client:
        text = text_of(await client.get("1/"))
        assert text.count("✓ se sostiene") == 4
        assert "El Jackpot, jugada a jugada · 2A" in text
        assert "El Jackpot, jugada a jugada · 2B" in text
        assert "Acumulado 2A 5.000,00000007 € Acumulado 2B 10.000,50 €" in text
        for number in range(1, 6):
            assert (await client.get(f"1/hand/{number}")).status_code == 200
        assert "Total por anotar" in text_of(await client.get("1/hand/2?at=43"))
        days = [(await client.get(f"1/export/hands.json?day={day}")).json() for day in (1, 2)]
    room.close()
    hands = days[0] + days[1]
    assert [hand["layout"] for hand in hands] == ["2A", "2A", "2A", "2A", "2B"]
    assert [hand["bets"] for hand in hands] == [3, 6, 4, 0, 1]
    assert [hand["bets_cents"] for hand in hands] == [600, 1_200, 800, 0, 200]
    assert [hand["paid_cents"] for hand in hands] == [61_733, 117_471, 0, 0, 0]


async def test_a_ceiling_shows_what_stands_above_it(carried: Path, tmp_path: Path) -> None:
    room = room_of(carried, tmp_path)
    meters = room.source.meters()
    async with client_of([room]) as client:
        text = text_of(await client.get("1/"))
    room.close()
    assert ("Excedente 2A" in text) == (meters["2A/overflow"] > 0)


async def test_a_forged_amount_is_seen_by_both_programs_with_its_place(
    forgery: Forgery, tmp_path: Path
) -> None:
    forgery.event("contributed", 2)[MICROCENTS] += 1
    room = room_of(forgery.well_made(), tmp_path)
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert re.findall(r'class="(good|bad)" data-verdict="(\w+)"', page.text) == [
            ("bad", "chain"),  # the derived meter
            ("bad", "checkpoints"),  # the stored state
            ("bad", "amounts"),
            ("bad", "replay"),
        ]
        assert "find?q=seq:30" in page.text
        text = text_of(page)
        assert "El incremento no es el debido contributions" in text
        assert "Cadena de huellas ✕ 1 hallazgo Puntos firmados" in text
    room.close()


async def test_a_broken_chain_is_said_on_the_first_page(forgery: Forgery, tmp_path: Path) -> None:
    forgery.event("lock_pressed", 1)[6] = '{"by":"C2","hand":2}'
    room = room_of(forgery.save(), tmp_path)
    async with client_of([room]) as client:
        assert 'class="bad" data-verdict="chain"' in (await client.get("1/")).text
    room.close()


async def test_while_it_is_checked_the_first_page_says_how_far_it_is(
    story: Path, tmp_path: Path
) -> None:
    room = unfinished_room(story, tmp_path, Work(in_all=200, checked=50, indexed=20))
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert "comprobando 25 %" in text_of(page)
        assert "repitiendo 10 %" in text_of(page)
        assert 'data-status="/token/1/status"' in page.text
        status = (await client.get("1/status")).json()
        assert status["finished"] is False
        assert status["verdicts"][3] == {"name": "replay", "state": "pending", "percent": 10}
        missing = await client.get("1/hand/2")
        assert missing.status_code == 503
        assert "El índice aún no llega aquí" in text_of(missing)
    room.close()


async def test_a_replay_that_cannot_go_on_says_why(story: Path, tmp_path: Path) -> None:
    room = unfinished_room(story, tmp_path, Work(in_all=200, failed="rules_unknown: <x>"))
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert "rules_unknown: &lt;x&gt;" in page.text
        assert "Repetición con las reglas de la mesa ✕ no leído hasta el final" in text_of(page)
        missing = await client.get("1/hand/2")
        assert missing.status_code == 404
        assert "La repetición no llegó hasta aquí." in text_of(missing)
    room.close()


async def test_the_check_is_still_waited_for_when_the_replay_has_ended_early(
    story: Path, tmp_path: Path
) -> None:
    """A page that no longer asks would say for ever that the check is going on."""
    room = unfinished_room(story, tmp_path, Work(in_all=200, checked=50, failed="damaged"))
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert "comprobando 25 %" in text_of(page)
        assert 'data-status="/token/1/status"' in page.text
        assert (await client.get("1/status")).json()["finished"] is False
    room.close()


async def test_a_check_that_ended_early_lets_nothing_hold(story: Path, tmp_path: Path) -> None:
    work = Work(in_all=200, failed="damaged", check_failed="ended early")
    room = unfinished_room(story, tmp_path, work)
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert page.text.count('class="unread"') == 4
        assert "ended early" in page.text
        assert (await client.get("1/status")).json()["finished"] is True
    room.close()


async def test_a_file_that_cannot_be_read_on_is_nowhere_said_to_hold(
    story: Path, tmp_path: Path
) -> None:
    """What stands behind the damage was never checked: neither signatures nor amounts."""
    damaged = tmp_path / "damaged.ledger"
    body = bytearray(story.read_bytes())
    with apsw.Connection(str(story)) as ledger:
        page_bytes: int = ledger.execute("PRAGMA page_size").get
        last_leaf = "SELECT max(pageno) FROM dbstat WHERE name = 'batch' AND pagetype = 'leaf'"
        leaf: int = ledger.execute(last_leaf).get
    body[(leaf - 1) * page_bytes : leaf * page_bytes] = b"\xff" * page_bytes
    damaged.write_bytes(body)
    work = Work(in_all=200, report=verify(damaged), failed="damaged")
    room = Room(Source(story), Done(_empty_index(tmp_path), work))
    async with client_of([room]) as client:
        page = await client.get("1/")
        assert "se sostiene" not in text_of(page)
        assert "Puntos firmados ✕ no leído hasta el final" in text_of(page)
        assert "Importes y reglas ✕ no leído hasta el final" in text_of(page)
    room.close()


def _empty_index(folder: Path) -> Path:
    index = folder / "empty.index"
    IndexWriter(index).close()
    return index


# ---- a hand as it was ------------------------------------------------------------------------------


async def test_a_hand_is_shown_as_it_was(site: httpx.AsyncClient) -> None:
    page = await site.get("1/hand/2")
    text = text_of(page)
    for said in (
        "Jugada 2 2026-11-30 · con premio",
        "8.552,14 €",  # the visor, once the award was decided
        "Casilla 1 · Escalera de Color · 1.000,25 €",
        "Casilla 2 · Póker · 450,11 €",
        "CAN-8.5 Casilla 2: póker de ases, 5 % de 9.002,25 € = 450,1125 €",
        "Declara C1 · Confirma J1",
        "08:00:22.000 «No va más» pulsado C1 10.002,50 €",
        "Base 10.002,50 €",
        "Después 8.552,14 €",
    ):
        assert said in text
    assert page.text.count('<li class="steady"') == 2


async def test_every_moment_has_the_visor_that_everybody_saw(site: httpx.AsyncClient) -> None:
    for batch, amount, lamps in ((19, "10.001,50", 0), (20, "10.002,00", 1), (23, "10.002,50", 2)):
        page = await site.get(f"1/hand/2?at={batch}")
        shown = re.search(r'class="shown-amount">([^<]+)<', page.text)
        assert shown is not None
        assert shown[1] == f"{amount} €"
        assert page.text.count('<li class="steady"') == lamps


async def test_raw_rows_stand_below_with_the_hash_of_their_batch(
    site: httpx.AsyncClient, room: Room
) -> None:
    stored = room.source.rows("SELECT hash FROM batch WHERE batch = 25")[0][0]
    page = await site.get("1/hand/2")
    assert stored in page.text
    assert 'id="seq-49"' in page.text
    assert page.text.count('<tr id="seq-') == 19


async def test_a_hand_from_a_kept_state_is_the_hand_from_the_beginning(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jackpot.audit.site import index

    monkeypatch.setattr(index, "STATE_EVERY_EVENTS", 10)
    often = room_of(story, tmp_path)
    kept = [batch for batch, _ in (often.index.state_before(n) for n in range(1, 106))]
    assert len(set(kept)) > 5
    monkeypatch.undo()
    seldom = unfinished_room(story, tmp_path, Work())
    for number in range(1, 11):
        row = often.index.hand(number)
        assert row is not None
        assert often.hand(row) == seldom.hand(row)
    often.close()
    seldom.close()


# ---- ways to jump ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("6", "/token/1/hand/6"),
        ("seq:49", "/token/1/hand/2"),
        ("2026-11-30", "/token/1/day/1"),
        ("J1", "/token/1/events"),
        ("seq:1", "/token/1/events"),  # before any hand
        ("batch:87", "/token/1/events"),  # the closing of the first day
        ("batch:26", "/token/1/hand/2"),
    ],
)
async def test_a_word_leads_to_a_hand_an_event_a_day_or_an_officer(
    site: httpx.AsyncClient, text: str, path: str
) -> None:
    assert (await site.get("1/find", params={"q": text})).url.path == path


@pytest.mark.parametrize("text", ["1999-01-01", "nobody", "seq:9999", "seq:x", "batch:0", ""])
async def test_a_word_that_leads_nowhere_says_so(site: httpx.AsyncClient, text: str) -> None:
    answer = await site.get("1/find", params={"q": text})
    assert answer.status_code == 404
    assert "Esto no está en el registro." in text_of(answer)


async def test_a_day_shows_its_hands_its_curve_and_what_to_jump_to(
    site: httpx.AsyncClient,
) -> None:
    page = await site.get("1/day/1")
    text = text_of(page)
    assert "2 08:00:19 2 con premio 1.450,36 € 8.552,14 €" in text
    assert "4 08:00:39 2 anulada" in text
    assert page.text.count('<circle class="award"') == 3
    assert page.text.count('class="hit"') == 9
    faults = text_of(await site.get("1/day/1?name=fault"))
    assert "Suceso de ranura · casilla 2" in faults
    assert "Premio pagado" not in faults


async def test_what_is_not_there_is_a_page_that_says_so(site: httpx.AsyncClient) -> None:
    beyond = 10**30
    for path in (
        "1/hand/99",
        "1/hand/0",
        f"1/hand/{beyond}",
        "1/day/9",
        f"1/day/{beyond}",
        "7/",
        "1/export/secrets.csv",
        "1/export/days.exe",
    ):
        answer = await site.get(path)
        assert answer.status_code == 404
        assert "Esto no está en el registro." in text_of(answer)


# ---- filters and exports ---------------------------------------------------------------------------


async def kinds_of(site: httpx.AsyncClient, **filters: str) -> list[tuple[int, str]]:
    body = (await site.get("1/export/events.json", params=filters)).json()
    return [(event["seq"], event["kind"]) for event in body]


async def test_events_are_filtered_by_officer_box_kind_class_and_day(
    site: httpx.AsyncClient,
) -> None:
    signed = await kinds_of(site, officer="D1")
    assert [kind for _, kind in signed] == ["awards_signed"]
    boxes = {kind for _, kind in await kinds_of(site, box="7")}
    assert boxes == {"slot_identified", "slot_up", "box_closed"}
    voided = await kinds_of(site, kind="hand_voided")
    assert len(voided) == 1
    faults = await kinds_of(site, name="fault")
    assert [kind for _, kind in faults] == ["slot_event", "clock_stepped"]
    second_day = await kinds_of(site, day="2")
    assert second_day[0][1] == "day_opened"
    assert second_day[-1][1] == "day_totals"
    seconded = await kinds_of(site, officer="J1", kind="hand_voided")
    assert seconded == voided


async def test_filters_that_make_no_sense_are_left_out(site: httpx.AsyncClient) -> None:
    answer = await site.get("1/events", params={"day": "x", "kind": "' OR 1", "box": "1;drop"})
    assert answer.status_code == 200
    assert answer.text.count('<td><a href="/token/1/find?q=seq:') == 200


async def test_a_long_list_goes_on_where_it_ended(site: httpx.AsyncClient) -> None:
    page = await site.get("1/events")
    more = re.search(r'rel="next" href="([^"]+)"', page.text)
    assert more is not None
    assert more[1].endswith("first_seq=201")
    rest = await site.get(ORIGIN + more[1])
    assert rest.text.count('<td><a href="/token/1/find?q=seq:') == 5


def test_a_long_hand_goes_on_too_and_comes_to_an_end(room: Room) -> None:
    place: Filters | None = Filters(hand=2)
    seqs: list[int] = []
    for _ in range(4):
        if place is not None:
            found = find_events(room.source, room.index, place, limit=7)
            seqs += [line.seq for line in found.lines]
            place = found.more
    assert place is None
    assert seqs == list(range(36, 55))


# ---- languages -------------------------------------------------------------------------------------


async def test_english_by_a_switch_that_is_remembered(site: httpx.AsyncClient) -> None:
    page = await site.get("1/hand/2?lang=en")
    assert "Box 2: four aces, 5 % of 9,002.25 € = 450.1125 €" in text_of(page)
    assert "Chain of hashes ✓ holds" in text_of(await site.get("1/"))


def test_every_text_of_the_pages_has_its_spanish() -> None:
    folder = Path("jackpot/audit/site")
    root = Path(__file__).parents[2] / folder
    texts = {
        text
        for page in (root / "templates").glob("*.html")
        for text in re.findall(r"""_\(["']([^"']+)["']\)""", page.read_text("utf-8"))
    }
    tree = ast.parse((root / "verdicts.py").read_text("utf-8"))
    titles = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in SPANISH
    }
    assert len(titles) >= 4
    assert (texts | set(CLASS_NAMES.values())) - SPANISH.keys() == set()


def test_every_kind_of_event_and_every_phase_has_its_words() -> None:
    assert KINDS.keys() == {*FACTS, *OUTCOMES}
    assert PHASES.keys() == {phase.value for phase in Phase}


# ---- several ledgers -------------------------------------------------------------------------------


async def test_several_tables_stand_side_by_side(room: Room, carried: Path, tmp_path: Path) -> None:
    other = room_of(carried, tmp_path)
    async with client_of([room, other]) as client:
        assert "Jugadas 1 Apuestas 4,00 €" in text_of(await client.get("2/"))
        assert 'href="/token/2/"' in (await client.get("1/")).text
    other.close()


# ---- nobody writes, nobody else reads --------------------------------------------------------------


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_nothing_but_get_is_answered(site: httpx.AsyncClient, method: str) -> None:
    assert (await site.request(method, "1/")).status_code == 405


async def test_without_the_token_nothing_is_there(site: httpx.AsyncClient) -> None:
    for path in ("/", "/1/", "/tokem/1/", "/static/audit.css", "/tokens/1/"):
        answer = await site.get(ORIGIN + path)
        assert (answer.status_code, answer.text) == (404, "not found")


async def test_under_a_foreign_name_nothing_is_there(room: Room) -> None:
    async with client_of([room], host="http://evil.example:8000") as client:
        assert (await client.get("1/")).status_code == 404


async def test_every_answer_forbids_scripts_frames_and_other_hosts(
    site: httpx.AsyncClient,
) -> None:
    for path in ("1/", "1/status", "static/audit.css", "1/hand/99"):
        headers = (await site.get(path)).headers
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'"
        )
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


async def test_what_a_ledger_says_is_never_html(tmp_path: Path, forgery: Forgery) -> None:
    event = forgery.event("awards_rejected", 0)
    forgery.tell(event, why="<script>alert(1)</script>")
    room = room_of(forgery.well_made(), tmp_path)
    async with client_of([room]) as client:
        for path in ("1/hand/3", "1/events", "1/"):
            assert "<script>alert" not in (await client.get(path)).text
    room.close()


async def test_a_damaged_file_is_shown_as_far_as_it_can_be_read(
    story: Path, room: Room, tmp_path: Path
) -> None:
    """The events and the derived amounts are overwritten; the index was made before."""
    with apsw.Connection(f"file:{story}?mode=ro", flags=READ_ONLY) as database:
        places: list[Any] = database.execute(
            "SELECT page_size, rootpage FROM pragma_page_size, sqlite_schema "
            "WHERE name IN ('event', 'latest')"
        ).fetchall()
    found = bytearray(story.read_bytes())
    for size, page in places:
        found[(page - 1) * size : page * size] = b"A" * size
    damaged = tmp_path / "damaged.ledger"
    damaged.write_bytes(found)
    work = Work(in_all=1, failed="damaged", check_failed="damaged")
    opened = Room(Source(damaged), Done(room.background.index, work))
    assert opened.table == "?"
    async with client_of([opened]) as client:
        assert (await client.get("1/")).status_code == 200
        for path in ("1/hand/2", "1/events", "1/export/events.csv"):
            answer = await client.get(path)
            assert answer.status_code == 500
            assert "Esta parte del archivo está dañada" in text_of(answer)
    opened.close()


async def test_reading_changes_no_byte_of_the_ledger(story: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(story.read_bytes())
    before = copy.read_bytes()
    room = room_of(copy, tmp_path)
    async with client_of([room]) as client:
        for path in ("1/", "1/day/1", "1/hand/6", "1/events", "1/export/events.csv"):
            assert (await client.get(path)).status_code == 200
    with pytest.raises(Exception, match="readonly"):
        room.source.rows("UPDATE batch SET hand = 1")
    room.close()
    assert copy.read_bytes() == before


async def test_the_status_is_json_for_the_script(site: httpx.AsyncClient) -> None:
    body = json.loads((await site.get("1/status")).text)
    assert body["finished"] is True
    assert {verdict["state"] for verdict in body["verdicts"]} == {"good"}
