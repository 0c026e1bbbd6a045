"""The little of systemd's notification protocol that a service needs (sd_notify(3))."""

from __future__ import annotations

import contextlib
import os
import socket


def notify(message: str) -> bool:
    """Tell the service manager ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1``; False without one."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]  # the abstract name space
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(message.encode(), address)
        return True
    return False


def watchdog_interval_s() -> float | None:
    """Half of the time after which the service manager would start us again; None: it does not."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 2_000_000 if microseconds.isdecimal() else None
