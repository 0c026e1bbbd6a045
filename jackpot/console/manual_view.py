"""What the console shows of manual mode (CAN-8.b1), as plain values: a pure function of the state."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.law.policies import ManualTotal
from jackpot.table.state import (
    OUTSIDE_A_HAND,
    EnteredTotal,
    Hand,
    Phase,
    TableState,
    box_is_free,
    boxes,
    is_manual,
)

MOST_DIGIT = 9
"""So many chips have a number key of their own; more are picked by touch or by walking."""


@dataclass(frozen=True)
class ManualView:
    """Manual mode on the panel.

    ``step`` names the template of a step that manual mode has instead of the phase's own, or is
    empty. ``chips`` are the totals that can be entered, with their cents. ``by_key`` are boxes
    whose bets are told by a key in this hand (``broken_slot = box_manual``). ``uncounted``: a hand
    is played whose chips nobody has counted yet, so no number of bets can be shown.
    """

    manual: bool
    step: str = ""
    chips: tuple[tuple[int, int], ...] = ()
    entered: EnteredTotal | None = None
    by_key: tuple[int, ...] = ()
    uncounted: bool = False

    @property
    def takes_digits(self) -> bool:
        """Whether the number keys are the chips now, and no others may have them."""
        return self.step == "total" and self.entered is None


def manual_view(state: TableState) -> ManualView:
    """Manual mode as the table stands."""
    terms, hand = state.terms, state.hand
    if terms is None:
        return ManualView(False)
    if not is_manual(state):
        return ManualView(False, by_key=_by_key(state))
    if hand is None or state.phase in OUTSIDE_A_HAND:
        return ManualView(True)
    uncounted = hand.total is None
    if not _total_is_next(state, hand):
        step = "manual_betting" if state.phase is Phase.BETTING else ""
        return ManualView(True, step, uncounted=uncounted)
    most = terms.boxes * terms.bets_per_box
    chips = tuple((count, count * terms.bet_cents) for count in range(most + 1))
    return ManualView(True, "total", chips, hand.total, uncounted=uncounted)


def _total_is_next(state: TableState, hand: Hand) -> bool:
    """At the end of the hand, or before its awards, as the policy says."""
    if state.phase is Phase.TOTAL:
        return True
    if state.terms is None or state.phase not in (Phase.BETTING, Phase.LOCKED):
        return False
    if state.phase is Phase.BETTING and state.carrusel is not None:
        return False
    before = state.terms.policies.manual_total is ManualTotal.BEFORE_AWARDS
    return before and not hand.total_is_final


def _by_key(state: TableState) -> tuple[int, ...]:
    if state.phase is not Phase.BETTING:
        return ()
    return tuple(box for box in state.manual_boxes if box_is_free(state, box))


def may_declare(state: TableState) -> bool:
    """Whether awards can be entered now: in manual mode the lock key is optional at a table alone."""
    if state.phase in (Phase.LOCKED, Phase.DECLARED):
        return True
    return state.phase is Phase.BETTING and is_manual(state) and state.carrusel is None


def places_with_bets(state: TableState) -> set[tuple[int, int]]:
    """Box and bet of all that can win: the detected bets, or in manual mode every open box, whose
    bet the croupier asserts and the chief confirms."""
    hand, terms = state.hand, state.terms
    if hand is None or terms is None:
        return set()
    if not hand.manual:
        return {(bet.box, bet.bet) for bet in hand.bets}
    in_box = range(1, terms.bets_per_box + 1)
    return {(box, bet) for box in boxes(terms) if box not in state.closed_boxes for bet in in_box}
