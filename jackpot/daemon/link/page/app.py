"""A coordinator's pages as a Starlette application: ``/`` for the staff, ``/visor`` for the public."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from jackpot.console.carrusel_findings import finding_text, wait_text
from jackpot.console.forms import read_form, text_field
from jackpot.console.language import euros, gettext
from jackpot.console.screens import HERE as CONSOLE
from jackpot.console.security import SecurityHeaders
from jackpot.console.streams import BEAT_S, Streams
from jackpot.console.words import ANY_REASON, REASONS
from jackpot.daemon.link.coordinating import RunningCoordinator
from jackpot.daemon.link.page.acts import ActKind, sign
from jackpot.daemon.link.page.picture import is_sure, picture_of
from jackpot.daemon.link.page.words import word
from jackpot.daemon.live_book import LiveBook
from jackpot.errors import Refused
from jackpot.law.words import microcents_text
from jackpot.money import cents_rounded_down

FIELDS = ("act", "subject", "number", "key", "why", "officer", "pin", "second", "second_pin")

LOOK_S = 0.1
"""As often as a total is told."""


class ShownTotal(msgspec.Struct, frozen=True):
    """What the big screen shows; ``total_cents`` None means dashes."""

    carrusel: str
    total_cents: int | None
    pending: bool


class Follower:
    """Counts the changes of what the pages show."""

    def __init__(self, running: RunningCoordinator) -> None:
        self._running = running
        self._last: object = None
        self.version = 0

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        """Wait until ``version > after_version``; False after ``timeout_s``."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + timeout_s
        while self._look() <= after_version:
            if loop.time() >= end_s:
                return False
            await asyncio.sleep(LOOK_S)
        return True

    def _look(self) -> int:
        running = self._running
        picture = picture_of(running)
        seen = (
            picture.position,
            picture.broker_fault,
            picture.log_fault,
            picture.members,
            picture.findings,
        )
        if seen != self._last:
            self._last = seen
            self.version += 1
        return self.version


class Pages:
    """The pages of one coordinator. ``streams.stop()`` before the server ends."""

    def __init__(self, running: RunningCoordinator, book: LiveBook) -> None:
        self.streams = Streams()
        self._running = running
        self._book = book
        self._language = running.config.screens.language
        self._follower = Follower(running)
        self._environment = Environment(
            loader=PackageLoader("jackpot.daemon.link.page"),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def app(self) -> Starlette:
        """The application, with the same headers as a table's screens."""
        static = Path(__file__).parent / "static"
        return Starlette(
            routes=[
                Route("/", self.page),
                Route("/panel", self.panel),
                Route("/visor", self.visor),
                Route("/visor/events", self.visor_events),
                Route("/events", self.events),
                Route("/state", self.state),
                Route("/healthz", self.healthz),
                Route("/sign", self.sign, methods=["POST"]),
                Mount("/static/link", StaticFiles(directory=static)),
                Mount("/static", StaticFiles(directory=CONSOLE / "static")),
            ],
            middleware=[Middleware(SecurityHeaders, neighbour=None)],
        )

    async def page(self, _: Request) -> Response:
        """Members, decisions, findings, and what two officers may sign."""
        return self._html("coordinator.html", acts=tuple(ActKind), refused=None, signed=False)

    async def panel(self, _: Request) -> Response:
        """The moving part of the page."""
        return self._html("panel.html")

    async def visor(self, _: Request) -> Response:
        """The prize on a big screen."""
        return self._html("visor.html")

    async def state(self, _: Request) -> Response:
        """Everything as JSON: for `jackpot carrusel status` and the house's monitoring."""
        picture = msgspec.json.encode(picture_of(self._running))
        return Response(picture, media_type="application/json")

    async def healthz(self, _: Request) -> Response:
        """Ready while the log answers and a broker is there."""
        running = self._running
        ready = not running.log_fault and running.line.connected and not running.core.is_behind
        return Response("ready" if ready else "not ready", 200 if ready else 503)

    async def events(self, _: Request) -> Response:
        """That something changed; the page asks for its panel then."""
        return self.streams.serve(self._follower, lambda: str(self._follower.version))

    async def visor_events(self, _: Request) -> Response:
        """The total at every change, and a beat twice a second."""
        return self.streams.serve(self._follower, self._shown, self._shown)

    def _shown(self) -> str:
        running = self._running
        state = running.core.state
        shown = ShownTotal(
            carrusel=running.config.carrusel,
            total_cents=cents_rounded_down(state.total_microcents) if is_sure(running) else None,
            pending=bool(state.claims()),
        )
        return msgspec.json.encode(shown).decode()

    async def sign(self, request: Request) -> Response:
        """Two officers ask something; both PINs stand in the form, so no other site can."""
        try:
            form = await read_form(request)
            values = {name: text_field(form, name) for name in FIELDS}
            await sign(self._running, self._book, values)
        except Refused as refused:
            return self._html(
                "coordinator.html", 422, acts=tuple(ActKind), refused=refused, signed=False
            )
        return self._html("coordinator.html", acts=tuple(ActKind), refused=None, signed=True)

    def _html(self, template: str, status: int = 200, **values: object) -> Response:
        language = self._language
        page = self._environment.get_template(template).render(
            picture=picture_of(self._running),
            language=language.value,
            w=lambda name: word(name, language),
            euros=lambda cents: euros(cents, language),
            microcents=lambda amount: microcents_text(amount, language),
            finding_of=lambda picture, table: picture.findings.get(table),
            finding_text=lambda found: finding_text(found, language),
            wait_text=lambda wait: wait_text(wait.why, language, table=wait.table, hand=wait.hand),
            refusal_text=lambda refused: gettext(language, REASONS.get(refused.reason, ANY_REASON)),
            beat_ms=int(BEAT_S * 1_000),
            **values,
        )
        return HTMLResponse(page, status)
