"""The acceptors' own counters in the ledger: before an opening, before a drop is counted or a day closed,
and after faults. Whoever manipulates the controller does not reach them, so the drop is held against both.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from jackpot.daemon.requests import SLOTS
from jackpot.daemon.slot_facts import counters_facts
from jackpot.daemon.table_desk import TableDesk
from jackpot.mechanism.wire_events import Counters, CountersRead
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

COUNTED_BEFORE = (f.DayOpened, f.DropCounted, f.DayClosed)
"""Acts that the counters are held against."""

ANSWER_S = 1.5
"""The wire answers within a second; then the act goes on without what was not told."""

AFTER_FAULT_S = 2.0
"""From a fault to the reading: faults come in swarms, and one reading tells of them all."""


class Bus(Protocol):
    """What is asked of the wire."""

    def read_counters(self, boxes: Iterable[int]) -> None:
        """Ask these boxes' own counters, then tell ``CountersRead``."""


class SlotCounters:
    """Asks for the counters of one table and records them. ``attach`` the bus to begin."""

    def __init__(self, desk: TableDesk, boxes: Sequence[int]) -> None:
        self._desk = desk
        self._boxes = tuple(boxes)
        self._bus: Bus | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._faulted: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None

    def attach(self, bus: Bus) -> None:
        """From now on acts wait for the counters."""
        self._bus = bus
        self._desk.prepare_acts(self.before_act)

    def detach(self) -> None:
        """The bus is about to go; nobody waits any more."""
        self._bus = None
        if self._timer is not None:
            self._timer.cancel()
        self._wait_no_more()

    async def before_act(self, act: OfficerAct) -> None:
        """Return when the counters stand in the queue before ``act``, or will not come."""
        if self._bus is None or not isinstance(act, COUNTED_BEFORE):
            return
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(told)
        self._bus.read_counters(self._boxes)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                await told

    def after_fault(self, box: int) -> None:
        """Something was wrong with the slot of ``box``: its counters are read soon."""
        self._faulted.add(box)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(AFTER_FAULT_S, self._read_faulted)

    def told(self, event: CountersRead) -> None:
        """The wire answered. After a fault only what has moved is worth a line."""
        news = event.counters if self._waiting else tuple(filter(self._moved, event.counters))
        if news:
            self._desk.submit(counters_facts(news), SLOTS)
        self._wait_no_more()

    def _moved(self, told: Counters) -> bool:
        slot = self._desk.state.slots[told.box - 1]
        return (told.insertions, told.accepts) != (slot.insertions, slot.accepts)

    def _read_faulted(self) -> None:
        self._timer = None
        boxes, self._faulted = sorted(self._faulted), set()
        if self._bus is not None:
            self._bus.read_counters(boxes)

    def _wait_no_more(self) -> None:
        waiting, self._waiting = self._waiting, []
        for told in waiting:
            if not told.done():
                told.set_result(None)
