"""``evolve(state, event) -> state``: total, and it never judges history.

One small function for each kind of event that changes something (in ``jackpot.table.fold``); every
other kind is told only for the record. What is allowed was decided before the event was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpot.table.event import Event
from jackpot.table.fold import bets, carrusel, controller, hand, layouts, pools, slots, totals
from jackpot.table.state import TableState

_STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    **controller.STEPS,
    **slots.STEPS,
    **layouts.STEPS,
    **pools.STEPS,
    **bets.STEPS,
    **hand.STEPS,
    **totals.STEPS,
    **carrusel.STEPS,
}


def evolve(state: TableState, event: Event) -> TableState:
    """The state after ``event``."""
    step = _STEPS.get(type(event))
    return state if step is None else step(state, event)
