"""The line to one sign, serial or TCP: open it once, send, learn that it is gone. Never waits long."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from jackpot.config import SignConfig, SignKind
from jackpot.daemon.serial_line import SEVEN_EVEN, Framing, LineGone, SerialLine
from jackpot.errors import Refused

CONNECT_S = 5.0
"""A sign on the same floor answers in milliseconds; a switch that wakes up may take seconds."""

SEND_S = 2.0
"""The longest frame takes 0.15 s at 9600 baud; what is not taken in 2 s will not be."""

LOOK_S = 0.02
"""How often a serial port is asked whether it has taken a frame: once a frame, seldom twice."""

UNACKNOWLEDGED_MS = 5_000
"""After that long without an answer from the other end a TCP connection counts as gone."""

KEEPALIVE_S = 5
READ_BYTES = 4096
"""Signs say nothing of use; what comes is read and dropped, so that it never piles up."""

OnLost = Callable[[str], None]


class SignLink(Protocol):
    """An open line to a sign. It calls ``on_lost(reason)`` once when it is gone by itself."""

    async def send(self, data: bytes) -> None:
        """Hand the bytes over. Raises ``LineGone``."""

    def close(self) -> None:
        """Let go of the line, at once."""


async def open_link(sign: SignConfig, on_lost: OnLost, lock_directory: Path) -> SignLink:
    """Open the line of a sign. Raises ``LineGone`` when that cannot be done now."""
    if sign.port is None:
        return await _TcpLink.open(sign, on_lost)
    return _SerialLink(sign, on_lost, lock_directory)


class _SerialLink:
    """Alpha signs take 7 bits with even parity, pole displays 8 bits without."""

    def __init__(self, sign: SignConfig, on_lost: OnLost, lock_directory: Path) -> None:
        self._line = SerialLine(
            str(sign.port),
            sign.baud,
            lambda _data: None,
            on_lost,
            lock_directory=lock_directory,
            framing=SEVEN_EVEN if sign.kind is SignKind.ALPHA else Framing(),
        )
        try:
            self._line.open()
        except Refused as refused:  # another program has the port; it may let go of it
            raise LineGone(refused.text()) from refused

    async def send(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        self._line.write(data)
        end = loop.time() + SEND_S
        while self._line.is_open and self._line.waiting_bytes:
            if loop.time() > end:
                raise LineGone(f"{self._line.path} took no frame within {SEND_S:.0f} s")
            await asyncio.sleep(LOOK_S)
        if not self._line.is_open:
            raise LineGone(f"{self._line.path} is gone")

    def close(self) -> None:
        self._line.close()


class _TcpLink:
    """A serial adapter on the network, or a sign with a network plug."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, on_lost: OnLost
    ) -> None:
        self._reader, self._writer, self._on_lost = reader, writer, on_lost
        # ``drain`` waits until the kernel has everything.
        writer.transport.set_write_buffer_limits(high=0)
        self._listening = asyncio.create_task(self._listen(), name="sign link")

    @classmethod
    async def open(cls, sign: SignConfig, on_lost: OnLost) -> _TcpLink:
        try:
            async with asyncio.timeout(CONNECT_S):
                reader, writer = await asyncio.open_connection(sign.host, sign.tcp_port)
        except (OSError, TimeoutError) as error:
            raise LineGone(f"cannot reach {sign.place}: {error or 'no answer'}") from error
        _watch_peer(writer.get_extra_info("socket"))
        return cls(reader, writer, on_lost)

    async def send(self, data: bytes) -> None:
        try:
            async with asyncio.timeout(SEND_S):
                self._writer.write(data)
                await self._writer.drain()
        except (OSError, TimeoutError) as error:
            raise LineGone(f"no frame was taken: {error or 'it is stuck'}") from error

    def close(self) -> None:
        self._listening.cancel()
        self._writer.transport.abort()

    async def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while await self._reader.read(READ_BYTES):
                pass
        self._on_lost("the other end closed the connection")


def _watch_peer(peer: socket.socket) -> None:
    """Notice within seconds that a cable was pulled, also while nothing is sent."""
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_S)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEPALIVE_S)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
