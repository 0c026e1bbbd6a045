"""Cryptographic tokens: what they are asked, and how an officer registers one."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.console.console_pages import ConsolePages
from jackpot.console.forms import read_form, text_field
from jackpot.console.screens import Screens, status_of
from jackpot.console.sessions import Session
from jackpot.console.signing import Signing, place
from jackpot.errors import Refused

_CHALLENGE_BYTES = 32


class TokenPages:
    """``/console/token``: an officer's own tokens; and the question for a second signature."""

    def __init__(self, screens: Screens, console: ConsolePages) -> None:
        self._screens = screens
        self._console = console
        self._signing = Signing(screens)

    def routes(self) -> list[BaseRoute]:
        """The first two answer scripts, in JSON."""
        return [
            Route("/console/token/question/{key}", self.question, methods=["POST"]),
            Route("/console/token/new", self.new, methods=["POST"]),
            Route("/console/token", self.show, methods=["GET"]),
            Route("/console/token/add", self.add, methods=["POST"]),
            Route("/console/token/remove", self.remove, methods=["POST"]),
        ]

    async def question(self, request: Request) -> Response:
        """What a token is asked to sign: the form as it stands."""
        try:
            form = await read_form(request)
            session = self._screens.need_session(request)
            key = request.path_params["key"]
            text = self._signing.question(request, form, session, key)
        except Refused as refused:
            return self._told(request, refused)
        return Response(text, media_type="application/json")

    async def new(self, request: Request) -> Response:
        """What a new token is asked."""
        try:
            await read_form(request)
            session = self._screens.need_session(request)
            session.nonce = secrets.token_bytes(_CHALLENGE_BYTES)
            host, _ = place(request)
            text = self._screens.book.new_token_question(session.officer, host, session.nonce)
        except Refused as refused:
            return self._told(request, refused)
        return Response(text, media_type="application/json")

    async def show(self, request: Request) -> Response:
        """The officer's own tokens."""
        return self._page(request, self._screens.need_session(request))

    async def add(self, request: Request) -> Response:
        """Register a token: it answered, and the officer gave the PIN again."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        challenge, session.nonce = session.nonce, b""
        try:
            self._console.spend_form(form, session)
            await self._screens.check_pin(session.officer, text_field(form, "pin"))
            host, origin = place(request)
            answer = text_field(form, "token")
            self._screens.book.add_token(session.officer, host, origin, challenge, answer)
        except Refused as refused:
            return self._page(request, session, refused)
        return RedirectResponse("/console/token", status_code=303)

    async def remove(self, request: Request) -> Response:
        """Take all of the officer's tokens out; the PIN is given again."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        try:
            self._console.spend_form(form, session)
            await self._screens.check_pin(session.officer, text_field(form, "pin"))
            self._screens.book.remove_tokens(session.officer)
        except Refused as refused:
            return self._page(request, session, refused)
        return RedirectResponse("/console/token", status_code=303)

    def _page(self, request: Request, session: Session, refused: Refused | None = None) -> Response:
        values = self._console.values(session)
        if refused is not None:
            values["refusal"] = self._screens.refusal(request, refused)
        status = 200 if refused is None else status_of(refused)
        return self._screens.page(request, "token.html", values, status=status)

    def _told(self, request: Request, refused: Refused) -> Response:
        return JSONResponse(self._screens.refusal(request, refused), status_code=status_of(refused))
