"""``build_app``: every screen of one table as a Starlette application.

Nothing on these pages comes from another host, no script stands in a page, and every post is
checked three times: its origin, its session, and its signed, numbered form.
"""

from __future__ import annotations

from typing import cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from jackpot.console.award_pages import AwardPages
from jackpot.console.console_pages import ConsolePages
from jackpot.console.desk import Desk
from jackpot.console.login_pages import LoginPages
from jackpot.console.pit_pages import PitPages
from jackpot.console.screens import HERE, Screens
from jackpot.console.security import SecurityHeaders
from jackpot.console.settings import Book, ScreenSettings
from jackpot.console.streams import Streams
from jackpot.console.tables_page import tables_routes
from jackpot.console.visor_pages import visor_routes
from jackpot.errors import Refused


def build_app(desk: Desk, book: Book, settings: ScreenSettings) -> Starlette:
    """The screens of one table: visor, console, login, health. It does no I/O of its own.

    ``app.state.is_logged_in(officer)`` tells other keys of the table who stands at its console.
    ``state.streams.stop()`` of the application ends its event streams, before its server ends."""
    screens = Screens(desk, book, settings)
    streams = Streams()
    console = ConsolePages(screens, streams)
    app = Starlette(
        routes=[
            *visor_routes(screens, streams),
            *LoginPages(screens).routes(),
            *tables_routes(screens),
            *AwardPages(screens, console).routes(),
            *PitPages(screens, console).routes(),
            *console.routes(),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
    )

    app.state.is_logged_in = screens.is_logged_in

    async def refused(request: Request, error: Exception) -> Response:
        return screens.refused_page(request, cast(Refused, error))

    async def no_page(request: Request, error: Exception) -> Response:
        return screens.no_page(request, cast(HTTPException, error).status_code)

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(HTTPException, no_page)
    app.state.streams = streams
    app.add_middleware(SecurityHeaders, neighbour=settings.neighbour)
    return app
