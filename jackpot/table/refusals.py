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
from jackpot.table.carrusel_state import Membership, MemberStage
from jackpot.table.event import OfficerAct
from jackpot.table.facts import HandAct
from jackpot.table.state import Hand, Phase, TableState, boxes

RULE_OF_CARRUSEL = "CAN-9"


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


# ---- at a member of a carrusel (CAN-9) ------------------------------------------------------------


def alone(state: TableState) -> None:
    """Refuse ``in_carrusel``: what would take the jackpot away from the prize that others show."""
    member = state.carrusel
    if member is not None:
        raise Refused(
            reason="in_carrusel",
            expected="a table at its own jackpot",
            found=f"one in carrusel {member.carrusel}",
            to_do="leave the carrusel first; the table takes its own meter along",
            rule=RULE_OF_CARRUSEL,
        )


def carrusel_goes_on(member: Membership) -> None:
    """Refuse ``carrusel_stopped`` at a box that its carrusel no longer takes anything of."""
    if member.stage is MemberStage.STOPPED:
        raise Refused(
            reason="carrusel_stopped",
            expected="a box that its carrusel takes operations of",
            found=f"one that was stopped: {member.why}",
            to_do="finish the hand without awards or void it, then join the carrusel anew",
            rule=RULE_OF_CARRUSEL,
        )


def carrusel_plays(state: TableState, terms: Terms) -> None:
    """Refuse a new hand while the membership changes (``carrusel_stopped``, ``carrusel_joining``,
    ``carrusel_leaving``), before there was a total to show (``carrusel_not_heard``), and while the
    link is lost and stops the bets (``carrusel_link_lost``)."""
    member = state.carrusel
    if member is None:
        return
    carrusel_goes_on(member)
    if member.stage is MemberStage.JOINING:
        raise _answer_awaited(member, reason="carrusel_joining")
    if member.stage is MemberStage.LEAVING:
        raise _answer_awaited(member, reason="carrusel_leaving")
    if not member.heard:
        raise not_heard()
    carrusel_takes_bets(state, terms)


def _answer_awaited(member: Membership, *, reason: str) -> Refused:
    return Refused(
        reason=reason,
        expected="a table in its carrusel or in none",
        found=f"one that is {member.stage.value} {member.carrusel}",
        to_do="wait for the carrusel's answer",
        rule=RULE_OF_CARRUSEL,
    )


def not_heard() -> Refused:
    """``carrusel_not_heard``: there is no total that the visors could show."""
    return Refused(
        reason="carrusel_not_heard",
        expected="the carrusel's total as these visors show it",
        found="none",
        to_do="wait for the link, then press again",
        rule=RULE_OF_CARRUSEL,
    )


def carrusel_takes_bets(state: TableState, terms: Terms) -> None:
    """Refuse ``carrusel_stopped``, and ``carrusel_link_lost`` while the policy stops the bets."""
    member = state.carrusel
    if member is not None:
        carrusel_goes_on(member)
    if member is not None and member.stops_bets(terms.policies.link_lost):
        raise Refused(
            reason="carrusel_link_lost",
            expected="a carrusel that is heard",
            found="no valid sign of life of it",
            to_do="wait for the link; close the betting with the bets that are there",
            rule="policy:link_lost",
        )


def reasoned(why: str, *, rule: str, to_do: str) -> None:
    """A signed act has a reason in words. Refuses ``no_reason``."""
    if not why.strip():
        raise Refused(
            reason="no_reason",
            expected="a reason in words",
            found="none",
            to_do=to_do,
            rule=rule,
        )


def authorised(number: str, *, rule: str) -> None:
    """An act that the authority allows names the authorisation. Refuses ``no_authorisation``."""
    if not number.strip():
        raise Refused(
            reason="no_authorisation",
            expected="the number of the authorisation",
            found="none",
            to_do="write the number that stands on the authorisation",
            rule=rule,
        )
