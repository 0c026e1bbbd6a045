"""Between the wire and the desk: what acceptors tell becomes facts, what the table wants becomes
inhibits, and an acceptor is polled again only when the ledger holds what it told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from jackpot.console.desk import Done
from jackpot.daemon.requests import CONTROLLER, LOCK, SLOTS, slot_source
from jackpot.daemon.slot_counters import SlotCounters
from jackpot.daemon.slot_facts import identified_fact, is_fault, polled_facts
from jackpot.daemon.table_desk import TableDesk
from jackpot.invariant import invariant
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.wire_events import (
    CountersRead,
    Down,
    Drained,
    Identified,
    KeyPressed,
    LineFault,
    Polled,
    Restarted,
    Up,
    WireEvent,
)
from jackpot.table import facts as f
from jackpot.table.slot_state import NOT_SEEN
from jackpot.table.state import Phase, TableState

LINE_ALARM = "slot_line"

RESUME_WAIT_S = 6.0
"""After a start in the middle of the lock: seven identifications take 0.6 s of wire each. Whoever
has not answered by then is drained as unknown."""

_NOTHING_NEW = (f.SlotEventsLost(box=1, lost=0),)
"""Stands for news that the desk has already: their cause is a repeated one, so it is not recorded."""

_log = structlog.get_logger(__name__)


class Bus(Protocol):
    """What the keeper asks of the wire."""

    def committed(self, box: int, epoch: int, count: int) -> None:
        """The ledger holds the news of ``box`` up to ``count``."""

    def accept(self, box: int, on: bool) -> None:
        """Open or close the slot of ``box``."""

    def drain(self) -> None:
        """The lock: inhibit and poll everybody, then tell ``Drained``."""

    def read_counters(self, boxes: Iterable[int]) -> None:
        """Ask these boxes' own counters, then tell ``CountersRead``."""


NO_ACCEPTOR = -1
"""A serial number that nothing on a wire can have (header 242 answers three bytes)."""


def resume_records(state: TableState, *, older: bool = False) -> dict[int, Resume]:
    """Where the ledger stands with each acceptor it knows.

    In an ``older`` ledger that goes on, no acceptor continues what is written there, though its
    counter may look so: it has counted chips that were played in what is lost. Each one is asked to
    begin anew, so its count is doubtful and nothing is credited.
    """
    return {
        box: Resume(NO_ACCEPTOR if older else slot.serial, slot.epoch, slot.count, slot.pairs)
        for box, slot in enumerate(state.slots, 1)
        if slot.serial is not None
    }


@dataclass(frozen=True)
class _Told:
    """How far one acceptor's events were handed to the desk, committed or on their way."""

    serial: int | None
    epoch: int
    count: int


class SlotKeeper:
    """One table's slots. ``attach`` the bus, then give it ``on_events`` as its callback.

    ``on_all_identified`` is called once the ledger holds a base line, told in this run, of every box;
    ``on_key`` when somebody presses the mechanism's own «no va más» key.
    """

    def __init__(
        self,
        desk: TableDesk,
        boxes: Sequence[int],
        on_all_identified: Callable[[], None] = lambda: None,
        on_key: Callable[[], None] = lambda: None,
    ) -> None:
        state = desk.state
        self._desk = desk
        self._bus: Bus | None = None
        self._boxes = tuple(boxes)
        self._told = {
            box: _Told(slot.serial, slot.epoch, slot.count)
            for box, slot in enumerate(state.slots, 1)
        }
        self._service = {
            box: "" if slot.up else slot.why_down for box, slot in enumerate(state.slots, 1)
        }
        self._line_alarm = LINE_ALARM in state.alarms
        self._accepting: dict[int, bool] = dict.fromkeys(boxes, False)
        self._heard_of: set[int] = set()
        self._identified_boxes: set[int] = set()
        self._on_all_identified = on_all_identified
        self._on_key = on_key
        self._counters = SlotCounters(desk, boxes)
        self._drained_hand = 0
        self._waits = state.phase is Phase.LOCKING
        self._timer: asyncio.TimerHandle | None = None

    def attach(self, bus: Bus) -> None:
        """Begin: the slots follow the table from now on."""
        self._bus = bus
        self._counters.attach(bus)
        if self._waits:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(RESUME_WAIT_S, self._wait_no_longer)
        self._desk.on_change(self._follow)
        self._follow()

    def detach(self) -> None:
        """The bus is about to go; nothing is asked of it any more."""
        self._bus = None
        self._counters.detach()
        if self._timer is not None:
            self._timer.cancel()

    @property
    def service(self) -> Mapping[int, str]:
        """By box: empty when its slot works, else why not."""
        return self._service

    def on_events(self, events: Sequence[WireEvent]) -> None:
        """What the bus tells, in order."""
        for event in events:
            self._tell(event)
        if events:
            self._follow()

    def _tell(self, event: WireEvent) -> None:
        match event:
            case Polled():
                self._polled(event)
            case Identified():
                self._identified(event)
            case Restarted():
                self._told[event.box] = replace(self._told[event.box], epoch=event.epoch, count=0)
                fact = f.SlotRestarted(box=event.box, epoch=event.epoch)
                self._desk.submit((fact,), SLOTS)
                self._counters.after_fault(event.box)
            case Up():
                self._in_service(event.box)
            case Down():
                self._out_of_service(event)
            case Drained():
                self._drained(event)
            case CountersRead():
                self._counters.told(event)
            case LineFault():
                self._line_fault(event)
            case KeyPressed():
                self._on_key()

    def _identified(self, told: Identified) -> None:
        before = self._told[told.box]
        same = (before.serial, before.epoch) == (told.serial, told.epoch)
        count = max(before.count, told.count) if same else told.count
        self._told[told.box] = _Told(told.serial, told.epoch, count)
        done = self._desk.submit((identified_fact(told),), SLOTS)
        if told.box in self._identified_boxes:
            return

        def committed(future: asyncio.Future[Done]) -> None:
            if future.cancelled() or future.exception() is not None:
                return
            before = len(self._identified_boxes)
            self._identified_boxes.add(told.box)
            if before < len(self._identified_boxes) == len(self._boxes):
                self._on_all_identified()

        done.add_done_callback(committed)

    def _polled(self, told: Polled) -> None:
        """One poll reply is one batch; the acceptor may go on when it is on the disk."""
        before = self._told[told.box]
        invariant(before.epoch == told.epoch, f"box {told.box} counts in epoch {before.epoch}")
        facts = polled_facts(told, before.count)
        self._told[told.box] = replace(before, count=max(before.count, told.count))
        if any(is_fault(event) for event in told.events):
            self._counters.after_fault(told.box)
        source = slot_source(told.box, before.serial, told.epoch)
        done = self._desk.submit(facts or _NOTHING_NEW, source, told.count)

        def committed(future: asyncio.Future[Done]) -> None:
            recorded = not future.cancelled() and future.exception() is None
            if recorded and self._bus is not None:
                self._bus.committed(told.box, told.epoch, told.count)

        done.add_done_callback(committed)

    def _in_service(self, box: int) -> None:
        self._heard_of.add(box)
        if self._line_alarm:
            self._line_alarm = False
            self._desk.set_line_fault("")
            self._desk.submit((f.AlarmCleared(alarm=LINE_ALARM),), CONTROLLER)
        if self._service[box]:
            if self._service[box] != NOT_SEEN:
                self._counters.after_fault(box)
            self._service[box] = ""
            self._desk.submit((f.SlotUp(box=box),), SLOTS)

    def _out_of_service(self, told: Down) -> None:
        self._heard_of.add(told.box)
        if self._service[told.box] != told.reason.value:
            _log.warning("slot down", box=told.box, why=told.reason.value, detail=told.detail)
            self._service[told.box] = told.reason.value
            self._desk.submit((f.SlotDown(box=told.box, why=told.reason.value),), SLOTS)

    def _line_fault(self, told: LineFault) -> None:
        _log.error("line fault", why=told.reason.value, detail=told.detail)
        self._desk.set_line_fault(f"{told.reason.value}: {told.detail}")
        if not self._line_alarm:
            self._line_alarm = True
            fact = f.AlarmRaised(alarm=LINE_ALARM, detail=told.reason.value)
            self._desk.submit((fact,), CONTROLLER)

    def _drained(self, told: Drained) -> None:
        """The lock is reached. A closed box takes no part, so nobody need look into it."""
        closed = self._desk.state.closed_boxes
        unknown = tuple(box for box in told.unknown_boxes if box not in closed)
        fact = f.LockReached(unknown_boxes=unknown)
        self._desk.submit((fact,), LOCK, self._desk.state.hand_number)

    # ---- what the table wants ------------------------------------------------------------------

    def _wait_no_longer(self) -> None:
        self._waits = False
        self._follow()

    def _follow(self) -> None:
        """Open and close slots as the table stands; at «no va más» drain them, once a hand."""
        bus, state = self._bus, self._desk.state
        if bus is None:
            return
        accepting = self._desk.accepting
        for box in self._boxes:
            on = box in accepting
            if on != self._accepting[box]:
                self._accepting[box] = on
                bus.accept(box, on)
        if state.phase is not Phase.LOCKING or state.hand_number == self._drained_hand:
            return
        if self._waits and not self._heard_of.issuperset(self._boxes):
            return
        if self._desk.status.ready:
            self._waits = False
            self._drained_hand = state.hand_number
            bus.drain()
