"""``jackpot sign-watchdog``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Mount the command on the command line's app."""
    app.command("sign-watchdog")(sign_watchdog)


def sign_watchdog(
    config: Annotated[Path, typer.Argument(help="The table's configuration (TOML).")],
    log_format: Annotated[
        str, typer.Option("--log-format", help="json, or console for people.")
    ] = "json",
) -> None:
    """Look after the table's text signs, also when the table dies; until SIGTERM or Ctrl-C."""
    from jackpot.config import load_config_file
    from jackpot.daemon.logs import LogFormat, set_up_logs
    from jackpot.daemon.sign_watchdog import run_watchdog

    if log_format not in set(LogFormat):
        raise typer.BadParameter("expected json or console", param_hint="--log-format")
    set_up_logs(LogFormat(log_format))
    run_watchdog(load_config_file(config), announce=typer.echo)
