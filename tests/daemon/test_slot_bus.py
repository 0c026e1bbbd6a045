"""The shell around the host: one acceptor on a pseudo terminal, in real time but without waiting."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jackpot.cctalk import (
    BusHost,
    Drained,
    Echo,
    Identified,
    LineFault,
    LineSetup,
    Polled,
    SlotSetup,
    Up,
    WireEvent,
)
from jackpot.daemon.bus import SlotBus
from jackpot.invariant import InvariantBroken

SOON_S = 10.0
LINE = LineSetup(echo=Echo.OFF)


class Box:
    """The least acceptor that can be, at address 2, on the other end of a pseudo terminal."""

    def __init__(self, link: Path) -> None:
        self.link, self.counter, self.accepting = link, 0, False
        self.master, slave = os.openpty()
        link.symlink_to(os.ttyname(slave))
        os.close(slave)
        asyncio.get_running_loop().add_reader(self.master, self._readable)

    def _readable(self) -> None:
        try:
            request = os.read(self.master, 512)
        except OSError:
            return
        answers = {
            245: b"Coin Acceptor", 242: b"\x01\x02\x03", 184: b"TK001A", 232: b"\x00",
            229: bytes((self.counter, *(5, 1) * min(self.counter, 5)))
            .ljust(11, b"\x00"),
        }  # fmt: skip
        if request[3] == 228:
            self.accepting = request[4] == 1
        data = answers.get(request[3], b"")
        body = bytes((1, len(data), 2, 0)) + data
        os.write(self.master, body + bytes((-sum(body) & 255,)))

    def unplug(self) -> None:
        asyncio.get_running_loop().remove_reader(self.master)
        os.close(self.master)


@pytest.fixture
async def box(tmp_path: Path) -> AsyncIterator[Box]:
    box = Box(tmp_path / "port")
    yield box
    asyncio.get_running_loop().remove_reader(box.master)


class Taker:
    """Takes events, keeps them, commits."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[WireEvent] = asyncio.Queue()
        self.bus: SlotBus | None = None

    def __call__(self, events: list[WireEvent]) -> None:
        for event in events:
            self.queue.put_nowait(event)
            if isinstance(event, Polled) and self.bus is not None:
                self.bus.committed(event.box, event.epoch, event.count)

    async def next(self, kind: type) -> WireEvent:
        while True:
            event = await asyncio.wait_for(self.queue.get(), SOON_S)
            if isinstance(event, kind):
                return event


def bus_on(box: Box, on_events: object) -> SlotBus:
    return SlotBus(
        str(box.link),
        LINE.baud,
        BusHost([SlotSetup(1, 2, 5)], LINE, {}, time.monotonic_ns()),
        on_events,  # type: ignore[arg-type]
        lock_directory=box.link.parent / "lock",
    )


async def test_from_the_first_question_to_a_credit_and_the_lock(box: Box) -> None:
    taker = Taker()
    bus = taker.bus = bus_on(box, taker)
    bus.start()
    identified = await taker.next(Identified)
    assert isinstance(identified, Identified)
    assert identified.serial == 0x030201
    await taker.next(Up)
    bus.accept(1, True)
    box.counter = 1
    polled = await taker.next(Polled)
    assert isinstance(polled, Polled)
    assert polled.count == 1
    assert box.accepting
    bus.drain()
    assert await taker.next(Drained) == Drained(())
    assert not box.accepting
    bus.close()


async def test_an_async_receiver_gets_one_list_at_a_time(box: Box) -> None:
    up, running, most = asyncio.Event(), 0, 0

    async def on_events(events: list[WireEvent]) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        if any(isinstance(event, Up) for event in events):
            up.set()

    bus = bus_on(box, on_events)
    bus.start()
    await asyncio.wait_for(up.wait(), SOON_S)
    assert most == 1
    bus.close()


@pytest.mark.parametrize("style", ["sync", "async"])
async def test_a_broken_receiver_ends_the_bus_and_says_so(box: Box, style: str) -> None:
    def breaks(events: list[WireEvent]) -> None:
        raise KeyError("ledger")

    async def breaks_later(events: list[WireEvent]) -> None:
        raise KeyError("ledger")

    bus = bus_on(box, breaks if style == "sync" else breaks_later)
    bus.start()
    with pytest.raises(KeyError):
        await asyncio.wait_for(bus.failure, SOON_S)
    assert not bus._serial.is_open
    assert bus._timer is None


async def test_a_broken_invariant_ends_the_bus_and_says_so(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: BusHost, data: bytes, now_ns: int) -> None:
        raise InvariantBroken("planted")

    monkeypatch.setattr(BusHost, "receive", broken)
    bus = bus_on(box, Taker())
    bus.start()
    with pytest.raises(InvariantBroken, match="planted"):
        await asyncio.wait_for(bus.failure, SOON_S)
    assert not bus._serial.is_open


async def test_an_unplugged_adapter_is_told_at_once(tmp_path: Path) -> None:
    box = Box(tmp_path / "port")
    taker = Taker()
    bus = bus_on(box, taker)
    bus.start()
    await taker.next(Up)
    box.unplug()
    fault = await taker.next(LineFault)
    assert isinstance(fault, LineFault)
    assert fault.reason == "line_lost"
    assert str(box.link) in fault.detail
    bus.close()


async def test_a_bus_without_a_port_starts_and_waits(tmp_path: Path) -> None:
    taker = Taker()
    bus = SlotBus(
        str(tmp_path / "nothing"), LINE.baud,
        BusHost([SlotSetup(1, 2, 5)], LINE, {}, time.monotonic_ns()),
        taker, lock_directory=tmp_path / "lock",
    )  # fmt: skip
    bus.start()
    fault = await taker.next(LineFault)
    assert isinstance(fault, LineFault)
    bus.close()
