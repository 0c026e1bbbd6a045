"""``jackpot doctor``: what is wrong with this installation, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Mount ``doctor`` on the command line's app."""
    app.command("doctor")(doctor)


def doctor(
    config: Annotated[
        Path, typer.Argument(help="The configuration of a table or a coordinator (TOML).")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Answer as one JSON object.")] = False,
) -> None:
    """Look at everything a technician would: port, rivals, clock, disk, record, keys, screens; of a
    coordinator: clock, disk, log, cluster, broker, certificates, page.

    Changes nothing, also beside one that runs. Exit status 1 if there is a fault.
    """
    import msgspec

    from jackpot.daemon.doctor.examine import examine, worst
    from jackpot.daemon.doctor.report import How

    lines = examine(config)
    how = worst(lines)
    if as_json:
        answer = msgspec.json.encode({"worst": how, "lines": lines})
        typer.echo(msgspec.json.format(answer, indent=2).decode())
    else:
        for one in lines:
            typer.echo(one.text())
    if how is How.FAULT:
        raise typer.Exit(1)
