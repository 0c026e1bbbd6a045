"""``jackpot coordinator`` and ``jackpot carrusel``: tables that form one prize (CAN-9)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.errors import Refused
from jackpot.law.words import Language

if TYPE_CHECKING:
    from jackpot.config import ScreensConfig
    from jackpot.daemon.link.officers_ask import What
    from jackpot.daemon.link.page.picture import CarruselPicture

CoordinatorFile = Annotated[Path, typer.Argument(help="The coordinator's configuration (TOML).")]
TableFile = Annotated[Path, typer.Argument(help="The table's configuration (TOML).")]
By = Annotated[str, typer.Option("--by", help="A table chief.")]
Second = Annotated[str, typer.Option("--second", help="The games director.")]
PinStdin = Annotated[
    bool,
    typer.Option("--pin-stdin", help="Read the PINs from standard input, one a line, in order."),
]


def register(app: typer.Typer) -> None:
    """Mount both on the command line's app."""
    app.command("coordinator")(coordinator)
    carrusel = typer.Typer(help="Tables that form one prize (CAN-9).", no_args_is_help=True)
    carrusel.command("new")(new)
    carrusel.command("status")(status)
    carrusel.command("members")(members)
    carrusel.command("join")(join)
    carrusel.command("leave")(leave)
    carrusel.command("move")(move)
    app.add_typer(carrusel, name="carrusel")


def coordinator(
    config: CoordinatorFile,
    log_format: Annotated[
        str, typer.Option("--log-format", help="json, or console for people.")
    ] = "json",
) -> None:
    """Run a coordinator of a carrusel until SIGTERM or Ctrl-C."""
    from jackpot.config.coordinator import load_coordinator_file
    from jackpot.daemon.link.process import run_coordinator
    from jackpot.daemon.logs import LogFormat, set_up_logs

    if log_format not in set(LogFormat):
        raise typer.BadParameter("expected json or console", param_hint="--log-format")
    set_up_logs(LogFormat(log_format))
    run_coordinator(load_coordinator_file(config), lambda line: print(line, flush=True))


def new(
    config: CoordinatorFile,
    officer: Annotated[
        list[str], typer.Option(help="id:role, as d1:games_director; two officers at least.")
    ],
    join_log: Annotated[
        bool, typer.Option("--join-log", help="The replicated log is there already.")
    ] = False,
    lang: Annotated[Language, typer.Option("--lang", help="Language of the questions.")] = (
        Language.ES
    ),
    pin_stdin: PinStdin = False,
) -> None:
    """Set a coordinator up: folder, key, officers, log. Prints the public key."""
    from jackpot.commands.init import officers_from
    from jackpot.commands.init_questions import Questions
    from jackpot.config.coordinator import load_coordinator_file
    from jackpot.daemon.link.founding import found_at_once

    loaded = load_coordinator_file(config)
    officers = officers_from(Questions(lang, silent=True, given={}), officer, pin_stdin=pin_stdin)
    key = found_at_once(loaded, officers, new_log=not join_log)
    typer.echo(f"log:        {loaded.log_file}")
    typer.echo(f"public key: {key}")
    typer.echo("Tables may pin it: [carrusel.coordinators] in their configuration.")


def status(
    config: CoordinatorFile,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as one JSON object.")] = False,
) -> None:
    """The carrusel as its running coordinator sees it. Exit status 1 with findings."""
    import msgspec

    picture = _look(config)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(picture), indent=2).decode())
    else:
        for line in _status_lines(picture):
            typer.echo(line)
    if picture.findings or picture.broker_fault or picture.log_fault:
        raise typer.Exit(1)


def members(config: CoordinatorFile) -> None:
    """The tables of a carrusel, one a line: name, state, link, meter, last operation."""
    from jackpot.money import euros_text

    for one in _look(config).members:
        link = "linked" if one.heard else "not heard"
        meter = euros_text(one.meter_cents)
        typer.echo(f"{one.table}\t{one.state}\t{link}\t{meter}\t{one.operation}")


def _status_lines(picture: CarruselPicture) -> list[str]:
    from jackpot.money import euros_text

    total = "not known" if picture.total_cents is None else euros_text(picture.total_cents)
    pending = f", pending: {', '.join(picture.pending)}" if picture.pending else ""
    lines = [
        f"carrusel    {picture.carrusel}, coordinator {picture.coordinator}",
        f"prize       {total}{pending}",
        f"position    {picture.position}, decision {picture.decision}",
        f"broker      {picture.broker_fault or 'fine'}",
        f"log         {picture.log_fault or 'fine'}",
        f"tables      {len(picture.members)}",
    ]
    return [
        *lines,
        *(f"finding     {about}: {found.text()}" for about, found in picture.findings.items()),
    ]


def _look(config: Path) -> CarruselPicture:
    from jackpot.config.coordinator import load_coordinator_file
    from jackpot.daemon.link.page.client import look
    from jackpot.daemon.technician.client import NotRunning

    screens = load_coordinator_file(config).screens
    try:
        return look(screens)
    except NotRunning as error:
        raise _not_running("a running coordinator", screens, error) from error


def join(
    table: TableFile,
    by: By,
    second: Second,
    authorisation: Annotated[str, typer.Option(help="Number of the carrusel's authorisation.")],
    pin_stdin: PinStdin = False,
) -> None:
    """Two officers link a running table's jackpot to the carrusel of its configuration."""
    from jackpot.daemon.link.officers_ask import What

    _ask(table, What.JOIN, by, second, authorisation, pin_stdin=pin_stdin)


def leave(
    table: TableFile,
    by: By,
    second: Second,
    why: Annotated[str, typer.Option(help="Why the table leaves.")],
    pin_stdin: PinStdin = False,
) -> None:
    """Two officers take a running table out of its carrusel, with its own meter."""
    from jackpot.daemon.link.officers_ask import What

    _ask(table, What.LEAVE, by, second, why, pin_stdin=pin_stdin)


def _ask(file: Path, what: What, by: str, second: str, text: str, *, pin_stdin: bool) -> None:
    from jackpot.config import load_config_file
    from jackpot.daemon.link.officers_ask import Asked, ask_table
    from jackpot.daemon.technician.client import NotRunning

    config = load_config_file(file)
    if config.carrusel is None:
        raise Refused(
            reason="no_carrusel",
            expected=f"a section [carrusel] in {file}",
            found="none",
            to_do="write which carrusel and which broker, and start the table again",
            rule="CAN-9",
        )
    pins = _pins((by, second), from_stdin=pin_stdin)
    asked = Asked(what, config.carrusel.id, by, pins[0], second, pins[1], text)
    try:
        ask_table(config.screens, asked)
    except NotRunning as error:
        raise _not_running("a running table", config.screens, error) from error
    typer.echo("signed; the carrusel answers on the table's screens")


def move(
    old: Annotated[Path, typer.Argument(help="The coordinator's configuration until now.")],
    new: Annotated[Path, typer.Argument(help="The same with the other log.")],
) -> None:
    """Move a carrusel's log to another store while no coordinator runs."""
    from jackpot.config.coordinator import load_coordinator_file
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.link.moving import move_at_once

    pair = load_coordinator_file(old), load_coordinator_file(new)
    position = move_at_once(*pair, SystemClock().wall_ns())
    typer.echo(f"moved: it goes on at position {position}; start `jackpot coordinator {new}`")


def _pins(officers: tuple[str, str], *, from_stdin: bool) -> list[str]:
    if not from_stdin:
        return [str(typer.prompt(f"PIN of {name}", hide_input=True)) for name in officers]
    lines = sys.stdin.read().split()
    if len(lines) != len(officers):
        raise Refused(
            reason="pin_missing",
            expected="one PIN a line on standard input: --by, then --second",
            found=f"{len(lines)} lines",
            to_do="give both in this order",
        )
    return lines


def _not_running(expected: str, screens: ScreensConfig, error: Exception) -> Refused:
    return Refused(
        reason="not_running",
        expected=f"{expected} at {screens.bind} port {screens.port}",
        found=str(error),
        to_do="run this on its own machine, while it runs",
    )
