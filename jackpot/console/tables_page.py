"""``/tables``: two adjacent tables on one screen (CAN-3.1). The page holds two frames and no secret."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from jackpot.console.neighbour import Neighbour, same_site
from jackpot.console.screens import Screens
from jackpot.errors import Refused

PATH = "/tables"


def tables_routes(screens: Screens) -> list[BaseRoute]:
    """``/tables``; no such page without a neighbour."""

    async def show(request: Request) -> Response:
        neighbour = screens.settings.neighbour
        if neighbour is None:
            return screens.no_page(request, 404)
        _check_site(request, neighbour)
        terms = screens.desk.state.terms
        own = {"origin": "", "table": terms.table if terms else "", "side": neighbour.ours}
        other = {
            "origin": neighbour.origin,
            "table": neighbour.table,
            "side": neighbour.theirs,
        }
        halves = sorted((own, other), key=lambda half: half["side"])
        return screens.page(request, "tables.html", {"halves": halves})

    return [Route(PATH, show, methods=["GET"])]


def _check_site(request: Request, neighbour: Neighbour) -> None:
    """Refuse (``neighbour_elsewhere``) what no browser would let anybody log in to."""
    host = request.url.hostname or ""
    if not same_site(host, neighbour.origin) or not neighbour.origin.startswith(request.url.scheme):
        raise Refused(
            reason="neighbour_elsewhere",
            expected=f"both boxes under names of one domain, as {neighbour.origin}",
            found=f"{request.url.scheme}://{host}",
            to_do="give both boxes names in the same domain, and certificates for them",
            rule="CAN-3.1",
        )
