"""How a membership, its claims and its decisions change the checker's picture (CAN-9)."""

from __future__ import annotations

from collections.abc import Callable

from jackpot.audit.checker.due import Info
from jackpot.audit.checker.member import (
    LEAVING,
    MEMBER,
    REMEMBERED_DECISIONS,
    STOPPED,
    Applied,
    Member,
    Share,
    shares_of,
)
from jackpot.audit.checker.pools import JACKPOT
from jackpot.audit.checker.state import (
    BETTING_IS_OPEN,
    DECIDED,
    LOCKED,
    PAYABLE,
    PENDING,
    Payment,
    Table,
)

Fold = Callable[[Table, int, int, int, Info], None]


# ---- joining and leaving -----------------------------------------------------------------------------


def _join_asked(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.incarnation += 1
    old = table.carrusel
    table.carrusel = Member(info["carrusel"], table.incarnation, table.meter_microcents)
    if old is not None:
        table.carrusel.linked, table.carrusel.heard = old.linked, old.heard
        table.carrusel.why = old.why


def _leave_asked(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    if table.carrusel is not None:
        table.carrusel.stage = LEAVING


def _joined(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    member = table.carrusel
    if member is None or not member.answers(info):
        return
    member.logged += microcents - member.offered
    member.position, member.decision, member.why = info["position"], info["decision"], ""
    if member.stage != LEAVING:
        member.stage = MEMBER


def _join_refused(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    member = table.carrusel
    if member is None or not member.answers(info):
        return
    if member.why:
        member.stage = STOPPED
    else:
        table.carrusel = None


def _left(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    member = table.carrusel
    if member is None or member.stage != LEAVING or not member.position:
        return
    if member.carrusel == info["carrusel"]:
        table.carrusel = None


def _stopped(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    """A copy from before its join learns of the carrusel only now."""
    table.incarnation = max(table.incarnation, info["incarnation"])
    if table.carrusel is None:
        table.carrusel = Member(info["carrusel"], table.incarnation, table.meter_microcents)
    table.carrusel.stage, table.carrusel.why = STOPPED, info["why"]


def _link_lost(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    if table.carrusel is not None:
        table.carrusel.linked = False


def _link_back(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    if table.carrusel is not None:
        table.carrusel.linked = table.carrusel.heard = True


def _operation(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    if table.carrusel is not None:
        table.carrusel.operation = info["operation"]


# ---- the running hand --------------------------------------------------------------------------------


def _viewed(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    if table.phase in BETTING_IS_OPEN:
        table.view = (info["position"], microcents)


def _claimed(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.awards = table.award = info["award"]
    table.award_jackpot = table.jackpots
    table.phase = PENDING


def _claim_withdrawn(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    member = table.carrusel
    if member is None or member.stage != STOPPED:
        table.claim_withdrawn = True
    elif table.hand_decision:
        table.phase = DECIDED if table.signature_due else PAYABLE
        table.reversal_asked = False
    else:
        _declared_anew(table)


def _claim_freed(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    waits = table.phase == PENDING and table.claim_withdrawn and not table.hand_decision
    if waits and info["hand"] == table.hand:
        _declared_anew(table)


def _declared_anew(table: Table) -> None:
    table.phase, table.declared = LOCKED, []
    table.declared_by = table.confirmed_by = None
    table.payments, table.award, table.decided, table.terms_before = {}, 0, None, None
    table.hand_decision, table.claim_withdrawn, table.reversal_asked = 0, False, False


def _decision_reversed(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    if table.carrusel is not None and table.hand_decision:
        table.phase, table.reversal_asked = PENDING, True


# ---- decisions ---------------------------------------------------------------------------------------


def _mine(table: Table, info: Info) -> Share | None:
    name = "" if table.terms is None else table.terms.terms.table
    return next((share for share in shares_of(info) if share.table == name), None)


def _decided(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    member = table.carrusel
    if member is None or not member.is_next(info):
        return
    mine = _mine(table, info)
    if mine is not None:
        member.applied[info["decision"]] = Applied(table.jackpots)
        member.logged += mine.moves
        if len(member.applied) > REMEMBERED_DECISIONS:
            del member.applied[next(iter(member.applied))]
    if table.claims(info["table"], info["hand"]):
        table.hand_decision, table.claim_withdrawn = info["decision"], False
    member.decision = info["decision"]


def _deducted(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    house = info["house_microcents"]
    table.pools[JACKPOT] -= microcents + house
    table.sums[JACKPOT].deducted += microcents
    table.sums[JACKPOT].house += house
    noted = table.newest_applied
    if noted is not None:
        noted.deducted += microcents
        noted.house += house


def _undone(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    member = table.carrusel
    if member is None or not member.is_next(info):
        return
    member.decision = info["decision"]
    mine = _mine(table, info)
    if mine is not None:
        member.logged -= mine.moves
    waits = table.phase in (PENDING, DECIDED, PAYABLE)
    of_hand = waits and table.hand_decision == info["undoes"]
    if of_hand and not any(_is_paid(one) for one in table.payments.values()):
        _declared_anew(table)


def _is_paid(payment: Payment) -> bool:
    return bool(payment.cents) and not payment.open


def _returned(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    house = info["house_microcents"]
    seed_house, reserve = info["seed_house_microcents"], info["seed_reserve_microcents"]
    overflow = info["seed_overflow_microcents"]
    table.pools[JACKPOT] += microcents + house - seed_house - reserve - overflow
    table.sums[JACKPOT].deducted -= microcents
    table.sums[JACKPOT].house -= house
    table.seeded(-seed_house, -reserve, -overflow)
    member = table.carrusel
    gave = None if member is None else member.applied.pop(info["decision"], None)
    restarted = gave is not None and gave.seed_house + gave.seed_reserve + gave.seed_overflow
    if gave is not None and restarted and table.jackpots == gave.jackpot + 1:
        table.jackpots = gave.jackpot


def _shortfall(table: Table, _b: int, _c: int, microcents: int, _i: Info) -> None:
    table.pools[JACKPOT] += microcents
    table.sums[JACKPOT].adjusted += microcents


CARRUSEL_FOLDS: dict[str, Fold] = {
    "carrusel_join_asked": _join_asked,
    "carrusel_leave_asked": _leave_asked,
    "carrusel_joined": _joined,
    "carrusel_join_refused": _join_refused,
    "carrusel_left": _left,
    "carrusel_stopped": _stopped,
    "carrusel_link_lost": _link_lost,
    "carrusel_link_back": _link_back,
    "carrusel_operation": _operation,
    "carrusel_viewed": _viewed,
    "awards_claimed": _claimed,
    "claim_withdrawn": _claim_withdrawn,
    "carrusel_claim_freed": _claim_freed,
    "decision_reversed": _decision_reversed,
    "carrusel_decided": _decided,
    "carrusel_deducted": _deducted,
    "carrusel_undone": _undone,
    "carrusel_returned": _returned,
    "shortfall_borne": _shortfall,
}
"""By kind."""
