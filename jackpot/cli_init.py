"""``jackpot init``: the few questions of a new table, its configuration, key, ledger, first officers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.errors import Refused

if TYPE_CHECKING:
    from jackpot.daemon.install import NewOfficer

CONFIG_FILE = "table.toml"


def register(app: typer.Typer) -> None:
    """Mount the command on the command line's app."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(help="A new folder for everything of this table.")],
    casino_name: Annotated[str | None, typer.Option(help="Name of the casino.")] = None,
    casino_id: Annotated[str | None, typer.Option(help="Its id, as casino.example.")] = None,
    table: Annotated[str | None, typer.Option(help="Number of the table.")] = None,
    layout: Annotated[str | None, typer.Option(help="Number of the layout.")] = None,
    minimum: Annotated[str | None, typer.Option(help="Table minimum in euros.")] = None,
    bet: Annotated[str | None, typer.Option(help="Jackpot bet in euros.")] = None,
    percentage: Annotated[str | None, typer.Option(help="Share of a bet, in percent.")] = None,
    seed: Annotated[str | None, typer.Option(help="Starting amount in euros.")] = None,
    authorisation: Annotated[str | None, typer.Option(help="Number of the authorisation.")] = None,
    port: Annotated[str | None, typer.Option(help="Serial port of the slots.")] = None,
    officer: Annotated[
        list[str] | None, typer.Option(help="id:role, as c1:croupier; for each first officer.")
    ] = None,
    pin_stdin: Annotated[
        bool, typer.Option("--pin-stdin", help="Read one PIN a line for each --officer.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; take the defaults.")] = False,
) -> None:
    """Set up a new table: configuration, signing key, ledger, officers. Prints the public key."""
    from jackpot.config import load_config
    from jackpot.config.template import Answers, config_text
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.install import check_officers, install
    from jackpot.money import cents_from_text

    name_text = _asked(casino_name, "Name of the casino", None, yes, "--casino-name")
    id_text = _asked(casino_id, "Id, as casino.example", None, yes, "--casino-id")
    table_text = _asked(table, "Number of the table", "1", yes, "--table")
    layout_text = _asked(layout, "Number of the layout", "1", yes, "--layout")
    minimum_text = _asked(minimum, "Table minimum in euros", None, yes, "--minimum")
    bet_text = _asked(bet, "Jackpot bet in euros", None, yes, "--bet")
    answers = Answers(
        bet_cents=cents_from_text(bet_text),
        casino_name=name_text,
        casino_id=id_text,
        table=table_text,
        layout=layout_text,
        minimum_cents=cents_from_text(minimum_text),
        percentage=_asked(percentage, "Share of a bet in percent", None, yes, "--percentage"),
        seed_cents=cents_from_text(
            _asked(seed, "Starting amount in euros", _least_seed(bet_text), yes, "--seed")
        ),
        authorisation=_asked(authorisation, "Authorisation", None, yes, "--authorisation"),
        port=_asked(port, "Serial port (/dev/serial/by-path/...)", None, yes, "--port"),
    )
    text = config_text(answers)
    config = load_config(text, folder)
    file = folder / CONFIG_FILE
    if file.exists():
        raise _there(file)
    officers = _officers(officer, pin_stdin=pin_stdin, yes=yes)
    check_officers(officers)
    folder.mkdir(parents=True, exist_ok=True)
    public_key = install(config, officers, SystemClock().wall_ns())
    file.write_text(text, encoding="utf-8")
    _tell(file, config.ledger.file, public_key)


def _tell(file: Path, ledger: Path, public_key: str) -> None:
    typer.echo(f"configuration: {file}")
    typer.echo(f"ledger:        {ledger}")
    typer.echo(f"public key:    {public_key}")
    typer.echo("Keep the public key apart: it proves later that the ledger was not rewritten.")
    typer.echo(f"Start the table: jackpot run {file}")


def _asked(given: str | None, question: str, default: str | None, yes: bool, option: str) -> str:
    """The option, else the answer of the person at the terminal, else the default."""
    if given is not None:
        return given
    if not yes:
        return str(typer.prompt(question, default=default, value_proc=_checked(question)))
    if default is None:
        raise Refused(
            reason="answer_missing",
            expected=f"{option}, for which there is no lawful default",
            found="nothing",
            to_do="give the option, or leave --yes out and be asked",
        )
    return default


def _checked(question: str) -> Callable[[str], str]:
    """A bad amount or percentage is asked for again at once."""
    from jackpot.money import cents_from_text, ppm_from_percent_text

    def check(answer: str) -> str:
        try:
            if "in euros" in question:
                cents_from_text(answer)
            elif "in percent" in question:
                ppm_from_percent_text(answer)
        except Refused as refused:
            raise typer.BadParameter(f"{refused.expected}; {refused.found}") from refused
        return answer

    return check


def _least_seed(bet: str) -> str:
    """5,000 bets: the least that CAN-8.b allows."""
    from jackpot.money import cents_from_text, euros_text

    return euros_text(cents_from_text(bet) * 5_000)


_FIRST_OFFICERS = ("croupier", "table_chief", "games_director")


def _officers(given: list[str] | None, *, pin_stdin: bool, yes: bool) -> list[NewOfficer]:
    """The first officers with their PINs: from the options, or one of each role by questions."""
    if not given:
        if yes:
            raise Refused(
                reason="answer_missing",
                expected="--officer id:role for a croupier and a table chief at least",
                found="nothing",
                to_do="name the first officers",
                rule="CAN-3.1",
            )
        given = [
            f"{typer.prompt('Staff number of the first ' + role.replace('_', ' '))}:{role}"
            for role in _FIRST_OFFICERS
        ]
    return officers_from(given, pin_stdin=pin_stdin)


def officers_from(given: list[str], *, pin_stdin: bool) -> list[NewOfficer]:
    """Officers written as id:role, with their PINs from the terminal or from standard input."""
    lines = sys.stdin.read().split() if pin_stdin else None
    return [
        _officer(text, None if lines is None else lines[place : place + 1])
        for place, text in enumerate(given)
    ]


def _officer(text: str, pin: list[str] | None) -> NewOfficer:
    from jackpot.authority.roles import Role
    from jackpot.daemon.install import NewOfficer

    name, _, roles = text.partition(":")
    wanted = roles.split("+")
    if not set(wanted) <= set(Role):
        raise Refused(
            reason="unknown_role",
            expected=f"id:role with one of {', '.join(Role)}",
            found=repr(text),
            to_do="write the officer again; several roles are joined with +",
        )
    if pin is None:
        pin = [str(typer.prompt(f"PIN of {name}", hide_input=True, confirmation_prompt=True))]
    if not pin:
        raise Refused(
            reason="pin_missing",
            expected="one PIN a line for each officer on standard input",
            found=f"none for {name}",
            to_do="give as many PINs as officers, in their order",
        )
    return NewOfficer(name, tuple(map(Role, wanted)), pin[0])


def _there(file: Path) -> Refused:
    return Refused(
        reason="already_installed",
        expected="a new folder",
        found=str(file),
        to_do="run it with `jackpot run`, or choose another folder",
    )
