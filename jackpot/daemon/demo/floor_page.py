"""All visors of a demonstration's floor on one page: the tables' own pictures, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from jackpot.console.screens import HERE as CONSOLE
from jackpot.console.security import SecurityHeaders
from jackpot.console.streams import Streams
from jackpot.daemon.link.coordinating import RunningCoordinator
from jackpot.daemon.link.page.picture import is_sure
from jackpot.daemon.running import RunningTable
from jackpot.money import cents_rounded_down
from jackpot.visor.state import VisorState, visor_state

FILES = Path(__file__).parent / "floor_files"
LOOK_S = 0.1


class TablePicture(msgspec.Struct, frozen=True):
    """One visor, and where the table's own screens are."""

    url: str
    phase: str
    visor: VisorState


class FloorPicture(msgspec.Struct, frozen=True):
    """The prize as the coordinator has it, and every visor as its table shows it."""

    total_cents: int | None
    decisions: int
    tables: tuple[TablePicture, ...]


class FloorPage:
    """The page. ``stop`` before its server ends."""

    def __init__(self, coordinator: RunningCoordinator, tables: Sequence[RunningTable]) -> None:
        self._coordinator = coordinator
        self._tables = tuple(tables)
        self._streams = Streams()
        self.version = 0
        self._last: FloorPicture | None = None

    def stop(self) -> None:
        """End every stream."""
        self._streams.stop()

    def app(self) -> Starlette:
        """``/`` and its stream."""
        return Starlette(
            routes=[
                Route("/", self._page),
                Route("/events", self._events),
                Mount("/static/floor", StaticFiles(directory=FILES)),
                Mount("/static", StaticFiles(directory=CONSOLE / "static")),
            ],
            middleware=[Middleware(SecurityHeaders, neighbour=None)],
        )

    async def _page(self, _: Request) -> Response:
        return FileResponse(FILES / "floor.html", media_type="text/html; charset=utf-8")

    async def _events(self, _: Request) -> Response:
        return self._streams.serve(self, self._json, self._json)

    def _json(self) -> str:
        return msgspec.json.encode(self._picture()).decode()

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        """Wait until ``version > after_version``; False after ``timeout_s``."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + timeout_s
        while True:
            picture = self._picture()
            if picture != self._last:
                self._last = picture
                self.version += 1
            if self.version > after_version:
                return True
            if loop.time() >= end_s:
                return False
            await asyncio.sleep(LOOK_S)

    def _picture(self) -> FloorPicture:
        state, sure = self._coordinator.core.state, is_sure(self._coordinator)
        return FloorPicture(
            total_cents=cents_rounded_down(state.total_microcents) if sure else None,
            decisions=state.decision,
            tables=tuple(
                TablePicture(
                    url=table.url,
                    phase=table.desk.state.phase.value,
                    visor=visor_state(table.desk.state, table.desk.status),
                )
                for table in self._tables
            ),
        )
