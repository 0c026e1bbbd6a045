"""The derived tables anew, from nothing but the events."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.ledger.connection import READ_ERRORS, connect_writer, translated
from jackpot.ledger.database import Database
from jackpot.ledger.files import WriterLock, rewrite_log
from jackpot.ledger.machine import Head, Machine
from jackpot.ledger.note import Signer
from jackpot.ledger.opening import derived, load
from jackpot.ledger.read import about_of

S = TypeVar("S")


def rebuild_derived(path: Path, machine: Machine[S], key: Ed25519PrivateKey) -> Head:
    """Fold the whole ledger, chain and checkpoints checked, and write its derived values anew.

    The stored states go; the next checkpoint stores one again. Raises ``LedgerRefused``; then
    nothing is changed.
    """
    lock = WriterLock(path)
    try:
        rewrite_log(path)
        with closing(connect_writer(path)) as connection:
            verifier = Signer(about_of(connection).get("origin", ""), key).verifier
            with Database(connection, execute_plugins=False).atomic():
                connection.execute("DELETE FROM state")
                fold = load(connection, machine, verifier, thorough=True)
                connection.execute("DELETE FROM latest")
                connection.executemany(
                    "INSERT INTO latest VALUES (?, ?, ?)",
                    [
                        (what, name, value)
                        for what, values in derived(machine, fold).items()
                        for name, value in values.items()
                    ],
                )
            return fold.head
    except READ_ERRORS as error:
        raise translated(path, error) from error
    finally:
        lock.release()
