"""The serial port: is it there, is it ours, does anybody else want it?"""

from __future__ import annotations

import fcntl
import grp
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from jackpot.config.sections import SlotsConfig
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.report import How, Line, line

STABLE = ("/dev/serial/by-path/", "/dev/serial/by-id/")
LATENCY_MS_AT_MOST = 2
"""FTDI adapters keep bytes for 16 ms unless told otherwise: most of an acceptor's own answer time."""

OUR_RULE = "72-jackpot-slots.rules"


def port_lines(slots: SlotsConfig, machine: Machine, locks: Path) -> Iterator[Line]:
    """Everything about the port of a configuration."""
    path = slots.port
    yield from serial_lines("port", "slots.port", path, machine)
    if path.exists():
        yield _lock(path, locks)
        yield from _latency(path, machine)
    yield from _others(machine)


def serial_lines(what: str, key: str, path: Path, machine: Machine) -> Iterator[Line]:
    """A serial port that the configuration names under ``key``: stable, there, and ours to use."""
    shown = str(path)
    yield line(
        shown.startswith(STABLE),
        f"{what} name",
        "a stable name below /dev/serial/by-path/",
        shown,
        "an adapter that comes back may be another ttyUSB: `ls -l /dev/serial/by-path`, and write "
        f"that name into {key}",
        How.WARNING,
    )
    there = path.exists()
    to_do = f"plug the adapter in, look at `dmesg`, and correct {key}"
    yield line(there, what, f"a serial port at {shown}", "there" if there else "nothing", to_do)
    if there:
        yield rights_line(what, path, machine)


def rights_line(what: str, path: Path, machine: Machine) -> Line:
    """Whether this user may use a device."""
    status = path.stat()
    try:
        group = grp.getgrgid(status.st_gid).gr_name
    except KeyError:
        group = str(status.st_gid)
    mode = stat.S_IMODE(status.st_mode)
    return line(
        machine.may_use(path),
        f"{what} rights",
        "read and write for this user",
        f"mode {mode:o}, group {group}",
        f"add the daemon's user to the group: `usermod -aG {group} USER`, then log in anew",
    )


def _lock(path: Path, locks: Path) -> Line:
    device = os.path.realpath(path).strip("/").replace("/", "-")
    name = locks / f"jackpot-{device}.lock"
    expected = "nobody, or the running table"
    try:
        with name.open("r+", encoding="ascii", errors="replace") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = file.read(32).strip()
                return Line("port lock", How.OK, expected, f"process {holder} has the port")
    except FileNotFoundError:
        return Line("port lock", How.OK, expected, "nobody has the port")
    except OSError as error:
        return Line(
            "port lock",
            How.FAULT,
            f"a lock file that may be written at {name}",
            str(error),
            "give the daemon's user the right to write there",
        )
    return Line("port lock", How.OK, expected, "nobody has the port")


def _latency(path: Path, machine: Machine) -> Iterator[Line]:
    device = Path(os.path.realpath(path)).name
    told = machine.read(f"/sys/bus/usb-serial/devices/{device}/latency_timer")
    if told is None or not told.strip().isdecimal():
        return
    yield line(
        int(told) <= LATENCY_MS_AT_MOST,
        "latency timer",
        f"at most {LATENCY_MS_AT_MOST} ms",
        f"{told.strip()} ms",
        f"install {OUR_RULE} (config/udev) and plug the adapter in again",
        How.WARNING,
    )


def _others(machine: Machine) -> Iterator[Line]:
    """Programs that take serial ports for modems and Braille displays."""
    running, rules = set(machine.processes()), machine.udev_rules()
    kept_off = any("ID_MM_DEVICE_IGNORE" in rules[name] for name in rules if "jackpot" in name)
    manages = "ModemManager" in running
    yield line(
        kept_off or not manages,
        "ModemManager",
        "not running, or kept off by our udev rule",
        ("running" if manages else "not running") + (", kept off" if kept_off else ""),
        f"install config/udev/{OUR_RULE}: it writes modem commands to the acceptors",
    )
    grabs = any(name.endswith("brltty.rules") and text.strip() for name, text in rules.items())
    brltty = "brltty" in running or grabs
    yield line(
        not brltty,
        "brltty",
        "not running, and no udev rule of it in force",
        "running" if "brltty" in running else "its udev rule" if grabs else "none",
        "`ln -s /dev/null /etc/udev/rules.d/85-brltty.rules` (the name of its rule), and stop it",
        How.FAULT if "brltty" in running else How.WARNING,
    )
