"""The slots of a running table: opened at its start, closed before the wire goes silent."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

from jackpot.config import Config
from jackpot.daemon.bus import SlotBus
from jackpot.daemon.lock_button import LockButton
from jackpot.daemon.mechanisms import mechanism_host
from jackpot.daemon.slot_keeper import SlotKeeper, resume_records
from jackpot.daemon.table_desk import TableDesk
from jackpot.ledger.witness import unmark_older

INHIBIT_WAIT_S = 0.3
"""At a clean stop: seven inhibits are seven exchanges of 15 ms behind one poll of 22 ms."""


def start_slots(
    stack: AsyncExitStack,
    desk: TableDesk,
    config: Config,
    lock_directory: Path,
    button: LockButton,
) -> tuple[SlotKeeper, SlotBus] | None:
    """Open the line to the slots, if there are any; ``stack`` closes it in good order."""
    setup, mark = config.slots, config.ledger.older_mark
    older = mark.exists()
    if setup is None:
        unmark_older(mark)
        return None
    keeper = SlotKeeper(
        desk, setup.boxes, lambda: unmark_older(mark) if older else None, button.pressed
    )
    resume = resume_records(desk.state, older=older)
    bus = SlotBus(
        str(setup.port),
        setup.baud,
        mechanism_host(setup.mechanism, resume, time.monotonic_ns()),
        keeper.on_events,
        lock_directory=lock_directory,
    )
    stack.push_async_callback(_stop_slots, desk, keeper, bus)
    bus.failure.add_done_callback(lambda failure: _bus_failed(desk, failure))
    bus.start()
    keeper.attach(bus)
    return keeper, bus


def _bus_failed(desk: TableDesk, failure: asyncio.Future[None]) -> None:
    error = None if failure.cancelled() else failure.exception()
    if error is not None:
        desk.halt(f"slots: {type(error).__name__}: {error}")


async def _stop_slots(desk: TableDesk, keeper: SlotKeeper, bus: SlotBus) -> None:
    """Close every slot before the wire goes silent; a chip that is quicker is credited next time."""
    were_open = bool(desk.accepting)
    desk.pause()
    if were_open:
        await asyncio.sleep(INHIBIT_WAIT_S)
    keeper.detach()
    bus.close()
    bus.failure.cancel()
