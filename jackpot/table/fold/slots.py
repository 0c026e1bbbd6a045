"""What the ledger remembers of each acceptor: where its next chip is counted from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.slot_state import BoxDrop, Slot, SlotTest
from jackpot.table.state import TableState

READABLE_PAIRS = 5
"""An acceptor can tell its five newest events (ccTalk Generic Specification, header 229)."""


def with_slot(state: TableState, box: int, slot: Slot) -> TableState:
    slots = list(state.slots)
    slots[box - 1] = slot
    return replace(state, slots=tuple(slots))


def dropped(drops: tuple[BoxDrop, ...], box: int, chips: int) -> tuple[BoxDrop, ...]:
    """So many chips more that must be in ``box``."""
    changed = list(drops)
    old = changed[box - 1]
    changed[box - 1] = BoxDrop(old.detected + chips, old.accepted)
    return tuple(changed)


def _slot_identified(state: TableState, fact: f.SlotIdentified) -> TableState:
    old = state.slots[fact.box - 1]
    goes_on = fact.continuity is f.Continuity.CONTINUED
    slot = replace(
        old,
        serial=fact.serial,
        epoch=fact.epoch,
        count=old.count if goes_on else fact.count,
        pairs=old.pairs if goes_on else fact.pairs,
        owed_chips=old.owed_chips if goes_on else 0,
        insertions=old.insertions if goes_on else None,
        accepts=old.accepts if goes_on else None,
    )
    return with_slot(state, fact.box, slot)


def _slot_restarted(state: TableState, fact: f.SlotRestarted) -> TableState:
    old = state.slots[fact.box - 1]
    slot = replace(old, epoch=fact.epoch, count=0, pairs=(), owed_chips=0)
    return with_slot(state, fact.box, slot)


def _slot_down(state: TableState, fact: f.SlotDown) -> TableState:
    return with_slot(
        state, fact.box, replace(state.slots[fact.box - 1], up=False, why_down=fact.why)
    )


def _slot_up(state: TableState, fact: f.SlotUp) -> TableState:
    return with_slot(state, fact.box, replace(state.slots[fact.box - 1], up=True, why_down=""))


def _counted(old: Slot, a: int, b: int, fraud_signs: int) -> Slot:
    pairs = ((a, b), *old.pairs)[:READABLE_PAIRS]
    return replace(old, count=old.count + 1, pairs=pairs, fraud_signs=fraud_signs)


def _chip_seen(state: TableState, fact: f.ChipSeen) -> TableState:
    slots, at = list(state.slots), fact.box - 1
    slots[at] = _counted(slots[at], fact.a, fact.b, slots[at].fraud_signs)
    return replace(state, slots=tuple(slots), drops=dropped(state.drops, fact.box, 1))


def _slot_event(state: TableState, fact: f.SlotEvent) -> TableState:
    old = state.slots[fact.box - 1]
    slot = _counted(old, fact.a, fact.b, old.fraud_signs + int(fact.fraud))
    return with_slot(state, fact.box, slot)


def _slot_test_started(state: TableState, fact: f.SlotTestStarted) -> TableState:
    return replace(state, test=SlotTest(fact.box, fact.by))


def _slot_tested(state: TableState, _: f.SlotTested) -> TableState:
    return replace(state, test=None)


def _chip_tested(state: TableState, outcome: o.ChipTested) -> TableState:
    test = state.test
    if test is None:
        return state
    return replace(state, test=replace(test, chips=test.chips + int(outcome.expected)))


def _slot_events_lost(state: TableState, fact: f.SlotEventsLost) -> TableState:
    old = state.slots[fact.box - 1]
    return with_slot(state, fact.box, replace(old, count=old.count + fact.lost, pairs=()))


def _chip_matched(state: TableState, outcome: o.ChipMatched) -> TableState:
    """It was counted as a bet before, so it is one chip, not two."""
    old = state.slots[outcome.box - 1]
    owed = max(0, old.owed_chips - 1)  # under a total nobody owes: it has counted all of them
    state = with_slot(state, outcome.box, replace(old, owed_chips=owed))
    return replace(state, drops=dropped(state.drops, outcome.box, -1))


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.SlotIdentified: _slot_identified,
    f.SlotRestarted: _slot_restarted,
    f.SlotDown: _slot_down,
    f.SlotUp: _slot_up,
    f.ChipSeen: _chip_seen,
    f.SlotEvent: _slot_event,
    f.SlotTestStarted: _slot_test_started,
    f.SlotTested: _slot_tested,
    f.SlotEventsLost: _slot_events_lost,
    o.ChipMatched: _chip_matched,
    o.ChipTested: _chip_tested,
}
"""The events of this subject that change the state."""
