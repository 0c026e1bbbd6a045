"""The bus by the command itself, while no table runs. Every slot stays closed; nothing is credited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jackpot.board import BoardSetup
from jackpot.config.sections import SlotsConfig
from jackpot.daemon.bus import SlotBus
from jackpot.daemon.mechanisms import mechanism_host
from jackpot.daemon.serial_line import LOCK_DIRECTORY
from jackpot.errors import Refused
from jackpot.mechanism.wire_events import Polled, WireEvent


@asynccontextmanager
async def own_bus(
    setup: SlotsConfig, lock_directory: Path = LOCK_DIRECTORY
) -> AsyncIterator[SlotBus]:
    """The bus of a configuration. Raises ``Refused`` if another program has the port, and for a slot
    board: it would take what it tells here for recorded, and the table would never hear of it.

    No record is resumed and none is kept: what an acceptor counts meanwhile, the table finds at its
    next start by its own record.
    """

    def take(events: list[WireEvent]) -> None:
        for event in events:
            if isinstance(event, Polled):
                bus.committed(event.box, event.epoch, event.count)

    if isinstance(setup.mechanism, BoardSetup):
        raise Refused(
            reason="board_of_a_stopped_table",
            expected="the running table: a slot board forgets what it has told",
            found="a table that does not run",
            to_do="start it with `jackpot run`, then look again",
            rule="CAN-8.b2",
        )
    host = mechanism_host(setup.mechanism, {}, time.monotonic_ns())
    bus = SlotBus(str(setup.port), setup.baud, host, take, lock_directory=lock_directory)
    bus.start()
    try:
        yield bus
    finally:
        bus.close()
        bus.failure.cancel()
        await asyncio.sleep(0)
