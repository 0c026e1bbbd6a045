"""The web server inside the daemon."""

from __future__ import annotations

import asyncio
import socket

from jackpot.daemon.screen_server import _bound


async def test_small_answers_go_out_at_once() -> None:
    """Whoever is let in must have Nagle's algorithm off: with it every key press took 44 ms."""
    served: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def look(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inside: socket.socket = writer.get_extra_info("socket")
        served.set_result(inside.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = _bound("127.0.0.1", 0)
    server = await asyncio.start_server(look, sock=listener)
    async with server:
        _, writer = await asyncio.open_connection(*listener.getsockname()[:2])
        assert await asyncio.wait_for(served, 10) == 1
        writer.close()
