"""Logging in and out, and the switch of the language."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.console.forms import read_form, text_field
from jackpot.console.language import language_from
from jackpot.console.screens import LANGUAGE_COOKIE, Screens, session_cookie, status_of
from jackpot.errors import Refused

LONGEST_ID = 40
_HOME = "/console"
_PLACES = frozenset({"/", "/login", _HOME})
"""Where the language switch may lead back to: never to another site."""


class LoginPages:
    """The forms in front of the console."""

    def __init__(self, screens: Screens) -> None:
        self._screens = screens

    def routes(self) -> list[BaseRoute]:
        """``/login``, ``/logout`` and ``/language``."""
        return [
            Route("/login", self.show, methods=["GET"]),
            Route("/login", self.log_in, methods=["POST"]),
            Route("/logout", self.log_out, methods=["POST"]),
            Route("/language", self.switch_language, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """The login form, or the console for somebody who is logged in."""
        if self._screens.session(request) is not None:
            return RedirectResponse(_HOME, status_code=303)
        return self._form(request)

    async def log_in(self, request: Request) -> Response:
        """A new session for the right PIN; otherwise the form again, saying so."""
        form = await read_form(request)
        officer = self._as_listed(text_field(form, "officer")[:LONGEST_ID])
        try:
            self._screens.sealer.open_login(text_field(form, "form"))
            await self._screens.check_pin(officer, text_field(form, "pin"))
        except Refused as refused:
            return self._form(request, officer=officer, refused=refused)
        now_ns = self._screens.settings.clock.monotonic_ns()
        session = self._screens.sessions.open(officer, now_ns)
        response = RedirectResponse(_HOME, status_code=303)
        self._screens.remember(response, session_cookie(request), session.token)
        return response

    async def log_out(self, request: Request) -> Response:
        """The session ends here and now, whoever has its cookie."""
        await read_form(request)
        self._screens.sessions.close(request.cookies.get(session_cookie(request), ""))
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(session_cookie(request), path="/")
        return response

    async def switch_language(self, request: Request) -> Response:
        """Spanish or English for this browser."""
        form = await read_form(request)
        language = language_from(text_field(form, "language"), self._screens.settings.language)
        place = text_field(form, "place")
        response = RedirectResponse(place if place in _PLACES else _HOME, status_code=303)
        self._screens.remember(response, LANGUAGE_COOKIE, language.value, forever=True)
        return response

    def _as_listed(self, typed: str) -> str:
        """The id as the book writes it: a terminal's letters may be small or capital."""
        roles = self._screens.book.roles()
        return next((officer for officer in roles if officer.lower() == typed.lower()), typed)

    def _form(
        self, request: Request, *, officer: str = "", refused: Refused | None = None
    ) -> Response:
        """An id comes back into its field; anything else may be a PIN in the wrong one."""
        screens = self._screens
        values = {
            "officer": officer if officer in screens.book.roles() else "",
            "officers": tuple(sorted(screens.book.roles())),
            "sealed": screens.sealer.seal_login(),
            "refusal": None if refused is None else screens.refusal(request, refused),
        }
        status = 200 if refused is None else status_of(refused)
        return screens.page(request, "login.html", values, status=status)
