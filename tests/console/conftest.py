"""The fixtures of a browser without a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from support.fakedesk import FakeClock, FakeDesk
from support.terminal import ORIGIN, FakeBook, Terminal

from jackpot.console.app import build_app
from jackpot.console.settings import ScreenSettings


@pytest.fixture
async def desk() -> FakeDesk:
    """A table with its seven slots up, not yet opened."""
    return FakeDesk()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def book() -> FakeBook:
    return FakeBook()


@pytest.fixture
async def terminal(desk: FakeDesk, clock: FakeClock, book: FakeBook) -> AsyncIterator[Terminal]:
    """A browser at that table, nobody logged in."""
    settings = ScreenSettings(secret_key="a key for tests", clock=clock, casino="Casino de prueba")
    transport = httpx.ASGITransport(app=build_app(desk, book, settings))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield Terminal(client)
