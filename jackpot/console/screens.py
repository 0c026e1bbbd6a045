"""What all pages share: the desk, the sessions, the templates, and how a refusal is answered."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jackpot.console import language as lang
from jackpot.console import words
from jackpot.console.carrusel_findings import finding_text, wait_text
from jackpot.console.desk import Desk
from jackpot.console.forms import Sealer
from jackpot.console.sessions import Session, Sessions
from jackpot.console.settings import Book, ScreenSettings
from jackpot.errors import Refused
from jackpot.law.words import Language

HERE = Path(__file__).parent
_SESSION_COOKIE = "jackpot_session"
LANGUAGE_COOKIE = "jackpot_language"
_YEAR_S = 31_536_000

_STATUS = {
    "not_logged_in": 401,
    "wrong_pin": 401,
    "token_wrong": 401,
    "other_site": 403,
    "form_forged": 403,
    "form_too_large": 413,
    "form_incomplete": 422,
    "no_such_act": 404,
    "too_soon": 429,
    "too_many_screens": 503,
    "table_halted": 503,
    "controller_stopping": 503,
    "desk_busy": 503,
    "ledger_full": 503,
}
"""The HTTP status of a refusal; 409 for all that the table itself refuses."""


class Screens:
    """The state of one server's screens. ``instance`` tells a page that the server is another one."""

    def __init__(self, desk: Desk, book: Book, settings: ScreenSettings) -> None:
        self.desk = desk
        self.book = book
        self.settings = settings
        self.sessions = Sessions(settings.session_timeout_s)
        self.sealer = Sealer(settings.secret_key, settings.clock)
        self.instance = secrets.token_hex(8)
        self._environments = {each: _environment(each) for each in Language}

    def language(self, request: Request) -> Language:
        """The language of a page: asked for in the address, else the cookie's, else the default."""
        asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
        return lang.language_from(asked, self.settings.language)

    def session(self, request: Request, *, touch: bool = True) -> Session | None:
        """Who is logged in at the terminal of ``request``, as long as the book still knows them."""
        token = request.cookies.get(session_cookie(request), "")
        session = self.sessions.find(token, self.settings.clock.monotonic_ns(), touch=touch)
        if session is not None and session.officer not in self.book.roles():
            self.sessions.close(token)
            return None
        return session

    def is_logged_in(self, officer: str) -> bool:
        """Whether the officer is at one of the terminals, and the book still knows them."""
        now_ns = self.settings.clock.monotonic_ns()
        return officer in self.book.roles() and self.sessions.has(officer, now_ns)

    def need_session(self, request: Request, *, touch: bool = True) -> Session:
        """``session``, or refuse ``not_logged_in``."""
        session = self.session(request, touch=touch)
        if session is None:
            raise not_logged_in()
        return session

    async def check_pin(self, officer: str, pin: str) -> None:
        """Refuse ``wrong_pin`` or ``too_soon``; an unknown id is refused like a wrong PIN."""
        answer = await self.book.verify(officer, pin)
        if answer is True:
            return
        if answer is False:
            raise Refused(
                reason="wrong_pin",
                expected="an officer's id and PIN",
                found="a wrong one",
                to_do="try again",
            )
        raise Refused(
            reason="too_soon",
            expected=f"the next try in {answer.wait_s} s",
            found="one before",
            to_do=f"wait {answer.wait_s} s",
        )

    def page(
        self, request: Request, name: str, values: dict[str, Any], *, status: int = 200
    ) -> HTMLResponse:
        """A rendered template; ``values`` beside what every page gets."""
        return HTMLResponse(self.render(request, name, values), status_code=status)

    def render(self, request: Request, name: str, values: dict[str, Any]) -> str:
        """The text of a page. ``seal`` hands out the hidden field of one more form."""
        language = self.language(request)
        template = self._environments[language].get_template(name)
        return template.render(
            language=language.value,
            casino=self.settings.casino,
            neighbour=self.settings.neighbour,
            token_holders=self.book.token_holders(request.url.hostname or ""),
            instance=self.instance,
            time_of=lambda at_ns: lang.clock_text(at_ns, self.settings.zone, language),
            terms=self.desk.state.terms,
            finding_text=lambda found: finding_text(found, language),
            wait_text=lambda name: wait_text(name, language),
            **values,
        )

    def refusal(self, request: Request, refused: Refused) -> dict[str, str]:
        """A refusal in the words of the page: what it says, its rule, and how long to wait."""
        language = self.language(request)
        sentence = words.REASONS.get(refused.reason, words.ANY_REASON)
        detail = refused.to_do if refused.reason == "too_soon" else ""
        return {
            "reason": refused.reason,
            "text": lang.gettext(language, sentence),
            "rule": lang.rule_text(refused.rule or "", language),
            "detail": detail.removeprefix("wait "),
        }

    def no_page(self, request: Request, status: int) -> Response:
        """An address that no key leads to (404), or one that is only posted to (405)."""
        refused = Refused(
            reason="no_such_page",
            expected="an address of these screens",
            found=request.url.path[:40],
            to_do="go to the console",
        )
        values = {"refusal": self.refusal(request, refused)}
        return self.page(request, "refused.html", values, status=status)

    def refused_page(self, request: Request, refused: Refused) -> Response:
        """A page of its own for a refusal; without a session the way leads to the login."""
        if refused.reason == "not_logged_in" and request.method == "GET":
            return RedirectResponse("/login", status_code=303)
        values = {"refusal": self.refusal(request, refused)}
        response = self.page(request, "refused.html", values, status=status_of(refused))
        if refused.reason == "not_logged_in":
            response.headers["HX-Redirect"] = "/login"
        return response

    def remember(self, response: Response, name: str, value: str, *, forever: bool = False) -> None:
        """Set one of our cookies: never readable by scripts, never sent from another site."""
        response.set_cookie(
            name,
            value,
            max_age=_YEAR_S if forever else None,
            httponly=True,
            samesite="strict",
            secure=self.settings.secure_cookie,
            path="/",
        )


def session_cookie(request: Request) -> str:
    """The cookie of this server's sessions. Browsers tell hosts apart but not ports, and two tables
    may share a machine."""
    port = request.url.port
    return _SESSION_COOKIE if port is None else f"{_SESSION_COOKIE}_{port}"


def status_of(refused: Refused) -> int:
    """The HTTP status of a refusal."""
    return _STATUS.get(refused.reason, 409)


def not_logged_in() -> Refused:
    """Nobody is logged in at this terminal."""
    return Refused(
        reason="not_logged_in",
        expected="an officer who is logged in",
        found="nobody, or a session that timed out",
        to_do="log in",
    )


def _environment(language: Language) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    translate: Callable[[str], str] = lambda text: lang.gettext(language, text)  # noqa: E731
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # added by the extension
        gettext=translate, ngettext=lang.translations(language).ungettext, newstyle=True
    )
    environment.globals.update(
        euros=lambda cents: lang.euros(cents, language),
        percent=lambda ppm: lang.percent(ppm, language),
        rule_text=lambda rule: lang.rule_text(rule, language),
        day_text=lambda day: lang.day_text(day, language),
        words=words,
        languages=lang.LANGUAGE_NAMES,
    )
    return environment
