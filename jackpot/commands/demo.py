"""``jackpot demo``: a table that plays by itself, with screens or as fast as it goes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.errors import Refused
from jackpot.law.terms import BetMode

if TYPE_CHECKING:
    from jackpot.daemon.demo.game import Script

DEFAULT_PORT = 8080
MOST_HANDS = 1_000_000
"""About a fortnight of one table's hands takes minutes; a million is a slip of the keyboard."""

MOST_PORT = 65_535
MOST_TABLES = 6
"""Of one demonstration: each has a simulated mechanism of its own, and all are one process."""

MOST_QUIET_MINUTES = 1_440


def register(app: typer.Typer) -> None:
    """Add ``demo`` to the command line."""
    app.command("demo")(demo)


def demo(
    port: Annotated[
        int, typer.Option(help="Where the screens are served, on this machine only.")
    ] = DEFAULT_PORT,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of the demonstration, made if missing; else a temporary one."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 1,
    speed: Annotated[float, typer.Option(help="2 is twice as fast as people play.")] = 1.0,
    rig: Annotated[
        str, typer.Option(help="Arranged hands, as in royal@12,sf-tie@20; see docs/demo.md.")
    ] = "",
    quiet_minutes: Annotated[
        int,
        typer.Option(
            help="The automatic croupier comes back after so many minutes without an act."
        ),
    ] = 5,
    headless: Annotated[
        bool, typer.Option("--headless", help="No screens, no pauses: play --hands and end.")
    ] = False,
    hands: Annotated[int, typer.Option(help="How many hands to play, with --headless.")] = 100,
    mode: Annotated[
        BetMode, typer.Option(help="manual: no slots, the croupier enters each hand's total.")
    ] = BetMode.AUTOMATIC,
    tables: Annotated[
        int, typer.Option(help="More than one: linked in a carrusel, all visors on one page.")
    ] = 1,
) -> None:
    """A table with simulated slots, dealt cards and an automatic croupier; or several, linked."""
    from jackpot.daemon.demo.game import Script
    from jackpot.daemon.demo.rigs import parse_rigs
    from jackpot.daemon.demo.tempo import FASTEST, SLOWEST

    _within("--port", port, 0, MOST_PORT)
    _within("--speed", speed, SLOWEST, FASTEST)
    _within("--hands", hands, 1, MOST_HANDS)
    _within("--tables", tables, 1, MOST_TABLES)
    if headless and tables > 1:
        raise Refused(
            reason="tables_with_headless",
            expected="one table with --headless",
            found=f"--tables {tables}",
            to_do="leave one of the two out",
        )
    _within("--quiet-minutes", quiet_minutes, 1, MOST_QUIET_MINUTES)
    script = Script(
        seed=seed,
        rigs=parse_rigs(rig),
        hands=hands if headless else None,
        speed=0 if headless else speed,
        quiet_s=60 * quiet_minutes,
    )
    with tempfile.TemporaryDirectory(prefix="jackpot-demo-") as temporary:
        folder = Path(temporary) / "table" if data is None else data
        ledger = _play(folder, port, script, mode, tables)
    _say("ledger  gone with its temporary folder" if data is None else f"ledger  {ledger}")


def _play(folder: Path, port: int, script: Script, mode: BetMode, tables: int) -> Path:
    from jackpot.daemon.demo.run import run_demonstration, run_floor
    from jackpot.daemon.logs import LogFormat, set_up_logs

    set_up_logs(LogFormat.CONSOLE)
    if tables > 1:
        return run_floor(folder, port, script, _say, tables, mode)
    return run_demonstration(folder, port, script, _say, mode)


def _say(line: str) -> None:
    print(line, flush=True)


def _within(option: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise Refused(
            reason="bad_option",
            expected=f"{option} from {least:.9g} to {most:.9g}",
            found=f"{value:.9g}",
            to_do="see `jackpot demo --help`",
        )
