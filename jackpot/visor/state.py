"""What the players may see of one table: a pure function of its committed state.

Every display (page, sign, pole) is fed by this. The rules it keeps:

* not sure means not shown: without a verified ledger every amount is ``None``, shown as dashes;
* from the lock to the decision the amount is *the hand's base*; growth appears afterwards;
* it is never more than is owed (the meter), and rounded down to the cent;
* once awards are decided it is the new meter, with the hits beside it (CAN-8.7).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import msgspec

from jackpot.law.awards import decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.policies import BaseOfHand
from jackpot.law.pools import Pools
from jackpot.law.terms import AwardedHand, Terms
from jackpot.law.winners import Winner
from jackpot.money import cents_rounded_down, microcents_from_cents
from jackpot.table.carrusel_state import Membership, MemberStage
from jackpot.table.locking import left_of_view_microcents
from jackpot.table.state import Phase, TableState, bets_in_box, is_locked, is_manual


class ShownCarrusel(Protocol):
    """What a display asks of the link of a carrusel's member (CAN-9)."""

    @property
    def total_microcents(self) -> int | None:
        """The prize with every decision up to ``decision`` in it; None while it is not known."""

    @property
    def decision(self) -> int:
        """The last decision in the total."""

    @property
    def pending(self) -> tuple[str, ...]:
        """The tables whose claims wait for a decision."""

    @property
    def linked(self) -> bool:
        """Whether the carrusel is heard now."""


class ShownStatus(Protocol):
    """What a display asks of a running table besides its state."""

    @property
    def ready(self) -> bool:
        """Whether the ledger has verified and every amount may be trusted."""

    @property
    def halted(self) -> str:
        """Why the table locked itself, or nothing."""

    @property
    def carrusel(self) -> ShownCarrusel | None:
        """What is heard of the carrusel; None at a table without a link."""


class Lamp(StrEnum):
    """The lamp of one box. Displays add a sign to each: never by colour alone."""

    OFF = "off"
    FLASHING = "flashing"
    """A chip is there and waits for the croupier's word."""
    STEADY = "steady"
    """A bet, committed to the ledger."""
    CLOSED = "closed"
    UNKNOWN = "unknown"
    """The slot is silent: nobody knows."""


class AwardLine(msgspec.Struct, frozen=True):
    """One line of the list of awards, with what it would pay at this moment (CAN-8.3)."""

    hand: AwardedHand
    share_ppm: int
    cents: int | None


class Hit(msgspec.Struct, frozen=True):
    """A decided award: shown from the decision until the next hand starts."""

    box: int
    hand: AwardedHand
    cents: int
    paid: bool


class VisorState(msgspec.Struct, frozen=True):
    """One picture of the visor. ``None`` for an amount means dashes. ``carrusel`` names the one whose
    prize is shown; nothing at a table alone. ``unlinked``: it is not heard (SIN ENLACE)."""

    table: str
    layout: str
    hand: int
    amount_cents: int | None
    bet_cents: int | None
    awards: tuple[AwardLine, ...]
    lamps: tuple[Lamp, ...]
    hits: tuple[Hit, ...]
    pending: bool
    hands_left: int | None
    closed: bool
    locked: bool
    carrusel: str = ""
    unlinked: bool = False


NOTHING_KNOWN = VisorState(
    table="",
    layout="",
    hand=0,
    amount_cents=None,
    bet_cents=None,
    awards=(),
    lamps=(Lamp.UNKNOWN,) * 7,
    hits=(),
    pending=False,
    hands_left=None,
    closed=False,
    locked=False,
)
"""Before there is a configuration."""

_BETTING_CLOSED = (Phase.LOCKED, Phase.DECLARED, Phase.PENDING)
_UNTIL_DECIDED = (Phase.BETTING, Phase.LOCKING, *_BETTING_CLOSED)
_AFTER_BETTING = (Phase.LOCKING, *_BETTING_CLOSED, Phase.DECIDED, Phase.PAYABLE, Phase.TOTAL)
_HITS_SHOWN = (Phase.DECIDED, Phase.PAYABLE, Phase.TOTAL, Phase.BETWEEN_HANDS)
_WAITS = (Phase.DECLARED, Phase.PENDING, Phase.DECIDED)

_SAMPLES = {
    AwardedHand.ROYAL_FLUSH: parse_hand("Ad Kd Qd Jd Td"),
    AwardedHand.STRAIGHT_FLUSH: parse_hand("Kd Qd Jd Td 9d"),
    AwardedHand.FOUR_OF_A_KIND: parse_hand("7s 7h 7d 7c 2d"),
}
"""One hand of each kind, to ask the law what a single winner would be paid."""


def visor_state(state: TableState, status: ShownStatus) -> VisorState:
    """The visor of a table in ``state``; amounts only while ``status`` vouches for them."""
    terms = state.terms
    if terms is None:
        return NOTHING_KNOWN
    sure = status.ready and not status.halted
    member, heard = state.carrusel, status.carrusel
    microcents = shown_microcents(state, heard) if _has_amount(state, sure) else None
    amount_cents = None if microcents is None else cents_rounded_down(microcents)
    return VisorState(
        table=terms.table,
        layout=terms.layout,
        hand=state.hand_number,
        amount_cents=amount_cents,
        bet_cents=terms.bet_cents,
        awards=present_awards(terms, amount_cents),
        lamps=tuple(_lamp(state, terms, box) if sure else Lamp.UNKNOWN for box in range(1, 8)),
        hits=_hits(state) if sure else (),
        pending=sure and (state.phase in _WAITS or _others_pending(member, heard)),
        hands_left=state.hands_left,
        closed=state.phase is Phase.CLOSED,
        locked=state.phase in _AFTER_BETTING,
        carrusel=member.carrusel if member is not None and member.position else "",
        unlinked=member is not None and member.position > 0 and not member.linked,
    )


def _others_pending(member: Membership | None, heard: ShownCarrusel | None) -> bool:
    """A claim anywhere in the carrusel is PENDIENTE on every visor (CAN-9)."""
    return member is not None and heard is not None and bool(heard.pending)


def shown_microcents(state: TableState, heard: ShownCarrusel | None = None) -> int | None:
    """The amount that players are shown, in micro-cents, before it is rounded down to the cent.

    The base of the running hand (policy ``base_of_hand``) while it is what awards would be paid on,
    otherwise the meter; and never more than the meter. At a member of a carrusel it is the prize.
    """
    if state.carrusel is not None and state.carrusel.position:
        return _prize_microcents(state, state.carrusel, heard)
    meter = state.pools.jackpot_microcents
    hand, terms = state.hand, state.terms
    if hand is None or terms is None or state.phase not in _UNTIL_DECIDED:
        return meter
    base = terms.policies.base_of_hand
    if base is BaseOfHand.AT_HAND_START:
        return min(meter, hand.start_meter_microcents)
    locked = hand.lock_meter_microcents
    if locked is None and hand.manual:
        locked = hand.start_meter_microcents  # without the lock key; its total may be in already
    if base is BaseOfHand.AT_LOCK and state.phase in _BETTING_CLOSED and locked is not None:
        return min(meter, locked)
    return meter


def _prize_microcents(
    state: TableState, member: Membership, heard: ShownCarrusel | None
) -> int | None:
    """The view of the hand, or what is left of it, from the lock to the decision; else the total, if
    just those decisions are in it that this table has applied. None when nobody knows."""
    known = heard is not None and heard.decision == member.decision
    total = heard.total_microcents if heard is not None and known else None
    if member.stage is MemberStage.STOPPED:
        total = None
    left = left_of_view_microcents(state) if state.phase in _BETTING_CLOSED else None
    if left is None:
        return total
    return left if total is None else min(left, total)


def present_awards(terms: Terms, amount_cents: int | None) -> tuple[AwardLine, ...]:
    """The list of awards with what a single winner of each would be paid on ``amount_cents``."""
    return tuple(
        AwardLine(hand, share_ppm, _present_cents(terms, hand, amount_cents))
        for hand, share_ppm in sorted(
            terms.award_shares_ppm.items(), key=lambda item: list(AwardedHand).index(item[0])
        )
    )


def _present_cents(terms: Terms, hand: AwardedHand, amount_cents: int | None) -> int | None:
    if amount_cents is None:
        return None
    base = microcents_from_cents(amount_cents)
    decided = decide_awards(
        terms,
        base_microcents=base,
        pools=Pools(jackpot_microcents=base),
        winners=[Winner(1, _SAMPLES[hand])],
    )
    return decided.paid_cents


def _has_amount(state: TableState, sure: bool) -> bool:
    return sure and state.jackpot_started


def _hits(state: TableState) -> tuple[Hit, ...]:
    hand = state.hand
    if hand is None or state.phase not in _HITS_SHOWN:
        return ()
    return tuple(Hit(p.box, p.hand, p.cents, p.paid) for p in hand.payments if p.cents)


def _lamp(state: TableState, terms: Terms, box: int) -> Lamp:
    if box > terms.boxes or box in state.closed_boxes:
        return Lamp.CLOSED
    if is_locked(state, box) and not bets_in_box(state, box):
        return Lamp.CLOSED
    if state.phase is Phase.CLOSED:
        return Lamp.OFF
    if state.phase is not Phase.BETWEEN_HANDS and bets_in_box(state, box):
        return Lamp.STEADY
    if any(chip.box == box for chip in state.waiting_chips):
        return Lamp.FLASHING
    if _silent(state, box):
        return Lamp.UNKNOWN
    return Lamp.OFF


def _silent(state: TableState, box: int) -> bool:
    """A slot out of service, or one that did not answer at the lock and is not decided yet. A box
    that plays without its slot is never silent."""
    in_question = state.hand is not None and box in state.hand.unknown_boxes
    without = is_manual(state) or box in state.manual_boxes
    return in_question or not (without or state.slots[box - 1].up)
