"""What hangs outside the box: text signs with their watchdog, lamps."""

from __future__ import annotations

import fcntl
import socket
from collections.abc import Iterator

from jackpot.config import Config, LampsConfig, SignConfig
from jackpot.config.sections import LedgerConfig
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.port import rights_line, serial_lines
from jackpot.daemon.doctor.report import How, Line, line

CONNECT_S = 2.0
"""A person waits for the whole list."""


def outside_lines(config: Config, machine: Machine) -> Iterator[Line]:
    """Signs and lamps, if the configuration has any."""
    if config.signs:
        watched = _is_watched(config.ledger)
        yield line(
            watched,
            "sign watchdog",
            "running: without it the signs keep what they showed last",
            "running" if watched else "not running",
            "start `jackpot sign-watchdog` as a service",
            How.WARNING,
        )
        for sign in config.signs:
            yield from _sign_lines(sign, machine, watched=watched)
    if config.lamps is not None:
        yield _chip_line(config.lamps, machine)


def _is_watched(place: LedgerConfig) -> bool:
    """Whether a watchdog holds its lock. Its socket is not tried: it would take us for the table."""
    try:
        with place.signs_socket.with_suffix(".lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _sign_lines(sign: SignConfig, machine: Machine, *, watched: bool) -> Iterator[Line]:
    what = f"sign {sign.name}"
    if sign.port is not None:
        yield from serial_lines(what, "its [[signs]] port", sign.port, machine)
        return
    expected = f"an adapter that takes a connection at {sign.place}"
    if watched:
        # Most adapters take one connection, and the watchdog has it.
        yield Line(what, How.OK, expected, f"left to the watchdog, at {sign.place}")
        return
    try:
        socket.create_connection((sign.host, sign.tcp_port), CONNECT_S).close()
    except OSError as error:
        to_do = "look at its power and cable, `ping` it, and correct its [[signs]] address"
        yield Line(what, How.FAULT, expected, str(error), to_do)
        return
    yield Line(what, How.OK, expected, f"answers at {sign.place}")


def _chip_line(lamps: LampsConfig, machine: Machine) -> Line:
    if lamps.chip.exists():
        return rights_line("lamps", lamps.chip, machine)
    expected, to_do = f"a GPIO chip at {lamps.chip}", "correct lamps.chip: `gpiodetect` lists them"
    return Line("lamps", How.FAULT, expected, "none", to_do)
