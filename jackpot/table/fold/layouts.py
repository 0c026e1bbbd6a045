"""Modes, layouts, the table in and out of service, and the drop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.terms import BetMode, Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.slot_state import BoxDrop, Slot
from jackpot.table.state import LayoutState, TableState


def _terms_in_force(state: TableState, outcome: o.TermsInForce) -> TableState:
    """Terms of the other layout wait with it; a changed mode of the terms is the mode from now on."""
    terms, old = outcome.terms, state.terms
    if old is not None and terms.layout != old.layout:
        return replace(state, parked=_parked_terms(state.parked, terms))
    if old is None or old.mode is not terms.mode:
        state = replace(state, mode=terms.mode, manual_boxes=())
    return replace(state, terms=terms, pending_terms=None)


def _parked_terms(parked: LayoutState | None, terms: Terms) -> LayoutState:
    if parked is None or parked.layout != terms.layout:
        return LayoutState(terms.layout, terms)
    return replace(parked, terms=terms, pending_terms=None)


def _terms_pending(state: TableState, outcome: o.TermsPending) -> TableState:
    parked = state.parked
    if parked is not None and parked.layout == outcome.terms.layout:
        return replace(state, parked=replace(parked, pending_terms=outcome.terms))
    return replace(state, pending_terms=outcome.terms)


def _minimum_set(state: TableState, fact: f.TableMinimumSet) -> TableState:
    """Waiting terms take it over, too: the director's word is newer than theirs."""
    terms, pending = state.terms, state.pending_terms
    if terms is not None:
        terms = replace(terms, table_minimum_cents=fact.cents)
    if pending is not None:
        pending = replace(pending, table_minimum_cents=fact.cents)
    return replace(state, terms=terms, pending_terms=pending)


def _nothing_owed(slot: Slot) -> Slot:
    """A slot that works again has told of everything."""
    return replace(slot, owed_chips=0)


def _mode_changed(state: TableState, fact: f.ModeChanged) -> TableState:
    slots = state.slots
    if fact.mode is BetMode.AUTOMATIC:
        slots = tuple(_nothing_owed(slot) for slot in slots)
    return replace(state, mode=fact.mode, manual_boxes=(), slots=slots)


def _box_mode_changed(state: TableState, fact: f.BoxModeChanged) -> TableState:
    others = {box for box in state.manual_boxes if box != fact.box}
    if fact.mode is BetMode.MANUAL:
        return replace(state, manual_boxes=tuple(sorted({*others, fact.box})))
    slots = state.slots
    slot = _nothing_owed(slots[fact.box - 1])
    slots = (*slots[: fact.box - 1], slot, *slots[fact.box :])
    return replace(state, manual_boxes=tuple(sorted(others)), slots=slots)


def _suspended(state: TableState, fact: f.TableSuspended) -> TableState:
    return replace(state, suspended=fact.why)


def _resumed(state: TableState, _: f.TableResumed) -> TableState:
    return replace(state, suspended=None)


def _layout_changed(state: TableState, fact: f.LayoutChanged) -> TableState:
    """The two layouts change places; hands and awards are numbered through."""
    terms, other = state.terms, state.parked
    if terms is None or other is None:
        return state
    parked = LayoutState(
        layout=terms.layout,
        terms=terms,
        pending_terms=state.pending_terms,
        pools=state.pools,
        totals=state.totals,
        overflow_totals=state.overflow_totals,
        reserve_totals=state.reserve_totals,
        jackpot_started=state.jackpot_started,
        jackpots=state.jackpots,
        day=state.day,
        hand_totals=state.hand_totals,
        past_awards=state.past_awards,
        drops=state.drops,
    )
    fields = {name: getattr(other, name) for name in other.__struct_fields__ if name != "layout"}
    return replace(
        state,
        **fields,
        parked=parked,
        hand=None,
        mode=other.terms.mode,
        manual_boxes=(),
        layout_changed_day=fact.day,
    )


def _counters_read(state: TableState, fact: f.SlotCountersRead) -> TableState:
    """Coins since the last reading; a counter that fell has begun again at zero."""
    at = fact.box - 1
    slot, drop = state.slots[at], state.drops[at]
    if slot.accepts is not None and drop.accepted is not None:
        more = fact.accepts - slot.accepts
        drop = replace(drop, accepted=drop.accepted + (more if more >= 0 else fact.accepts))
    slot = replace(slot, insertions=fact.insertions, accepts=fact.accepts)
    return replace(
        state,
        slots=(*state.slots[:at], slot, *state.slots[at + 1 :]),
        drops=(*state.drops[:at], drop, *state.drops[at + 1 :]),
    )


def empty_drops(slots: tuple[Slot, ...]) -> tuple[BoxDrop, ...]:
    """A new day; only a counter that was read before has a base line."""
    return tuple(BoxDrop(0, None if slot.accepts is None else 0) for slot in slots)


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.SlotCountersRead: _counters_read,
    f.ModeChanged: _mode_changed,
    f.BoxModeChanged: _box_mode_changed,
    f.TableSuspended: _suspended,
    f.TableResumed: _resumed,
    f.TableMinimumSet: _minimum_set,
    f.LayoutChanged: _layout_changed,
    o.TermsInForce: _terms_in_force,
    o.TermsPending: _terms_pending,
}
"""The events of this subject that change the state."""
