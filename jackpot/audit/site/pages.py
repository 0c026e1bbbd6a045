"""The pages: overview, day, hand, list of events, exports, and where somebody wants to jump to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.audit import words
from jackpot.audit.carrusel_text import heading, share_lines
from jackpot.audit.finding_text import note_line, said, unreadable_text
from jackpot.audit.hand_shown import HandShown, Moment, fields_of, is_fact, officer_of
from jackpot.audit.site import events as ev
from jackpot.audit.site import language as lang
from jackpot.audit.site.curve import Curve, Point, curve
from jackpot.audit.site.export import MEDIA_TYPES, MOST_ROWS, exported
from jackpot.audit.site.index import CLASSES
from jackpot.audit.site.index_reader import HandRow
from jackpot.audit.site.lists import LISTS
from jackpot.audit.site.room import Room
from jackpot.audit.site.verdicts import verdicts
from jackpot.law.pools import Pool
from jackpot.law.words import Language
from jackpot.ledger.errors import LedgerUnreadable
from jackpot.table.state import Phase

HERE = Path(__file__).parent
LANGUAGE_COOKIE = "audit_language"

NOWHERE = "This is not in the ledger."
DAMAGED = "This part of the file is damaged."

EVENTS_BY = {
    "seq": "SELECT seq, batch FROM event WHERE seq = ?",
    "batch": "SELECT first_seq, batch FROM batch WHERE batch = ?",
}
"""How an event is found by its number, or the first one of a batch."""

CURVE_POINTS = 600
"""Of the whole ledger; a day shows every hand."""

LINES_SHOWN = 200
"""Findings and differences on the first page; their exports have all."""

LABELS = 12
"""Names below a curve."""

_SHOWN_FIRST = (Phase.PAYABLE, Phase.DECIDED, Phase.DECLARED, Phase.LOCKED)
"""The moment of a hand that its page begins with: the first of the earliest phase here."""

POOLS = tuple(pool.value for pool in Pool)
"""The pools of a layout: the meter, above the ceiling, for later seeds."""


class Pages:
    """The pages of every room, below ``root`` (``/token``)."""

    def __init__(self, rooms: Sequence[Room], root: str) -> None:
        self.rooms = rooms
        self.root = root
        self._environments = {each: _environment(each) for each in Language}

    def routes(self) -> list[BaseRoute]:
        """Every page; ``room`` counts the ledgers from 1."""
        pages: tuple[tuple[str, Callable[[Room, Request], Response]], ...] = (
            ("/", self.overview),
            ("/status", self.status),
            ("/day/{day:int}", self.day),
            ("/hand/{hand:int}", self.hand),
            ("/events", self.events),
            ("/find", self.find),
            ("/export/{what}.{form}", self.export),
        )
        routes: list[BaseRoute] = [
            Route("/{room:int}" + path, self._answering(page)) for path, page in pages
        ]
        first: Callable[[Request], Response] = lambda _: RedirectResponse(f"{self.root}/1/")  # noqa: E731
        return [Route("/", first), *routes]

    def _answering(self, page: Callable[[Room, Request], Response]) -> Callable[..., Any]:
        async def answer(request: Request) -> Response:
            number = request.path_params["room"]
            if not 1 <= number <= len(self.rooms):
                return self._message(self.rooms[0], request, NOWHERE, 404)
            room = self.rooms[number - 1]
            try:
                response = page(room, request)
            except LedgerUnreadable:
                response = self._message(room, request, DAMAGED, 500)
            asked = request.query_params.get("lang")
            if asked in set(Language):
                response.set_cookie(
                    LANGUAGE_COOKIE, asked, httponly=True, samesite="strict", path=self.root
                )
            return response

        return answer

    # ---- rendering ---------------------------------------------------------------------------------

    def _language(self, request: Request) -> Language:
        asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
        return Language(asked) if asked in set(Language) else Language.ES

    def _base(self, room: Room) -> str:
        return f"{self.root}/{self.rooms.index(room) + 1}"

    def _page(
        self, room: Room, request: Request, name: str, values: dict[str, Any], status: int = 200
    ) -> Response:
        language = self._language(request)
        text = (
            self._environments[language]
            .get_template(name)
            .render(
                language=language.value,
                languages=tuple(Language),
                root=self.root,
                base=self._base(room),
                room=room,
                rooms=self.rooms,
                here=request.url.path,
                in_language=lambda each: (
                    "?" + request.url.include_query_params(lang=each.value).query
                ),
                query=ev.filters_from(dict(request.query_params)),
                work=room.background.work(),
                clock=partial(lang.clock, zone=room.zone),
                clock_exact=partial(lang.clock_exact, zone=room.zone),
                **values,
            )
        )
        return HTMLResponse(text, status_code=status)

    def _message(self, room: Room, request: Request, text: str, status: int) -> Response:
        return self._page(room, request, "message.html", {"text": text}, status)

    def _absent(self, room: Room, request: Request) -> Response:
        """Not there, not yet, or never."""
        work = room.background.work()
        if work.failed:
            text = "The replay ended before this. See the overview."
            return self._message(room, request, text, 404)
        if work.verdict is None:
            text = "The index has not reached this yet. Wait a moment."
            return self._message(room, request, text, 503)
        return self._message(room, request, NOWHERE, 404)

    # ---- pages -------------------------------------------------------------------------------------

    def overview(self, room: Room, request: Request) -> Response:
        """The verdict, the totals, the curve, the days, the officers."""
        index, language = room.index, self._language(request)
        days, hands, bets_cents, paid_cents = index.totals()
        work = room.background.work()
        replayed = work.verdict
        values = {
            "verdicts": verdicts(work),
            "totals": {
                "days": days,
                "hands": hands,
                "bets_cents": bets_cents,
                "paid_cents": paid_cents,
            },
            "meters": pools_by_layout(
                room.meters() if replayed is None else replayed.pools_microcents
            ),
            "curves": self._curves(room, language, by_day=days > 1),
            "days": index.days(),
            "officers": index.officers(),
            "counts": index.mark_counts(),
        }
        return self._page(room, request, "overview.html", values)

    def status(self, room: Room, _: Request) -> Response:
        """How far the background is, for the script of the pages."""
        work = room.background.work()
        answers = [{"name": v.name, "state": v.state, "percent": v.percent} for v in verdicts(work)]
        body = {"finished": work.finished, "verdicts": answers}
        return Response(msgspec.json.encode(body), media_type="application/json")

    def day(self, room: Room, request: Request) -> Response:
        """The timeline of a day: its curve, its hands, what to jump to."""
        row = room.index.day(request.path_params["day"])
        if row is None:
            return self._absent(room, request)
        hands = room.index.hands(row.day)
        values = {
            "day": row,
            "hands": hands,
            "marks": room.index.marks(day=row.day, name=ev.filters_from(_query(request)).name),
            "curve": self._curve(room, hands, self._language(request), by_day=False),
            "later": room.index.day(row.day + 1),
        }
        return self._page(room, request, "day.html", values)

    def hand(self, room: Room, request: Request) -> Response:
        """One hand as it was, at one of its moments."""
        row = room.index.hand(request.path_params["hand"])
        if row is None:
            return self._absent(room, request)
        shown = room.hand(row)
        at = _moment_at(shown, request.query_params.get("at", ""))
        values = {
            "row": row,
            "shown": shown,
            "at": at,
            "moment": shown.moments[at],
            "later": room.index.hand(row.hand + 1),
            "earlier": room.index.hand(row.hand - 1),
        }
        return self._page(room, request, "hand.html", values)

    def events(self, room: Room, request: Request) -> Response:
        """Events by filters."""
        filters = ev.filters_from(_query(request))
        values = {
            "filters": filters,
            "found": ev.find_events(room.source, room.index, filters),
            "days": room.index.days(),
            "officers": room.index.officers(),
            "kinds": ev.ALL_KINDS,
            "boxes": ev.BOXES,
        }
        return self._page(room, request, "events.html", values)

    def find(self, room: Room, request: Request) -> Response:
        """Where somebody wants to jump to: a hand, ``seq:``, a date, an officer."""
        target = _target(room, request.query_params.get("q", "").strip())
        if target is None:
            return self._absent(room, request)
        return RedirectResponse(self._base(room) + target, status_code=303)

    def export(self, room: Room, request: Request) -> Response:
        """A list, by the filters of the address, in a form that other programs read."""
        what, form = request.path_params["what"], request.path_params["form"]
        if form not in MEDIA_TYPES or what not in LISTS:
            return self._message(room, request, NOWHERE, 404)
        cls, rows = LISTS[what](room, ev.filters_from(_query(request)))
        part = f"-first-{MOST_ROWS}" if len(rows) > MOST_ROWS else ""
        name = f"table-{room.table}-{what}{part}.{form}"
        return Response(
            exported(form, rows[:MOST_ROWS], cls, room.zone),
            media_type=MEDIA_TYPES[form],
            headers={"Content-Disposition": f"attachment; filename*=UTF-8''{_quoted(name)}"},
        )

    def _curves(
        self, room: Room, language: Language, *, by_day: bool
    ) -> list[tuple[str, Curve | None]]:
        """The whole ledger's curve, one for each layout that was played on."""
        by_layout: dict[str, list[HandRow]] = {}
        for hand in room.index.sampled(CURVE_POINTS):
            by_layout.setdefault(hand.layout, []).append(hand)
        return [
            (layout, self._curve(room, hands, language, by_day=by_day))
            for layout, hands in sorted(by_layout.items())
        ]

    def _curve(
        self, room: Room, hands: Sequence[HandRow], language: Language, *, by_day: bool
    ) -> Curve | None:
        base, names = self._base(room), {row.day: row.name for row in room.index.days()}
        points = [
            Point(
                hand.meter_microcents,
                f"{lang.translated('Hand', language)} {hand.hand} · "
                f"{lang.clock_exact(hand.at_ns, room.zone)[:19]} · "
                f"{lang.exact_euros(hand.meter_microcents, language)}",
                f"{base}/hand/{hand.hand}",
                award=hand.paid_cents > 0,
            )
            for hand in hands
        ]
        texts = [
            names.get(hand.day, "") if by_day else lang.clock(hand.at_ns, room.zone)[:5]
            for hand in hands
        ]
        return curve(points, _labels(texts))


def pools_by_layout(meters_microcents: Mapping[str, int]) -> list[tuple[str, dict[str, int]]]:
    """Each layout with its pools by name, in micro-cents; a pool that is not kept holds nothing."""
    layouts: dict[str, dict[str, int]] = {}
    for name, microcents in meters_microcents.items():
        layout, _, pool = name.rpartition("/")
        layouts.setdefault(layout, dict.fromkeys(POOLS, 0))[pool] = microcents
    return sorted(layouts.items())


def _labels(texts: Sequence[str]) -> list[tuple[int, str]]:
    """The texts below a curve: where one begins, and none too near to the one before."""
    room = max(1, len(texts) // LABELS)
    labels: list[tuple[int, str]] = []
    for at, text in enumerate(texts):
        if not labels or (text != labels[-1][1] and at - labels[-1][0] >= room):
            labels.append((at, text))
    return labels


def _query(request: Request) -> dict[str, str]:
    return dict(request.query_params)


def _quoted(name: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "-.") else "_" for c in name)


def _moment_at(shown: HandShown, batch: str) -> int:
    """The index of the moment of a batch; else of the first telling one."""
    for at, moment in enumerate(shown.moments):
        if str(moment.header[0]) == batch:
            return at
    for phase in _SHOWN_FIRST:
        for at, moment in enumerate(shown.moments):
            if moment.phase is phase:
                return at
    return len(shown.moments) - 1


def _target(room: Room, text: str) -> str | None:
    """The page, below the room's own address, that a search leads to; None where there is none."""
    if text.isascii() and text.isdecimal() and len(text) < 16:
        return f"/hand/{text}"
    name, _, number = text.partition(":")
    if name in EVENTS_BY:
        return _event_target(room, name, number)
    try:
        day = room.index.day_named(date.fromisoformat(text).isoformat())
        return None if day is None else f"/day/{day.day}"
    except ValueError:
        known = any(each.officer == text for each in room.index.officers())
        return "/events?" + ev.Filters(officer=text).query() if known else None


def _event_target(room: Room, name: str, number: str) -> str | None:
    """An event in its hand; one between hands in the list of events."""
    if not (number.isascii() and number.isdecimal() and len(number) < 16):
        return None
    found = room.source.rows(EVENTS_BY[name], (int(number),))
    if not found or found[0][0] > room.source.seq:
        return None
    seq, batch = found[0]
    hand = room.index.hand_at(seq)
    if hand is None or batch > hand.last_batch:
        return f"/events?first_seq={seq}"
    return f"/hand/{hand.hand}#seq-{seq}"


def _environment(language: Language) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        _=partial(lang.translated, language=language),
        euros=partial(lang.euros, language=language),
        exact=partial(lang.exact_euros, language=language),
        word=lambda table, name: (
            getattr(words, table)[name].text(language) if name in getattr(words, table) else name
        ),
        line_text=lambda line: line.text(language),
        said=partial(said, language=language),
        note_line=partial(note_line, language=language),
        unreadable=partial(unreadable_text, language=language),
        decision_heading=partial(heading, language=language),
        decision_lines=partial(share_lines, language=language),
        classes=CLASSES,
        forms=tuple(MEDIA_TYPES),
        lines_shown=LINES_SHOWN,
        class_names=lang.CLASS_NAMES,
        officer_of=officer_of,
        fields_of=fields_of,
        is_fact=is_fact,
        events_of=lambda moment: _rows_and_events(moment),
    )
    return environment


def _rows_and_events(moment: Moment) -> list[tuple[Any, Any]]:
    return list(zip(moment.rows, moment.events, strict=True))
