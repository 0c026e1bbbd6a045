"""The ledger as the desk uses it: append, sign, and open again after an unknown commit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.daemon.ledger_writer import LedgerWriter
from jackpot.ledger.machine import Committed, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.ledger.witness import keep_witness, kept_witnesses
from jackpot.table.state import TableState

_log = structlog.get_logger(__name__)


class Record(Protocol):
    """What a desk needs of its ledger. Errors are those of ``jackpot.ledger.errors``."""

    @property
    def state(self) -> TableState:
        """The state of the last commit."""

    @property
    def last_seq(self) -> int:
        """The number of the last event."""

    def last_number(self, source: str) -> int | None:
        """The highest recorded number of a source."""

    async def append(self, batches: Sequence[NewBatch]) -> Committed:
        """Record all of them in one transaction; on return they are on the disk."""

    async def sign_checkpoint(self, at_ns: int) -> str:
        """Sign the present end of the ledger; returns the note."""

    async def reopen(self) -> None:
        """Close and open again: the file is read and checked from the last checkpoint."""


class LedgerRecord:
    """The real one. ``start`` within a running event loop; ``close`` at the end."""

    def __init__(self, path: Path, key: Ed25519PrivateKey, witness_file: Path) -> None:
        """Raises ``LedgerRefused`` for a ledger that cannot be used, that is used already, or that
        is older than the checkpoint in ``witness_file``."""
        self._path = path
        self._key = key
        self._witness_file = witness_file
        self._ledger = self._open()
        self.found_at_ns = self._ledger.last_at_ns
        """The time of the last batch when the ledger was opened; 0 without any."""
        self._writer: LedgerWriter[TableState] = LedgerWriter(self._ledger)

    def _open(self) -> Ledger[TableState]:
        witnesses = kept_witnesses(self._witness_file)
        return Ledger.open(self._path, TABLE, self._key, witnesses=witnesses)

    @property
    def state(self) -> TableState:
        """The state of the last commit."""
        return self._ledger.state

    @property
    def last_seq(self) -> int:
        """The number of the last event."""
        return self._ledger.head.seq

    @property
    def origin(self) -> str:
        """Whose ledger it is, as it says itself."""
        return self._ledger.verifier.name

    @property
    def public_key(self) -> str:
        """The public key as a signed-note verifier line."""
        return self._ledger.verifier.vkey

    def start(self) -> None:
        """Begin to serve."""
        self._writer.start()

    def last_number(self, source: str) -> int | None:
        """The highest recorded number of a source."""
        return self._ledger.last_number(source)

    async def append(self, batches: Sequence[NewBatch]) -> Committed:
        """Record all of them in one transaction."""
        return await self._writer.append(batches)

    async def sign_checkpoint(self, at_ns: int) -> str:
        """Sign the present end of the ledger."""
        note = await self._writer.sign_checkpoint(at_ns)
        try:
            await asyncio.to_thread(keep_witness, self._witness_file, note)
        except OSError as error:  # the checkpoint itself is in the ledger
            _log.error("checkpoint not kept beside the ledger", error=str(error))
        return note

    async def reopen(self) -> None:
        """Close and open again."""
        await self.close()
        self._ledger = await asyncio.to_thread(self._open)
        self._writer = LedgerWriter(self._ledger)
        self._writer.start()

    async def close(self) -> None:
        """Commit what waits and give the file back."""
        await self._writer.close()
        with contextlib.suppress(OSError):  # a second close of a broken file tells nothing new
            self._ledger.close()
