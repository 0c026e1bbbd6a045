"""``jackpot audit LEDGER…``: the audit room, a read-only site on this machine (docs/audit.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Ledgers = Annotated[list[Path], typer.Argument(metavar="LEDGER…", help="One file per table.")]


def register(app: typer.Typer) -> None:
    """Add the command ``audit`` to an application."""
    app.command("audit")(audit_command)


def audit_command(
    ledgers: Ledgers,
    port: Annotated[int, typer.Option("--port", help="0 is any free port.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
    public_key: Annotated[
        str | None,
        typer.Option("--public-key", help="The key printed at installation (name+id+key)."),
    ] = None,
) -> None:
    """Look at ledgers in a browser: verdict, timeline, every hand as it was. Changes nothing."""
    from jackpot.daemon.audit_room import open_audit_room

    def say(address: str) -> None:
        typer.echo(f"The audit room is at {address}")
        typer.echo("Ctrl+C ends it. It is reached from this machine only, and reads only.")

    open_audit_room(ledgers, port=port, public_key=public_key, browser=not no_browser, say=say)
