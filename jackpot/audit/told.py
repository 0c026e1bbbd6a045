"""What each batch of a carrusel's member must have told it, for the replay to compare (CAN-9)."""

from __future__ import annotations

from jackpot.table.event import Event, Fact
from jackpot.table.outcomes import CarruselOperation
from jackpot.table.state import TableState
from jackpot.table.telling import Telling


class Told:
    """One batch: what it recorded for the carrusel, and what it should have."""

    def __init__(self, before: TableState) -> None:
        """``before`` is the table at the begin of the batch, in a carrusel."""
        self.recorded: CarruselOperation | None = None
        self._events: list[Event] = []
        self._telling = Telling(before)

    def event(self, state: TableState, event: Event) -> None:
        """Every event of the batch, with the table before it."""
        if type(event) is CarruselOperation:
            self.recorded = event
        self._events.append(event)
        if isinstance(event, Fact):
            self._telling.fact(state, event)

    def due(self, after: TableState) -> CarruselOperation | None:
        """The operation that the rules make of the batch. Raises ``InvariantBroken`` where they
        cannot."""
        return self._telling.operation(after, self._events)
