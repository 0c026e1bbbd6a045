"""The table as a place: in and out of service, its minimum, its layouts, its drop."""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.law.terms import Terms
from jackpot.money import PPM_WHOLE, euros_text
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Outcome
from jackpot.table.refusals import alone, box_of_table, in_phase, iso_day, signed, terms_in_force
from jackpot.table.slot_state import BoxDrop
from jackpot.table.slots import item
from jackpot.table.state import OUTSIDE_A_HAND, Day, Phase, TableState


def table_suspended(state: TableState, act: f.TableSuspended) -> tuple[Outcome, ...]:
    """Out of service: no hand and no day starts."""
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    in_phase(state, *OUTSIDE_A_HAND, rule="CAN-7.3a")
    if state.suspended is not None:
        raise Refused(
            reason="already_suspended",
            expected="a table in service",
            found=f"out of service: {state.suspended}",
            to_do="nothing: it is out of service",
        )
    return ()


def table_resumed(state: TableState, act: f.TableResumed) -> tuple[Outcome, ...]:
    """In service again."""
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF)
    in_phase(state, *OUTSIDE_A_HAND, rule="CAN-7.3a")
    if state.suspended is None:
        raise Refused(
            reason="not_suspended",
            expected="a table out of service",
            found="one in service",
            to_do="nothing: it is in service",
        )
    return ()


def table_minimum_set(state: TableState, act: f.TableMinimumSet) -> tuple[Outcome, ...]:
    """Within the authorised band (CAN-6.1), and never below what the jackpot bet needs (CAN-8.1),
    under the terms in force and under those that wait."""
    terms = terms_in_force(state)
    signed(state, act, Role.GAMES_DIRECTOR)
    in_phase(state, *OUTSIDE_A_HAND, rule="CAN-6.1")
    low, high = terms.minimum_band_cents or (1, act.cents)
    if act.cents < 1 or not low <= act.cents <= high:
        raise Refused(
            reason="outside_band",
            expected=f"{euros_text(low)} to {euros_text(max(low, high))}, the authorised band",
            found=euros_text(act.cents),
            to_do="choose a minimum within the band",
            rule="CAN-6.1",
        )
    _bet_limit(terms, act.cents)
    if state.pending_terms is not None:
        _bet_limit(state.pending_terms, act.cents)
    return ()


def _bet_limit(terms: Terms, minimum_cents: int) -> None:
    limit_ppm = terms.bet_of_minimum_ppm
    if limit_ppm is not None and terms.bet_cents * PPM_WHOLE > minimum_cents * limit_ppm:
        least_cents = -(-terms.bet_cents * PPM_WHOLE // limit_ppm)
        raise Refused(
            reason="bet_over_limit",
            expected=f"at least {euros_text(least_cents)},"
            f" for a jackpot bet of {euros_text(terms.bet_cents)}",
            found=euros_text(minimum_cents),
            to_do="choose a higher minimum, or have the bet changed",
            rule=terms.citations.bet,
        )


def layout_changed(state: TableState, act: f.LayoutChanged) -> tuple[Outcome, ...]:
    """One change of game in a gaming day, after the earlier layout was closed (CAN-2.2)."""
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    in_phase(state, Phase.CLOSED, rule="CAN-2.2")
    alone(state)
    if state.parked is None or act.layout != state.parked.layout:
        raise Refused(
            reason="no_such_layout",
            expected="the other layout"
            + (" (there is none)" if state.parked is None else f", {state.parked.layout}"),
            found=act.layout,
            to_do="configure the second layout of this table",
            rule="CAN-2.2",
        )
    iso_day(act.day)
    if state.day is not None and act.day < state.day.name:
        raise _stale_day(state.day.name, act.day)
    if act.day <= state.layout_changed_day:
        raise Refused(
            reason="already_changed",
            expected="one change of game in a gaming day",
            found=f"another on {state.layout_changed_day}",
            to_do="change the layout on the next gaming day",
            rule="CAN-2.2",
        )
    return ()


def _stale_day(expected: str, found: str) -> Refused:
    return Refused(
        reason="stale_day",
        expected=f"gaming day {expected}",
        found=found,
        to_do="look at the present screen",
        rule="CAN-2.2",
    )


def drop_counted(state: TableState, act: f.DropCounted) -> tuple[Outcome, ...]:
    """Counted chips against what the ledger and the acceptor know; a difference is an item.

    A handed-back chip stays in the box (the player gets another one), so every chip that a slot
    told of counts. Where totals were entered only the whole table can be compared.
    """
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER, Role.TABLE_CHIEF)
    in_phase(state, *OUTSIDE_A_HAND, rule="CAN-8.7")
    day = _counted_day(state, act.day)
    if act.box is not None:
        box_of_table(terms, act.box)
        if day.total_chips:
            raise Refused(
                reason="count_whole_table",
                expected="the chips of the whole table: hands in manual mode have a total only",
                found=f"box {act.box}",
                to_do="count all boxes together",
                rule="CAN-8.b1",
            )
    if act.chips < 0:
        raise Refused(
            reason="not_a_number_of_chips",
            expected="0 or more",
            found=str(act.chips),
            to_do="count again",
            rule="CAN-8.7",
        )
    known = _known(state, day, act.box)
    compared = o.DropCompared(
        counted=act.chips, detected=known.detected, accepted=known.accepted, box=act.box
    )
    if act.chips == known.detected and known.accepted in (None, act.chips):
        return (compared,)
    return (compared, item(state, act.box, o.ItemWhat.DROP_DIFFERS))


def _counted_day(state: TableState, name: str) -> Day:
    day = state.day
    if day is None:
        raise _stale_day("(none was opened)", name)
    if day.name != name:
        raise _stale_day(day.name, name)
    return day


def _known(state: TableState, day: Day, box: int | None) -> BoxDrop:
    if box is not None:
        return state.drops[box - 1]
    detected = sum(drop.detected for drop in state.drops) + day.total_chips
    drops = state.drops if state.terms is None else state.drops[: state.terms.boxes]
    counters = [drop.accepted for drop in drops if drop.accepted is not None]
    whole = len(counters) == len(drops) and not day.total_chips
    return BoxDrop(detected, sum(counters) if whole else None)
