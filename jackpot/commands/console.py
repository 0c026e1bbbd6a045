"""``jackpot console``: the table's console in a terminal, for instance over SSH."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jackpot.errors import Refused


def register(app: typer.Typer) -> None:
    """Mount the command on the command line's app."""
    app.command("console")(console)


def console(
    config: Annotated[
        Path | None, typer.Argument(help="The table's configuration: where its screens are.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="The screens of a running table, as http://127.0.0.1:8080/.")
    ] = None,
) -> None:
    """The console of a running table in this terminal: the same keys, words and acts."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            reason="no_terminal",
            expected="a terminal with a keyboard",
            found="a pipe or a file",
            to_do="run it in a terminal; over SSH with `ssh -t`",
        )
    address, certificate = screens_address(config, url)
    from jackpot.terminal.app import TerminalConsole
    from jackpot.terminal.line import Line

    TerminalConsole(Line(address, certificate)).run()


def screens_address(config: Path | None, url: str | None) -> tuple[str, Path | None]:
    """Where the screens are, and the certificate that they show."""
    from jackpot.config import load_config_file

    screens = None if config is None else load_config_file(config).screens
    if url is None and (screens is None or not screens.port):
        raise Refused(
            reason="no_address",
            expected="a configuration with the port of its screens, or --url",
            found="neither" if screens is None else "port 0, which is any free one",
            to_do="give --url with the address that `jackpot run` printed",
        )
    certificate = None if screens is None else screens.tls_cert
    if url is not None or screens is None:
        return url or "", certificate
    scheme = "http" if certificate is None else "https"
    host = f"[{screens.bind}]" if ":" in screens.bind else screens.bind
    return f"{scheme}://{host}:{screens.port}/", certificate
