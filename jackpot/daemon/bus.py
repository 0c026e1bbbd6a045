"""The shell around a mechanism's host: a serial line, the loop's clock, one timer. All thinking is
in ``jackpot.cctalk`` or ``jackpot.board``; here bytes and time are carried to it and events away from it.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from jackpot.daemon.serial_line import LOCK_DIRECTORY, SerialLine
from jackpot.mechanism.port import MechanismHost
from jackpot.mechanism.report import BusReport
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import WireEvent

NS_PER_S = 1_000_000_000

UNDELIVERED_EVENTS = 1000
"""Each box waits for its commit, so a table has at most a few dozen underway; more means that the
receiver has stopped, and then nobody must believe that the table is watched."""

OnEvents = Callable[[list[WireEvent]], Awaitable[None] | None]


class SlotBus:
    """One table's slots on one serial port.

    ``on_events`` gets the events in order, one list at a time; it may be async (the next list then
    waits for it, the wire does not). If it raises, the bus closes and ``failure`` holds the error:
    whoever supervises awaits ``failure``. ``host`` was made with a time of the clock ``now_ns``.
    Make and use it in a running event loop.
    """

    def __init__(
        self,
        path: str,
        baud: int,
        host: MechanismHost,
        on_events: OnEvents,
        *,
        lock_directory: Path = LOCK_DIRECTORY,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._now_ns = now_ns
        self._on_events = on_events
        self._host = host
        self._serial = SerialLine(
            path,
            baud,
            self._received,
            self._lost,
            on_restored=self._restored,
            lock_directory=lock_directory,
        )
        self._timer: asyncio.TimerHandle | None = None
        self._undelivered: list[WireEvent] = []
        self._delivery: asyncio.Task[None] | None = None
        self._pumping = False
        self._closed = False

    def start(self) -> None:
        """Open the port, or wait for it to appear. Raises ``Refused`` if it is taken."""
        self._serial.open_when_there()
        if not self._serial.is_open:
            self._host.line_lost(self._now_ns(), f"{self._serial.path} is not there")
        self._pump()

    def close(self) -> None:
        """Let go of the port at once."""
        self._closed = True
        self._disarm()
        if self._delivery is not None and self._delivery is not asyncio.current_task():
            self._delivery.cancel()
        self._serial.close()

    def committed(self, box: int, epoch: int, count: int) -> None:
        """The ledger holds the news of ``box`` up to ``count``."""
        self._host.committed(box, epoch, count)
        self._advance()

    def accept(self, box: int, on: bool) -> None:
        """Open or close the slot of ``box``."""
        self._host.accept(box, on, self._now_ns())
        self._pump()

    def drain(self) -> None:
        """The lock: the event ``Drained`` follows within a second."""
        self._host.drain(self._now_ns())
        self._pump()

    def read_counters(self, boxes: Iterable[int]) -> None:
        """Ask these boxes' own counters; the event ``CountersRead`` follows within a second."""
        self._host.read_counters(boxes, self._now_ns())
        self._pump()

    def statistics(self) -> Mapping[int, BoxStatistics]:
        """What was counted, by box."""
        return self._host.statistics()

    def inspect(self) -> None:
        """A technician looks: ask for optos, counters, coin table and inhibits, between the polls."""
        self._host.inspect(self._now_ns())
        self._pump()

    def report(self) -> BusReport:
        """The bus as it stands."""
        return msgspec.structs.replace(self._host.report(), port=self._serial.path)

    def _received(self, data: bytes) -> None:
        self._carry(lambda: self._host.receive(data, self._now_ns()))

    def _lost(self, reason: str) -> None:
        self._carry(lambda: self._host.line_lost(self._now_ns(), reason))

    def _restored(self) -> None:
        self._carry(lambda: self._host.line_restored(self._now_ns()))

    def _advance(self) -> None:
        self._timer = None
        self._carry(lambda: self._host.advance(self._now_ns()))

    def _carry(self, call: Callable[[], None]) -> None:
        """The loop calls: an error has no caller to go to, so it ends the bus and is told."""
        if self._closed:
            return
        try:
            call()
            self._pump()
        except Exception as error:
            self._fail(error)

    def _pump(self) -> None:
        """Write, deliver, re-arm. Not within itself: a callback may call the bus again."""
        if self._pumping or self._closed:
            return
        self._pumping = True
        try:
            while not self._closed:
                out = self._host.bytes_to_send()
                if out:
                    self._serial.write(out)
                events = self._host.take_events()
                if not events and not out:
                    break
                if events:
                    self._deliver(events)
        finally:
            self._pumping = False
        self._arm()

    def _arm(self) -> None:
        """One timer, due by the host's deadline at the latest. Every byte moves the deadline away;
        a timer that then comes early finds nothing due and is armed anew, which is rarer."""
        deadline_ns = self._host.deadline_ns()
        if self._closed or deadline_ns is None:
            self._disarm()
            return
        loop = asyncio.get_running_loop()
        due_s = loop.time() + max(0, deadline_ns - self._now_ns()) / NS_PER_S
        if self._timer is not None:
            if self._timer.when() <= due_s:
                return
            self._timer.cancel()
        self._timer = loop.call_at(due_s, self._advance)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _deliver(self, events: list[WireEvent]) -> None:
        if self._delivery is not None:
            self._undelivered += events
            if len(self._undelivered) > UNDELIVERED_EVENTS:
                self._fail(RuntimeError(f"{len(self._undelivered)} slot events not taken"))
            return
        try:
            rest = self._on_events(events)
        except Exception as error:
            self._fail(error)
            return
        if inspect.isawaitable(rest):
            self._delivery = asyncio.ensure_future(self._deliver_rest(rest))

    async def _deliver_rest(self, first: Awaitable[None]) -> None:
        try:
            await first
            while self._undelivered:
                events, self._undelivered = self._undelivered, []
                rest = self._on_events(events)
                if inspect.isawaitable(rest):
                    await rest
        except Exception as error:
            self._fail(error)
        finally:
            self._delivery = None

    def _fail(self, error: Exception) -> None:
        """The receiver is broken: better no bus than one that nobody listens to."""
        self.close()
        if not self.failure.done():
            self.failure.set_exception(error)
