"""``jackpot snapshot``, ``restore``, ``checkpoint list``, ``public-key``: the ledger's keeping."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.errors import JackpotError

if TYPE_CHECKING:
    from jackpot.config import Config, LedgerConfig
    from jackpot.ledger.note import Verifier

ConfigArgument = Annotated[Path, typer.Argument(help="The table's configuration (TOML).")]
_NS_PER_S = 1_000_000_000


def register(app: typer.Typer) -> None:
    """Mount the commands on the command line's app."""
    app.command("snapshot")(snapshot)
    app.command("restore")(restore)
    app.command("public-key")(public_key)
    checkpoint = typer.Typer(help="The signed checkpoints of a ledger.", no_args_is_help=True)
    checkpoint.command("list")(checkpoint_list)

    @checkpoint.callback()
    def group() -> None:
        """The signed checkpoints of a ledger."""

    app.add_typer(checkpoint, name="checkpoint")


def snapshot(
    config: ConfigArgument,
    file: Annotated[Path, typer.Argument(help="A new file for the copy.")],
) -> None:
    """Copy the ledger while the table runs, and check the copy from its first batch."""
    from jackpot.ledger.snapshot import take_snapshot
    from jackpot.ledger.table_ledger import TABLE

    loaded = _config(config)
    head = take_snapshot(loaded.ledger.file, file, TABLE, _verifier(loaded))
    typer.echo(f"{file}: {head.batch} batches, {head.seq} events, head {head.hash}")
    place = loaded.ledger
    typer.echo(f"not copied: {config}, {place.key_file.name}, {place.officers_file.name}")


def restore(
    config: ConfigArgument,
    file: Annotated[Path, typer.Argument(help="A snapshot.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Set a ledger that is there aside.")
    ] = False,
    older: Annotated[
        bool,
        typer.Option("--older", help="Accept that what came after the snapshot is lost."),
    ] = False,
) -> None:
    """Put a checked copy of a snapshot in the ledger's place. The table must not run."""
    from jackpot.ledger import snapshot as snapshots
    from jackpot.ledger.table_ledger import TABLE
    from jackpot.ledger.witness import kept_witnesses, set_witness_aside

    loaded = _config(config)
    place, verifier = loaded.ledger, _verifier(loaded)
    witnesses = () if older else kept_witnesses(place.witness_file)
    with _marked(place, older):
        head = snapshots.restore(
            file, place.file, TABLE, verifier, replace=replace, witnesses=witnesses
        )
    aside = set_witness_aside(place.witness_file) if older else None
    if aside is not None:
        typer.echo(f"{aside}: the last checkpoint of what is lost; keep it for the auditor")
    typer.echo(f"{place.file}: {head.batch} batches, {head.seq} events, head {head.hash}")


@contextmanager
def _marked(place: LedgerConfig, older: bool) -> Iterator[None]:
    """The mark comes before the ledger: a power cut must not leave an older one without it."""
    from jackpot.ledger.witness import mark_older, unmark_older

    new = older and not place.older_mark.exists()
    if new:
        mark_older(place.older_mark)
    try:
        yield
    except JackpotError:
        if new:
            unmark_older(place.older_mark)
        raise


def checkpoint_list(
    config: ConfigArgument,
    notes: Annotated[bool, typer.Option("--notes", help="Show the signed notes in full.")] = False,
) -> None:
    """List every signed checkpoint, oldest first."""
    from jackpot.ledger.read import Reader
    from jackpot.ledger.table_ledger import TABLE

    loaded = _config(config)
    with Reader(loaded.ledger.file, TABLE.events) as reader:
        checkpoints = reader.checkpoints()
    for batches, at_ns, note in checkpoints:
        when = datetime.fromtimestamp(at_ns // _NS_PER_S, UTC).isoformat()
        typer.echo(f"{when}  {batches} batches")
        if notes:
            typer.echo(note)


def public_key(config: ConfigArgument) -> None:
    """Show the public key that checks this table's checkpoints."""
    typer.echo(_verifier(_config(config)).vkey)


def _config(path: Path) -> Config:
    from jackpot.config import load_config_file

    return load_config_file(path)


def _verifier(config: Config) -> Verifier:
    """From the key file: what the ledger says of itself proves nothing."""
    from jackpot.ledger.keys import load_key
    from jackpot.ledger.note import Signer

    return Signer(config.origin, load_key(config.ledger.key_file)).verifier
