"""What chips and slots lead to: bets, chips to hand back, things to see to (CAN-7.1, CAN-8.b2).

These facts are never refused: what a machine saw is recorded, and the rules say what it means.
"""

from __future__ import annotations

from jackpot.law.policies import ExtraChip
from jackpot.law.pools import contribute
from jackpot.law.terms import Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Outcome
from jackpot.table.locking import shown_microcents, waits_for_view
from jackpot.table.state import (
    Phase,
    TableState,
    bets_in_box,
    has_room,
    is_locked,
    is_manual,
    waiting_in,
)

_BETTING_IS_OPEN = (Phase.BETTING, Phase.LOCKING)
"""Until the lock is reached; a chip drained from a slot counts as in time (rule CAN-7.1)."""

_CHIP, _CARRIED = o.BetSource.CHIP, o.BetSource.CARRIED


def accept_bet(
    state: TableState, terms: Terms, box: int, source: o.BetSource
) -> tuple[Outcome, ...]:
    """A bet in ``box`` and what it adds to each pool (CAN-8.b)."""
    accepted = o.BetAccepted(
        box=box, bet_cents=terms.bet_cents, bet=bets_in_box(state, box) + 1, source=source
    )
    if source is _CARRIED:
        return (accepted,)  # its contribution is on the meter since the voided hand: counted once
    moved = contribute(terms, state.pools, terms.bet_cents)
    return (
        accepted,
        *[o.Contributed(box=box, pool=m.pool, microcents=m.microcents) for m in moved],
    )


def chip_seen(state: TableState, fact: f.ChipSeen) -> tuple[Outcome, ...]:
    """A credit of an acceptor: a bet when the chip is right, in time, and the box has room."""
    terms, box = state.terms, fact.box
    if state.test is not None and state.test.box == box:
        return (o.ChipTested(box=box, expected=fact.expected),)
    if terms is None or not fact.expected:
        return _refuse(state, box, o.RefusedChip.WRONG)
    if state.slots[box - 1].owed_chips > 0:
        return (o.ChipMatched(box=box),)
    if box > terms.boxes or box in state.closed_boxes or is_locked(state, box):
        return _refuse(state, box, o.RefusedChip.CLOSED_BOX)
    if is_manual(state):
        return (o.ChipMatched(box=box),)  # the total of the hand counts it
    if state.phase not in _BETTING_IS_OPEN:
        return _extra(state, terms, box, o.RefusedChip.LATE)
    if not has_room(state, terms, box):
        return _extra(state, terms, box, o.RefusedChip.SECOND)
    return accept_bet(state, terms, box, _CHIP)


def _extra(state: TableState, terms: Terms, box: int, why: o.RefusedChip) -> tuple[Outcome, ...]:
    """A late or second chip, by the policy ``extra_chip``."""
    waits = waiting_in(state, box) is not None
    may_wait = terms.policies.extra_chip is ExtraChip.NEXT_HAND and state.phase is not Phase.CLOSED
    if may_wait and not waits:
        return (o.ChipHeld(box=box),)
    return _refuse(state, box, why)


def _refuse(state: TableState, box: int, why: o.RefusedChip) -> tuple[Outcome, ...]:
    return (o.ChipRefused(box=box, why=why), item(state, box, o.ItemWhat.HAND_BACK_CHIP))


def item(state: TableState, box: int | None, what: o.ItemWhat, ahead: int = 0) -> o.ItemOpened:
    """A new thing to see to; ``ahead`` counts those opened before it by the same fact."""
    return o.ItemOpened(box=box, item=state.next_item + ahead, what=what)


def slot_event(state: TableState, fact: f.SlotEvent) -> tuple[Outcome, ...]:
    """A rejected chip needs nothing; a fraud sign needs somebody; too many in one gaming day lock the
    slot until the table chief settles it (``lock_after_fraud_signs``; 0: never)."""
    if not fact.fraud:
        return ()
    sign = item(state, fact.box, o.ItemWhat.FRAUD_SIGN)
    most = 0 if state.terms is None else state.terms.lock_after_fraud_signs
    signs = state.slots[fact.box - 1].fraud_signs + 1
    if most == 0 or signs < most or is_locked(state, fact.box):
        return (sign,)
    return (sign, item(state, fact.box, o.ItemWhat.SLOT_LOCKED, ahead=1))


def slot_events_lost(state: TableState, fact: f.SlotEventsLost) -> tuple[Outcome, ...]:
    """Nobody guesses what was lost: the croupier looks at the chips."""
    return (item(state, fact.box, o.ItemWhat.EVENTS_LOST),)


def slot_restarted(state: TableState, fact: f.SlotRestarted) -> tuple[Outcome, ...]:
    """A restarted acceptor may have lost what it had seen; only betting hands are concerned."""
    if state.phase in _BETTING_IS_OPEN:
        return (item(state, fact.box, o.ItemWhat.SLOT_RESTARTED),)
    return ()


def slot_identified(state: TableState, fact: f.SlotIdentified) -> tuple[Outcome, ...]:
    """A base line that does not fit the record is a question for the operator, never a credit."""
    if fact.continuity is f.Continuity.DOUBTFUL:
        return (item(state, fact.box, o.ItemWhat.SLOT_DOUBTFUL),)
    return ()


def lock_reached(state: TableState, _: f.LockReached) -> tuple[Outcome, ...]:
    """The betting is closed; the amount now is what the visors show until the hand ends. A member of a
    carrusel stays at the barrier until it has a total to show, and is told again then."""
    if state.phase is not Phase.LOCKING or state.hand is None or waits_for_view(state):
        return ()
    return (
        o.HandLocked(
            meter_microcents=shown_microcents(state),
            bets_cents=sum([bet.cents for bet in state.hand.bets]),
        ),
    )
