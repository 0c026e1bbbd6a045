"""A pseudo terminal that stands for the serial adapter, behind a link whose name never changes."""

from __future__ import annotations

import os
import tty
from contextlib import suppress
from pathlib import Path

READ_BYTES = 260  # the longest ccTalk packet


class LinkTakenError(Exception):
    """The link's path exists and is no link: it is somebody's file, and stays as it is."""


class PtyLine:
    """The adapter: ``link`` points to the slave side that the host opens.

    The slave stays open here too, so the host may come and go. ``unplug`` closes both ends (the
    host sees its device vanish) and ``plug`` brings the line back under another device name.
    """

    def __init__(self, link: Path) -> None:
        if link.exists() and not link.is_symlink():
            raise LinkTakenError(
                f"expected {link} to be free or a link, found a file; choose another --link"
            )
        self.link = link
        self.device = ""
        self.lost_bytes = 0  # that nobody read in time: a UART has no patience either
        self._ends: tuple[int, int] | None = None
        self._spare: tuple[int, int] | None = None
        self.plug()

    def plug(self) -> None:
        """Make the line reachable behind the link; nothing happens if it already is."""
        if self._ends is not None:
            return
        self._ends = self._spare or _open_pair()
        self._spare = None
        self.device = os.ttyname(self._ends[1])
        new = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        new.unlink(missing_ok=True)
        new.symlink_to(self.device)
        new.replace(self.link)  # atomic: the name never points to nothing

    def unplug(self) -> None:
        """Pull the adapter out; the next pair is opened first, so that its name differs."""
        if self._ends is None:
            return
        self._spare = _open_pair()
        self._remove_link()
        _close(self._ends)
        self._ends = None

    def close(self) -> None:
        """Everything away, the link included."""
        self._remove_link()
        for pair in (self._ends, self._spare):
            _close(pair)
        self._ends = self._spare = None

    @property
    def is_plugged(self) -> bool:
        """Whether there is a line at all at this moment."""
        return self._ends is not None

    def fileno(self) -> int | None:
        """The end to wait on, or None while unplugged."""
        return self._ends[0] if self._ends else None

    def read(self) -> bytes:
        """What the host has written; empty when there is nothing."""
        if self._ends is None:
            return b""
        try:
            return os.read(self._ends[0], READ_BYTES)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Hand bytes to the host; what finds no room is lost and counted."""
        if self._ends is None:
            self.lost_bytes += len(data)
            return
        try:
            written = os.write(self._ends[0], data)
        except BlockingIOError:
            written = 0
        self.lost_bytes += len(data) - written

    def _remove_link(self) -> None:
        """Only our own: another simulator may have taken the name over."""
        with suppress(FileNotFoundError, OSError):
            if os.readlink(self.link) == self.device:
                self.link.unlink()


def _open_pair() -> tuple[int, int]:
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    return master, slave


def _close(pair: tuple[int, int] | None) -> None:
    for end in pair or ():
        os.close(end)
