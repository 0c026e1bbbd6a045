"""``jackpot certs``: a small private authority, and certificates for brokers, coordinators, tables."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path, typer.Option("--folder", help="The authority's folder; keep it offline.")]
DEFAULT_FOLDER = Path("certs")


def register(app: typer.Typer) -> None:
    """Mount ``certs`` on the command line's app."""
    certs = typer.Typer(help="Certificates for the boxes of a carrusel.", no_args_is_help=True)
    certs.command("new-authority")(new_authority)
    certs.command("issue")(issue)
    certs.command("withdraw")(withdraw)
    certs.command("list")(list_certificates)
    certs.command("access")(access)
    app.add_typer(certs, name="certs")


def new_authority(
    casino: Annotated[str, typer.Argument(help="Whose authority it is, as casino.example.")],
    folder: Folder = DEFAULT_FOLDER,
) -> None:
    """A new authority: its certificate goes to every box, its key to none."""
    from jackpot.daemon.link import certificates

    file = certificates.new_authority(folder, casino, _now())
    typer.echo(f"authority: {file}")


def issue(
    holder: Annotated[str, typer.Argument(help="table, coordinator or broker.")],
    name: Annotated[str, typer.Argument(help="The table's number, or the coordinator's name.")],
    host: Annotated[
        list[str] | None,
        typer.Option("--host", help="A name or address of the broker; give it again for more."),
    ] = None,
    folder: Folder = DEFAULT_FOLDER,
) -> None:
    """A certificate and its key for one box."""
    from jackpot.daemon.link import certificates

    try:
        kind = certificates.Holder(holder)
    except ValueError:
        raise typer.BadParameter("expected table, coordinator or broker") from None
    certificate, key = certificates.issue(folder, kind, name, host or [], _now())
    typer.echo(f"certificate: {certificate}\nkey:         {key}")


def withdraw(
    name: Annotated[str, typer.Argument(help="As `jackpot certs list` shows it, as table-7.")],
    folder: Folder = DEFAULT_FOLDER,
) -> None:
    """Take the certificate of a lost or replaced box back; brokers read the list anew."""
    from jackpot.daemon.link import certificates

    typer.echo(f"withdrawn: {certificates.withdraw(folder, name, _now())}")


def list_certificates(folder: Folder = DEFAULT_FOLDER) -> None:
    """Every certificate, one a line, with its last day."""
    from jackpot.daemon.link import certificates

    for one in certificates.issued(folder):
        state = "withdrawn" if one.withdrawn else "good"
        typer.echo(f"{one.name}\t{one.until.date().isoformat()}\t{state}")


def access(folder: Folder = DEFAULT_FOLDER) -> None:
    """The access list of mosquitto for every box with a good certificate."""
    from jackpot.daemon.link.access_list import access_list

    typer.echo(access_list(folder), nl=False)


def _now() -> datetime:
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.link.certificates import moment

    return moment(SystemClock().wall_ns())
