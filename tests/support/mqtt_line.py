"""A line to a broker that a test can wait for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jackpot.config import BrokerConfig, MqttVersion, TlsFiles
from jackpot.daemon.link.mqtt import MqttLine, ended
from support.brokers import PATIENCE_S


class Line(MqttLine):
    """Counts its connections."""

    def __init__(
        self,
        port: int,
        name: str,
        *topics: str,
        version: MqttVersion = MqttVersion.V5,
        tls: TlsFiles | None = None,
    ) -> None:
        self.ups = 0
        self.downs = 0
        self.news = asyncio.Event()
        super().__init__(
            BrokerConfig("127.0.0.1", port, version, tls),
            name,
            topics,
            on_connected=self._up,
            on_disconnected=self._down,
        )

    def _up(self) -> None:
        self.ups += 1
        self.news.set()

    def _down(self) -> None:
        self.downs += 1
        self.news.set()

    async def has_been(self, ups: int, downs: int = 0) -> None:
        """Up and down so often at least."""
        async with asyncio.timeout(PATIENCE_S):
            while self.ups < ups or self.downs < downs:
                self.news.clear()
                await self.news.wait()

    async def fails(self, why: str) -> None:
        """Wait until its fault tells ``why``."""
        async with asyncio.timeout(PATIENCE_S):
            while why not in self.fault:
                await asyncio.sleep(0.02)

    async def payloads(self, count: int) -> list[bytes]:
        """So many, each acknowledged as it comes: a broker has only so many under way."""
        found: list[bytes] = []
        async with asyncio.timeout(PATIENCE_S):
            while len(found) < count:
                for incoming in await self.take():
                    found.append(incoming.payload)
                    incoming.acknowledge()
        return found


@asynccontextmanager
async def running(line: Line) -> AsyncIterator[Line]:
    """Kept up inside; connected at the beginning."""
    task = asyncio.create_task(line.run())
    try:
        await line.has_been(1)
        yield line
    finally:
        await ended(task)
