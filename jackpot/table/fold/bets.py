"""Bets, contributions and the pools; whether a movement was right is not asked here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.pools import Movement, Pool
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.fold.pools import booked, plus
from jackpot.table.fold.slots import dropped, with_slot
from jackpot.table.state import Bet, Hand, Item, TableState, WaitingChip, waiting_in

_JACKPOT = Pool.JACKPOT


def _with_movement(hand: Hand, box: int, movement: Movement) -> Hand:
    """The movement noted with the newest bet of its box."""
    bets = list(hand.bets)
    for at in range(len(bets) - 1, -1, -1):
        if bets[at].box == box:
            bets[at] = replace(bets[at], movements=(*bets[at].movements, movement))
            return replace(hand, bets=tuple(bets))
    return hand


def _contributed(state: TableState, outcome: o.Contributed) -> TableState:
    """The bet knows its movements, for a void."""
    pool, microcents, hand = outcome.pool, outcome.microcents, state.hand
    if hand is not None:
        hand = _with_movement(hand, outcome.box, Movement(pool, microcents))
    if pool is not _JACKPOT:
        return booked(replace(state, hand=hand), pool, "contributed", microcents)
    totals = state.totals  # the usual case in one step: this is half of all work
    return replace(
        state,
        hand=hand,
        pools=plus(state.pools, pool, microcents),
        totals=replace(totals, contributed=totals.contributed + microcents),
    )


def _contribution_reversed(state: TableState, outcome: o.ContributionReversed) -> TableState:
    return booked(state, outcome.pool, "reversed", outcome.microcents)


_UNTOLD = (o.BetSource.ASSERTED, o.BetSource.DISPUTED)
"""Bets whose chip the acceptor has not told of, and may still."""


def _bet_accepted(state: TableState, outcome: o.BetAccepted) -> TableState:
    hand, day = state.hand, state.day
    if hand is None or day is None:
        return state
    waited = waiting_in(state, outcome.box)
    movements = () if waited is None else waited.movements
    bet = Bet(outcome.box, outcome.bet, outcome.bet_cents, outcome.source, movements)
    if outcome.source in _UNTOLD:
        slot = state.slots[outcome.box - 1]
        state = with_slot(state, outcome.box, replace(slot, owed_chips=slot.owed_chips + 1))
        state = replace(state, drops=dropped(state.drops, outcome.box, 1))
    if waited is not None:
        state = replace(state, waiting_chips=_without(state, outcome.box))
    return replace(
        state,
        hand=replace(hand, bets=(*hand.bets, bet)),
        day=replace(day, bets_cents=day.bets_cents + outcome.bet_cents),
    )


def _without(state: TableState, box: int) -> tuple[WaitingChip, ...]:
    """The waiting chips less the one that has waited longest in ``box``."""
    chips = state.waiting_chips
    first = waiting_in(state, box)
    return tuple(chip for chip in chips if chip is not first) if first is not None else chips


def _bet_returned(state: TableState, outcome: o.BetReturned) -> TableState:
    if waiting_in(state, outcome.box) is not None:
        return replace(state, waiting_chips=_without(state, outcome.box))  # off since it waits
    return _bets_taken_off(state, outcome.bet_cents)


def _bets_taken_off(state: TableState, cents: int) -> TableState:
    day = state.day
    return (
        state
        if day is None
        else replace(state, day=replace(day, bets_cents=day.bets_cents - cents))
    )


def _bet_carried(state: TableState, outcome: o.BetCarried) -> TableState:
    hand = state.hand
    bets = () if hand is None else hand.bets
    moved = [b.movements for b in bets if (b.box, b.bet) == (outcome.box, outcome.bet)]
    movements = moved[0] if moved else ()
    chip = WaitingChip(outcome.box, outcome.bet_cents, o.BetSource.CARRIED, movements)
    state = replace(state, waiting_chips=(*state.waiting_chips, chip))
    return _bets_taken_off(state, outcome.bet_cents)


def _chip_held(state: TableState, outcome: o.ChipHeld) -> TableState:
    cents = 0 if state.terms is None else state.terms.bet_cents
    chip = WaitingChip(outcome.box, cents, o.BetSource.HELD)
    return replace(state, waiting_chips=(*state.waiting_chips, chip))


def _chip_decided(state: TableState, fact: f.ChipDecided) -> TableState:
    chip = waiting_in(state, fact.box)
    if chip is not None and chip.source is o.BetSource.HELD and not fact.plays:
        return replace(state, waiting_chips=_without(state, fact.box))
    return state


def _item_opened(state: TableState, outcome: o.ItemOpened) -> TableState:
    item = Item(outcome.item, outcome.what, outcome.box)
    return replace(state, items=(*state.items, item), next_item=outcome.item + 1)


def _item_settled(state: TableState, fact: f.ItemSettled) -> TableState:
    """With its lock a slot's signs of fraud are dealt with, and counting begins anew."""
    for item in state.items:
        if item.item != fact.item or item.what is not o.ItemWhat.SLOT_LOCKED:
            continue
        if item.box is not None:
            slot = state.slots[item.box - 1]
            state = with_slot(state, item.box, replace(slot, fraud_signs=0))
    return replace(state, items=tuple(i for i in state.items if i.item != fact.item))


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.ItemSettled: _item_settled,
    f.ChipDecided: _chip_decided,
    o.Contributed: _contributed,
    o.ContributionReversed: _contribution_reversed,
    o.BetAccepted: _bet_accepted,
    o.BetReturned: _bet_returned,
    o.BetCarried: _bet_carried,
    o.ChipHeld: _chip_held,
    o.ItemOpened: _item_opened,
}
"""The events of this subject that change the state."""
