"""``evolve(state, event) -> state``: total, and it never judges history.

One small function for each kind of event that changes something; every other kind leaves the state
as it is. What is allowed was decided before the event was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.pools import Movement, Pool, Pools
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.state import (
    Bet,
    Day,
    Hand,
    Item,
    Payment,
    Phase,
    Slot,
    TableState,
    WaitingChip,
    box_is_free,
)

READABLE_PAIRS = 5
"""An acceptor can tell its five newest events (ccTalk Generic Specification, header 229)."""


def evolve(state: TableState, event: Event) -> TableState:
    """The state after ``event``."""
    step = _STEPS.get(type(event))
    return state if step is None else step(state, event)


# ---- the controller ------------------------------------------------------------------------------


def _controller_started(state: TableState, _: f.ControllerStarted) -> TableState:
    """What the acceptors did meanwhile is unknown until each has answered again."""
    unseen = tuple(replace(slot, up=False, why_down="not_seen") for slot in state.slots)
    return replace(state, running=True, slots=unseen)


def _controller_stopped(state: TableState, _: f.ControllerStopped) -> TableState:
    return replace(state, running=False)


def _configuration_loaded(state: TableState, fact: f.ConfigurationLoaded) -> TableState:
    return replace(state, config_text=fact.config_text)


def _officers_listed(state: TableState, fact: f.OfficersListed) -> TableState:
    return replace(state, officers=fact.officers)


def _terms_in_force(state: TableState, outcome: o.TermsInForce) -> TableState:
    return replace(state, terms=outcome.terms, pending_terms=None)


def _terms_pending(state: TableState, outcome: o.TermsPending) -> TableState:
    return replace(state, pending_terms=outcome.terms)


def _alarm_raised(state: TableState, fact: f.AlarmRaised) -> TableState:
    others = tuple(alarm for alarm in state.alarms if alarm != fact.alarm)
    return replace(state, alarms=(*others, fact.alarm))


def _alarm_cleared(state: TableState, fact: f.AlarmCleared) -> TableState:
    return replace(state, alarms=tuple(a for a in state.alarms if a != fact.alarm))


# ---- the slots -----------------------------------------------------------------------------------


def _with_slot(state: TableState, box: int, slot: Slot) -> TableState:
    slots = state.slots
    return replace(state, slots=(*slots[: box - 1], slot, *slots[box:]))


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
    )
    return _with_slot(state, fact.box, slot)


def _slot_restarted(state: TableState, fact: f.SlotRestarted) -> TableState:
    old = state.slots[fact.box - 1]
    slot = replace(old, epoch=fact.epoch, count=0, pairs=(), owed_chips=0)
    return _with_slot(state, fact.box, slot)


def _slot_down(state: TableState, fact: f.SlotDown) -> TableState:
    return _with_slot(
        state, fact.box, replace(state.slots[fact.box - 1], up=False, why_down=fact.why)
    )


def _slot_up(state: TableState, fact: f.SlotUp) -> TableState:
    return _with_slot(state, fact.box, replace(state.slots[fact.box - 1], up=True, why_down=""))


def _slot_counted(state: TableState, fact: f.ChipSeen | f.SlotEvent) -> TableState:
    old = state.slots[fact.box - 1]
    pairs = ((fact.a, fact.b), *old.pairs)[:READABLE_PAIRS]
    return _with_slot(state, fact.box, replace(old, count=old.count + 1, pairs=pairs))


def _slot_events_lost(state: TableState, fact: f.SlotEventsLost) -> TableState:
    old = state.slots[fact.box - 1]
    return _with_slot(state, fact.box, replace(old, count=old.count + fact.lost, pairs=()))


def _chip_matched(state: TableState, outcome: o.ChipMatched) -> TableState:
    old = state.slots[outcome.box - 1]
    return _with_slot(state, outcome.box, replace(old, owed_chips=old.owed_chips - 1))


# ---- meters and bets -----------------------------------------------------------------------------


def _moved(state: TableState, box: int, movement: Movement) -> TableState:
    """Apply a bet's movement, and note it with the newest bet of its box."""
    hand = state.hand
    if hand is not None:
        newest = _newest(hand, box)
        bets = tuple(
            replace(bet, movements=(*bet.movements, movement)) if bet is newest else bet
            for bet in hand.bets
        )
        hand = replace(hand, bets=bets)
    return replace(state, pools=_plus(state.pools, movement), hand=hand)


def _plus(pools: Pools, movement: Movement) -> Pools:
    """One movement; whether it was right is not asked here."""
    jackpot, overflow, reserve = (
        pools.jackpot_microcents,
        pools.overflow_microcents,
        pools.reserve_microcents,
    )
    if movement.pool is Pool.JACKPOT:
        return Pools(jackpot + movement.microcents, overflow, reserve)
    if movement.pool is Pool.OVERFLOW:
        return Pools(jackpot, overflow + movement.microcents, reserve)
    return Pools(jackpot, overflow, reserve + movement.microcents)


def _newest(hand: Hand, box: int) -> Bet | None:
    return next((bet for bet in reversed(hand.bets) if bet.box == box), None)


def _contributed(state: TableState, outcome: o.Contributed) -> TableState:
    state = _moved(state, outcome.box, Movement(outcome.pool, outcome.microcents))
    totals = state.totals
    return replace(
        state, totals=replace(totals, contributed=totals.contributed + outcome.microcents)
    )


def _contribution_reversed(state: TableState, outcome: o.ContributionReversed) -> TableState:
    totals = state.totals
    return replace(
        state,
        pools=_plus(state.pools, Movement(outcome.pool, -outcome.microcents)),
        totals=replace(totals, reversed=totals.reversed + outcome.microcents),
    )


def _jackpot_started(state: TableState, outcome: o.JackpotStarted) -> TableState:
    pools, totals = state.pools, state.totals
    return replace(
        state,
        jackpot_started=True,
        pools=Pools(
            jackpot_microcents=pools.jackpot_microcents + outcome.microcents,
            overflow_microcents=pools.overflow_microcents - outcome.overflow_microcents,
            reserve_microcents=pools.reserve_microcents - outcome.reserve_microcents,
        ),
        totals=replace(totals, seeds=totals.seeds + outcome.house_microcents),
    )


def _bet_accepted(state: TableState, outcome: o.BetAccepted) -> TableState:
    hand, day = state.hand, state.day
    if hand is None or day is None:
        return state
    waited = next((chip for chip in state.waiting_chips if chip.box == outcome.box), None)
    movements = () if waited is None else waited.movements
    bet = Bet(outcome.box, outcome.bet, outcome.bet_cents, outcome.source, movements)
    if outcome.source is o.BetSource.ASSERTED:
        slot = state.slots[outcome.box - 1]
        state = _with_slot(state, outcome.box, replace(slot, owed_chips=slot.owed_chips + 1))
    return replace(
        state,
        hand=replace(hand, bets=(*hand.bets, bet)),
        waiting_chips=_without(state, outcome.box),
        day=replace(day, bets_cents=day.bets_cents + outcome.bet_cents),
    )


def _without(state: TableState, box: int) -> tuple[WaitingChip, ...]:
    chips = state.waiting_chips
    return tuple(chip for chip in chips if chip.box != box) if chips else chips


def _bet_returned(state: TableState, outcome: o.BetReturned) -> TableState:
    if any(chip.box == outcome.box for chip in state.waiting_chips):
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
    bet = None if hand is None else _newest(hand, outcome.box)
    movements = () if bet is None else bet.movements
    chip = WaitingChip(outcome.box, outcome.bet_cents, o.BetSource.CARRIED, movements)
    state = replace(state, waiting_chips=(*state.waiting_chips, chip))
    return _bets_taken_off(state, outcome.bet_cents)


def _chip_held(state: TableState, outcome: o.ChipHeld) -> TableState:
    cents = 0 if state.terms is None else state.terms.bet_cents
    chip = WaitingChip(outcome.box, cents, o.BetSource.HELD)
    return replace(state, waiting_chips=(*state.waiting_chips, chip))


def _chip_decided(state: TableState, fact: f.ChipDecided) -> TableState:
    held = any(c.box == fact.box and c.source is o.BetSource.HELD for c in state.waiting_chips)
    if held and not fact.plays:
        return replace(state, waiting_chips=_without(state, fact.box))
    return state


def _item_opened(state: TableState, outcome: o.ItemOpened) -> TableState:
    item = Item(outcome.item, outcome.what, outcome.box)
    return replace(state, items=(*state.items, item), next_item=outcome.item + 1)


def _item_settled(state: TableState, fact: f.ItemSettled) -> TableState:
    return replace(state, items=tuple(i for i in state.items if i.item != fact.item))


# ---- the gaming day ------------------------------------------------------------------------------


def _day_opened(state: TableState, fact: f.DayOpened) -> TableState:
    return replace(state, phase=Phase.BETWEEN_HANDS, day=Day(fact.day), hands_left=None)


def _day_closed(state: TableState, _: f.DayClosed) -> TableState:
    return replace(state, phase=Phase.CLOSED, hands_left=None)


def _hands_left(state: TableState, outcome: o.HandsLeft) -> TableState:
    return replace(state, hands_left=outcome.left)


def _box_closed(state: TableState, fact: f.BoxClosed) -> TableState:
    return replace(state, closed_boxes=tuple(sorted({*state.closed_boxes, fact.box})))


def _box_opened(state: TableState, fact: f.BoxOpened) -> TableState:
    return replace(state, closed_boxes=tuple(b for b in state.closed_boxes if b != fact.box))


# ---- a hand --------------------------------------------------------------------------------------


def _hand_started(state: TableState, fact: f.HandStarted) -> TableState:
    hand = Hand(fact.hand, state.pools.jackpot_microcents)
    return replace(state, phase=Phase.BETTING, hand_number=fact.hand, hand=hand)


def _lock_pressed(state: TableState, _: f.LockPressed) -> TableState:
    return replace(state, phase=Phase.LOCKING)


def _lock_reached(state: TableState, fact: f.LockReached) -> TableState:
    """A box that has its bet already, or takes none, is no question whatever its slot did."""
    hand = state.hand
    if hand is None:
        return state
    unknown = tuple(box for box in fact.unknown_boxes if box_is_free(state, box))
    return replace(state, hand=replace(hand, unknown_boxes=unknown))


def _hand_locked(state: TableState, outcome: o.HandLocked) -> TableState:
    return _in_hand(state, phase=Phase.LOCKED, lock_meter_microcents=outcome.meter_microcents)


def _in_hand(state: TableState, *, phase: Phase, **changes: Any) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    return replace(state, phase=phase, hand=replace(hand, **changes))


def _slot_decided(state: TableState, fact: f.SlotDecided) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    unknown = tuple(box for box in hand.unknown_boxes if box != fact.box)
    return replace(state, hand=replace(hand, unknown_boxes=unknown))


def _awards_declared(state: TableState, fact: f.AwardsDeclared) -> TableState:
    return _in_hand(state, phase=Phase.DECLARED, declared=fact.hands, declared_by=fact.by)


def _awards_rejected(state: TableState, _: f.AwardsRejected) -> TableState:
    return _in_hand(state, phase=Phase.LOCKED, declared=(), declared_by=None)


def _awards_confirmed(state: TableState, fact: f.AwardsConfirmed) -> TableState:
    return _in_hand(state, phase=state.phase, confirmed_by=fact.by)


def _awards_frozen(state: TableState, outcome: o.AwardsFrozen) -> TableState:
    state = replace(state, awards=outcome.award)
    return _in_hand(state, phase=state.phase, base_microcents=outcome.base_microcents)


def _payment_decided(state: TableState, outcome: o.PaymentDecided) -> TableState:
    hand = state.hand
    if hand is None:
        return state
    paid = outcome.cents == 0  # nothing to hand over
    payment = Payment(outcome.box, outcome.bet, outcome.hand, outcome.cents, outcome.rule, paid)
    return replace(state, hand=replace(hand, payments=(*hand.payments, payment)))


def _awards_decided(state: TableState, outcome: o.AwardsDecided) -> TableState:
    pools, totals = state.pools, state.totals
    gone = outcome.deducted_microcents + outcome.house_microcents
    state = replace(
        state,
        pools=replace(pools, jackpot_microcents=pools.jackpot_microcents - gone),
        totals=replace(
            totals,
            deducted=totals.deducted + outcome.deducted_microcents,
            house=totals.house + outcome.house_microcents,
        ),
    )
    return _in_hand(
        state,
        phase=Phase.DECIDED if outcome.second_signature else Phase.PAYABLE,
        derivation=outcome.derivation,
        second_signature=outcome.second_signature,
    )


def _awards_signed(state: TableState, _: f.AwardsSigned) -> TableState:
    return replace(state, phase=Phase.PAYABLE)


def _award_paid(state: TableState, fact: f.AwardPaid) -> TableState:
    hand, day = state.hand, state.day
    if hand is None or day is None:
        return state
    payments = tuple(
        replace(p, paid=True) if (p.box, p.bet) == (fact.box, fact.bet) else p
        for p in hand.payments
    )
    return replace(
        state,
        hand=replace(hand, payments=payments),
        day=replace(day, paid_cents=day.paid_cents + fact.cents),
    )


def _paid_from_seed(state: TableState, outcome: o.PaidFromSeed) -> TableState:
    pools, totals = state.pools, state.totals
    return replace(
        state,
        pools=_plus(pools, Movement(Pool.JACKPOT, -outcome.microcents)),
        totals=replace(totals, deducted=totals.deducted + outcome.microcents),
    )


def _hand_ended(state: TableState, outcome: o.HandEnded) -> TableState:
    day = state.day
    if day is not None and outcome.how is not o.HandOutcome.VOIDED:
        day = replace(day, hands=day.hands + 1)
    return replace(state, phase=Phase.BETWEEN_HANDS, day=day)


_STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.ControllerStarted: _controller_started,
    f.ControllerStopped: _controller_stopped,
    f.ConfigurationLoaded: _configuration_loaded,
    f.OfficersListed: _officers_listed,
    f.AlarmRaised: _alarm_raised,
    f.AlarmCleared: _alarm_cleared,
    f.SlotIdentified: _slot_identified,
    f.SlotRestarted: _slot_restarted,
    f.SlotDown: _slot_down,
    f.SlotUp: _slot_up,
    f.ChipSeen: _slot_counted,
    f.SlotEvent: _slot_counted,
    f.SlotEventsLost: _slot_events_lost,
    f.LockReached: _lock_reached,
    f.DayOpened: _day_opened,
    f.DayClosed: _day_closed,
    f.BoxClosed: _box_closed,
    f.BoxOpened: _box_opened,
    f.ItemSettled: _item_settled,
    f.HandStarted: _hand_started,
    f.LockPressed: _lock_pressed,
    f.SlotDecided: _slot_decided,
    f.ChipDecided: _chip_decided,
    f.AwardsDeclared: _awards_declared,
    f.AwardsRejected: _awards_rejected,
    f.AwardsConfirmed: _awards_confirmed,
    f.AwardsSigned: _awards_signed,
    f.AwardPaid: _award_paid,
    o.TermsInForce: _terms_in_force,
    o.TermsPending: _terms_pending,
    o.JackpotStarted: _jackpot_started,
    o.Contributed: _contributed,
    o.ContributionReversed: _contribution_reversed,
    o.BetAccepted: _bet_accepted,
    o.BetReturned: _bet_returned,
    o.BetCarried: _bet_carried,
    o.ChipHeld: _chip_held,
    o.ChipMatched: _chip_matched,
    o.ItemOpened: _item_opened,
    o.HandLocked: _hand_locked,
    o.AwardsFrozen: _awards_frozen,
    o.PaymentDecided: _payment_decided,
    o.AwardsDecided: _awards_decided,
    o.PaidFromSeed: _paid_from_seed,
    o.HandEnded: _hand_ended,
    o.HandsLeft: _hands_left,
}
"""Events that change the state; those that are absent are told only for the record."""
