"""The croupier's console: pages that show the table, and the one door through which acts go."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.authority.enough import lacking
from jackpot.authority.roles import Role, may_act_as
from jackpot.console import language as lang
from jackpot.console import panel as view
from jackpot.console import words
from jackpot.console.acts import Signers
from jackpot.console.carrusel_forms import read_act
from jackpot.console.desk import Done, HistoryLine
from jackpot.console.forms import LONGEST_NUMBER, read_form, text_field
from jackpot.console.freshness import check_alive, check_shown, key_sealer
from jackpot.console.manual_view import manual_view
from jackpot.console.paid_lines import unprinted
from jackpot.console.screens import Screens, status_of
from jackpot.console.sessions import Session
from jackpot.console.signing import Signing
from jackpot.console.streams import Streams
from jackpot.console.waiting_terms import waiting_terms
from jackpot.errors import Refused
from jackpot.law.derivation import Line
from jackpot.law.words import Language
from jackpot.table.facts import ItemSettled
from jackpot.table.hand import decision
from jackpot.table.state import Phase, TableState

HISTORY_ON_PANEL = 8
HISTORY_READ = 40
"""A bet has three lines of which one is shown, so this is enough for the panel."""
HISTORY_ON_PAGE = 200
"""As many lines as somebody scrolls through."""
MOST_ITEMS = 20
"""Notices that one key settles; no box holds more chips."""
_PAGES = {
    "console": "console.html",
    "day": "day.html",
    "void": "void.html",
    "boxes": "boxes.html",
    "last-hands": "last_hands.html",
    "history": "history.html",
}
"""The pages under ``/console`` by name; a refused act is told on the page that it came from."""


class ConsolePages:
    """Pages and acts of the console."""

    def __init__(self, screens: Screens, streams: Streams) -> None:
        self._screens = screens
        self._streams = streams
        self._signing = Signing(screens)

    def routes(self) -> list[BaseRoute]:
        """Everything under ``/console`` except the entry of awards."""
        return [
            Route("/console", self.show, methods=["GET"]),
            Route("/console/panel", self.panel, methods=["GET"]),
            Route("/console/events", self.events, methods=["GET"]),
            Route("/console/act/{key}", self.act, methods=["POST"]),
            Route("/console/take-over", self.take_over, methods=["POST"]),
            Route("/console/hand-back", self.hand_back, methods=["POST"]),
            Route("/console/{page}", self.show, methods=["GET"]),
        ]

    async def show(self, request: Request) -> Response:
        """One of the console's pages."""
        session = self._screens.need_session(request)
        return self._page(request, session, request.path_params.get("page", "console"))

    async def panel(self, request: Request) -> Response:
        """The moving part of the main page. Looking is not acting: no time-out starts anew."""
        session = self._screens.need_session(request, touch=False)
        return self._screens.page(request, "panel.html", self.values(session))

    async def events(self, request: Request) -> Response:
        """Beats and changes; ``gone`` once the session is over."""
        self._screens.need_session(request, touch=False)

        def beat() -> str:
            return str(self._screens.sealer.now_ms())

        def picture() -> str | None:
            alive = self._screens.session(request, touch=False) is not None
            shown = f'{{"instance":"{self._screens.instance}","beat":"{beat()}"}}'
            return shown if alive else None

        return self._streams.serve(self._screens.desk, picture, beat)

    async def act(self, request: Request) -> Response:
        """One key of the console."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        page = text_field(form, "page", "console")
        try:
            done = await self.perform(request, form, session, request.path_params["key"])
        except Refused as refused:
            return self._told(request, session, page, refused)
        if request.headers.get("hx-request"):
            values = self.values(session) | {"already": done.already}
            return self._screens.page(request, "panel.html", values)
        stays = page if page == "boxes" else "console"
        return RedirectResponse("/console" if stays == "console" else f"/console/{stays}", 303)

    async def perform(self, request: Request, form: FormData, session: Session, key: str) -> Done:
        """Check the form, the second officer's signature, and offer the act to the table.

        Raises ``Refused`` from any of the three; nothing changed then.
        """
        screens = self._screens
        cause = self.spend_form(form, session)
        today = lang.local_date(screens.settings.clock.wall_ns(), screens.settings.zone)
        check_shown(key, form, screens.desk.state, today)
        token = await self._signing.check(request, form, session, key)
        signer = text_field(form, "signer") or None
        signers = Signers(session.officer, signer, screens.desk.state.officers)
        act = read_act(key, form, signers)
        if screens.desk.status.automatic_croupier:
            screens.desk.take_over()
        done = await screens.desk.act(act, form=cause, token=token)
        if isinstance(act, ItemSettled):
            await self._settle_others(form, session)
        return done

    def spend_form(self, form: FormData, session: Session) -> str:
        """Spend a form that may count; returns its cause. Raises ``Refused``."""
        sealer = self._screens.sealer
        handed = sealer.open(text_field(form, "form"), session)
        check_alive(form, handed, sealer.now_ms())
        return session.use_form(handed.number)

    async def _settle_others(self, form: FormData, session: Session) -> None:
        """The other notices of the same line, each an act of its own; some may be settled by now."""
        others = [value for value in form.getlist("item") if isinstance(value, str)][:-1]
        for value in others[:MOST_ITEMS]:
            if value.isdecimal() and len(value) <= LONGEST_NUMBER:
                act = ItemSettled(by=session.officer, item=int(value))
                with contextlib.suppress(Refused):
                    await self._screens.desk.act(act, form=session.use_form(session.next_form()))

    async def take_over(self, request: Request) -> Response:
        """A person takes the place of a demonstration's automatic croupier."""
        await self._spend_posted(request)
        self._screens.desk.take_over()
        return RedirectResponse("/console", status_code=303)

    async def hand_back(self, request: Request) -> Response:
        """The automatic croupier of a demonstration goes on."""
        await self._spend_posted(request)
        self._screens.desk.hand_back()
        return RedirectResponse("/console", status_code=303)

    async def _spend_posted(self, request: Request) -> None:
        """A form of this session, for the first time. Raises ``Refused``."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        self.spend_form(form, session)

    def values(self, session: Session) -> dict[str, Any]:
        """What the templates of the console read."""
        screens = self._screens
        desk = screens.desk
        state, status, me = desk.state, desk.status, session.officer
        hand = state.hand
        declared_by = None if hand is None else hand.declared_by
        confirmed_by = None if hand is None else hand.confirmed_by
        derivation = _derivation(state)
        today = lang.local_date(screens.settings.clock.wall_ns(), screens.settings.zone)
        lines = desk.history(view.HISTORY_KEPT)
        whys = {line.item: line.detail for line in lines if line.item}
        seen = view.seen_lately(lines)
        return {
            "me": me,
            "my_roles": screens.book.roles().get(me, ()),
            "state": state,
            "status": status,
            "panel": view.panel(state, status, whys),
            "manual": manual_view(state),
            "waiting_terms": lambda language: waiting_terms(state, Language(language)),
            "lacking": lacking(state.officers),
            "may_deal": may_act_as(state.officers, me, Role.CROUPIER),
            "seal": lambda: screens.sealer.seal(session),
            "seal_key": key_sealer(screens.sealer, session),
            "chief": view.one_signature(state, me, seen=seen),
            "confirmer": view.one_signature(state, me, not_by=(declared_by,), seen=seen),
            "signer": view.one_signature(state, me, not_by=(declared_by, confirmed_by), seen=seen),
            "second": view.two_signatures(state, me, seen),
            "to_confirm": view.to_confirm(state),
            "needs_another": view.needs_another(state),
            "payments": view.payments(state),
            "derivation": derivation,
            "day_cents": view.day_cents(state),
            "days": view.opening_days(state, today),
            "detail_of": words.detail_words,
            "history": _short_history(desk.history(HISTORY_READ)),
            "long_history": desk.history(HISTORY_ON_PAGE),
            "slips_can_be_printed": screens.settings.slips is not None,
            "unprinted": unprinted(state),
            "refusal": None,
            "already": False,
        }

    def _page(
        self, request: Request, session: Session, page: str, refused: Refused | None = None
    ) -> Response:
        if page not in _PAGES:
            return RedirectResponse("/console", status_code=303)
        values = self.values(session)
        if refused is not None:
            values["refusal"] = self._screens.refusal(request, refused)
        status = 200 if refused is None else status_of(refused)
        return self._screens.page(request, _PAGES[page], values, status=status)

    def _told(self, request: Request, session: Session, page: str, refused: Refused) -> Response:
        """The page or panel that the refused form came from, saying why."""
        if not request.headers.get("hx-request"):
            return self._page(request, session, page if page in _PAGES else "console", refused)
        values = self.values(session) | {"refusal": self._screens.refusal(request, refused)}
        return self._screens.page(request, "panel.html", values, status=status_of(refused))


def _short_history(lines: Sequence[HistoryLine]) -> list[HistoryLine]:
    """The newest lines that say something of their own."""
    own = [line for line in lines if line.kind not in words.TOLD_BY_ANOTHER_LINE]
    return own[:HISTORY_ON_PANEL]


def _derivation(state: TableState) -> tuple[Line, ...]:
    """How the awards of the running hand are computed: as decided, or as they would be."""
    if state.hand is None or state.terms is None:
        return ()
    if state.phase is Phase.DECLARED:
        return decision(state, state.terms).derivation
    return state.hand.derivation
