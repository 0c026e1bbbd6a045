"""One serial port in the event loop: never blocks, never shares, notices when it is gone, and comes
back by itself. No threads.

The path should be a stable one (``/dev/serial/by-path/...``): an adapter that comes back may be
another ``ttyUSB``. Three locks keep a second program out: ``TIOCEXCL`` (which root walks past),
``flock`` on the device (pyserial's ``exclusive``), and a lock file named after the resolved device.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import termios
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import serial

from jackpot.errors import JackpotError, Refused

READ_BYTES = 4096
"""One read: what the kernel's own buffer of a tty holds."""

WRITE_QUEUE_BYTES = 4096
"""Half duplex sends one frame of at most 260 bytes at a time; more waiting than this means that
the port swallows nothing any more."""

REOPEN_FIRST_S = 0.25
REOPEN_LAST_S = 0.5
"""A vanished adapter is looked for after 0.25 s, then every 0.5 s: the table reads again within two
seconds of the plug, and looking costs one failed open."""

LOCK_DIRECTORY = Path("/run/lock")

_LATER = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EINTR})


class Framing(NamedTuple):
    """How a byte is framed on the line: data bits and parity, always one stop bit."""

    data_bits: int = serial.EIGHTBITS
    parity: str = serial.PARITY_NONE


SEVEN_EVEN = Framing(serial.SEVENBITS, serial.PARITY_EVEN)


class LineGone(JackpotError):
    """The port cannot be opened now, or went away."""


class SerialLine:
    """``on_bytes(data)`` gets what arrives, ``on_lost(reason)`` is called once per loss and
    ``on_restored()`` when the same path is open again. All are called in the event loop.
    """

    def __init__(
        self,
        path: str,
        baud: int,
        on_bytes: Callable[[bytes], None],
        on_lost: Callable[[str], None],
        *,
        on_restored: Callable[[], None] = lambda: None,
        lock_directory: Path = LOCK_DIRECTORY,
        framing: Framing = Framing(),  # noqa: B008 - immutable
    ) -> None:
        self.path = path
        self._baud = baud
        self._framing = framing
        self._on_bytes, self._on_lost, self._on_restored = on_bytes, on_lost, on_restored
        self._lock_directory = lock_directory
        self._port: serial.Serial | None = None
        self._lock_fd: int | None = None
        self._queue = bytearray()
        self._reopen: asyncio.TimerHandle | None = None
        self._reopen_s = REOPEN_FIRST_S
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether bytes can go both ways now."""
        return self._port is not None

    @property
    def waiting_bytes(self) -> int:
        """What the port has not taken yet."""
        return len(self._queue)

    def open(self) -> None:
        """Open the port; call it in the event loop.

        Raises ``Refused`` if another program has the port, ``LineGone`` if there is none.
        """
        self._lock_fd = self._lock()
        try:
            self._port = _open_port(self.path, self._baud, self._framing)
        except BaseException:
            self._unlock()
            raise
        self._reopen_s = REOPEN_FIRST_S
        asyncio.get_running_loop().add_reader(self._port.fileno(), self._readable)

    def open_when_there(self) -> None:
        """Open the port now, or as soon as it is there. Raises ``Refused`` as ``open`` does."""
        try:
            self.open()
        except LineGone:
            self._arm_reopen()

    def write(self, data: bytes) -> None:
        """Send; what the port does not take at once waits. On a lost line it is dropped: a request
        that could not be asked is asked anew."""
        if self._port is None:
            return
        self._queue += data
        if len(self._queue) > WRITE_QUEUE_BYTES:
            self._lose(f"the port takes no bytes: {len(self._queue)} are waiting")
            return
        self._writable()

    def close(self) -> None:
        """Let go of the port, at once: nothing waits for bytes that nobody takes."""
        self._closed = True
        if self._reopen is not None:
            self._reopen.cancel()
            self._reopen = None
        self._let_go()

    def _readable(self) -> None:
        port = self._port
        if port is None:
            return
        try:
            data = os.read(port.fileno(), READ_BYTES)
        except OSError as error:
            if error.errno not in _LATER:
                self._lose(f"reading failed: {error}")
            return
        if data:
            self._on_bytes(data)
        else:
            self._lose("end of file: the adapter was unplugged")

    def _writable(self) -> None:
        port = self._port
        if port is None:
            return
        loop = asyncio.get_running_loop()
        try:
            sent = os.write(port.fileno(), self._queue) if self._queue else 0
        except OSError as error:
            if error.errno not in _LATER:
                self._lose(f"writing failed: {error}")
                return
            sent = 0
        del self._queue[:sent]
        if self._queue:
            loop.add_writer(port.fileno(), self._writable)
        else:
            loop.remove_writer(port.fileno())

    def _lose(self, reason: str) -> None:
        self._let_go()
        self._arm_reopen()
        self._on_lost(f"{self.path}: {reason}")

    def _arm_reopen(self) -> None:
        if self._closed:
            return
        self._reopen = asyncio.get_running_loop().call_later(self._reopen_s, self._try_again)
        self._reopen_s = min(2 * self._reopen_s, REOPEN_LAST_S)

    def _try_again(self) -> None:
        self._reopen = None
        try:
            self.open()
        except (LineGone, Refused):
            # Refused: another program was quicker; it may let go again.
            self._arm_reopen()
            return
        self._on_restored()

    def _let_go(self) -> None:
        port, self._port = self._port, None
        self._queue.clear()
        if port is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(port.fileno())
            loop.remove_writer(port.fileno())
            _close_port(port)
        self._unlock()

    def _lock(self) -> int:
        device = os.path.realpath(self.path).strip("/").replace("/", "-")
        name = self._lock_directory / f"jackpot-{device}.lock"
        try:
            self._lock_directory.mkdir(parents=True, exist_ok=True)
            fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise Refused(
                reason="no_lock_file",
                expected=f"a lock file that may be written at {name}",
                found=str(error),
                to_do="give the daemon's user the right to write there, or name another directory",
            ) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(fd, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(fd)
            found = f"process {holder}, a running table or another jackpot command, holds {name}"
            raise _taken(self.path, found) from error
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode("ascii"))
        return fd

    def _unlock(self) -> None:
        # The file stays: removing it would let two programs lock two files of one name.
        fd, self._lock_fd = self._lock_fd, None
        if fd is not None:
            os.close(fd)


def _taken(path: str, found: str) -> Refused:
    return Refused(
        reason="port_taken",
        expected=f"{path} for this program alone",
        found=found,
        to_do="end the other program first (ModemManager and brltty are kept off by the udev rule)",
    )


def _open_port(path: str, baud: int, framing: Framing) -> serial.Serial:
    if os.path.realpath(path).startswith("/dev/pts/"):
        framing = Framing()  # a pseudo terminal frames nothing, and refuses to be asked for it
    try:
        port = serial.Serial(path, baud, *framing, timeout=0, write_timeout=0, exclusive=True)
    except (serial.SerialException, termios.error, OSError, ValueError) as error:
        if getattr(error, "errno", None) in (errno.EBUSY, errno.EAGAIN) or (
            "exclusively lock" in str(error)
        ):
            raise _taken(path, str(error)) from error
        raise LineGone(f"cannot open {path}: {error}") from error
    with contextlib.suppress(OSError):
        fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
    # An FTDI adapter keeps bytes back for up to 16 ms unless asked; others do not know the wish.
    with contextlib.suppress(OSError, ValueError, AttributeError, NotImplementedError):
        port.set_low_latency_mode(True)
    return port


def _close_port(port: serial.Serial) -> None:
    # Without the flush the kernel's close could wait 30 s for bytes that the adapter never takes.
    with contextlib.suppress(termios.error, OSError):
        fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
        termios.tcflush(port.fileno(), termios.TCIOFLUSH)
    with contextlib.suppress(serial.SerialException, OSError):
        port.close()
