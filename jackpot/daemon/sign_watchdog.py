"""The process that owns the signs. It outlives the table, so a dead table never leaves an amount.

A text sign keeps its text when nobody writes any more. So the table itself never touches a sign's
line: ``jackpot sign-watchdog`` does, and the table tells it over a socket in the ledger's folder
what its visor shows, at every change and every half second. The table's death ends the connection,
which is seen at once; a table that hangs falls silent, which is seen after two seconds. Both mean
dashes. The service manager looks after this process in turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import structlog

from jackpot.config import Config, SignConfig
from jackpot.daemon.keep_going import keep_going
from jackpot.daemon.notify import notify, watchdog_interval_s
from jackpot.daemon.serial_line import LOCK_DIRECTORY
from jackpot.daemon.signs import SignStatus, SignWriter
from jackpot.errors import Refused
from jackpot.visor.state import VisorState

SILENCE_S = 2.0
"""No word from the table for this long: what a sign shows is no longer sure."""

LINE_BYTES = 65_536
"""A visor's state is two kilobytes."""

LAST_WORD_S = 4.0
"""At the end: time to write dashes, also for a sign that is just being set up."""

LOOK_S = 0.05

_log = structlog.get_logger(__name__)
_news = msgspec.json.Decoder(VisorState)


class SignWatchdog:
    """The signs of one table, and the socket that the table speaks to."""

    def __init__(self, signs: tuple[SignConfig, ...], lock_directory: Path) -> None:
        self.writers = tuple(SignWriter(sign, lock_directory=lock_directory) for sign in signs)
        self._feeder: asyncio.StreamWriter | None = None
        self._talks: dict[asyncio.StreamWriter, asyncio.Event] = {}

    def statuses(self) -> tuple[SignStatus, ...]:
        """Every sign's line, as it is now."""
        return tuple(writer.status for writer in self.writers)

    def show(self, visor: VisorState | None) -> None:
        """On every sign from now on; None: dashes."""
        for writer in self.writers:
            writer.show(visor)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a table, to its end. The newest one counts."""
        before, self._feeder = self._feeder, writer
        if before is not None:
            before.close()
        over = self._talks[writer] = asyncio.Event()
        try:
            await self._listen(reader, writer)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            # ValueError: a line without end. A DecodeError: a table of another version.
            _log.error("unusable words from the table", error=str(error))
        finally:
            if self._feeder is writer:
                self._feeder = None
                _log.warning("the table has gone: dashes")
                self.show(None)
            writer.close()
            del self._talks[writer]
            over.set()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Each word is the whole state; the answer is how the signs are. So neither side can pile
        up more than it was asked for."""
        silent = False
        while True:
            try:
                async with asyncio.timeout(SILENCE_S):
                    line = await reader.readline()
            except TimeoutError:
                if not silent and self._feeder is writer:
                    _log.warning("the table is silent: dashes", after_s=SILENCE_S)
                    self.show(None)
                silent = True
                continue
            if not line.endswith(b"\n") or self._feeder is not writer:
                return
            silent = False
            self.show(_news.decode(line))
            writer.write(msgspec.json.encode(self.statuses()) + b"\n")

    async def last_word(self) -> None:
        """Dashes on every sign whose line is open, within ``LAST_WORD_S``."""
        self.show(None)
        loop = asyncio.get_running_loop()
        end = loop.time() + LAST_WORD_S
        while loop.time() < end and any(w.status.up and not w.is_settled for w in self.writers):
            await asyncio.sleep(LOOK_S)

    async def close(self) -> None:
        """End every conversation."""
        talks = dict(self._talks)
        for writer in talks:
            writer.transport.abort()
        for over in talks.values():
            await over.wait()


@asynccontextmanager
async def sign_watchdog(
    signs: tuple[SignConfig, ...], place: Path, lock_directory: Path = LOCK_DIRECTORY
) -> AsyncIterator[SignWatchdog]:
    """Own the signs, listen at the socket ``place``; at the end write dashes and let go.

    Raises ``Refused``: no folder for the socket, or another watchdog has it.
    """
    watchdog = SignWatchdog(signs, lock_directory)
    with _listening(place) as listener:
        server = await asyncio.start_unix_server(watchdog.talk, sock=listener, limit=LINE_BYTES)
        tasks = [
            asyncio.create_task(keep_going(f"sign {writer.status.name}", writer.run))
            for writer in watchdog.writers
        ]
        try:
            yield watchdog
        finally:
            server.close()
            await watchdog.close()
            await watchdog.last_word()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def _listening(place: Path) -> Iterator[socket.socket]:
    """The socket, for this process alone; a lock file tells a dead owner's socket from a living's."""
    lock = _locked(place.with_suffix(".lock"))
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        place.unlink(missing_ok=True)
        listener.bind(str(place))
        place.chmod(0o600)
        listener.listen(1)
        listener.setblocking(False)
        yield listener
    finally:
        listener.close()
        place.unlink(missing_ok=True)
        os.close(lock)


def _locked(file: Path) -> int:
    if not file.parent.is_dir():
        raise Refused(
            reason="not_installed",
            expected=f"the table's folder {file.parent}",
            found="none",
            to_do="set the table up with `jackpot init` first",
        )
    lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise Refused(
            reason="two_sign_watchdogs",
            expected="one watchdog for the signs of a table",
            found=f"another one has {file}",
            to_do="stop the other one; one looks after all signs of the table",
        ) from error
    return lock


def run_watchdog(
    config: Config, announce: Callable[[str], None], lock_directory: Path = LOCK_DIRECTORY
) -> None:
    """Look after the signs until SIGTERM or SIGINT. Raises ``Refused``."""
    if not config.signs:
        raise Refused(
            reason="no_signs",
            expected="at least one [[signs]] in the configuration",
            found="none",
            to_do="describe the signs, or do without the watchdog",
        )
    asyncio.run(_run(config, announce, lock_directory))


async def _run(config: Config, announce: Callable[[str], None], lock_directory: Path) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    place = config.ledger.signs_socket
    async with sign_watchdog(config.signs, place, lock_directory):
        names = ", ".join(f"{sign.name} at {sign.place}" for sign in config.signs)
        announce(f"ready: signs {names}, socket {place}, pid {os.getpid()}")
        notify("READY=1")
        while not stop.is_set():
            try:
                async with asyncio.timeout(watchdog_interval_s()):
                    await stop.wait()
            except TimeoutError:
                notify("WATCHDOG=1")
        notify("STOPPING=1")
