"""What is checked before a ledger is used: the file, its identity, its chain, its derived values.

The fold starts at the last checkpoint, which signs a stored state; ``thorough`` starts at the
first batch instead and looks at every checkpoint. Whatever does not fit is refused with what was
expected and found: a table never starts on a default value.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import msgspec

from jackpot.invariant import InvariantBroken
from jackpot.ledger.chain import genesis_hash
from jackpot.ledger.codec import Codec
from jackpot.ledger.errors import LedgerAltered, LedgerUnreadable
from jackpot.ledger.machine import Cause, Head, Machine, Recorded
from jackpot.ledger.note import Checkpoint, Verifier, checkpoint_from_note
from jackpot.ledger.read import about_of, checked_batches, decoded, head_of
from jackpot.ledger.schema import check_schema, version_of

S = TypeVar("S")


_UNFIT = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    InvariantBroken,
)
"""What folding an event that no table can have recorded may end in: batches behind the last
checkpoint are hashed, but not signed."""


class StoredState(msgspec.Struct, frozen=True):
    """The body of a row of ``state``: what the fold had reached, and by which rules."""

    rules: str
    sources: dict[str, int]
    state: msgspec.Raw


@dataclass
class Fold(Generic[S]):
    """A walk along the chain: where it is, and what it knows there."""

    head: Head
    state: S
    sources: dict[str, int] = field(default_factory=dict)


def stored_body(machine: Machine[S], state: S, sources: Mapping[str, int]) -> str:
    """The text of a stored state; its SHA-256 goes into the checkpoint."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    body = StoredState(machine.rules_version, dict(sources), msgspec.Raw(encode(state)))
    return encode(body).decode()


def altered(reason: str, expected: str, found: str) -> LedgerAltered:
    """The refusal for something that contradicts what was written or signed."""
    return LedgerAltered(
        reason=reason,
        expected=expected,
        found=found,
        to_do="keep the file, compare it with the last snapshot and the signed checkpoints",
    )


def load_checked(
    connection: sqlite3.Connection,
    machine: Machine[S],
    verifier: Verifier,
    *,
    witnesses: Sequence[str] = (),
    thorough: bool = False,
) -> Fold[S]:
    """``load``, and the derived tables say what the fold says."""
    fold = load(connection, machine, verifier, witnesses=witnesses, thorough=thorough)
    check_derived(connection, machine, fold)
    return fold


def load(
    connection: sqlite3.Connection,
    machine: Machine[S],
    verifier: Verifier,
    *,
    witnesses: Sequence[str] = (),
    thorough: bool = False,
) -> Fold[S]:
    """Check all but the derived tables, and return the present end of the ledger.

    Raises ``LedgerUnreadable`` or ``LedgerAltered``.
    """
    check_file(connection, thorough)
    check_identity(connection, machine, verifier)
    head = head_of(connection)
    signed = _last_checkpoint(connection, verifier)
    fold = _start(connection, machine, None if thorough else signed)
    _walk(connection, machine, fold, head.batch)
    for note in (*(_notes(connection) if thorough else ()), *witnesses):
        check_witness(connection, verifier, note, head)
    return fold


def check_file(connection: sqlite3.Connection, thorough: bool) -> None:
    """The file is a ledger that this version knows, and SQLite finds no damage in it."""
    check_schema(connection, version_of(connection))
    check = "integrity_check" if thorough else "quick_check"
    found = connection.execute(f"PRAGMA {check}(1)").fetchone()[0]
    if found != "ok":
        raise LedgerUnreadable(
            reason="ledger_damaged",
            expected=f"PRAGMA {check} to find nothing",
            found=str(found),
            to_do="keep the file as it is, restore the last snapshot beside it, compare the two",
        )


def check_identity(connection: sqlite3.Connection, machine: Machine[S], verifier: Verifier) -> None:
    """The ledger belongs to this kind of machine and to this key."""
    about = about_of(connection)
    for key, expected in (("machine", machine.name), ("vkey", verifier.vkey)):
        if about.get(key) != expected:
            raise LedgerUnreadable(
                reason=f"another_{key}",
                expected=expected,
                found=about.get(key, "nothing"),
                to_do="check the paths of ledger and key in the configuration",
            )


def _notes(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT note FROM checkpoint ORDER BY batch")]


def _last_checkpoint(connection: sqlite3.Connection, verifier: Verifier) -> Checkpoint:
    row = connection.execute(
        "SELECT batch, note FROM checkpoint ORDER BY batch DESC LIMIT 1"
    ).fetchone()
    if row is None:
        raise altered("no_checkpoint", "the checkpoint that was signed at creation", "none")
    signed = checkpoint_from_note(row[1], verifier)
    found = _position(connection, signed.batches)
    if (row[0], found) != (signed.batches, (signed.seq, signed.hash)):
        raise altered("checkpoint_contradicted", signed.text(), f"batch {row[0]}: {found}")
    return signed


def _position(connection: sqlite3.Connection, batch: int) -> tuple[int, str] | None:
    """The last sequence number and the hash of a batch; None if there is no such batch."""
    if batch == 0:
        return 0, genesis_hash(about_of(connection).items())
    row: tuple[int, str] | None = connection.execute(
        "SELECT first_seq + events - 1, hash FROM batch WHERE batch = ?", (batch,)
    ).fetchone()
    return row


def check_witness(
    connection: sqlite3.Connection, verifier: Verifier, note: str, head: Head
) -> None:
    """A checkpoint that somebody else kept must lie on this chain: else the file was cut or forged."""
    signed = checkpoint_from_note(note, verifier)
    if signed.batches > head.batch:
        raise altered(
            "ledger_rolled_back",
            f"at least {signed.batches} batches, as a witness holds signed",
            f"{head.batch} batches: an older copy, or the end was cut off",
        )
    found = _position(connection, signed.batches)
    if found != (signed.seq, signed.hash):
        raise altered("witness_contradicted", signed.text(), str(found))


def _start(
    connection: sqlite3.Connection, machine: Machine[S], signed: Checkpoint | None
) -> Fold[S]:
    """The stored state that ``signed`` vouches for, or the very beginning."""
    beginning = Fold(Head(0, 0, genesis_hash(about_of(connection).items())), machine.initial)
    if signed is None:
        return beginning
    row = connection.execute("SELECT body FROM state WHERE batch = ?", (signed.batches,)).fetchone()
    if row is None:
        return beginning  # dropped: slower, not less certain
    body = row[0]
    if hashlib.sha256(body.encode()).hexdigest() != signed.state_sha256:
        raise altered(
            "stored_state_altered",
            f"the state of batch {signed.batches} with SHA-256 {signed.state_sha256}",
            "another text",
        )
    try:
        stored = msgspec.json.decode(body, type=StoredState)
        if stored.rules != machine.rules_version:
            return beginning
        state = msgspec.json.decode(stored.state, type=machine.state_type)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise LedgerUnreadable(
            reason="unknown_state",
            expected=f"a stored state of rules {machine.rules_version}",
            found=str(error),
            to_do="use the version that wrote this ledger: its rules have the same number",
        ) from error
    return Fold(Head(signed.batches, signed.seq, signed.hash), state, stored.sources)


def _walk(connection: sqlite3.Connection, machine: Machine[S], fold: Fold[S], last: int) -> None:
    """Along the chain to its end, beyond which there is nothing."""
    codec, evolve = Codec(machine.events), machine.evolve
    state = fold.state
    for raw in checked_batches(connection, fold.head, last):
        recorded = decoded(raw, codec)
        source, number = _cause(recorded)
        before = fold.sources.get(source, -1)
        if number <= before:
            raise altered(
                "cause_repeated", f"a number after {source}#{before}", recorded.cause_text
            )
        fold.sources[source] = number
        try:
            for event in recorded.events:
                state = evolve(state, event)
        except _UNFIT as error:
            found = f"{type(error).__name__}: {error}"
            raise altered(
                "events_unfit", f"events that fit the state before batch {recorded.batch}", found
            ) from error
        fold.head = Head(recorded.batch, fold.head.seq + len(recorded.events), recorded.hash)
    fold.state = state
    last_seq = connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()[0]
    if last_seq != fold.head.seq:
        raise altered("events_without_batch", f"{fold.head.seq} events", f"{last_seq}")


def _cause(recorded: Recorded) -> Cause:
    try:
        return recorded.cause
    except ValueError as error:
        raise altered("cause_malformed", "source#number", repr(recorded.cause_text)) from error


def derived(machine: Machine[S], fold: Fold[S]) -> dict[str, dict[str, int]]:
    """What the table ``latest`` must hold at the end of the fold."""
    return {"source": fold.sources, "meter": dict(machine.derive(fold.state))}


def check_derived(connection: sqlite3.Connection, machine: Machine[S], fold: Fold[S]) -> None:
    """The derived tables say what the fold says, no more and no less."""
    for what, expected in derived(machine, fold).items():
        found = dict(
            connection.execute("SELECT key, value FROM latest WHERE what = ?", (what,)).fetchall()
        )
        if found != expected:
            raise altered(
                f"{what}_differs", _difference(expected, found), _difference(found, expected)
            )


def _difference(one: Mapping[str, int], other: Mapping[str, int]) -> str:
    """What only ``one`` says."""
    return str(dict(sorted(one.items() - other.items())))
