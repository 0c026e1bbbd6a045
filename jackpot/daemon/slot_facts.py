"""What the wire tells, as facts of the table: one poll reply is one batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jackpot.mechanism.fault_codes import fault_code
from jackpot.mechanism.wire_events import Counters, Credit, Fault, Identified, Lost, Polled
from jackpot.mechanism.wire_events import SlotEvent as WireSlotEvent
from jackpot.table import facts as f
from jackpot.table.event import Fact

EMPTY_EVENT = "empty_event"
"""The name of an event that an acceptor counted and then shows as two zeros."""


def identified_fact(told: Identified) -> f.SlotIdentified:
    """An acceptor's identity and base line."""
    return f.SlotIdentified(
        box=told.box,
        serial=told.serial,
        maker=told.maker,
        product=told.product,
        epoch=told.epoch,
        count=told.count,
        pairs=told.pairs,
        continuity=f.Continuity(told.continuity.value),
    )


def polled_facts(told: Polled, counted: int) -> list[Fact]:
    """The news of one poll reply after ``counted`` events, oldest first.

    Every number up to ``told.count`` has its fact, so that the ledger counts as the acceptor does;
    what was told before (the line broke before its commit reached the acceptor) is not told again.
    """
    facts: list[Fact] = []
    for event in told.events:
        if event.count <= counted:
            continue
        lost = min(event.lost, event.count - counted) if isinstance(event, Lost) else 1
        facts += _empty(told.box, event.count - lost - counted)
        facts.append(_event_fact(event, lost))
        counted = event.count
    facts += _empty(told.box, told.count - counted)
    return facts


def is_fault(event: WireSlotEvent) -> bool:
    """Whether somebody must look: lost events, a jam, a sign of fraud."""
    if isinstance(event, Lost):
        return True
    code = fault_code(event.code) if isinstance(event, Fault) else None
    return code is not None and (code.jam or code.fraud)


def counters_facts(told: Iterable[Counters]) -> list[Fact]:
    """The acceptors' own counters."""
    return [
        f.SlotCountersRead(box=one.box, insertions=one.insertions, accepts=one.accepts)
        for one in told
    ]


def _empty(box: int, number: int) -> Iterator[Fact]:
    return (f.SlotEvent(box=box, a=0, b=0, name=EMPTY_EVENT) for _ in range(number))


def _event_fact(event: WireSlotEvent, lost: int) -> Fact:
    if isinstance(event, Credit):
        return f.ChipSeen(box=event.box, expected=event.expected, a=event.coin, b=event.path)
    if isinstance(event, Fault):
        code = fault_code(event.code)
        return f.SlotEvent(box=event.box, a=0, b=event.code, name=code.en, fraud=code.fraud)
    return f.SlotEventsLost(box=event.box, lost=lost)
