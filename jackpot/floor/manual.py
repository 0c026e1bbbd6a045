"""The keys of a table in manual mode (CAN-8.b1): no slots, and the total is entered at the end."""

from __future__ import annotations

from jackpot.floor.box import Box
from jackpot.floor.world import World
from jackpot.table import facts as f
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import Fact
from jackpot.table.state import TableState

LEAST_CHIPS, MOST_CHIPS = 2, 7
"""Never fewer than the winners of one deal have bet."""


def lock(box: Box, state: TableState) -> tuple[Fact, ...]:
    """«No va más», in the batch of what the visors show; in no carrusel, alone."""
    pressed = f.LockPressed(by="c1", hand=state.hand_number)
    member = state.carrusel
    if member is None or member.stage is MemberStage.STOPPED:
        return (pressed,)
    view = box.node.view()
    return () if view is None else (view, pressed)


def total(state: TableState, world: World) -> tuple[Fact, ...]:
    """What was bet on the jackpot in this hand, entered and confirmed."""
    number, chips = state.hand_number, world.dice.randrange(LEAST_CHIPS, MOST_CHIPS + 1)
    cents = 0 if state.terms is None else chips * state.terms.bet_cents
    entered = f.TotalEntered(by="c1", hand=number, chips=chips, cents=cents)
    return (entered, f.TotalFinal(by="c1", hand=number, chips=chips))
