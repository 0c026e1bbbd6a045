"""``build_app``: every screen of one table as a Starlette application.

Nothing on these pages comes from another host, no script stands in a page, and every post is
checked three times: its origin, its session, and its signed, numbered form.
"""

from __future__ import annotations

from typing import cast

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jackpot.console.award_pages import AwardPages
from jackpot.console.console_pages import ConsolePages
from jackpot.console.desk import Desk
from jackpot.console.login_pages import LoginPages
from jackpot.console.screens import HERE, Screens
from jackpot.console.settings import Book, ScreenSettings
from jackpot.console.streams import Streams
from jackpot.console.visor_pages import visor_routes
from jackpot.errors import Refused

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""On every answer; static files alone may be kept, and are asked for again each time."""


def build_app(desk: Desk, book: Book, settings: ScreenSettings) -> Starlette:
    """The screens of one table: visor, console, login, health. It does no I/O of its own.

    ``state.streams.stop()`` of the application ends its event streams, before its server ends."""
    screens = Screens(desk, book, settings)
    streams = Streams()
    console = ConsolePages(screens, streams)
    app = Starlette(
        routes=[
            *visor_routes(screens, streams),
            *LoginPages(screens).routes(),
            *AwardPages(screens, console).routes(),
            *console.routes(),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
    )

    async def refused(request: Request, error: Exception) -> Response:
        return screens.refused_page(request, cast(Refused, error))

    async def no_page(request: Request, error: Exception) -> Response:
        return screens.no_page(request, cast(HTTPException, error).status_code)

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(HTTPException, no_page)
    app.state.streams = streams
    app.add_middleware(_SecurityHeaders)
    return app


class _SecurityHeaders:
    """Adds ``SECURITY_HEADERS`` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        static = scope["path"].startswith("/static/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                if static:
                    headers["Cache-Control"] = "no-cache"
            await send(message)

        await self._app(scope, receive, send_with_headers)
