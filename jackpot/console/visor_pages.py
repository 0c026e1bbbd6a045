"""The visor as a page for any HDMI screen, as a stream, and as JSON for other displays."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from jackpot.console import words
from jackpot.console.screens import Screens
from jackpot.console.streams import BEAT_S, Streams
from jackpot.visor.state import VisorState, visor_state


class VisorPicture(msgspec.Struct, frozen=True):
    """What goes to a visor: the state, which server says so, and its count of changes."""

    instance: str
    version: int
    visor: VisorState


def visor_routes(screens: Screens, streams: Streams) -> list[BaseRoute]:
    """``/``, ``/visor/events``, ``/visor/state`` and ``/healthz``."""
    desk = screens.desk

    def picture() -> str:
        shown = VisorPicture(screens.instance, desk.version, visor_state(desk.state, desk.status))
        return msgspec.json.encode(shown).decode()

    async def page(request: Request) -> Response:
        visor = visor_state(desk.state, desk.status)
        return screens.page(request, "visor.html", {"visor": visor, "hand_names": words.HANDS})

    async def events(_: Request) -> Response:
        return streams.serve(desk, picture)

    async def state(_: Request) -> Response:
        return Response(picture(), media_type="application/json")

    async def healthz(_: Request) -> Response:
        """Ready only once the desk answered a heartbeat and vouches for its amounts."""
        await desk.changed(desk.version, BEAT_S)
        status = desk.status
        ready = status.ready and not status.halted and not status.disk_full
        body = {"ready": ready, "halted": status.halted, "instance": screens.instance}
        return Response(
            msgspec.json.encode(body),
            status_code=200 if ready else 503,
            media_type="application/json",
        )

    return [
        Route("/", page),
        Route("/visor/events", events),
        Route("/visor/state", state),
        Route("/healthz", healthz),
    ]
