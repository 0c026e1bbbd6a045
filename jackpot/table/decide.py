"""``decide(state, fact) -> outcomes``: the rules of one table, one function for each fact.

An officer's act that is not allowed raises ``Refused`` and is not recorded; the order in which the
reasons are looked at stands in ``jackpot.table.refusals``. Machine facts are never refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from jackpot.invariant import invariant
from jackpot.table import day, hand, slot_test, slots, void
from jackpot.table import facts as f
from jackpot.table.event import Event, Fact, Outcome
from jackpot.table.evolve import evolve
from jackpot.table.state import TableState, conserved

RULES_VERSION = 1
"""Names the rules that decided a batch. A changed rule gets a new number, and the old ones stay."""


def decide(state: TableState, fact: Fact) -> tuple[Outcome, ...]:
    """What follows from ``fact`` at a table in ``state``, the fact itself not yet noted.

    Raises ``Refused`` for an act that is not allowed now.
    """
    rule = _RULES.get(type(fact))
    return () if rule is None else rule(state, fact)


def play(state: TableState, facts: Iterable[Fact]) -> tuple[tuple[Event, ...], TableState]:
    """One batch: every fact with its outcomes, in order, and the state after them.

    Raises ``Refused`` when one is not allowed (nothing of the batch counts), ``InvariantBroken``
    when a micro-cent would be unaccounted for.
    """
    events: list[Event] = []
    for fact in facts:
        outcomes = decide(state, fact)
        for event in (fact, *outcomes):
            state = evolve(state, event)
            events.append(event)
    invariant(conserved(state), "contributed + seeds = reversed + deducted + house + pools")
    pools = state.pools
    lowest = min(pools.jackpot_microcents, pools.overflow_microcents, pools.reserve_microcents)
    invariant(lowest >= 0, "no pool below zero")
    return tuple(events), state


_RULES: dict[type[Fact], Callable[[TableState, Any], tuple[Outcome, ...]]] = {
    f.ConfigurationLoaded: day.configuration_loaded,
    f.SlotIdentified: slots.slot_identified,
    f.SlotRestarted: slots.slot_restarted,
    f.SlotEventsLost: slots.slot_events_lost,
    f.SlotEvent: slots.slot_event,
    f.ChipSeen: slots.chip_seen,
    f.LockReached: slots.lock_reached,
    f.DayOpened: day.day_opened,
    f.LastHandsAnnounced: day.last_hands_announced,
    f.DayClosed: day.day_closed,
    f.BoxClosed: day.box_closed,
    f.BoxOpened: day.box_opened,
    f.SlotTestStarted: slot_test.slot_test_started,
    f.SlotTested: slot_test.slot_tested,
    f.ItemSettled: day.item_settled,
    f.HandStarted: hand.hand_started,
    f.LockPressed: hand.lock_pressed,
    f.SlotDecided: hand.slot_decided,
    f.ChipDecided: hand.chip_decided,
    f.AwardsDeclared: hand.awards_declared,
    f.NoAwardsDeclared: hand.no_awards_declared,
    f.AwardsRejected: hand.awards_rejected,
    f.AwardsConfirmed: hand.awards_confirmed,
    f.AwardsSigned: hand.awards_signed,
    f.AwardPaid: hand.award_paid,
    f.HandVoided: void.hand_voided,
}
"""Facts that have outcomes or may be refused; all others are only noted."""
