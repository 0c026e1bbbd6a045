"""What the store must know of whoever keeps a ledger, and what is handed in and out of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import msgspec

from jackpot.invariant import invariant
from jackpot.table.event import Event

S = TypeVar("S")

_SOURCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:-]{0,79}")
"""Eighty characters hold an acceptor's serial and epoch or any request id; no ``#``, no spaces."""

MAX_EVENTS_PER_BATCH = 4096
"""One outside cause leads to a few dozen events; thousands are a program gone wild."""


@dataclass(frozen=True)
class Machine(Generic[S]):
    """The keeper of a ledger: its events, and how they fold into its state.

    ``name`` tells a table's ledger from a coordinator's. ``rules_version`` is noted with every
    batch; a stored state of another version is not used, the fold then starts at the first batch.
    ``derive`` gives the amounts (in micro-cents, by pool) of the table ``meter``.
    """

    name: str
    events: Mapping[str, type[Event]]
    initial: S
    evolve: Callable[[S, Event], S]
    state_type: type[S]
    rules_version: str
    derive: Callable[[S], Mapping[str, int]]


class Cause(NamedTuple):
    """The one outside thing that a batch answers: the ``number``-th of its ``source``.

    Numbers of one source only grow, so the same cause cannot be recorded twice.
    """

    source: str
    number: int

    def text(self) -> str:
        """As the ledger holds it: ``source#number``."""
        return f"{self.source}#{self.number}"

    def check(self) -> None:
        """A malformed source is our own fault, never a user's."""
        invariant(_SOURCE.fullmatch(self.source) is not None, f"{self.source!r} is a source")
        invariant(0 <= self.number < 2**63, f"{self.number} is a number of a cause")


def cause_from_text(text: str) -> Cause:
    """The reverse of ``Cause.text``; raises ``ValueError``."""
    source, _, number = text.rpartition("#")
    return Cause(source, int(number))


@dataclass(frozen=True)
class NewBatch:
    """Events with one cause, to be recorded together or not at all.

    ``at_ns`` is UTC in nanoseconds since 1970, from the caller's clock; order is never taken
    from it. ``hand`` is None outside a hand.
    """

    at_ns: int
    hand: int | None
    cause: Cause
    events: tuple[Event, ...]


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """A batch as the ledger holds it. ``hash`` is 64 hex digits."""

    batch: int
    at_ns: int
    hand: int | None
    rules: str
    cause_text: str
    first_seq: int
    events: tuple[Event, ...]
    hash: str

    @property
    def cause(self) -> Cause:
        """``cause_text`` in its two parts."""
        return cause_from_text(self.cause_text)


class Head(NamedTuple):
    """The end of the chain: the number of batches, of events, and the hash of the last batch."""

    batch: int
    seq: int
    hash: str


class Committed(NamedTuple):
    """What one transaction recorded; it is on the disk when this is returned."""

    first_batch: int
    last_batch: int
    last_seq: int
    head_hash: str
