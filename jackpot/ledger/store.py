"""The ledger of one machine: the one writer that appends, signs and answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.invariant import invariant
from jackpot.ledger.chain import EventRow, Header, batch_hash
from jackpot.ledger.checkpoints import sign_head, write_checkpoint
from jackpot.ledger.codec import Codec
from jackpot.ledger.connection import READ_ERRORS, connect_writer, translated
from jackpot.ledger.creation import create_file
from jackpot.ledger.database import Database
from jackpot.ledger.errors import (
    CommitUnknown,
    DuplicateCause,
    LedgerAltered,
    LedgerFull,
    LedgerRefused,
)
from jackpot.ledger.failures import Failure, failure_of
from jackpot.ledger.files import WriterLock, read_only, rewrite_log
from jackpot.ledger.machine import (
    MAX_EVENTS_PER_BATCH,
    Cause,
    Committed,
    Head,
    Machine,
    NewBatch,
)
from jackpot.ledger.note import Signer, Verifier
from jackpot.ledger.opening import Fold, load_checked, stored_body
from jackpot.ledger.read import about_of, head_of
from jackpot.ledger.schema import migrate

S = TypeVar("S")

_INSERT_BATCH = "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)"
_SET_LATEST = "INSERT INTO latest VALUES (?, ?, ?) ON CONFLICT (what, key) DO UPDATE SET value = excluded.value"


@dataclass
class _Plan(Generic[S]):
    """What one transaction is going to write, and what is true after it."""

    head: Head
    state: S
    batches: list[tuple[int, int, int | None, str, str, int, int, str]]
    events: list[EventRow]
    sources: dict[str, int]
    meters: dict[str, int]


class Ledger(Generic[S]):
    """An open ledger. One per file in the world; used by one thread at a time.

    ``state`` and ``head`` are always those of the last commit.
    """

    state: S
    head: Head

    def __init__(
        self,
        path: Path,
        machine: Machine[S],
        signer: Signer,
        lock: WriterLock,
        connection: sqlite3.Connection,
        fold: Fold[S],
    ) -> None:
        """Use ``create`` or ``open``."""
        self.path = path
        self.machine = machine
        self.state = fold.state
        self.head = fold.head
        self._signer = signer
        self._lock = lock
        self._connection = connection
        self._database = Database(connection, execute_plugins=False)
        self._codec = Codec(machine.events)
        self._sources = fold.sources
        self._meters = dict(machine.derive(fold.state))
        self._unusable: str | None = None

    @classmethod
    def create(
        cls, path: Path, machine: Machine[S], key: Ed25519PrivateKey, *, origin: str, at_ns: int
    ) -> Self:
        """A new, empty ledger with its first checkpoint; never over an existing file.

        ``origin`` names the ledger and its key to the world, as in ``casino.example/table-7``.
        """
        lock = WriterLock(path)
        try:
            create_file(path, machine, Signer(origin, key), at_ns)
        finally:
            lock.release()
        return cls.open(path, machine, key)

    @classmethod
    def open(
        cls,
        path: Path,
        machine: Machine[S],
        key: Ed25519PrivateKey,
        *,
        witnesses: Sequence[str] = (),
    ) -> Self:
        """Open, check and fold. ``witnesses`` are checkpoints of this ledger that others kept.

        Raises a ``LedgerRefused``: unreadable, altered, busy, read-only. Never a default value.
        """
        lock = WriterLock(path)
        connection: sqlite3.Connection | None = None
        try:
            rewrite_log(path)
            connection = connect_writer(path)
            migrate(Database(connection, execute_plugins=False))
            connection.execute("BEGIN IMMEDIATE")
            origin = about_of(connection).get("origin", "")
            signer = Signer(origin, key)
            fold = load_checked(connection, machine, signer.verifier, witnesses=witnesses)
            connection.execute("ROLLBACK")
            return cls(path, machine, signer, lock, connection, fold)
        except BaseException as error:
            if connection is not None:
                connection.close()
            lock.release()
            if isinstance(error, READ_ERRORS):
                raise translated(path, error) from error
            if isinstance(error, OSError):
                raise read_only(path, error) from error
            raise

    @property
    def verifier(self) -> Verifier:
        """The public key; ``verifier.vkey`` is printed at installation."""
        return self._signer.verifier

    @property
    def last_at_ns(self) -> int:
        """The time of the last batch, UTC in nanoseconds, as the clock said then; 0 without any."""
        self._check_usable()
        row = self._connection.execute(
            "SELECT at_ns FROM batch ORDER BY batch DESC LIMIT 1"
        ).fetchone()
        return 0 if row is None else int(row[0])

    def last_number(self, source: str) -> int | None:
        """The highest recorded number of a source; None if nothing of it was recorded."""
        self._check_usable()
        return self._sources.get(source)

    def append(self, batches: Sequence[NewBatch]) -> Committed:
        """Record ``batches`` in one transaction; on return they are on the disk.

        Raises ``DuplicateCause`` or ``LedgerFull`` (nothing written, go on), or ``CommitUnknown``
        (close, open again, ask ``last_number``).
        """
        self._check_usable()
        invariant(len(batches) > 0, "a commit has at least one batch")
        first = self.head.batch + 1
        plan = self._plan(batches)
        changed = [
            *(("source", key, number) for key, number in plan.sources.items()),
            *(
                ("meter", key, amount)
                for key, amount in plan.meters.items()
                if self._meters.get(key) != amount
            ),
        ]
        invariant(self._meters.keys() <= plan.meters.keys(), "a pool never goes away")
        with self._transaction():
            execute = self._connection.executemany
            execute(_INSERT_BATCH, plan.batches)
            execute(_INSERT_EVENT, plan.events)
            execute(_SET_LATEST, changed)
        self._sources.update(plan.sources)
        self._meters = plan.meters
        self.state = plan.state
        self.head = plan.head
        return Committed(first, plan.head.batch, plan.head.seq, plan.head.hash)

    def _plan(self, batches: Sequence[NewBatch]) -> _Plan[S]:
        plan: _Plan[S] = _Plan(self.head, self.state, [], [], {}, {})
        evolve, pack = self.machine.evolve, self._codec.pack
        for new in batches:
            self._check_cause(new.cause, plan.sources)
            count = len(new.events)
            invariant(0 < count <= MAX_EVENTS_PER_BATCH, f"{count} is a number of events")
            batch, first_seq = plan.head.batch + 1, plan.head.seq + 1
            rows: list[EventRow] = [
                (seq, batch, *pack(event)) for seq, event in enumerate(new.events, first_seq)
            ]
            header: Header = (
                batch,
                new.at_ns,
                new.hand,
                self.machine.rules_version,
                new.cause.text(),
                first_seq,
                count,
            )
            hash_ = batch_hash(plan.head.hash, header, rows)
            for event in new.events:
                plan.state = evolve(plan.state, event)
            plan.batches.append((*header, hash_))
            plan.events.extend(rows)
            plan.sources[new.cause.source] = new.cause.number
            plan.head = Head(batch, first_seq + count - 1, hash_)
        plan.meters = dict(self.machine.derive(plan.state))
        return plan

    def _check_cause(self, cause: Cause, planned: dict[str, int]) -> None:
        cause.check()
        last = planned.get(cause.source, self._sources.get(cause.source, -1))
        if cause.number <= last:
            raise DuplicateCause(cause.text(), last)

    def sign_checkpoint(self, at_ns: int) -> str:
        """Sign the present head together with the state, store both, and return the note.

        Nothing new since the last checkpoint: the same note again.
        """
        self._check_usable()
        batch = self.head.batch
        row = self._connection.execute(
            "SELECT note FROM checkpoint WHERE batch = ?", (batch,)
        ).fetchone()
        if row is not None:
            return str(row[0])
        body = stored_body(self.machine, self.state, self._sources)
        note = sign_head(self._signer, self.head, body, at_ns)
        with self._transaction():
            write_checkpoint(self._connection, batch, at_ns, note, body)
        return note

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; tells a failed COMMIT (unknown) from a failure before it (nothing written)."""
        at_commit = False
        try:
            with self._database.atomic():
                yield
                at_commit = True
        except sqlite3.Error as error:
            raise self._failure(error, at_commit=at_commit) from error

    def _failure(self, error: sqlite3.Error, *, at_commit: bool) -> LedgerRefused | CommitUnknown:
        failure = failure_of(
            error,
            at_commit=at_commit,
            rolled_back=not self._connection.in_transaction,
            head_is_ours=self._head_is_ours,
        )
        if failure is Failure.FULL:
            return LedgerFull(
                reason="ledger_full",
                expected=f"room for one more commit in {self.path.parent}",
                found="a full disk; nothing of it was written, nothing before it was lost",
                to_do="take no bets until there is room again",
            )
        if failure is Failure.OTHER:
            return translated(self.path, error)
        self._unusable = str(error)
        if failure is Failure.UNKNOWN:
            return CommitUnknown(self._unusable)
        self._unusable = f"a ledger that another program wrote to ({error})"
        return LedgerAltered(
            reason="written_by_another",
            expected=f"batch {self.head.batch} to be the last",
            found=str(error),
            to_do="stop the other program, close the ledger and open it again",
        )

    def _head_is_ours(self) -> bool:
        """Whether the file ends where we left it."""
        try:
            return head_of(self._connection) == self.head
        except sqlite3.Error:
            return False

    def _check_usable(self) -> None:
        if self._unusable is not None:
            raise CommitUnknown(self._unusable)

    def close(self) -> None:
        """Give the file back. Whatever was acknowledged is on the disk already."""
        self._connection.close()
        self._lock.release()
        self._unusable = "a closed ledger"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
