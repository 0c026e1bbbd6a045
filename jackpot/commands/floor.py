"""``jackpot simulate-floor``: a whole carrusel under every fault, from one seed."""

from __future__ import annotations

from typing import Annotated

import typer

from jackpot.errors import Refused

MOST_TABLES = 64
MOST_COORDINATORS = 8
MOST_HANDS = 1_000_000


def register(app: typer.Typer) -> None:
    """Add ``simulate-floor`` to the command line."""
    app.command("simulate-floor")(simulate_floor)


def simulate_floor(
    tables: Annotated[int, typer.Option(help="Tables of the carrusel.")] = 8,
    hands: Annotated[int, typer.Option(help="Hands to play, of all tables together.")] = 1_600,
    seed: Annotated[int, typer.Option(help="The same seed plays the same evening again.")] = 1,
    faults: Annotated[
        str,
        typer.Option(help="all, none, or some of them with commas; see docs/carrusel.md."),
    ] = "all",
    coordinators: Annotated[int, typer.Option(help="Coordinators on one log.")] = 2,
) -> None:
    """Tables, coordinators, network and disks that fail, in virtual time, and a judge."""
    from jackpot.floor.faults import Fault
    from jackpot.floor.simulate import Floor, all_faults, simulate

    _within("--tables", tables, MOST_TABLES)
    _within("--coordinators", coordinators, MOST_COORDINATORS)
    _within("--hands", hands, MOST_HANDS)
    try:
        chosen = all_faults(faults.split(","))
    except ValueError:
        raise Refused(
            reason="bad_option",
            expected=f"--faults all, none, or of {', '.join(Fault)}",
            found=repr(faults),
            to_do="see `jackpot simulate-floor --help`",
        ) from None
    played = simulate(
        Floor(seed=seed, tables=tables, coordinators=coordinators, hands=hands, faults=chosen)
    )
    for line in played.lines():
        print(line)


def _within(option: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise Refused(
            reason="bad_option",
            expected=f"{option} from 1 to {most}",
            found=str(value),
            to_do="see `jackpot simulate-floor --help`",
        )
