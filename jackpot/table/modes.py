"""How bets reach the meter when a slot does not tell: modes, asserted and disputed bets."""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.law.policies import BrokenSlot
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Outcome
from jackpot.table.refusals import (
    box_of_table,
    carrusel_takes_bets,
    in_phase,
    running_hand,
    signed,
    terms_in_force,
    this_hand,
)
from jackpot.table.slots import accept_bet
from jackpot.table.state import OUTSIDE_A_HAND, Phase, TableState, box_is_free, slots_down

_POLICY = "policy:broken_slot"


def mode_changed(state: TableState, act: f.ModeChanged) -> tuple[Outcome, ...]:
    """The whole table to b.1 and back, between hands, signed by the chief."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    in_phase(state, *OUTSIDE_A_HAND, rule=_POLICY)
    _another_mode(state.mode, act.mode)
    policy = terms.policies.broken_slot is BrokenSlot.TABLE_MANUAL
    _authorised(terms.mode is act.mode or (terms.mode is BetMode.AUTOMATIC and policy))
    if state.waiting_chips:
        raise Refused(
            reason="chip_waiting",
            expected="every waiting chip handed back",
            found=f"boxes {', '.join(str(chip.box) for chip in state.waiting_chips)}",
            to_do="hand the chips back, then change the mode",
            rule=_POLICY,
        )
    if act.mode is BetMode.AUTOMATIC:
        _working(slots_down(state, terms))
    return ()


def box_mode_changed(state: TableState, act: f.BoxModeChanged) -> tuple[Outcome, ...]:
    """One box plays without its slot, where that is authorised, or with it again."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    in_phase(state, *OUTSIDE_A_HAND, rule=_POLICY)
    box_of_table(terms, act.box)
    manual = act.box in state.manual_boxes
    _another_mode(BetMode.MANUAL if manual else BetMode.AUTOMATIC, act.mode)
    allowed = terms.policies.broken_slot is BrokenSlot.BOX_MANUAL
    _authorised(state.mode is BetMode.AUTOMATIC and (manual or allowed))
    if act.mode is BetMode.AUTOMATIC and not state.slots[act.box - 1].up:
        _working((act.box,))
    return ()


def _another_mode(present: BetMode, wanted: BetMode) -> None:
    if present is wanted:
        raise Refused(
            reason="mode_is_so",
            expected="another mode than the present one",
            found=wanted.value,
            to_do="look at the present screen",
            rule=_POLICY,
        )


def _authorised(allowed: bool) -> None:
    if not allowed:
        raise Refused(
            reason="mode_not_authorised",
            expected="a change that the policy broken_slot and the terms allow",
            found="one that they do not",
            to_do="close the box, or have the policy changed",
            rule=_POLICY,
        )


def _working(down: tuple[int, ...]) -> None:
    if down:
        raise Refused(
            reason="slot_down",
            expected="a working slot, which has told of every chip",
            found=f"out of service: {', '.join(map(str, down))}",
            to_do="wait for the slot, or close the box",
            rule=_POLICY,
        )


def bet_asserted(state: TableState, act: f.BetAsserted) -> tuple[Outcome, ...]:
    """A key instead of the slot of a box, before the lock."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    in_phase(state, Phase.BETTING, rule="CAN-7.1")
    if act.box not in state.manual_boxes:
        raise Refused(
            reason="box_not_manual",
            expected="a box that plays without its slot",
            found=f"box {act.box}",
            to_do="let the chip go into the slot",
            rule=_POLICY,
        )
    _has_room(state, act.box)
    carrusel_takes_bets(state, terms)
    return accept_bet(state, terms, act.box, o.BetSource.ASSERTED)


def bet_disputed(state: TableState, act: f.BetDisputed) -> tuple[Outcome, ...]:
    """Two officers accept a bet that the slot did not detect; it contributes like any other."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    this_hand(state, act)
    in_phase(state, Phase.LOCKED, Phase.DECLARED, rule="CAN-8.b2")
    hand = running_hand(state)
    if hand.manual:
        raise Refused(
            reason="hand_is_manual",
            expected="a hand whose bets the slots detect",
            found="a hand in manual mode, where the croupier asserts every winning bet",
            to_do="declare the hand",
            rule="CAN-8.b1",
        )
    if act.box in hand.unknown_boxes:
        raise Refused(
            reason="box_unknown",
            expected="a box that was decided",
            found=f"box {act.box}, whose slot stayed silent at the lock",
            to_do="look into the box and say whether there is a bet",
            rule="CAN-8.b2",
        )
    _has_room(state, act.box)
    return accept_bet(state, terms, act.box, o.BetSource.DISPUTED)


def _has_room(state: TableState, box: int) -> None:
    if not box_is_free(state, box):
        raise Refused(
            reason="box_full",
            expected="an open box with room for a bet",
            found=f"box {box}",
            to_do="look at the lamps of the boxes",
            rule="CAN-8.1",
        )
