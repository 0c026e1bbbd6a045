"""The web server inside the daemon: its own socket, no signal handlers, gone within a second."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator

import uvicorn
from starlette.types import ASGIApp

from jackpot.config import ScreensConfig
from jackpot.errors import Refused

GRACE_S = 1
"""Visors keep their event streams open for ever; they come back by themselves."""

BACKLOG = 64
MOST_CONNECTIONS = 200
"""Visors, consoles, a few forgotten tabs. More is an attack or a fault, and is turned away."""

START_TIMEOUT_S = 10.0


class PortBusy(Refused):
    """The address of the screens is taken, or is none of this machine."""


class _Server(uvicorn.Server):
    """The daemon itself looks after signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class ScreenServer:
    """Serves one application. Takes the address at once; ``start`` and ``stop`` in the event loop."""

    def __init__(self, config: ScreensConfig) -> None:
        """Raises ``PortBusy``."""
        self._config = config
        self._socket = _bound(config.bind, config.port)
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None
        self._before_stop: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        """Where the screens are."""
        scheme = "https" if self._config.tls_cert else "http"
        host, port = self._socket.getsockname()[:2]
        return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

    async def start(self, app: ASGIApp, before_stop: Callable[[], None] = lambda: None) -> None:
        """Serve ``app`` from now on; ``before_stop`` ends what the application keeps open for ever.

        Raises ``Refused`` for an unusable certificate.
        """
        self._before_stop = before_stop
        config = uvicorn.Config(
            app,
            lifespan="off",
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=GRACE_S,
            ssl_certfile=self._config.tls_cert,
            ssl_keyfile=self._config.tls_key,
        )
        try:
            config.load()
        except OSError as error:
            raise Refused(
                reason="certificate_unusable",
                expected=f"a certificate and key at {self._config.tls_cert}",
                found=str(error),
                to_do="check both files (PEM) and who may read them",
            ) from error
        self._server = _Server(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        async with asyncio.timeout(START_TIMEOUT_S):
            await self._started()

    async def _started(self) -> None:
        while self._server is not None and not self._server.started:
            if self._task is not None and self._task.done():
                self._task.result()
            await asyncio.sleep(0.005)

    async def stop(self) -> None:
        """Close every connection."""
        self._before_stop()
        if self._server is not None:
            self._server.should_exit = True
        if self._task is not None:
            await self._task
        self._socket.close()


def _bound(host: str, port: int) -> socket.socket:
    """A listening socket. Not shared with anybody: two daemons must not answer in turns."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on: then every answer waits 40 ms for an ACK.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise PortBusy(
            reason="screens_address_taken",
            expected=f"to listen at {host} port {port}",
            found=error.strerror or str(error),
            to_do="stop the other program (is this table running already?), or set screens.port",
        ) from error
    listener.setblocking(False)
    return listener
