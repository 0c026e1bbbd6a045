"""A serial adapter on the network, at the loopback address: one host at a time."""

from __future__ import annotations

import socket

READ_BYTES = 4_096
KERNEL_BYTES = 4_096  # adapters have small buffers; the kernel would take megabytes


class TcpLine:
    """``unplug`` ends the connection and stops listening; ``plug`` listens at the same port."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener: socket.socket | None = None
        self._host: socket.socket | None = None
        self.plug()

    @property
    def device(self) -> str:
        """Where hosts connect to."""
        return f"127.0.0.1:{self._port}"

    @property
    def is_plugged(self) -> bool:
        """Whether a host could connect at this moment."""
        return self._listener is not None

    def plug(self) -> None:
        """Listen; nothing happens if it already does."""
        if self._listener is not None:
            return
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)
        listener.bind(("127.0.0.1", self._port))
        listener.listen(1)
        self._port = listener.getsockname()[1]
        self._listener = listener

    def unplug(self) -> None:
        """Hang up and listen no more."""
        for line in (self._host, self._listener):
            if line is not None:
                line.close()
        self._host = self._listener = None

    close = unplug

    def filenos(self) -> list[int]:
        """What to wait on: a new host, or bytes of the one that is there."""
        return [line.fileno() for line in (self._listener, self._host) if line is not None]

    def read(self, ready: list[int]) -> bytes:
        """What the host has sent; also lets a new host in, which replaces the old one."""
        if self._listener is not None and self._listener.fileno() in ready:
            host, _ = self._listener.accept()
            if self._host is not None:
                self._host.close()
            self._host = host
            return b""
        if self._host is None or self._host.fileno() not in ready:
            return b""
        try:
            data = self._host.recv(READ_BYTES)
        except OSError:
            data = b""
        if not data:
            self._host.close()
            self._host = None
        return data
