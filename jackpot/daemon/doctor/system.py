"""Clock, disk, record, keys, screens."""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from jackpot.authority.enough import lacking
from jackpot.config import Config
from jackpot.config.sections import ScreensConfig
from jackpot.daemon.doctor.certificates import certificate_lines
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.report import How, Line, line
from jackpot.daemon.officer_book import OfficerBook
from jackpot.daemon.technician.client import NotRunning, look
from jackpot.daemon.technician.pages import NO_SLOTS
from jackpot.daemon.watches import free_bytes
from jackpot.errors import JackpotError, Refused
from jackpot.ledger.connection import sqlite_version
from jackpot.ledger.keys import load_key
from jackpot.ledger.read import Reader
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES

SQLITE_AT_LEAST = (3, 37, 0)
"""STRICT tables, which the ledger is made of."""

GOOD_FILE_SYSTEMS = frozenset({"ext4", "ext3", "xfs", "btrfs", "f2fs", "zfs"})
"""Journalled, with locks and shared memory."""

BAD_FILE_SYSTEMS = frozenset({"vfat", "exfat", "tmpfs", "nfs", "nfs4", "cifs", "fuseblk", "9p"})
"""No journal, no locks, or gone at the next start."""

_STA_UNSYNC = 0x40
_TIMEX_WORDS = 64
_STATUS_AT = 5
"""``struct timex`` of Linux: modes, offset, freq, maxerror, esterror, status, in longs."""


def clock_line(machine: Machine) -> Line:
    """Times in the ledger are for people; a clock that runs free tells them wrongly."""
    told = machine.output("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if told is not None and told.strip() in ("yes", "no"):
        synchronised, how = told.strip() == "yes", "timedatectl"
    else:
        synchronised, how = _kernel_synchronised(), "the kernel (adjtimex)"
    return line(
        synchronised,
        "clock",
        "synchronised",
        f"{'synchronised' if synchronised else 'running free'}, says {how}",
        "enable a time service: `timedatectl set-ntp true`, or chrony with the casino's server",
        How.WARNING,
    )


def _kernel_synchronised() -> bool:
    buffer = (ctypes.c_long * _TIMEX_WORDS)()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(buffer)) < 0:
        return False
    return not buffer[_STATUS_AT] & _STA_UNSYNC


def disk_lines(folder: Path, least_bytes: int, machine: Machine, set_up: str) -> Iterator[Line]:
    """Room and kind of the disk that holds the record; ``set_up`` says how a missing folder is made."""
    if not folder.is_dir():
        yield Line("record folder", How.FAULT, f"a folder at {folder}", "none", set_up)
        return
    left = free_bytes(folder)
    yield line(
        left >= least_bytes,
        "disk room",
        f"at least {least_bytes >> 20} MiB",
        f"{left >> 20} MiB free",
        "make room: old snapshots, logs",
    )
    kind = file_system(folder, machine)
    yield line(
        kind in GOOD_FILE_SYSTEMS,
        "file system",
        "a journalling one such as ext4",
        kind,
        "keep the record on a local disk with ext4 or the like",
        How.FAULT if kind in BAD_FILE_SYSTEMS else How.WARNING,
    )


def file_system(folder: Path, machine: Machine) -> str:
    """The kind of the file system that holds ``folder``, by the longest mount point above it."""
    found, longest = "unknown", -1
    whole = os.path.realpath(folder)
    for entry in (machine.read("/proc/self/mountinfo") or "").splitlines():
        fields = entry.split(" ")
        if "-" not in fields or len(fields) < 7:
            continue
        point, kind = fields[4], fields[fields.index("-") + 1]
        inside = whole == point or whole.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:
            found, longest = kind, len(point)
    return found


def sqlite_line() -> Line:
    """The library that every record is written with."""
    version = sqlite_version()
    shown = ".".join(map(str, version))
    least = ".".join(map(str, SQLITE_AT_LEAST))
    good = version >= SQLITE_AT_LEAST
    return line(good, "SQLite", f"{least} or later", shown, "update the system")


def record_lines(config: Config) -> Iterator[Line]:
    """SQLite, the ledger, its key, the officer book."""
    yield sqlite_line()
    if not config.ledger.folder.is_dir():
        return  # said already: there is no table yet
    yield _ledger(config)
    yield signing_key_line(config.ledger.key_file)
    yield private_line("officer book", config.ledger.officers_file)
    yield from _enough_officers(config.ledger.officers_file)


def _ledger(config: Config) -> Line:
    expected = f"the ledger of {config.origin}"
    try:
        with Reader(config.ledger.file, {**FACTS, **OUTCOMES}) as reader:
            origin, head = reader.about.get("origin", "no name"), reader.head()
    except (JackpotError, OSError) as error:
        found = error.found if isinstance(error, Refused) else str(error)
        return Line("ledger", How.FAULT, expected, found, "`jackpot restore` a snapshot")
    return line(
        origin == config.origin,
        "ledger",
        expected,
        f"{origin}, {head.batch} batches",
        "check casino.id, table.number, table.layout and ledger.dir",
    )


def signing_key_line(path: Path) -> Line:
    """The key that signs the record."""
    name, expected = "signing key", "a private key for its owner alone"
    try:
        load_key(path)
    except Refused as refused:
        return Line(name, How.FAULT, refused.expected, refused.found, refused.to_do)
    return Line(name, How.OK, expected, "there, for its owner alone")


def private_line(name: str, path: Path) -> Line:
    """A file that its owner alone may read; otherwise nothing starts with it."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as error:
        found, to_do = error.strerror or str(error), "add officers first: `jackpot officers add`"
        return Line(name, How.FAULT, f"a file at {path}", found, to_do)
    return line(
        not mode & 0o077, name, "mode 600", f"mode {mode:o}", f"chmod 600 {path}", How.FAULT
    )


def _enough_officers(path: Path) -> Iterator[Line]:
    """Whether those on the list can sign what one alone may not; an unreadable book is told above."""
    with contextlib.suppress(Refused):
        lack = lacking(OfficerBook.open(path).roles())
        yield line(
            not lack,
            "officers",
            "enough different people for everything that two or three sign",
            "enough" if not lack else f"too few for {', '.join(lack)}",
            "add some with `jackpot officers add`",
            How.WARNING,
        )


def screen_lines(screens: ScreensConfig) -> Iterator[Line]:
    """The address, and the certificate if there is one."""
    where = f"{screens.bind}:{screens.port}"
    expected = f"{where} free, or the running table on it"
    try:
        look(screens)
        yield Line("screens", How.OK, expected, "the running table")
    except Refused as refused:
        if refused.reason == NO_SLOTS:  # a table in manual mode has none to tell of
            yield Line("screens", How.OK, expected, "the running table")
        else:
            yield Line("screens", How.FAULT, expected, refused.found, refused.to_do)
    except NotRunning:
        yield free_line("screens", screens.bind, screens.port, expected)
    if screens.tls_cert is not None and screens.tls_key is not None:
        yield from certificate_lines("screens", screens.tls_cert, screens.tls_key)


def free_line(name: str, host: str, port: int, expected: str) -> Line:
    """Nobody else listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return Line(
                name,
                How.FAULT,
                expected,
                str(error),
                f"stop the other program, or change the address of the {name} in the configuration",
            )
    return Line(name, How.OK, expected, "free")
