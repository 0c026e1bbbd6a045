"""A tiny machine for the tests of the store: two pools that bets fill and payments empty."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.ledger.machine import Cause, Machine, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.table.event import Columns, Event

AT_NS = 1_800_000_000_000_000_000
ORIGIN = "casino.example/table-7"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


class Filled(Event, frozen=True, kw_only=True):
    """An amount reached the pool."""

    kind: ClassVar[str] = "filled"
    columns: ClassVar[Columns] = Columns(box="box", microcents="microcents")
    box: int
    microcents: int


class Paid(Event, frozen=True, kw_only=True):
    """An amount left the pool."""

    kind: ClassVar[str] = "paid"
    columns: ClassVar[Columns] = Columns(cents="cents")
    cents: int
    to: str
    cards: tuple[str, ...] = ()


class Noted(Event, frozen=True, kw_only=True):
    """A remark without any amount."""

    kind: ClassVar[str] = "noted"
    text: str
    tags: dict[str, int] = msgspec.field(default_factory=dict)


class Knocked(Event, frozen=True, kw_only=True):
    """Nothing but its own happening."""

    kind: ClassVar[str] = "knocked"


class Counter(msgspec.Struct, frozen=True):
    """The fold: what is in the pool, and how many events there were."""

    pool_microcents: int = 0
    events: int = 0


def evolve(state: Counter, event: Event) -> Counter:
    """Total: takes every event."""
    amount = state.pool_microcents
    if isinstance(event, Filled):
        amount += event.microcents
    if isinstance(event, Paid):
        amount -= event.cents * 1_000_000
    return Counter(amount, state.events + 1)


MACHINE: Machine[Counter] = Machine(
    name="counter",
    events={cls.kind: cls for cls in (Filled, Paid, Noted, Knocked)},
    initial=Counter(),
    evolve=evolve,
    state_type=Counter,
    rules_version="1",
    derive=lambda state: {"jackpot": state.pool_microcents},
)


def new_ledger(path: Path) -> Ledger[Counter]:
    """An empty ledger with the tests' key."""
    return Ledger.create(path, MACHINE, KEY, origin=ORIGIN, at_ns=AT_NS)


def reopened(path: Path, *witnesses: str) -> Ledger[Counter]:
    """The ledger at ``path``, opened as the controller opens it."""
    return Ledger.open(path, MACHINE, KEY, witnesses=witnesses)


def fill(number: int, *, source: str = "slot:3:1001:0", microcents: int = 25_000_000) -> NewBatch:
    """One bet's batch: two events with one cause."""
    return NewBatch(
        at_ns=AT_NS + number,
        hand=7,
        cause=Cause(source, number),
        events=(Knocked(), Filled(box=3, microcents=microcents)),
    )
