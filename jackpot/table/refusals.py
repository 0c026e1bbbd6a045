"""Why the table refuses an act, in the order in which it looks.

1. ``no_terms``          no configuration is in force
2. ``unknown_officer``, ``role_missing``, ``same_officer``   who signs (first the first, then the second)
3. ``stale_hand``        the screen showed another hand
4. ``wrong_phase``       this is not the moment
5. the act's own reasons, in the order of its function

The order is part of the contract: a test holds it.
"""

from __future__ import annotations

from datetime import date

from jackpot.authority.roles import Role, require_different, require_role
from jackpot.errors import Refused
from jackpot.law.terms import Terms
from jackpot.money import euros_text
from jackpot.table.event import OfficerAct
from jackpot.table.facts import HandAct
from jackpot.table.state import Hand, Phase, TableState, boxes


def terms_in_force(state: TableState) -> Terms:
    """The terms, or refuse ``no_terms``."""
    if state.terms is None:
        raise Refused(
            reason="no_terms",
            expected="a configuration in force",
            found="none in this ledger",
            to_do="start the controller with a valid configuration",
        )
    return state.terms


def signed(state: TableState, act: OfficerAct, role: Role, second: Role | None = None) -> None:
    """Refuse an act whose officers may not do it. ``second`` is the role of ``act.second``."""
    require_role(state.officers, act.by, role)
    if second is not None:
        other: str = act.second  # type: ignore[attr-defined]  # only acts with a second signature come here
        require_role(state.officers, other, second)
        require_different(act.by, other, act=act.kind.replace("_", " "))


def this_hand(state: TableState, act: HandAct, *, following: bool = False) -> None:
    """Refuse ``stale_hand`` when the screen showed another hand than the running one."""
    wanted = state.hand_number + (1 if following else 0)
    if act.hand != wanted:
        raise Refused(
            reason="stale_hand",
            expected=f"hand {wanted}",
            found=f"a screen that shows hand {act.hand}",
            to_do="look at the present screen and press again",
        )


def in_phase(state: TableState, *phases: Phase, rule: str) -> None:
    """Refuse ``wrong_phase`` unless the table stands in one of ``phases``."""
    if state.phase not in phases:
        raise Refused(
            reason="wrong_phase",
            expected=" or ".join(phase.value.replace("_", " ") for phase in phases),
            found=state.phase.value.replace("_", " "),
            to_do="finish the step that the console shows first",
            rule=rule,
        )


def running_hand(state: TableState) -> Hand:
    """The running hand; the phases that call this have one."""
    if state.hand is None:
        raise Refused(
            reason="no_hand",
            expected="a running hand",
            found="none",
            to_do="start a hand",
            rule="CAN-7.1",
        )
    return state.hand


def in_service(state: TableState) -> None:
    """Refuse ``table_suspended`` while the table is out of service."""
    if state.suspended is not None:
        raise Refused(
            reason="table_suspended",
            expected="a table in service",
            found=f"out of service: {state.suspended}",
            to_do="have the table chief resume it first",
            rule="CAN-7.3a",
        )


def iso_day(day: str) -> None:
    """Refuse ``not_a_day`` unless ``day`` is a date such as 2026-11-30."""
    try:
        is_a_day = date.fromisoformat(day).isoformat() == day
    except ValueError:
        is_a_day = False
    if not is_a_day:
        raise Refused(
            reason="not_a_day",
            expected="a date such as 2026-11-30",
            found=repr(day),
            to_do="name the gaming day by its opening date",
            rule="CAN-2.2",
        )


def signed_amount(shown_cents: int, signed_cents: int) -> None:
    """Refuse ``amount_differs`` unless the officers signed what the ledger says."""
    if shown_cents != signed_cents:
        raise Refused(
            reason="amount_differs",
            expected=f"the amount of the ledger, {euros_text(shown_cents)}",
            found=euros_text(signed_cents),
            to_do="compare the visor with the screen and sign the amount that is shown",
            rule="CAN-8.7",
        )


def box_of_table(terms: Terms, box: int) -> None:
    """Refuse ``no_such_box`` for a box that this layout has not."""
    if box not in boxes(terms):
        raise Refused(
            reason="no_such_box",
            expected=f"a box from 1 to {terms.boxes}",
            found=str(box),
            to_do="pick a box of this table",
            rule="CAN-2.2",
        )
