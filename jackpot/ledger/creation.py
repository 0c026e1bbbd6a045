"""A new ledger file: built under another name, synced, then renamed; there is never half of one."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TypeVar

from jackpot.invariant import invariant
from jackpot.ledger.chain import genesis_hash
from jackpot.ledger.checkpoints import sign_head, write_checkpoint
from jackpot.ledger.connection import translated
from jackpot.ledger.database import Database
from jackpot.ledger.errors import LedgerRefused
from jackpot.ledger.files import make_private, read_only, sync_file, sync_folder, wal_of
from jackpot.ledger.machine import Head, Machine
from jackpot.ledger.note import Signer, is_key_name
from jackpot.ledger.opening import stored_body
from jackpot.ledger.schema import APPLICATION_ID, MIGRATIONS, PAGE_BYTES, record_migration

S = TypeVar("S")

ID_BYTES = 16
"""128 random bits: two ledgers never have the same id, not even from one image of a disk."""


def refuse_existing(path: Path) -> None:
    """Nothing may lie at ``path`` yet, no ledger and no left-over log (SQLite would apply it)."""
    for there in (path, wal_of(path)):
        if there.exists():
            raise LedgerRefused(
                reason="ledger_exists",
                expected=f"nothing at {path}",
                found=str(there),
                to_do="open it; a ledger is never overwritten",
            )


def new_of(path: Path) -> Path:
    """The name under which a file is built that will be renamed to ``path``."""
    return path.with_name(path.name + ".new")


def create_file(path: Path, machine: Machine[S], signer: Signer, at_ns: int) -> None:
    """Create the file; the caller holds the writer's lock."""
    invariant(is_key_name(signer.name), f"{signer.name!r} is an origin")
    refuse_existing(path)
    new = new_of(path)
    try:
        make_private(new)
        connection = sqlite3.connect(new, isolation_level=None)
        try:
            _fill(connection, machine, signer, at_ns)
        finally:
            connection.close()
        sync_file(new)
        new.rename(path)
        sync_folder(path.parent)
    except sqlite3.Error as error:
        raise translated(path, error) from error
    except OSError as error:
        raise read_only(path, error) from error


def _fill(connection: sqlite3.Connection, machine: Machine[S], signer: Signer, at_ns: int) -> None:
    about = {
        "created_at_ns": str(at_ns),
        "id": os.urandom(ID_BYTES).hex(),
        "machine": machine.name,
        "origin": signer.name,
        "vkey": signer.verifier.vkey,
    }
    first = MIGRATIONS[0]
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA journal_mode = WAL")
    database = Database(connection, execute_plugins=False)
    with database.atomic():
        for statement in first.statements:
            connection.execute(statement)
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        record_migration(connection, first)
        connection.executemany(
            "INSERT INTO latest VALUES ('meter', ?, ?)", machine.derive(machine.initial).items()
        )
        body = stored_body(machine, machine.initial, {})
        note = sign_head(signer, Head(0, 0, genesis_hash(about.items())), body, at_ns)
        write_checkpoint(connection, 0, at_ns, note, body)
