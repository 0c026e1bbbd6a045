"""Signs for tests: configurations, simulated signs, and what they must show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from desk_fakes import FakeRecord, opened, running_desk

from firmware_sim.signs.process import SimulatedSign
from jackpot.config import SignConfig, SignKind
from jackpot.daemon.sign_feed import SignFeed
from jackpot.daemon.sign_watchdog import SignWatchdog, sign_watchdog
from jackpot.daemon.signs import SignWriter
from jackpot.daemon.table_desk import TableDesk
from jackpot.law.words import Language

SOON_S = 20.0
DASHES = "- - - - -"


def alpha(port: Path, rows: int = 1, columns: int = 15) -> SignConfig:
    """An Alpha sign on a serial line."""
    return SignConfig(
        name="wall",
        kind=SignKind.ALPHA,
        port=port,
        host="",
        tcp_port=0,
        baud=9600,
        rows=rows,
        columns=columns,
        language=Language.ES,
        checksums=True,
        sign_address="00",
    )


def pole(tcp_port: int) -> SignConfig:
    """A pole display behind an adapter."""
    return SignConfig(
        name="pole",
        kind=SignKind.CD5220,
        port=None,
        host="127.0.0.1",
        tcp_port=tcp_port,
        baud=9600,
        rows=2,
        columns=20,
        language=Language.ES,
        checksums=False,
        sign_address="00",
    )


def tcp_port(sign: SimulatedSign) -> int:
    """Where a simulated sign listens."""
    return int(str(sign.ready["device"]).rpartition(":")[2])


def one(text: str, columns: int = 15) -> list[str]:
    """What a sign of one row shows."""
    return [text.center(columns)]


def two(caption: str, value: str, columns: int = 20) -> list[str]:
    """What a sign of two rows shows."""
    return [caption.center(columns), value.center(columns)]


async def shows(sign: SimulatedSign, lines: list[str], within_s: float = SOON_S) -> int:
    """Wait for a picture; when it came, in milliseconds."""
    return await asyncio.to_thread(sign.wait_for, lines, within_s)


async def until(what: Callable[[], bool]) -> None:
    """Wait for something that has no event."""
    async with asyncio.timeout(SOON_S):
        while not what():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def running(writer: SignWriter) -> AsyncIterator[SignWriter]:
    """A writer whose task runs."""
    task = asyncio.create_task(writer.run())
    try:
        yield writer
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def table_with_signs(
    folder: Path, *signs: SignConfig, patience_s: float = 0.2
) -> AsyncIterator[tuple[TableDesk, SignWatchdog]]:
    """An open table of 10,000.00 €, its feed and its watchdog, all in this process."""
    place = folder / "signs.sock"
    async with (
        sign_watchdog(signs, place, folder / "lock") as watchdog,
        running_desk(FakeRecord()) as desk,
    ):
        await opened(desk)
        feed = SignFeed(desk, place, patience_s)
        task = asyncio.create_task(feed.run())
        try:
            yield desk, watchdog
        finally:
            feed.close()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
