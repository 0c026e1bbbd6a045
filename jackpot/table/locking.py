"""What a hand is locked on: the own meter, or in a carrusel the total that the visors showed (CAN-9)."""

from __future__ import annotations

from jackpot.table.carrusel_state import MemberStage
from jackpot.table.refusals import not_heard
from jackpot.table.state import TableState


def waits_for_view(state: TableState) -> bool:
    """Whether the running hand of a member still lacks the view that it is to be locked on."""
    member, hand = state.carrusel, state.hand
    if member is None or member.stage is MemberStage.STOPPED or hand is None:
        return False
    return hand.view is None


def view_is_there(state: TableState) -> None:
    """Refuse ``carrusel_not_heard`` while there is no total that a member could lock its hand on."""
    if waits_for_view(state):
        raise not_heard()


def left_of_view_microcents(state: TableState) -> int | None:
    """What the running hand of a member is still owed on, while it is not decided: its view, or what
    other tables' awards, decided meanwhile, have left of it. None without a view."""
    member, hand = state.carrusel, state.hand
    if member is None or hand is None or hand.view is None or hand.decision:
        return None
    since = (one for one in member.applied if one.decision > hand.view.decision)
    return max(0, hand.view.total_microcents - sum(one.prize_fell_microcents for one in since))


def shown_microcents(state: TableState) -> int:
    """What the running hand is locked on, in micro-cents."""
    hand = state.hand
    if state.carrusel is None or hand is None or hand.view is None:
        return state.pools.jackpot_microcents
    return hand.view.total_microcents
