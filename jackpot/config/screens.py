"""What the section ``[screens]`` says: where they are served, and the adjacent table beside them."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any

from jackpot.config.findings import Finding
from jackpot.config.sections import ScreensConfig


def screens_config(read: dict[str, Any], base: Path) -> ScreensConfig:
    """The section as read; files are relative to the folder ``base``."""
    return ScreensConfig(
        bind=read["bind"],
        port=read["port"],
        language=read["language"],
        time_zone=read["time_zone"],
        session_timeout_s=read["session_timeout_minutes"] * 60,
        tls_cert=None if read["tls_cert"] is None else base / read["tls_cert"],
        tls_key=None if read["tls_key"] is None else base / read["tls_key"],
        neighbour=read["neighbour"],
        neighbour_table=read["neighbour_table"],
    )


def tls_findings(screens: dict[str, Any]) -> list[Finding]:
    """PINs never cross a network in the open."""
    cert, key = screens["tls_cert"], screens["tls_key"]
    if (cert is None) != (key is None):
        return [
            Finding(
                "screens.tls_cert" if cert is None else "screens.tls_key",
                "a certificate and its key together",
                "one of the two",
                "write both or none",
            )
        ]
    if cert is None and not ipaddress.ip_address(screens["bind"]).is_loopback:
        return [
            Finding(
                "screens.bind",
                "127.0.0.1, or tls_cert and tls_key too",
                screens["bind"],
                "PINs must not cross a network in the open: give a certificate",
            )
        ]
    return []


def neighbour_findings(screens: dict[str, Any], own_table: str | None) -> list[Finding]:
    """Whether the adjacent table can stand beside ``own_table``, None where that is unreadable."""
    origin, table = screens["neighbour"], screens["neighbour_table"]
    if (origin is None) != (table is None):
        return [
            Finding(
                "screens.neighbour" if origin is None else "screens.neighbour_table",
                "the address and the number of the adjacent table together",
                "one of the two",
                "write both or none",
                "CAN-3.1",
            )
        ]
    if origin is None:
        return []
    if table == own_table:
        return [
            Finding(
                "screens.neighbour_table",
                "another table than this one",
                repr(table),
                "write the number of the adjacent table",
                "CAN-3.1",
            )
        ]
    scheme = "http" if screens["tls_cert"] is None else "https"
    if not origin.startswith(f"{scheme}://"):
        return [
            Finding(
                "screens.neighbour",
                f"an address with {scheme}, as this table's own",
                repr(origin),
                "serve both tables with certificates, or both on this machine alone",
                "CAN-3.1",
            )
        ]
    return []
