"""The controller, its configuration and officers, alarms, and the gaming day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.fold.layouts import empty_drops
from jackpot.table.state import (
    Day,
    Phase,
    TableState,
)


def _controller_started(state: TableState, _: f.ControllerStarted) -> TableState:
    """What the acceptors did meanwhile is unknown until each has answered again, and the carrusel
    until it is heard; a test that went on is over."""
    unseen = tuple(replace(slot, up=False, why_down="not_seen") for slot in state.slots)
    member = state.carrusel
    if member is not None:
        member = replace(member, linked=False, heard=False)
    return replace(state, running=True, slots=unseen, test=None, carrusel=member)


def _controller_stopped(state: TableState, _: f.ControllerStopped) -> TableState:
    return replace(state, running=False)


def _configuration_loaded(state: TableState, fact: f.ConfigurationLoaded) -> TableState:
    return replace(state, config_text=fact.config_text)


def _officers_listed(state: TableState, fact: f.OfficersListed) -> TableState:
    return replace(state, officers=fact.officers)


def _alarm_raised(state: TableState, fact: f.AlarmRaised) -> TableState:
    others = tuple(alarm for alarm in state.alarms if alarm != fact.alarm)
    return replace(state, alarms=(*others, fact.alarm))


def _alarm_cleared(state: TableState, fact: f.AlarmCleared) -> TableState:
    return replace(state, alarms=tuple(a for a in state.alarms if a != fact.alarm))


def _day_opened(state: TableState, fact: f.DayOpened) -> TableState:
    slots = tuple(replace(slot, fraud_signs=0) for slot in state.slots)
    return replace(
        state,
        phase=Phase.BETWEEN_HANDS,
        day=Day(fact.day),
        hands_left=None,
        slots=slots,
        drops=empty_drops(slots),
    )


def _day_closed(state: TableState, _: f.DayClosed) -> TableState:
    return replace(state, phase=Phase.CLOSED, hands_left=None)


def _hands_left(state: TableState, outcome: o.HandsLeft) -> TableState:
    return replace(state, hands_left=outcome.left)


def _box_closed(state: TableState, fact: f.BoxClosed) -> TableState:
    return replace(state, closed_boxes=tuple(sorted({*state.closed_boxes, fact.box})))


def _box_opened(state: TableState, fact: f.BoxOpened) -> TableState:
    return replace(state, closed_boxes=tuple(b for b in state.closed_boxes if b != fact.box))


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.ControllerStarted: _controller_started,
    f.ControllerStopped: _controller_stopped,
    f.ConfigurationLoaded: _configuration_loaded,
    f.OfficersListed: _officers_listed,
    f.AlarmRaised: _alarm_raised,
    f.AlarmCleared: _alarm_cleared,
    f.DayOpened: _day_opened,
    f.DayClosed: _day_closed,
    f.BoxClosed: _box_closed,
    f.BoxOpened: _box_opened,
    o.HandsLeft: _hands_left,
}
"""The events of this subject that change the state."""
