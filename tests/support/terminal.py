"""A browser without a browser: the screens asked over HTTP, in memory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import httpx

from jackpot.authority.roles import Role
from jackpot.daemon.officer_book import TooSoon
from jackpot.errors import Refused
from support.fakedesk import OFFICERS, PINS

ORIGIN = "http://table"


class FakeBook:
    """PINs in clear, no slowness; ``wait_s`` makes every answer ``TooSoon``. A token answers its name."""

    def __init__(self) -> None:
        self.officers = dict(OFFICERS)
        self.wait_s = 0
        self.tokens: dict[str, str] = {}
        self.challenge = b""
        self.asked: list[str] = []

    def roles(self) -> Mapping[str, tuple[Role, ...]]:
        return self.officers

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        self.asked.append(officer)
        return TooSoon(self.wait_s) if self.wait_s else PINS.get(officer) == pin

    def token_holders(self, host: str) -> frozenset[str]:
        return frozenset(self.tokens)

    def token_question(self, officer: str, host: str, challenge: bytes) -> str:
        self.challenge = challenge
        return "{}"

    def check_token(
        self, officer: str, host: str, origin: str, challenge: bytes, answer: str
    ) -> str:
        """The name of a token in memory, if it was asked just this."""
        if challenge != self.challenge or answer != self.tokens.get(officer):
            raise Refused(reason="token_wrong", expected="a", found="b", to_do="c")
        return answer

    def new_token_question(self, officer: str, host: str, challenge: bytes) -> str:
        self.challenge = challenge
        return "{}"

    def add_token(
        self, officer: str, host: str, origin: str, challenge: bytes, answer: str
    ) -> None:
        self.check_token(officer, host, origin, challenge, self.tokens.setdefault(officer, answer))

    def remove_tokens(self, officer: str) -> None:
        del self.tokens[officer]


class Terminal:
    """One browser at the screens of a table in memory."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def get(self, path: str) -> httpx.Response:
        return await self.client.get(path)

    async def post(
        self, path: str, fields: Mapping[str, Sequence[str]], *, origin: str | None = ORIGIN
    ) -> httpx.Response:
        headers = {} if origin is None else {"origin": origin}
        return await self.client.post(path, data=fields, headers=headers)

    async def log_in(self, officer: str) -> None:
        """A session for ``officer``."""
        page = await self.get("/login")
        fields = {"form": hidden(page.text), "officer": officer, "pin": PINS[officer]}
        answer = await self.post("/login", fields)
        assert answer.status_code == 303

    async def form(self, path: str = "/console/void") -> str:
        """The hidden field of the newest form on a page."""
        return hidden((await self.get(path)).text)

    async def press(self, key: str, **fields: str | list[str]) -> httpx.Response:
        """One key of the console, with a fresh form."""
        return await self.post(f"/console/act/{key}", {"form": await self.form(), **fields})


def hidden(page: str) -> str:
    """The last form's hidden field on a page."""
    forms: list[str] = re.findall(r'name="form" value="([^"]+)"', page)
    return forms[-1]


def reason(answer: httpx.Response) -> str:
    """Why the page says that something was refused."""
    found = re.search(r'data-reason="([a-z_]+)"', answer.text)
    return found.group(1) if found else ""
