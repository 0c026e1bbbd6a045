"""The way to a running table: its own pages, forms and heartbeats over HTTP, as a browser has them."""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import httpx

from jackpot.terminal.items import Page
from jackpot.terminal.page import read_page

ANSWER_S = 4.0
"""A PIN takes the controller a while; what took longer is given up and looked at again."""

_EVENTS = "text/event-stream"

BEAT_ANSWER_S = 2.0
"""The controller beats twice a second; a stream that is silent for so long has lost it."""


class ControllerLost(Exception):
    """No answer, or none that can be read. Whether a form counted, the next page says."""


class NewsKind(StrEnum):
    """What a stream tells."""

    STATE = "state"
    BEAT = "beat"
    GONE = "gone"


@dataclass(frozen=True)
class News:
    """Something changed, nothing did, or the session is over. ``beat`` goes into the next form."""

    kind: NewsKind
    beat: str


class Line:
    """One terminal at one table: it keeps the session's cookie."""

    def __init__(self, url: str, certificate: Path | None = None) -> None:
        """``certificate``: the one that the controller shows, where it speaks TLS; no other is taken."""
        self.url = url.rstrip("/")
        self._client = httpx.AsyncClient(
            base_url=self.url,
            headers={"origin": self.url},
            timeout=ANSWER_S,
            follow_redirects=True,
            trust_env=False,
            verify=True if certificate is None else _only(certificate),
        )

    async def get(self, address: str) -> Page:
        """A page. Raises ``ControllerLost``."""
        return await self._page(self._client.build_request("GET", address))

    async def post(self, address: str, fields: Iterable[tuple[str, str]]) -> Page:
        """The page that answers a form, also when it was refused. Raises ``ControllerLost``."""
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        return await self._page(self._client.build_request("POST", address, data=data))

    async def _page(self, request: httpx.Request) -> Page:
        try:
            answer = await self._client.send(request)
        except httpx.HTTPError as error:
            raise ControllerLost(str(error)) from error
        return read_page(answer.text)

    async def news(self) -> AsyncIterator[News]:
        """Beats and changes until the controller is lost (``ControllerLost``) or the session over."""
        try:
            async with self._client.stream(
                "GET", "/console/events", timeout=BEAT_ANSWER_S
            ) as answer:
                if not answer.is_server_error and _EVENTS not in answer.headers["content-type"]:
                    yield News(NewsKind.GONE, "")  # a page instead: of a login, after a restart
                    return
                kind = NewsKind.BEAT
                async for line in answer.aiter_lines():
                    name, _, told = line.partition(": ")
                    if name == "event" and told in set(NewsKind):
                        kind = NewsKind(told)
                    elif name == "data":
                        yield News(kind, _beat(kind, told))
        except (httpx.HTTPError, ValueError) as error:
            raise ControllerLost(str(error)) from error
        raise ControllerLost("the stream ended")

    async def close(self) -> None:
        """Let go of the connection."""
        await self._client.aclose()


def _beat(kind: NewsKind, told: str) -> str:
    return str(json.loads(told)["beat"]) if kind is NewsKind.STATE else told


def _only(certificate: Path) -> ssl.SSLContext:
    """The table's own certificate and no other, whatever address it is reached at."""
    context = ssl.create_default_context(cafile=str(certificate))
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # also one that an authority has signed
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # and one that a house has made by hand
    return context
