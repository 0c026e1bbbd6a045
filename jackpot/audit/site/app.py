"""``build_app``: the audit room as a Starlette application. It answers GET, and nothing else.

Every page lies below a random token, so that no other page of the same browser, and nobody else on
this machine, finds it by guessing. No script stands in a page, nothing comes from another host.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jackpot.audit.site.pages import HERE, Pages
from jackpot.audit.site.room import Room

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""On every answer."""

LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""The names under which a page of this machine asks; another one is a rebound DNS name."""


def build_app(rooms: Sequence[Room], token: str, fonts: Path) -> ASGIApp:
    """The site over some ledgers. ``fonts`` is the folder with the typefaces of the screens."""
    site = Starlette(
        routes=[
            *Pages(rooms, f"/{token}").routes(),
            Mount("/static/fonts", StaticFiles(directory=fonts)),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
    )
    return _Guard(Starlette(routes=[Mount(f"/{token}", site)]), token)


class _Guard:
    """Only GET, only with the token, only under a name of this machine; headers on every answer."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._prefix = f"/{token}/".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
            await send(message)

        host = Headers(scope=scope).get("host", "").rpartition(":")[0]
        path = scope["path"].encode()[: len(self._prefix)]
        if scope["method"] not in ("GET", "HEAD"):
            await PlainTextResponse("read only", 405)(scope, receive, guarded)
        elif host not in LOCAL_HOSTS or not hmac.compare_digest(path, self._prefix):
            await PlainTextResponse("not found", 404)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)
