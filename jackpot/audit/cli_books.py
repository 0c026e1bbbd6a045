"""``jackpot journal``: what an auditor takes along, for programs that are not ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jackpot.audit.books.journal import Format as JournalFormat

LedgerArgument = Annotated[Path, typer.Argument(metavar="LEDGER", help="The file of one table.")]


def register(app: typer.Typer) -> None:
    """Mount the commands on the command line's app."""
    app.command("journal")(journal)


def journal(
    ledger: LedgerArgument,
    form: Annotated[
        JournalFormat, typer.Option("--format", help="The program that will read it.")
    ] = JournalFormat.HLEDGER,
) -> None:
    """Print every movement of money as double entry (docs/journal.md)."""
    from jackpot.audit.books.journal import journal as lines
    from jackpot.audit.source import Source

    with Source(ledger) as source:
        for line in lines(source, form):
            typer.echo(line)
