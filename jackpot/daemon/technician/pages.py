"""``/slots.json`` and ``/slots/test``: what `jackpot slots` asks of a running table. This machine only."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from jackpot.daemon.table_desk import TableDesk
from jackpot.daemon.technician.tester import Asked, Book, run_test
from jackpot.errors import Refused
from jackpot.mechanism.report import BusReport

LONGEST_BODY_BYTES = 1000
"""Of a test: a box, an id, a PIN."""

_STATUS_REFUSED = 409

NO_SLOTS = "no_slots"
"""The reason of a table that runs and has no slots, or none yet."""

_NO_SLOTS_SAID = {
    "reason": NO_SLOTS,
    "expected": "a table whose slots are watched",
    "found": "a table without slots, or one that is only just starting",
    "to_do": "look again in a moment",
    "rule": None,
}


class Bus(Protocol):
    """What is looked at."""

    def inspect(self) -> None:
        """Ask for what only people want to know."""

    def report(self) -> BusReport:
        """The bus as it stands."""


class TechnicianPages:
    """An application with the technician's two addresses before it. ``bus`` tells the bus of the
    table, None as long as it has none: the screens are there before the slots."""

    def __init__(
        self, app: ASGIApp, desk: TableDesk, book: Book, bus: Callable[[], Bus | None]
    ) -> None:
        self._app, self._desk, self._book, self._bus = app, desk, book, bus

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand the request on."""
        if scope["type"] != "http" or scope["path"] not in ("/slots.json", "/slots/test"):
            await self._app(scope, receive, send)
            return
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if not same_machine(request.scope) or "origin" in request.headers:
            return Response("not found", 404)  # no page of any browser asks here
        bus = self._bus()
        if bus is None:
            return _json(_NO_SLOTS_SAID, 404)
        if request.url.path == "/slots.json" and request.method == "GET":
            bus.inspect()
            return _json(bus.report())
        if request.url.path == "/slots/test" and request.method == "POST":
            return await self._test(request)
        return Response("method not allowed", 405)

    async def _test(self, request: Request) -> Response:
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY_BYTES:
                return Response("too long", 413)
        try:
            asked = msgspec.json.decode(bytes(body), type=Asked)
            return _json(await run_test(self._desk, self._book, asked))
        except msgspec.MsgspecError as error:
            return _json({"error": str(error)}, 400)
        except Refused as refused:
            parts = ("reason", "expected", "found", "to_do", "rule")
            return _json({part: getattr(refused, part) for part in parts}, _STATUS_REFUSED)


def same_machine(scope: Scope) -> bool:
    """Whether the client is on this machine: the loopback, or the very address that it asked."""
    client, server = scope.get("client"), scope.get("server")
    if client is None:
        return False
    return ipaddress.ip_address(client[0]).is_loopback or (
        server is not None and client[0] == server[0]
    )


def _json(what: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(what), status, media_type="application/json")
