"""The bus by the command itself, while no table runs. Every slot stays closed; nothing is credited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jackpot.cctalk.wire_events import Polled, WireEvent
from jackpot.config.sections import SlotsConfig
from jackpot.daemon.bus import SlotBus
from jackpot.daemon.serial_line import LOCK_DIRECTORY


@asynccontextmanager
async def own_bus(
    setup: SlotsConfig, lock_directory: Path = LOCK_DIRECTORY
) -> AsyncIterator[SlotBus]:
    """The bus of a configuration. Raises ``Refused`` if another program has the port.

    No record is resumed and none is kept: what an acceptor counts meanwhile, the table finds at its
    next start by its own record.
    """

    def take(events: list[WireEvent]) -> None:
        for event in events:
            if isinstance(event, Polled):
                bus.committed(event.box, event.epoch, event.count)

    bus = SlotBus(str(setup.port), setup.slots, setup.line, {}, take, lock_directory=lock_directory)
    bus.start()
    try:
        yield bus
    finally:
        bus.close()
        bus.failure.cancel()
        await asyncio.sleep(0)
