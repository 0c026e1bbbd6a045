"""``jackpot audit``: the audit room on this machine, for as long as somebody reads.

It listens on the loopback address only, below a random token; its index is a temporary file that
goes with it. The ledgers are opened for reading only.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import signal
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import uvicorn

from jackpot import console
from jackpot.audit.site.app import build_app
from jackpot.audit.site.room import Room
from jackpot.audit.source import Source
from jackpot.daemon.audit_workers import Workers
from jackpot.errors import Refused

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 16
"""128 bits: nobody guesses them, and they fit a line."""

MOST_CONNECTIONS = 50
"""One auditor with many tabs."""

START_DELAY_S = 0.5
"""The first page is asked for at once, and comes before the work in the background begins."""

GRACE_S = 1


def open_audit_room(
    ledgers: Sequence[Path],
    *,
    port: int,
    public_key: str | None,
    browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serve until SIGINT or SIGTERM. Raises ``Refused`` for a ledger or a port."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with (
        tempfile.TemporaryDirectory(prefix="jackpot-audit-") as folder,
        _rooms(ledgers, Path(folder), public_key) as (rooms, workers),
    ):
        app = build_app(rooms, token, Path(console.__file__).parent / "static" / "vendor")
        listener = _listener(port)
        address = f"http://{LOOPBACK}:{listener.getsockname()[1]}/{token}/"
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
        )
        say(address)
        if browser:
            webbrowser.open(address)
        gc.freeze()  # what is loaded stays: no page waits while all of it is looked through
        asyncio.run(_serve(BareServer(config), listener, workers))


class BareServer(uvicorn.Server):
    """Signals are looked after here, so that nothing is raised at the end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listener(port: int) -> socket.socket:
    """A listening socket of this machine alone. Raises ``Refused``."""
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(MOST_CONNECTIONS)
    except (OSError, OverflowError) as error:
        listener.close()
        raise Refused(
            reason="screens_address_taken",
            expected=f"to listen at {LOOPBACK} port {port}",
            found=str(error),
            to_do="leave out --port for any free one",
        ) from error
    listener.setblocking(False)
    return listener


async def _serve(server: BareServer, listener: socket.socket, workers: Sequence[Workers]) -> None:
    """Until somebody ends it."""
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, setattr, server, "should_exit", True)
    for each_ledger in workers:
        loop.call_later(START_DELAY_S, each_ledger.start)
    await server.serve(sockets=[listener])


@contextlib.contextmanager
def _rooms(
    ledgers: Sequence[Path], folder: Path, public_key: str | None
) -> Iterator[tuple[Sequence[Room], Sequence[Workers]]]:
    """Every ledger with its workers; all ended at the end."""
    with contextlib.ExitStack() as stack:
        rooms, all_workers = [], []
        for number, path in enumerate(ledgers, 1):
            source = Source(path)
            stack.callback(source.close)
            index = folder / f"{number}.index"
            workers = Workers(path, index, source.batch, public_key)
            stack.callback(workers.stop)
            all_workers.append(workers)
            room = Room(source, workers)
            stack.callback(room.close)
            rooms.append(room)
        yield rooms, all_workers
