"""A disk that loses power: what a trace left durable, and the images that a crash may leave.

The model is harsher than most file systems: until a file is synced, each 512-byte sector written
to it is kept or lost on its own; until its folder is synced, a new name, a removed or a changed
one may be undone (in order: names are journalled). Size changes that nobody synced may be lost.
"""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR_BYTES = 512

START, OPEN, CLOSE, WRITE, TRUNCATE, SYNC, UNLINK, RENAME, MARK = range(1, 10)

_HEAD = struct.Struct("5q")

Keep = Callable[[], bool]
"""Asked once for every sector, size change and name change that is not durable."""


class Step(NamedTuple):
    """One recorded operation."""

    what: int
    fd: int
    offset: int
    flags: int
    content: bytes


def steps(trace: Path) -> list[Step]:
    """The records of ``shim.c``."""
    content = trace.read_bytes()
    found, at = [], 0
    while at < len(content):
        what, fd, offset, flags, length = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        found.append(Step(what, fd, offset, flags, content[at : at + length]))
        at += length
    return found


@dataclass
class _File:
    """Its durable content, and the writes (offset, bytes) and sizes (None) since the last sync."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        self.durable = self.image(lambda: True)
        self.pending.clear()

    def image(self, keep: Keep) -> bytearray:
        content = bytearray(self.durable)
        for offset, data in self.pending:
            if data is None:
                if keep():
                    content[offset:] = bytes(max(0, offset - len(content)))
                continue
            for start, sector in _sectors(offset, data):
                if keep():
                    content.extend(bytes(max(0, start - len(content))))
                    content[start : start + len(sector)] = sector
        return content


def _sectors(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    at = offset
    end = offset + len(data)
    while at < end:
        stop = min(end, (at // SECTOR_BYTES + 1) * SECTOR_BYTES)
        yield at, data[at - offset : stop - offset]
        at = stop


_Names = dict[str, _File]


class Disk:
    """The files of one folder, as far as a trace was played. While it ``lies``, no sync counts."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self.lies = False
        self._live: _Names = {}
        self._durable: _Names = {}
        self._renames: list[Callable[[_Names], None]] = []
        self._open: dict[int, _File | None] = {}
        self._from = ""
        self.marks: list[str] = []

    def play(self, step: Step) -> None:
        """One more operation."""
        if step.what == MARK:
            self.marks.append(step.content.decode())
        elif step.what == START:
            self._open.clear()
        elif step.what == OPEN:
            self._opened(step)
        elif step.what == CLOSE:
            self._open.pop(step.fd, None)
        elif step.what == SYNC:
            self._synced(step)
        elif step.what in (UNLINK, RENAME):
            self._renamed(step)
        else:
            file = self._open.get(step.fd)
            if file is not None:
                data = step.content if step.what == WRITE else None
                file.pending.append((step.offset, data))

    def _opened(self, step: Step) -> None:
        path = step.content.decode()
        if path.rstrip("/") == self._folder:
            self._open[step.fd] = None
            return
        if path not in self._live:
            file = _File()
            self._change(lambda names: names.update({path: file}))
        file = self._live[path]
        if step.flags & os.O_TRUNC:
            file.pending.append((0, None))
        self._open[step.fd] = file

    def _synced(self, step: Step) -> None:
        if self.lies or step.fd not in self._open:
            return
        file = self._open[step.fd]
        if file is not None and step.flags:
            file.pending.clear()  # a failed sync: the pages count as clean, and never get written
        elif file is not None:
            file.sync()
        if file is not None:
            return
        self._durable = dict(self._live)
        self._renames.clear()

    def _renamed(self, step: Step) -> None:
        path = step.content.decode()
        if step.what == UNLINK:
            self._change(lambda names: names.pop(path, None))
        elif step.flags == 0:
            self._from = path
        else:
            old = self._from
            self._change(lambda names: names.update({path: names.pop(old)}))

    def _change(self, change: Callable[[_Names], object]) -> None:
        change(self._live)
        self._renames.append(change)  # type: ignore[arg-type]

    def crash(self, keep: Keep) -> dict[str, bytes]:
        """One set of files that a power cut at this moment may leave, by name."""
        names = dict(self._durable)
        for change in self._renames:
            if not keep():
                break
            change(names)
        return {
            Path(path).name: bytes(file.image(keep))
            for path, file in names.items()
            if not path.endswith("-shm")  # shared memory: it is rebuilt after a restart
        }


def ways(seed: int) -> Iterator[tuple[str, Keep]]:
    """How much of what was not synced survives: nothing, all, and torn mixtures of it."""
    yield "nothing", lambda: False
    yield "all", lambda: True
    for percent in (50, 90):
        chance = random.Random(f"{seed} {percent}")
        yield f"{percent} % of it", lambda chance=chance, p=percent: chance.randrange(100) < p  # type: ignore[misc]
