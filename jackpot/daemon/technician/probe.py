"""One question at a time on a bus that nobody else owns: scanning and listening."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from jackpot.cctalk.exchange import Exchange, Request, Result
from jackpot.cctalk.frame import HOST_ADDRESS, Frame
from jackpot.cctalk.headers import Header
from jackpot.cctalk.identity import TEXT_BYTES, printable
from jackpot.cctalk.setup import NS_PER_S, Echo, LineSetup
from jackpot.daemon.serial_line import LOCK_DIRECTORY, LineGone, SerialLine
from jackpot.errors import Refused
from jackpot.mechanism.wire_events import Diagnosis

SCANNED = range(2, 33)
"""Coin acceptors are 2 and 11 to 17 (part 3, appendix 3); the rest shows what else is plugged in."""

ATTEMPTS = 3
"""Part 1, 12.1."""

QUIET_S = 0.06
"""A line must be this quiet before a question: an answer of somebody else's is over by then."""

LATE_S = 0.25
"""And this quiet before bare addresses, which have no checksum: a late answer would be counted as devices."""

ADDRESSES_S = 1.5
"""Part 1, 20.2.1: the raw address bytes come within 1.2 s, in which nobody hears anything else."""

PIECES_KEPT = 1000
"""Of a line that is listened to: more than a screen in the time of one look."""


class Found(msgspec.Struct, frozen=True):
    """A device that answered."""

    address: int
    category: str
    maker: str
    product: str
    serial: int | None
    devices: int = 1
    """How many share the address, as far as they can be told apart (252)."""


class Probe:
    """A serial line with the questions of a technician."""

    def __init__(self, port: str, line: LineSetup, lock_directory: Path = LOCK_DIRECTORY) -> None:
        self.line = line
        self.echo: bool | None = None if line.echo is Echo.AUTO else line.echo is Echo.ON
        self.lost = ""
        self._serial = SerialLine(
            port, line.baud, self._take, self._gone, lock_directory=lock_directory
        )
        self._arrived: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(PIECES_KEPT)

    def open(self) -> None:
        """Raises ``Refused`` when there is no such port, or another program has it."""
        try:
            self._serial.open()
        except LineGone as error:
            raise Refused(
                reason="no_port",
                expected=f"a serial port at {self._serial.path}",
                found=str(error),
                to_do="plug the adapter in; `ls -l /dev/serial/by-path` shows its stable name",
            ) from error

    def close(self) -> None:
        """Let go of the port."""
        self._serial.close()

    def _take(self, data: bytes) -> None:
        if not self._arrived.full():
            self._arrived.put_nowait((time.monotonic_ns(), data))

    def _gone(self, why: str) -> None:
        self.lost = why
        self._serial.close()

    async def next_bytes(self, timeout_s: float) -> tuple[int, bytes] | None:
        """The next bytes with their time, None if the line stays quiet. Refuses a lost line."""
        try:
            return await asyncio.wait_for(self._arrived.get(), timeout_s)
        except TimeoutError:
            if self.lost:
                raise Refused(
                    reason="line_lost",
                    expected=f"{self._serial.path} to stay",
                    found=self.lost,
                    to_do="look at the adapter's plug",
                ) from None
            return None

    async def ask(self, address: int, header: Header, data: bytes = b"") -> Result:
        """One exchange; any length of answer."""
        await self._settle(QUIET_S if self.echo is None else 0)
        request = Request(address, header, data, 0, TEXT_BYTES)
        exchange = Exchange(request, self.line, self.echo, time.monotonic_ns())
        self._serial.write(exchange.sent)
        while exchange.result is None:
            wait_ns = max(0, exchange.deadline_ns - time.monotonic_ns())
            got = await self.next_bytes(wait_ns / NS_PER_S)
            if got is not None:
                exchange.receive(got[1], got[0])
            exchange.advance(time.monotonic_ns())
        if self.line.echo is Echo.AUTO:
            self.echo = exchange.echo
        return exchange.result

    async def insist(self, address: int, header: Header, data: bytes = b"") -> Result:
        """Up to three exchanges until one succeeds."""
        result = await self.ask(address, header, data)
        for _ in range(ATTEMPTS - 1):
            if result.diagnosis is None:
                break
            result = await self.ask(address, header, data)
        return result

    async def addresses(self, destination: int, header: Header) -> list[int]:
        """Headers 253 and 252: each device answers with its bare address, delayed."""
        await self._settle(LATE_S)
        frame = Frame(destination, HOST_ADDRESS, int(header)).encode(self.line.checksum)
        self._serial.write(frame)
        heard = bytearray()
        ends_ns = time.monotonic_ns() + int(ADDRESSES_S * NS_PER_S)
        while (left_ns := ends_ns - time.monotonic_ns()) > 0:
            got = await self.next_bytes(left_ns / NS_PER_S)
            heard += b"" if got is None else got[1]
        return list(heard.removeprefix(frame))

    async def _settle(self, quiet_s: float) -> None:
        """Whatever is under way ends first; a line that never rests is asked all the same."""
        for _ in range(ATTEMPTS):
            while not self._arrived.empty():
                self._arrived.get_nowait()
            if await self.next_bytes(quiet_s) is None:
                return


@asynccontextmanager
async def probing(
    port: str, line: LineSetup, lock_directory: Path = LOCK_DIRECTORY
) -> AsyncIterator[Probe]:
    """A probe on an open port. Raises ``Refused``."""
    probe = Probe(port, line, lock_directory)
    probe.open()
    try:
        yield probe
    finally:
        probe.close()


async def scan(probe: Probe) -> list[Found]:
    """Who answers on the line, by address: the address poll tells of all, each is then asked."""
    polled = await probe.addresses(0, Header.ADDRESS_POLL)
    found = []
    for address in SCANNED:
        result = await probe.ask(address, Header.SIMPLE_POLL)
        if result.diagnosis is None or address in polled:
            found.append(await _who(probe, address))
    return found


async def _who(probe: Probe, address: int) -> Found:
    async def text(header: Header) -> str:
        result = await probe.insist(address, header)
        return printable(result.data) if result.diagnosis is None else ""

    serial = await probe.insist(address, Header.REQUEST_SERIAL_NUMBER)
    alone = serial.diagnosis in (None, Diagnosis.NO_REPLY)
    return Found(
        address=address,
        category=await text(Header.REQUEST_EQUIPMENT_CATEGORY),
        maker=await text(Header.REQUEST_MANUFACTURER_ID),
        product=await text(Header.REQUEST_PRODUCT_CODE),
        serial=int.from_bytes(serial.data, "little") if serial.diagnosis is None else None,
        devices=1 if alone else max(1, len(await probe.addresses(address, Header.ADDRESS_CLASH))),
    )
