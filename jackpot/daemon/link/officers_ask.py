"""``/carrusel/ask``: `jackpot carrusel join` and `leave` at a running table. This machine only.

The same acts as at the director's page: two officers, each with the own PIN.
"""

from __future__ import annotations

import secrets
from enum import StrEnum
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from jackpot.config import ScreensConfig
from jackpot.daemon.officer_book import TooSoon
from jackpot.daemon.table_desk import TableDesk
from jackpot.daemon.technician.client import ask
from jackpot.daemon.technician.pages import same_machine
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

PATH = "/carrusel/ask"
LONGEST_BODY_BYTES = 2_000
"""Two ids, two PINs, a reason."""

ASK_TIMEOUT_S = 10.0
_STATUS_REFUSED = 409


class What(StrEnum):
    """What two officers ask."""

    JOIN = "join"
    LEAVE = "leave"


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the command sends. ``text`` is the authorisation of a join, the reason of a leave."""

    what: What
    carrusel: str
    by: str
    pin: str
    second: str
    second_pin: str
    text: str


class Book(Protocol):
    """Who knows PINs."""

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        """Whether the PIN is right."""


class LinkPages:
    """An application with this one address before it."""

    def __init__(self, app: ASGIApp, desk: TableDesk, book: Book) -> None:
        self._app, self._desk, self._book = app, desk, book

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand the request on."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if not same_machine(request.scope) or "origin" in request.headers:
            return Response("not found", 404)  # no page of any browser asks here
        if request.method != "POST":
            return Response("method not allowed", 405)
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY_BYTES:
                return Response("too long", 413)
        try:
            asked = msgspec.json.decode(bytes(body), type=Asked)
            await self._act(asked)
        except msgspec.MsgspecError as error:
            return _json({"error": str(error)}, 400)
        except Refused as refused:
            parts = ("reason", "expected", "found", "to_do", "rule")
            return _json({part: getattr(refused, part) for part in parts}, _STATUS_REFUSED)
        return _json({"asked": asked.what})

    async def _act(self, asked: Asked) -> None:
        for officer, pin in ((asked.by, asked.pin), (asked.second, asked.second_pin)):
            right = await self._book.verify(officer, pin)
            if right is not True:
                wait = f"{right.wait_s} s to wait" if isinstance(right, TooSoon) else "another PIN"
                raise Refused(
                    reason="wrong_pin",
                    expected=f"the PIN of {officer}",
                    found=wait,
                    to_do="type it again; `jackpot officers list` shows the ids",
                )
        form = f"command-{secrets.token_hex(8)}.1"
        await self._desk.act(_act_of(asked), form=form)


def _act_of(asked: Asked) -> OfficerAct:
    if asked.what is What.LEAVE:
        return f.CarruselLeaveAsked(by=asked.by, second=asked.second, why=asked.text)
    return f.CarruselJoinAsked(
        by=asked.by, second=asked.second, carrusel=asked.carrusel, authorisation=asked.text
    )


def _json(what: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(what), status, media_type="application/json")


def ask_table(screens: ScreensConfig, asked: Asked) -> None:
    """Ask the running table. Raises ``NotRunning``, ``Refused``."""
    ask(screens, "POST", PATH, msgspec.json.encode(asked), ASK_TIMEOUT_S)
