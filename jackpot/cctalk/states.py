"""The states of one acceptor and the only ways between them. A missing pair is our own fault."""

from __future__ import annotations

from enum import Enum, auto

from jackpot.invariant import invariant
from jackpot.mechanism.states import State


class Signal(Enum):
    """What can happen to it."""

    ANSWERED = auto()
    IDENTIFIED = auto()
    SET = auto()
    FAULTED = auto()
    CLEAN = auto()
    RESTARTED = auto()
    DOUBTED = auto()
    """Its events contradict what it showed before, again and again."""

    MISFIT = auto()
    SILENT = auto()


LIVING = frozenset({State.SETTING, State.READY, State.CHECKING})
"""Known, answering, and ours to inhibit and to poll."""

POLLED = frozenset({State.READY, State.CHECKING})

TRANSITIONS: dict[tuple[State, Signal], State] = {
    (State.ABSENT, Signal.ANSWERED): State.IDENTIFYING,
    (State.ABSENT, Signal.SILENT): State.ABSENT,
    (State.UNFIT, Signal.ANSWERED): State.IDENTIFYING,
    (State.UNFIT, Signal.SILENT): State.ABSENT,
    (State.IDENTIFYING, Signal.IDENTIFIED): State.SETTING,
    (State.IDENTIFYING, Signal.MISFIT): State.UNFIT,
    (State.IDENTIFYING, Signal.SILENT): State.ABSENT,
    (State.SETTING, Signal.SET): State.READY,
    (State.SETTING, Signal.MISFIT): State.UNFIT,
    (State.SETTING, Signal.SILENT): State.ABSENT,
    (State.READY, Signal.FAULTED): State.CHECKING,
    (State.READY, Signal.RESTARTED): State.IDENTIFYING,
    (State.READY, Signal.DOUBTED): State.IDENTIFYING,
    (State.READY, Signal.MISFIT): State.UNFIT,
    (State.READY, Signal.SILENT): State.ABSENT,
    (State.CHECKING, Signal.FAULTED): State.CHECKING,
    (State.CHECKING, Signal.CLEAN): State.READY,
    (State.CHECKING, Signal.RESTARTED): State.IDENTIFYING,
    (State.CHECKING, Signal.DOUBTED): State.IDENTIFYING,
    (State.CHECKING, Signal.MISFIT): State.UNFIT,
    (State.CHECKING, Signal.SILENT): State.ABSENT,
}


def next_state(state: State, signal: Signal) -> State:
    """Where ``signal`` leads from ``state``."""
    after = TRANSITIONS.get((state, signal))
    invariant(after is not None, f"{signal.name} has a meaning in state {state.name}")
    return after or state


class Drain(Enum):
    """How far the lock has got with one acceptor."""

    NONE = auto()
    INHIBIT = auto()
    POLL = auto()
    DONE = auto()
    UNKNOWN = auto()
