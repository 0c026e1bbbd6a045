"""The headers on every answer: nothing from another host, and nobody frames these pages but the
adjacent table's screen, where there is one (CAN-3.1)."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jackpot.console.neighbour import Neighbour
from jackpot.console.tables_page import PATH as TABLES

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
)


def security_headers(neighbour: Neighbour | None = None, path: str = "") -> dict[str, str]:
    """The headers of a page; static files alone may be kept, and are asked for again each time."""
    framed_by = "'none'"
    frames = ""
    if neighbour is not None and path == TABLES:
        frames = f"frame-src 'self' {neighbour.origin}; "
    elif neighbour is not None:
        framed_by = f"'self' {neighbour.origin}"
    return {
        "Content-Security-Policy": f"{_POLICY}{frames}frame-ancestors {framed_by}",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache" if path.startswith("/static/") else "no-store",
    }


class SecurityHeaders:
    """Adds ``security_headers`` to every answer."""

    def __init__(self, app: ASGIApp, neighbour: Neighbour | None) -> None:
        self._app = app
        self._neighbour = neighbour

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = security_headers(self._neighbour, scope["path"])

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, send_with_headers)
