"""``decide(state, fact) -> outcomes``: the rules of one table, one function for each fact.

An officer's act that is not allowed raises ``Refused`` and is not recorded; the order in which the
reasons are looked at stands in ``jackpot.table.refusals``. Machine facts are never refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from jackpot.invariant import invariant
from jackpot.table import (
    carrusel,
    day,
    entries,
    hand,
    modes,
    reversals,
    service,
    slips,
    slot_test,
    slots,
    totals,
    void,
)
from jackpot.table import facts as f
from jackpot.table.event import Event, Fact, Outcome
from jackpot.table.evolve import evolve
from jackpot.table.state import TableState, conserved
from jackpot.table.telling import Telling

RULES_VERSION = 1
"""Names the rules that decided a batch. A changed rule gets a new number, and the old ones stay."""


def decide(state: TableState, fact: Fact) -> tuple[Outcome, ...]:
    """What follows from ``fact`` at a table in ``state``, the fact itself not yet noted.

    Raises ``Refused`` for an act that is not allowed now.
    """
    rule = _RULES.get(type(fact))
    return () if rule is None else rule(state, fact)


def play(state: TableState, facts: Iterable[Fact]) -> tuple[tuple[Event, ...], TableState]:
    """One batch: every fact with its outcomes, in order, and the state after them; at a member of a
    carrusel also what the batch tells it, at the end.

    Raises ``Refused`` when one is not allowed (nothing of the batch counts), ``InvariantBroken``
    when a micro-cent would be unaccounted for.
    """
    events: list[Event] = []
    before = state
    telling = None if state.carrusel is None else Telling(state)
    for fact in facts:
        outcomes = decide(state, fact)
        if telling is not None:
            telling.fact(state, fact)
        for event in (fact, *outcomes):
            state = evolve(state, event)
            events.append(event)
    if telling is not None:
        operation = telling.operation(state, events)
        if operation is not None:
            state = evolve(state, operation)
            events.append(operation)
    if _money_moved(before, state):
        _prove(state)
    return tuple(events), state


def _money_moved(before: TableState, after: TableState) -> bool:
    """Whether a pool or a sum is another object than before; most batches touch none."""
    return not (
        after.pools is before.pools
        and after.totals is before.totals
        and after.overflow_totals is before.overflow_totals
        and after.reserve_totals is before.reserve_totals
        and after.parked is before.parked
    )


def _prove(state: TableState) -> None:
    invariant(conserved(state), "every micro-cent of every pool is accounted for")
    pools = state.pools
    lowest = min(pools.jackpot_microcents, pools.overflow_microcents, pools.reserve_microcents)
    invariant(lowest >= 0, "no pool below zero")


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
    f.SlipPrinted: slips.slip_printed,
    f.HandVoided: void.hand_voided,
    f.BetAsserted: modes.bet_asserted,
    f.BetDisputed: modes.bet_disputed,
    f.ModeChanged: modes.mode_changed,
    f.BoxModeChanged: modes.box_mode_changed,
    f.TotalEntered: totals.total_entered,
    f.TotalWithdrawn: totals.total_withdrawn,
    f.TotalFinal: totals.total_final,
    f.TotalTimeUp: totals.total_time_up,
    f.TableSuspended: service.table_suspended,
    f.TableResumed: service.table_resumed,
    f.TableMinimumSet: service.table_minimum_set,
    f.LayoutChanged: service.layout_changed,
    f.DropCounted: service.drop_counted,
    f.JackpotTakenOver: entries.jackpot_taken_over,
    f.JackpotReceived: entries.jackpot_received,
    f.JackpotMoved: entries.jackpot_moved,
    f.JackpotEnded: entries.jackpot_ended,
    f.ControllerReplaced: entries.controller_replaced,
    f.JackpotCorrected: entries.jackpot_corrected,
    f.SeedRaised: entries.seed_raised,
    f.TotalCorrected: entries.total_corrected,
    f.DecisionReversed: reversals.decision_reversed,
    f.PaymentReversed: reversals.payment_reversed,
    f.CarruselJoinAsked: carrusel.join_asked,
    f.CarruselLeaveAsked: carrusel.leave_asked,
    f.ClaimWithdrawn: carrusel.claim_withdrawn,
    f.CarruselJoined: carrusel.joined,
    f.CarruselDecided: carrusel.decided,
    f.CarruselUndone: carrusel.undone,
}
"""Facts that have outcomes or may be refused; all others are only noted."""
