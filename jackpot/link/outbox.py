"""From a ledger's batches to the numbered operations that the carrusel hears of.

The outbox is no second store: an operation is read from its own batch, again and again, until the
log holds it. Nothing is ever deleted from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from jackpot.link.messages import Operation
from jackpot.table.event import Event
from jackpot.table.facts.carrusel import CarruselJoinAsked, CarruselViewed
from jackpot.table.outcomes.carrusel import AwardsClaimed, CarruselOperation


class Batch(Protocol):
    """A batch as the ledger holds it; ``hash`` is its chain hash."""

    @property
    def events(self) -> tuple[Event, ...]:
        """Facts and outcomes in order."""
        ...

    @property
    def hash(self) -> str:
        """64 hex digits."""
        ...


class Join(NamedTuple):
    """What two officers signed to take this table into a carrusel, and the hash of that batch."""

    carrusel: str
    officers: tuple[str, ...]
    authorisation: str
    hash: str


def join_in(events: Iterable[Event], batch_hash: str) -> Join | None:
    """The join that a batch asks for, if any."""
    for event in events:
        if isinstance(event, CarruselJoinAsked):
            return Join(event.carrusel, (event.by, event.second), event.authorisation, batch_hash)
    return None


def operation_of(events: Sequence[Event], batch_hash: str, previous: str) -> Operation | None:
    """The operation of one batch, if it has one; it is the batch's last event."""
    last = events[-1] if events else None
    if not isinstance(last, CarruselOperation):
        return None
    view = next((e.position for e in events if isinstance(e, CarruselViewed)), None)
    hands = next((e.hands for e in events if isinstance(e, AwardsClaimed)), ())
    return Operation(
        number=last.operation,
        previous=previous,
        hash=batch_hash,
        stage=last.stage,
        delta_microcents=last.microcents,
        hand=last.hand,
        view_position=view,
        hands=hands,
    )
