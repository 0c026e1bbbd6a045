"""One hand: start, «no va más», awards step by step, payment, void (CAN-7.1 to CAN-8.7, CAN-10.1)."""

from __future__ import annotations

from jackpot.authority.roles import Role, require_different
from jackpot.errors import Refused
from jackpot.invariant import invariant
from jackpot.law.awards import AwardDecision, decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.policies import BaseOfHand
from jackpot.law.pools import Pools
from jackpot.law.terms import Terms
from jackpot.law.winners import Winner, ranked_winners
from jackpot.money import euros_text
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel import claimed
from jackpot.table.day import jackpot_started
from jackpot.table.event import Outcome
from jackpot.table.locking import left_of_view_microcents, shown_microcents, view_is_there
from jackpot.table.refusals import (
    carrusel_plays,
    in_phase,
    in_service,
    running_hand,
    signed,
    terms_in_force,
    this_hand,
)
from jackpot.table.slot_test import no_test
from jackpot.table.slots import accept_bet
from jackpot.table.state import (
    Hand,
    Phase,
    TableState,
    bets_in_box,
    is_manual,
    slots_down,
    undecided_chips,
    unpaid,
    waiting_in,
)
from jackpot.table.totals import betting_is_over, hand_closes, total_before_awards
from jackpot.table.void import chip_goes_back


def hand_started(state: TableState, act: f.HandStarted) -> tuple[Outcome, ...]:
    """Betting opens. No hand starts while an award is unpaid (CAN-7.3a: the phase sees to that),
    at a table out of service, after the last announced hand (CAN-7.3b), or with a slot out of
    service in an open box that plays by its slot."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act, following=True)
    in_phase(state, Phase.BETWEEN_HANDS, rule="CAN-7.3a")
    in_service(state)
    no_test(state)
    if state.hands_left == 0:
        raise Refused(
            reason="day_ending",
            expected="the table to close after the last announced hand",
            found="a further hand",
            to_do="close the table",
            rule="CAN-7.3b",
        )
    carrusel_plays(state, terms)
    down = () if is_manual(state) else slots_down(state, terms)
    if down:
        raise Refused(
            reason="slot_down",
            expected="every open box to have a working slot",
            found=f"out of service: {', '.join(map(str, down))}",
            to_do="wait for the slot, or let the table chief close the box or change the mode",
            rule="CAN-8.b2",
        )
    return ()


def lock_pressed(state: TableState, act: f.LockPressed) -> tuple[Outcome, ...]:
    """The barrier begins; ``LockReached`` ends it. Chips that wait in a box are decided first.

    In manual mode there is nothing to drain: the hand is locked at once."""
    terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    in_phase(state, Phase.BETTING, rule="CAN-7.1")
    undecided = undecided_chips(state)
    if undecided:
        raise Refused(
            reason="chip_waiting",
            expected="a decision on every waiting chip",
            found=f"boxes {', '.join(str(chip.box) for chip in undecided)}",
            to_do="confirm the initial bet of the box, or hand the chip back",
            rule="CAN-8.1",
        )
    if is_manual(state):
        view_is_there(state)
        return (o.HandLocked(meter_microcents=shown_microcents(state), bets_cents=0),)
    return ()


def slot_decided(state: TableState, act: f.SlotDecided) -> tuple[Outcome, ...]:
    """A box whose slot stayed silent at the lock: the croupier looked, and says bet or none."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    in_phase(state, Phase.LOCKED, rule="CAN-8.b2")
    if act.box not in running_hand(state).unknown_boxes:
        raise Refused(
            reason="box_not_unknown",
            expected="a box whose slot stayed silent at the lock",
            found=f"box {act.box}",
            to_do="pick a box that is marked unknown",
            rule="CAN-8.b2",
        )
    return accept_bet(state, terms, act.box, o.BetSource.ASSERTED) if act.bet else ()


def chip_decided(state: TableState, act: f.ChipDecided) -> tuple[Outcome, ...]:
    """A waiting chip plays once its initial bet is there; otherwise it goes back."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    in_phase(state, *((Phase.BETTING,) if act.plays else _CHIP_GOES_BACK), rule="CAN-8.1")
    chip = waiting_in(state, act.box)
    if chip is None:
        raise Refused(
            reason="no_waiting_chip",
            expected="a box with a waiting chip",
            found=f"box {act.box}",
            to_do="look at the present screen",
            rule="CAN-8.1",
        )
    if not act.plays:
        return chip_goes_back(state, chip)
    if bets_in_box(state, act.box) >= terms.bets_per_box:
        raise Refused(
            reason="box_has_its_bet",
            expected="a box with room for one more bet",
            found=f"box {act.box} with {terms.bets_per_box} already",
            to_do="leave the chip for the next hand, or hand it back",
            rule="CAN-8.1",
        )
    return accept_bet(state, terms, act.box, chip.source)


_CHIP_GOES_BACK = (Phase.BETWEEN_HANDS, Phase.BETTING)


def awards_declared(state: TableState, act: f.AwardsDeclared) -> tuple[Outcome, ...]:
    """The croupier declares every winning hand; declaring again replaces the earlier list."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    hand = betting_is_over(state, Phase.LOCKED, Phase.DECLARED, rule="CAN-8.2")
    _nothing_unknown(hand)
    total_before_awards(terms, hand, len(act.hands))
    _check_declared(terms, hand, act.hands)
    return ()


def _check_declared(terms: Terms, hand: Hand, declared: tuple[f.DeclaredHand, ...]) -> None:
    if not declared:
        raise Refused(
            reason="no_hand_declared",
            expected="at least one winning hand",
            found="none",
            to_do="pick a box and its five cards, or press «Sin premios»",
            rule="CAN-8.2",
        )
    ranked = ranked_winners(terms, winners(declared))
    bets = {(bet.box, bet.bet) for bet in hand.bets}
    for entry in ranked:
        box, bet = entry.winner.box, entry.winner.bet
        if (box, bet) not in bets and not hand.manual:
            raise Refused(
                reason="no_bet_in_box",
                expected="a box with a detected jackpot bet",
                found=f"box {box}",
                to_do="a disputed detection needs two officers",
                rule="CAN-8.b2",
            )
        if entry.award is None:
            raise Refused(
                reason="no_award_for_hand",
                expected="a hand that earns an award",
                found=f"box {box}: {entry.value.kind.name.lower().replace('_', ' ')}",
                to_do="take this box out of the declaration",
                rule="CAN-8.3",
            )


def winners(declared: tuple[f.DeclaredHand, ...]) -> list[Winner]:
    """The declared hands as the law reads them. Raises ``Refused`` for unreadable cards."""
    return [Winner(hand.box, parse_hand(hand.cards), hand.bet) for hand in declared]


def no_awards_declared(state: TableState, act: f.NoAwardsDeclared) -> tuple[Outcome, ...]:
    """«Sin premios»: the hand is over."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    hand = betting_is_over(state, Phase.LOCKED, rule="CAN-7.3a")
    _nothing_unknown(hand)
    total_before_awards(terms, hand, 0)
    return hand_closes(state, o.HandOutcome.NO_AWARDS)


def _nothing_unknown(hand: Hand) -> None:
    if hand.unknown_boxes:
        raise Refused(
            reason="box_unknown",
            expected="a decision on every box whose slot stayed silent",
            found=f"boxes {', '.join(map(str, hand.unknown_boxes))}",
            to_do="look into the box and say whether there is a bet",
            rule="CAN-8.b2",
        )


def awards_rejected(state: TableState, act: f.AwardsRejected) -> tuple[Outcome, ...]:
    """The table chief finds other cards than declared."""
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    this_hand(state, act)
    in_phase(state, Phase.DECLARED, rule="CAN-8.2")
    return ()


def base_of(terms: Terms, state: TableState) -> int:
    """The amount that this hand's awards are computed on, in micro-cents (policy ``base_of_hand``).

    Never more than the meter holds: a carried bet that went back took its contribution along.
    """
    hand, meter = running_hand(state), state.pools.jackpot_microcents
    locked = hand.lock_meter_microcents
    if locked is None and hand.manual:
        locked = hand.start_meter_microcents  # the lock key is optional: shown since the last hand
    base = {
        BaseOfHand.AT_LOCK: locked,
        BaseOfHand.AT_HAND_START: hand.start_meter_microcents,
        BaseOfHand.AT_PAYMENT: meter,
    }[terms.policies.base_of_hand]
    invariant(base is not None, "a declared hand was locked before")
    return min(base or 0, meter)


def decision(state: TableState, terms: Terms) -> AwardDecision:
    """What the declared hands are paid, as the rules decide it now; consoles show it beforehand.

    In a carrusel it is what the view gives, or what others' awards have left of it by now.
    """
    if state.carrusel is not None:
        view = left_of_view_microcents(state) or 0
        declared = winners(running_hand(state).declared)
        return decide_awards(terms, base_microcents=view, pools=Pools(view), winners=declared)
    return decide_awards(
        terms,
        base_microcents=base_of(terms, state),
        pools=state.pools,
        winners=winners(running_hand(state).declared),
        restart_terms=state.pending_terms or terms,
    )


def awards_confirmed(state: TableState, act: f.AwardsConfirmed) -> tuple[Outcome, ...]:
    """The chief confirms the cards: frozen, decided by the rules, and deducted, all in one batch. In a
    carrusel they are claimed, and its decision follows."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    this_hand(state, act)
    in_phase(state, Phase.DECLARED, rule="CAN-8.2")
    hand = running_hand(state)
    require_different(hand.declared_by or "", act.by, act="declaring and confirming an award")
    if state.carrusel is not None:
        return claimed(state, state.carrusel, hand)
    decided = decision(state, terms)
    total = sum(payment.cents for payment in decided.payments)
    award = state.awards + 1
    outcomes: list[Outcome] = [
        o.AwardsFrozen(
            award=award,
            base_microcents=base_of(terms, state),
            meter_microcents=state.pools.jackpot_microcents,
        )
    ]
    outcomes += [
        o.PaymentDecided(box=p.box, cents=p.cents, hand=p.hand, rule=p.rule, bet=p.bet)
        for p in decided.payments
    ]
    outcomes.append(
        o.AwardsDecided(
            award=award,
            total_cents=total,
            deducted_microcents=decided.deducted_microcents - decided.from_seed_microcents,
            house_microcents=decided.house_microcents,
            restart=decided.restart is not None,
            second_signature=total > terms.second_signature_over_cents,
            derivation=decided.derivation,
        )
    )
    outcomes += _restarted(state, decided)
    return (*outcomes, *(hand_closes(state, o.HandOutcome.PAID) if total == 0 else ()))


def _restarted(state: TableState, decided: AwardDecision) -> list[Outcome]:
    """After a royal flush the next jackpot starts, with terms that waited for that."""
    start = decided.restart
    if start is None:
        return []
    outcomes: list[Outcome] = []
    if state.pending_terms is not None:
        outcomes.append(o.TermsInForce(terms=state.pending_terms))
    outcomes.append(jackpot_started(start))
    if decided.from_seed_microcents:
        outcomes.append(o.PaidFromSeed(microcents=decided.from_seed_microcents))
    return outcomes


def awards_signed(state: TableState, act: f.AwardsSigned) -> tuple[Outcome, ...]:
    """Above the threshold somebody who neither declared nor confirmed signs the amount."""
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    this_hand(state, act)
    in_phase(state, Phase.DECIDED, rule="CAN-8.7")
    hand = running_hand(state)
    for earlier in (hand.declared_by, hand.confirmed_by):
        require_different(earlier or "", act.by, act="signing an award")
    total = sum(payment.cents for payment in hand.payments)
    if act.total_cents != total:
        raise Refused(
            reason="amount_differs",
            expected=f"the decided amount, {euros_text(total)}",
            found=euros_text(act.total_cents),
            to_do="look at the present screen and sign what it shows",
            rule="CAN-8.7",
        )
    return ()


def award_paid(state: TableState, act: f.AwardPaid) -> tuple[Outcome, ...]:
    """One payment was handed over; with the last one the hand ends (CAN-7.3a)."""
    terms_in_force(state)
    signed(state, act, Role.CROUPIER)
    this_hand(state, act)
    in_phase(state, Phase.PAYABLE, rule="CAN-8.7")
    open_payments = unpaid(state)
    payment = next((p for p in open_payments if (p.box, p.bet) == (act.box, act.bet)), None)
    if payment is None or payment.cents != act.cents:
        owed = ", ".join(f"box {p.box}: {euros_text(p.cents)}" for p in open_payments)
        raise Refused(
            reason="not_owed",
            expected=f"an unpaid award ({owed})",
            found=f"box {act.box}: {euros_text(act.cents)}",
            to_do="pay what the screen shows",
            rule="CAN-8.7",
        )
    return hand_closes(state, o.HandOutcome.PAID) if len(open_payments) == 1 else ()
