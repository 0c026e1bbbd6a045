"""Manual mode: the total of a hand, from its entry to the meter (CAN-8.b1)."""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.law.policies import ManualTotal
from jackpot.law.pools import contribute
from jackpot.law.terms import Terms
from jackpot.money import euros_text
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.day import hand_ends
from jackpot.table.event import Outcome
from jackpot.table.refusals import in_phase, running_hand, signed, terms_in_force, this_hand
from jackpot.table.state import EnteredTotal, Hand, Phase, TableState

_RULE = "CAN-8.b1"
_ENTERED_BEFORE_AWARDS = (Phase.BETTING, Phase.LOCKED, Phase.TOTAL)


def betting_is_over(state: TableState, *phases: Phase, rule: str) -> Hand:
    """The running hand in one of ``phases``; in manual mode the lock key is optional, and the next
    step alone closes the betting; not in a carrusel, where awards are on what the lock showed."""
    manual = state.hand is not None and state.hand.manual and state.carrusel is None
    in_phase(state, *phases, *((Phase.BETTING,) if manual else ()), rule=rule)
    return running_hand(state)


def total_before_awards(terms: Terms, hand: Hand, winning_bets: int) -> None:
    """Under ``manual_total = before_awards`` the total is final before anything is declared, and
    there are no more winners than bets. Refuses ``total_missing``, ``total_contradicts_awards``."""
    if not hand.manual or terms.policies.manual_total is not ManualTotal.BEFORE_AWARDS:
        return
    if hand.total is None or not hand.total_is_final:
        raise Refused(
            reason="total_missing",
            expected="the final total of this hand before its awards",
            found="none",
            to_do="count the chips and enter the total",
            rule=_RULE,
        )
    covers_winners(hand.total.chips, winning_bets)


def covers_winners(chips: int, winning_bets: int) -> None:
    """Refuse ``total_contradicts_awards`` when more bets have won than were made."""
    if chips < winning_bets:
        raise Refused(
            reason="total_contradicts_awards",
            expected=f"at least {winning_bets} bets, one for each winning bet",
            found=str(chips),
            to_do="count the chips again, or correct the awards; the hand stays open",
            rule=_RULE,
        )


def hand_closes(state: TableState, how: o.HandOutcome) -> tuple[Outcome, ...]:
    """The end of a hand, or in manual mode its last step, the total."""
    hand = running_hand(state)
    if hand.manual and not hand.total_is_final:
        return (o.TotalDue(how=how),)
    return hand_ends(state, how)


def total_entered(state: TableState, act: f.TotalEntered) -> tuple[Outcome, ...]:
    """So many chips, so many cents; entered again before it is final, it replaces the earlier one."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    hand = _awaits_total(state, terms)
    check_chips(terms, act.chips)
    if act.cents != act.chips * terms.bet_cents:
        raise Refused(
            reason="total_not_multiple",
            expected=f"{act.chips} × {euros_text(terms.bet_cents)}"
            f" = {euros_text(act.chips * terms.bet_cents)}",
            found=euros_text(act.cents),
            to_do="enter whole jackpot chips only",
            rule=_RULE,
        )
    covers_winners(act.chips, len(hand.declared))
    return ()


def _awaits_total(state: TableState, terms: Terms) -> Hand:
    before = terms.policies.manual_total is ManualTotal.BEFORE_AWARDS
    phases: tuple[Phase, ...] = _ENTERED_BEFORE_AWARDS if before else (Phase.TOTAL,)
    if state.carrusel is not None:
        phases = tuple(phase for phase in phases if phase is not Phase.BETTING)
    in_phase(state, *phases, rule=_RULE)
    hand = running_hand(state)
    if not hand.manual:
        raise Refused(
            reason="not_manual",
            expected="a hand in manual mode",
            found="a hand whose bets the slots detect",
            to_do="let the table chief change the mode between hands",
            rule=_RULE,
        )
    if hand.total_is_final:
        raise Refused(
            reason="total_is_final",
            expected="a hand whose total is not final",
            found="a final total",
            to_do="have the table chief and the director sign a correction",
            rule=_RULE,
        )
    return hand


def check_chips(terms: Terms, chips: int) -> None:
    """Refuse ``total_out_of_range``: every box holds so many bets and no more (CAN-2.2)."""
    most = terms.boxes * terms.bets_per_box
    if not 0 <= chips <= most:
        raise Refused(
            reason="total_out_of_range",
            expected=f"0 to {most} jackpot chips",
            found=str(chips),
            to_do="count the chips again",
            rule=_RULE,
        )


def total_withdrawn(state: TableState, act: f.TotalWithdrawn) -> tuple[Outcome, ...]:
    """Undo, while it is not final."""
    terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    _entered(state)
    return ()


def total_final(state: TableState, act: f.TotalFinal) -> tuple[Outcome, ...]:
    """The officer confirms what the screen repeats: the total reaches the meter."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    total = _entered(state)
    if act.chips != total.chips:
        raise Refused(
            reason="total_differs",
            expected=f"{total.chips} chips, as entered",
            found=str(act.chips),
            to_do="look at the present screen and confirm what it shows",
            rule=_RULE,
        )
    return _accepted(state, terms, total)


def total_time_up(state: TableState, fact: f.TotalTimeUp) -> tuple[Outcome, ...]:
    """The time to undo is over. Never refused: if the total was replaced meanwhile, nothing follows."""
    terms, hand = state.terms, state.hand
    if terms is None or hand is None or hand.total is None or state.phase is not Phase.TOTAL:
        return ()
    if (fact.hand, fact.entry) != (hand.number, hand.total.entry):
        return ()
    return _accepted(state, terms, hand.total)


def _entered(state: TableState) -> EnteredTotal:
    in_phase(state, Phase.TOTAL, rule=_RULE)
    total = running_hand(state).total
    if total is None:
        raise Refused(
            reason="no_total_entered",
            expected="an entered total",
            found="none",
            to_do="enter the number of chips",
            rule=_RULE,
        )
    return total


def _accepted(state: TableState, terms: Terms, total: EnteredTotal) -> tuple[Outcome, ...]:
    """The percentage is added by the rules; with it the hand ends, unless its awards come later."""
    moved = contribute(terms, state.pools, total.cents)
    how = running_hand(state).how
    return (
        o.TotalAccepted(chips=total.chips, cents=total.cents),
        *(o.TotalContributed(pool=m.pool, microcents=m.microcents) for m in moved),
        *(() if how is None else hand_ends(state, how)),
    )
