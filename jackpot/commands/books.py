"""``jackpot journal``, ``export``, ``datasette``, ``evidence``, ``report``: what an auditor takes along.

Before any of them the independent checker walks the ledger. What is made of one that does not stand says
so itself. Exit status: 0 done; 1 done, and there are findings; 2 refused.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.audit.books.formats import ExportFormat, JournalFormat, ReportFormat
from jackpot.errors import EXIT_FINDINGS, Refused
from jackpot.law.words import Language

if TYPE_CHECKING:
    from jackpot.audit.standing import Standing

KEY_NAME = "signing.key"
"""What an installation calls the private key beside its ledger."""

LedgerArgument = Annotated[Path, typer.Argument(metavar="LEDGER", help="The file of one table.")]


def register(app: typer.Typer) -> None:
    """Mount the commands on the command line's app."""
    app.command("journal")(journal)
    app.command("export")(export)
    app.command("datasette")(datasette)
    app.command("evidence")(evidence)
    app.command("report")(report)


def journal(
    ledger: LedgerArgument,
    form: Annotated[
        JournalFormat, typer.Option("--format", help="The program that will read it.")
    ] = JournalFormat.HLEDGER,
) -> None:
    """Print every movement of money as double entry (docs/journal.md)."""
    from jackpot.audit.books.journal import journal as lines
    from jackpot.audit.source import Source

    stands = _looked_at(ledger)
    with Source(ledger) as source:
        source.standing = stands
        for line in lines(source, form):
            typer.echo(line)
    _end(stands)


def export(
    ledger: LedgerArgument,
    out: Annotated[Path, typer.Option("--out", help="A new or empty folder.")],
    form: Annotated[
        ExportFormat, typer.Option("--format", help="What the files are.")
    ] = ExportFormat.CSV,
) -> None:
    """Write every table of a ledger with a data dictionary (docs/exports.md)."""
    from jackpot.audit.books.export import export as write
    from jackpot.audit.source import Source

    stands = _looked_at(ledger)
    with Source(ledger) as source:
        source.standing = stands
        counts = write(source, form, out)
    for table, rows in counts.items():
        typer.echo(f"{rows:>10}  {table}")
    typer.echo(f"{out}: see dictionary.md")
    _end(stands)


def datasette(
    ledger: LedgerArgument,
    out: Annotated[Path, typer.Option("--out", help="The folder for snapshot and metadata.")],
    port: Annotated[int, typer.Option(help="Where Datasette serves, on this machine only.")] = 8001,
    serve: Annotated[
        bool, typer.Option("--serve/--no-serve", help="Start Datasette if it is installed.")
    ] = True,
) -> None:
    """Make a snapshot for Datasette with canned queries, and start it (docs/exports.md)."""
    from jackpot.audit.books.datasette import become, datasette_command, make_datasette

    stands = _looked_at(ledger)
    snapshot, metadata = make_datasette(ledger, out, stands)
    typer.echo(f"{snapshot}\n{metadata}")
    command = datasette_command(snapshot, metadata, port)
    if command is None:
        typer.echo(
            "Datasette is not installed here: pip install datasette, or take both files along"
        )
    elif serve:
        become(command)
    _end(stands)


def evidence(
    ledger: LedgerArgument,
    hand: Annotated[int, typer.Option("--hand", help="The number of the hand.")],
    out: Annotated[Path, typer.Option("--out", help="The zip to make; never overwritten.")],
    key: Annotated[
        Path | None,
        typer.Option(help="The private key that signs; without it, signing.key beside the ledger."),
    ] = None,
) -> None:
    """Pack one hand with all that proves it into a signed zip (docs/evidence.md)."""
    from jackpot.audit.books.evidence import evidence_pack
    from jackpot.audit.books.files import write_new
    from jackpot.audit.source import Source
    from jackpot.ledger.keys import load_key

    own = ledger.with_name(KEY_NAME)
    if key is None and not own.exists():
        raise Refused(
            reason="no_key_to_sign_with",
            expected=f"the installation's private key at {own}, or --key",
            found="neither; a copy of a ledger comes without its key",
            to_do="sign with a key of your own: openssl genpkey -algorithm ed25519 -out own.pem, "
            "chmod 600 own.pem, then --key own.pem; the pack names it as its maker's",
        )
    signer = load_key(key or own)
    stands = _looked_at(ledger)
    with Source(ledger) as source:
        source.standing = stands
        content = evidence_pack(source, hand, signer)
    write_new(content, out)
    typer.echo(f"{out}: hand {hand}, {len(content)} bytes; check it with: jackpot verify {out}")
    _end(stands)


def report(
    ledger: LedgerArgument,
    first: Annotated[
        datetime, typer.Option("--from", formats=["%Y-%m-%d"], help="The first gaming day.")
    ],
    last: Annotated[
        datetime, typer.Option("--to", formats=["%Y-%m-%d"], help="The last gaming day.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The file to make; never overwritten.")],
    form: Annotated[
        ReportFormat, typer.Option("--format", help="What the file is.")
    ] = ReportFormat.PDF,
    lang: Annotated[Language, typer.Option("--lang", help="Language of the report.")] = Language.ES,
) -> None:
    """Make the report of a period: curve, bets, awards, faults, corrections (docs/report.md)."""
    from jackpot.audit.books.files import write_new
    from jackpot.audit.books.period import period
    from jackpot.audit.books.report import report_pdf
    from jackpot.audit.books.report_words import WORDS
    from jackpot.audit.source import Source

    stands = _looked_at(ledger, lang)
    with Source(ledger) as source:
        source.standing = stands
        figures = period(source, first.date(), last.date())
        content = report_pdf(source, figures, lang.value)
    write_new(content, out)
    if not figures.days:
        typer.echo(WORDS["no_days"].text(lang), err=True)
    days = f"{len(figures.days)} gaming day{'' if len(figures.days) == 1 else 's'}"
    typer.echo(f"{out}: {days}, {form.value}, {len(content)} bytes")
    _end(stands)


def _looked_at(ledger: Path, lang: Language = Language.ES) -> Standing:
    """What the checker finds in a ledger, said at once where it is something."""
    from jackpot.audit.standing import standing

    stands = standing(ledger)
    if warning := stands.warning(lang):
        typer.echo(warning, err=True)
    return stands


def _end(stands: Standing) -> None:
    """Exit status 1 where the ledger does not stand: what was made says so as well."""
    if stands.findings:
        raise typer.Exit(EXIT_FINDINGS)
