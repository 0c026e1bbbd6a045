"""Writing a checkpoint and the state that it signs."""

from __future__ import annotations

import hashlib
import sqlite3

from jackpot.ledger.machine import Head
from jackpot.ledger.note import Checkpoint, Signer

KEPT_STATES = 3
"""The state of the last checkpoint is used; two older ones help to look into a damaged ledger."""


def sign_head(signer: Signer, head: Head, body: str, at_ns: int) -> str:
    """The note that vouches for ``head``, for the stored state ``body`` and for its own time."""
    state_sha256 = hashlib.sha256(body.encode()).hexdigest()
    return signer.sign(
        Checkpoint(signer.name, head.batch, head.hash, state_sha256, head.seq, at_ns).text()
    )


def write_checkpoint(
    connection: sqlite3.Connection, batch: int, at_ns: int, note: str, body: str
) -> None:
    """Store note and state, within the caller's transaction; the oldest states go."""
    connection.execute("INSERT INTO checkpoint VALUES (?, ?, ?)", (batch, at_ns, note))
    connection.execute("INSERT INTO state VALUES (?, ?)", (batch, body))
    connection.execute(
        "DELETE FROM state WHERE batch NOT IN (SELECT batch FROM state ORDER BY batch DESC LIMIT ?)",
        (KEPT_STATES,),
    )
