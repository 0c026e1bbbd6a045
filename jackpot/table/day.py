"""The gaming day: configuration, opening, boxes, «las tres últimas jugadas», closing."""

from __future__ import annotations

import msgspec

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.law.policies import ConfigChange
from jackpot.law.pools import Restart, restart
from jackpot.law.terms import Terms
from jackpot.money import cents_rounded_down
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import OfficerAct, Outcome
from jackpot.table.refusals import (
    box_of_table,
    in_phase,
    in_service,
    iso_day,
    signed,
    signed_amount,
    terms_in_force,
)
from jackpot.table.state import OUTSIDE_A_HAND, LayoutState, Phase, TableState, Totals

FREE_FIELDS = frozenset(
    {
        "table_minimum_cents",
        "minimum_band_cents",
        "second_signature_over_cents",
        "closing_hands",
        "authorisation",
        "lock_after_fraud_signs",
    }
)
"""Terms that never touch the running jackpot, so they need not wait for its restart (CAN-6.1)."""


def _only_free_changes(old: Terms, new: Terms) -> bool:
    before, after = msgspec.structs.asdict(old), msgspec.structs.asdict(new)
    return all(name in FREE_FIELDS for name in before if before[name] != after[name])


def configuration_loaded(state: TableState, fact: f.ConfigurationLoaded) -> tuple[Outcome, ...]:
    """New terms come into force when ``config_change`` says; before the first opening at once.

    Terms of another layout wait with it; a third layout is none of this table (CAN-2.2).
    """
    old, new, parked = state.terms, fact.terms, state.parked
    if old is None or new.layout == old.layout:
        closed = state.phase is Phase.CLOSED
        return _changed_terms(old, state.pending_terms, new, state.jackpot_started, closed)
    if parked is None or (parked.layout != new.layout and _untouched(parked)):
        return (o.TermsInForce(terms=new),)
    if parked.layout != new.layout:
        return ()
    return _changed_terms(parked.terms, parked.pending_terms, new, parked.jackpot_started, True)


def _untouched(parked: LayoutState) -> bool:
    """A layout that never played may be named anew."""
    return not parked.jackpot_started and parked.totals == Totals()


def _changed_terms(
    old: Terms | None, pending: Terms | None, new: Terms, started: bool, closed: bool
) -> tuple[Outcome, ...]:
    if old is None or not started:
        return (o.TermsInForce(terms=new),)
    if new == old:
        return () if pending is None else (o.TermsInForce(terms=old),)
    if closed and _only_free_changes(old, new):
        return (o.TermsInForce(terms=new),)
    return (o.TermsPending(terms=new),)


def due_at_opening(state: TableState, terms: Terms) -> Terms | None:
    """Waiting terms that this opening brings into force; a new jackpot always does. What a carrusel
    has agreed on changes only after this table has left it."""
    pending = state.pending_terms
    if pending is None:
        return None
    authorised = pending.authorisation not in ("", terms.authorisation)
    at_opening = terms.policies.config_change is ConfigChange.AT_OPENING and authorised
    free = _only_free_changes(terms, pending)
    if state.carrusel is not None:
        return pending if free else None
    return pending if at_opening or free or not state.jackpot_started else None


def opening_cents(state: TableState) -> int:
    """The amount that the next opening will show, for the two officers to sign."""
    terms = terms_in_force(state)
    if state.jackpot_started:
        return cents_rounded_down(state.pools.jackpot_microcents)
    start = restart(due_at_opening(state, terms) or terms, state.pools)
    return cents_rounded_down(state.pools.plus(start.movements).jackpot_microcents)


def _following_day(state: TableState, name: str) -> None:
    iso_day(name)
    if state.day is not None and name <= state.day.name:
        raise Refused(
            reason="day_not_after_last",
            expected=f"a gaming day after {state.day.name}, which is closed",
            found=name,
            to_do="open the next gaming day",
            rule="CAN-2.2",
        )


def day_opened(state: TableState, act: f.DayOpened) -> tuple[Outcome, ...]:
    """Two officers sign the displayed amount; the first opening of all starts the jackpot."""
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER, Role.TABLE_CHIEF)
    in_phase(state, Phase.CLOSED, rule="CAN-2.2")
    in_service(state)
    _following_day(state, act.day)
    signed_amount(opening_cents(state), act.displayed_cents)
    due = due_at_opening(state, terms)
    outcomes: list[Outcome] = [] if due is None else [o.TermsInForce(terms=due)]
    if not state.jackpot_started:
        outcomes.append(jackpot_started(restart(due or terms, state.pools)))
    return tuple(outcomes)


def jackpot_started(start: Restart) -> o.JackpotStarted:
    """The starting amount as an event (CAN-8.b)."""
    return o.JackpotStarted(
        microcents=start.seed_microcents + start.overflow_microcents,
        house_microcents=start.house_microcents,
        reserve_microcents=start.reserve_microcents,
        overflow_microcents=start.overflow_microcents,
    )


def last_hands_announced(state: TableState, act: f.LastHandsAnnounced) -> tuple[Outcome, ...]:
    """The chief announces the last hands; a hand in which bets are still taken is the first."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    in_phase(state, Phase.BETWEEN_HANDS, Phase.BETTING, rule="CAN-7.3b")
    if state.hands_left is not None:
        raise Refused(
            reason="already_announced",
            expected="one announcement a day",
            found=f"{state.hands_left} hands left",
            to_do="play them and close the table",
            rule="CAN-7.3b",
        )
    return (o.HandsLeft(left=terms.closing_hands),)


def day_closed(state: TableState, act: f.DayClosed) -> tuple[Outcome, ...]:
    """Two officers sign the displayed amount; nothing may be left open."""
    terms_in_force(state)
    signed(state, act, Role.CROUPIER, Role.TABLE_CHIEF)
    in_phase(state, Phase.BETWEEN_HANDS, rule="CAN-7.3b")
    if state.waiting_chips or state.items:
        found = [f"box {chip.box}: a waiting chip" for chip in state.waiting_chips]
        found += [
            f"{_place(item.box)}: {item.what.value.replace('_', ' ')}" for item in state.items
        ]
        raise Refused(
            reason="things_left_open",
            expected="every chip handed back and every notice settled",
            found="; ".join(found),
            to_do="settle them on the console, then close",
            rule="CAN-7.3a",
        )
    signed_amount(cents_rounded_down(state.pools.jackpot_microcents), act.displayed_cents)
    day = state.day
    if day is None:
        return ()
    return (
        o.DayTotals(
            hands=day.hands,
            bets_cents=day.bets_cents,
            paid_cents=day.paid_cents,
            meter_microcents=state.pools.jackpot_microcents,
        ),
    )


def _place(box: int | None) -> str:
    return "the table" if box is None else f"box {box}"


def box_closed(state: TableState, act: f.BoxClosed) -> tuple[Outcome, ...]:
    """A box closes between hands only (policy ``broken_slot``)."""
    _box_changes(state, act, act.box)
    return ()


def box_opened(state: TableState, act: f.BoxOpened) -> tuple[Outcome, ...]:
    """A box opens between hands only."""
    _box_changes(state, act, act.box)
    return ()


def _box_changes(state: TableState, act: OfficerAct, box: int) -> None:
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    in_phase(state, *OUTSIDE_A_HAND, rule="CAN-2.2")
    box_of_table(terms, box)


def item_settled(state: TableState, act: f.ItemSettled) -> tuple[Outcome, ...]:
    """Somebody saw to it: signed by whoever did; a locked slot by the table chief."""
    locks = [i.item for i in state.items if i.what is o.ItemWhat.SLOT_LOCKED]
    signed(state, act, Role.TABLE_CHIEF if act.item in locks else Role.CROUPIER)
    if all(item.item != act.item for item in state.items):
        raise Refused(
            reason="no_such_item",
            expected="an open item",
            found=f"item {act.item}, which is settled or unknown",
            to_do="look at the present screen",
        )
    return ()


def hand_ends(state: TableState, how: o.HandOutcome) -> tuple[Outcome, ...]:
    """The end of a hand, and the countdown of CAN-7.3b; a voided hand is played again."""
    ended = o.HandEnded(hand=state.hand_number, how=how)
    if state.hands_left is None or how is o.HandOutcome.VOIDED:
        return (ended,)
    return (ended, o.HandsLeft(left=state.hands_left - 1))
