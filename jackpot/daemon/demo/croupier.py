"""The automatic croupier: looks at the table, says the next act. Pure; the same look, the same act.

It also signs for the table chief and the games director, with officers that exist in a
demonstration only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jackpot.authority.roles import Role, may_act_as
from jackpot.daemon.demo.deal import Deal, winning_hands
from jackpot.daemon.demo.manual import correction, total_step
from jackpot.daemon.demo.rigs import Trouble
from jackpot.money import cents_rounded_down
from jackpot.table import facts as f
from jackpot.table.day import opening_cents
from jackpot.table.event import OfficerAct
from jackpot.table.outcomes import ItemWhat
from jackpot.table.state import (
    Hand,
    Phase,
    TableState,
    boxes,
    is_manual,
    undecided_chips,
    unpaid,
)

CROUPIER = "croupier-1"
CHIEFS = ("jefe-1", "jefe-2", "director-1")
"""In the order in which they are called; an award never needs more than two of them."""

OFFICERS: dict[str, tuple[Role, ...]] = {
    CROUPIER: (Role.CROUPIER,),
    "croupier-2": (Role.CROUPIER,),
    CHIEFS[0]: (Role.TABLE_CHIEF,),
    CHIEFS[1]: (Role.TABLE_CHIEF,),
    CHIEFS[2]: (Role.GAMES_DIRECTOR,),
    "tecnico-1": (Role.TECHNICIAN,),
}
"""The staff of a demonstration."""


@dataclass(frozen=True)
class Sight:
    """What the croupier sees besides the screen.

    ``dealt`` are the cards of the running hand. ``chips_told``: no chip is about to go in, and the
    screen knows of every one that did. ``announce`` and ``close``: the day nears its end, is over.
    ``carrusel`` names the one that the table is to be in; empty: none.
    """

    dealt: Deal | None
    chips_told: bool
    day: str
    announce: bool = False
    close: bool = False
    carrusel: str = ""


def next_act(state: TableState, sight: Sight) -> OfficerAct | None:
    """The next act, or None while somebody else is to do something first."""
    if state.terms is None or CROUPIER not in state.officers:
        return None
    if state.items:
        item = state.items[0]
        by = CHIEFS[0] if item.what is ItemWhat.SLOT_LOCKED else CROUPIER
        return f.ItemSettled(by=by, item=item.item)
    total = total_step(state, sight.dealt, CROUPIER)
    if total is not None and not _is_misdeal(sight.dealt):
        return total
    step = _STEPS.get(state.phase)
    return None if step is None else step(state, sight)


def _closed(state: TableState, sight: Sight) -> OfficerAct | None:
    if sight.close:
        return None
    return f.DayOpened(
        by=CROUPIER, second=CHIEFS[0], day=sight.day, displayed_cents=opening_cents(state)
    )


def _between_hands(state: TableState, sight: Sight) -> OfficerAct | None:
    if not sight.chips_told:
        return None
    corrected = correction(state, sight.dealt, CHIEFS[0], CHIEFS[2])
    if corrected is not None:
        return corrected
    if sight.carrusel and state.carrusel is None and not sight.close:
        return f.CarruselJoinAsked(
            by=CHIEFS[0],
            second=CHIEFS[2],
            carrusel=sight.carrusel,
            authorisation="demonstration only",
        )
    closing = sight.close or state.hands_left == 0
    if closing and state.waiting_chips:
        box = state.waiting_chips[0].box
        return f.ChipDecided(by=CROUPIER, hand=state.hand_number, box=box, plays=False)
    if closing:
        return f.DayClosed(
            by=CROUPIER,
            second=CHIEFS[0],
            displayed_cents=cents_rounded_down(state.pools.jackpot_microcents),
        )
    if sight.announce and state.hands_left is None:
        return f.LastHandsAnnounced(by=CHIEFS[0])
    if not _slots_are_up(state):
        return None
    return f.HandStarted(by=CROUPIER, hand=state.hand_number + 1)


def open_boxes(state: TableState) -> tuple[int, ...]:
    """The boxes that play."""
    if state.terms is None:
        return ()
    return tuple(box for box in boxes(state.terms) if box not in state.closed_boxes)


def _slots_are_up(state: TableState) -> bool:
    return is_manual(state) or all(state.slots[box - 1].up for box in open_boxes(state))


def _betting(state: TableState, sight: Sight) -> OfficerAct | None:
    undecided = undecided_chips(state)
    if undecided:
        box = undecided[0].box
        return f.ChipDecided(by=CROUPIER, hand=state.hand_number, box=box, plays=True)
    if not sight.chips_told:
        return None
    return f.LockPressed(by=CROUPIER, hand=state.hand_number)


def _locked(state: TableState, sight: Sight) -> OfficerAct | None:
    hand, dealt, number = state.hand, sight.dealt, state.hand_number
    if hand is None or state.terms is None:
        return None
    if hand.unknown_boxes:
        box = hand.unknown_boxes[0]
        return f.SlotDecided(by=CROUPIER, hand=number, box=box, bet=_has_bet(dealt, box))
    if _is_misdeal(dealt):
        return f.HandVoided(by=CROUPIER, hand=number, second=CHIEFS[0], why="exposed card")
    declared = () if dealt is None else winning_hands(state.terms, dealt, _bets(hand, dealt))
    if declared:
        return f.AwardsDeclared(by=CROUPIER, hand=number, hands=declared)
    return f.NoAwardsDeclared(by=CROUPIER, hand=number)


def _is_misdeal(dealt: Deal | None) -> bool:
    return dealt is not None and dealt.trouble is Trouble.MISDEAL


def _bets(hand: Hand, dealt: Deal) -> list[int]:
    """The boxes with a bet: as the slots told, or in manual mode as the croupier sees them."""
    return list(dealt.bets) if hand.manual else [bet.box for bet in hand.bets]


def _has_bet(dealt: Deal | None, box: int) -> bool:
    """The croupier looks into a box whose slot is silent. A chip that came late is not seen yet."""
    return dealt is not None and box in dealt.bets and dealt.trouble is not Trouble.LATE_CHIP


def _declared(state: TableState, _sight: Sight) -> OfficerAct | None:
    chief = _another_chief(state, state.hand)
    return None if chief is None else f.AwardsConfirmed(by=chief, hand=state.hand_number)


def _decided(state: TableState, _sight: Sight) -> OfficerAct | None:
    chief, hand = _another_chief(state, state.hand), state.hand
    if chief is None or hand is None:
        return None
    total_cents = sum(payment.cents for payment in hand.payments)
    return f.AwardsSigned(by=chief, hand=state.hand_number, total_cents=total_cents)


def _another_chief(state: TableState, hand: Hand | None) -> str | None:
    """A table chief who has not signed in this hand yet."""
    signed = () if hand is None else (hand.declared_by, hand.confirmed_by)
    for chief in CHIEFS:
        if chief not in signed and may_act_as(state.officers, chief, Role.TABLE_CHIEF):
            return chief
    return None


def _payable(state: TableState, _sight: Sight) -> OfficerAct | None:
    owed = unpaid(state)
    if not owed:
        return None
    payment = owed[0]
    return f.AwardPaid(
        by=CROUPIER,
        hand=state.hand_number,
        box=payment.box,
        bet=payment.bet,
        cents=payment.cents,
    )


_STEPS: dict[Phase, Callable[[TableState, Sight], OfficerAct | None]] = {
    Phase.CLOSED: _closed,
    Phase.BETWEEN_HANDS: _between_hands,
    Phase.BETTING: _betting,
    Phase.LOCKED: _locked,
    Phase.DECLARED: _declared,
    Phase.DECIDED: _decided,
    Phase.PAYABLE: _payable,
}
"""In LOCKING the machine is at work, and nobody presses anything."""
