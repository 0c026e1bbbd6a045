"""Who may act, and when: the phases of a table and its officers, as one literal table."""

from __future__ import annotations

from typing import Any, NamedTuple

from jackpot.audit.checker.findings import Findings, owed
from jackpot.audit.checker.state import (
    BETTING,
    BETWEEN_HANDS,
    CLOSED,
    DECIDED,
    DECLARED,
    LOCKED,
    OUTSIDE_A_HAND,
    PAYABLE,
    PENDING,
    TOTAL,
    Table,
)

CROUPIER, CHIEF, DIRECTOR = "croupier", "table_chief", "games_director"
TECHNICIAN = "technician"

MAY_ACT_AS: dict[str, frozenset[str]] = {
    CROUPIER: frozenset({CROUPIER, CHIEF, DIRECTOR}),
    CHIEF: frozenset({CHIEF, DIRECTOR}),
    DIRECTOR: frozenset({DIRECTOR}),
    TECHNICIAN: frozenset({TECHNICIAN}),
}
"""For each role, the roles that may do its work."""


class Act(NamedTuple):
    """One act: the role of ``by``, that of ``second``, the phases that allow it, the rule."""

    role: str
    second: str | None
    phases: tuple[str, ...]
    rule: str


ANY_PHASE = ()

ACTS: dict[str, Act] = {
    "day_opened": Act(CROUPIER, CHIEF, (CLOSED,), "CAN-2.2"),
    "last_hands_announced": Act(CHIEF, None, (BETWEEN_HANDS, BETTING), "CAN-7.3b"),
    "day_closed": Act(CROUPIER, CHIEF, (BETWEEN_HANDS,), "CAN-7.3b"),
    "box_closed": Act(CHIEF, None, (CLOSED, BETWEEN_HANDS), "CAN-2.2"),
    "box_opened": Act(CHIEF, None, (CLOSED, BETWEEN_HANDS), "CAN-2.2"),
    "slot_test_started": Act(TECHNICIAN, None, (CLOSED, BETWEEN_HANDS), "CAN-7.1"),
    "slot_tested": Act(TECHNICIAN, None, ANY_PHASE, "CAN-7.1"),
    "item_settled": Act(CROUPIER, None, ANY_PHASE, "CAN-7.3a"),
    "hand_started": Act(CROUPIER, None, (BETWEEN_HANDS,), "CAN-7.3a"),
    "lock_pressed": Act(CROUPIER, None, (BETTING,), "CAN-7.1"),
    "slot_decided": Act(CROUPIER, None, (LOCKED,), "CAN-8.b2"),
    "chip_decided": Act(CROUPIER, None, (BETWEEN_HANDS, BETTING), "CAN-8.1"),
    "awards_declared": Act(CROUPIER, None, (LOCKED, DECLARED), "CAN-8.2"),
    "no_awards_declared": Act(CROUPIER, None, (LOCKED,), "CAN-7.3a"),
    "awards_rejected": Act(CHIEF, None, (DECLARED,), "CAN-8.2"),
    "awards_confirmed": Act(CHIEF, None, (DECLARED,), "CAN-8.2"),
    "awards_signed": Act(CHIEF, None, (DECIDED,), "CAN-8.7"),
    "award_paid": Act(CROUPIER, None, (PAYABLE,), "CAN-8.7"),
    "slip_printed": Act(CROUPIER, None, ANY_PHASE, "CAN-8.7"),
    "hand_voided": Act(CROUPIER, CHIEF, (BETTING, LOCKED, DECLARED), "CAN-10.1"),
    "mode_changed": Act(CHIEF, None, OUTSIDE_A_HAND, "policy:broken_slot"),
    "box_mode_changed": Act(CHIEF, None, OUTSIDE_A_HAND, "policy:broken_slot"),
    "table_suspended": Act(CHIEF, None, OUTSIDE_A_HAND, "CAN-7.3a"),
    "table_resumed": Act(CHIEF, None, OUTSIDE_A_HAND, "CAN-7.3a"),
    "table_minimum_set": Act(DIRECTOR, None, OUTSIDE_A_HAND, "CAN-6.1"),
    "layout_changed": Act(CHIEF, DIRECTOR, (CLOSED,), "CAN-2.2"),
    "drop_counted": Act(CROUPIER, CHIEF, OUTSIDE_A_HAND, "CAN-8.7"),
    "bet_asserted": Act(CROUPIER, None, (BETTING,), "CAN-7.1"),
    "bet_disputed": Act(CHIEF, DIRECTOR, (LOCKED, DECLARED), "CAN-8.b2"),
    "decision_reversed": Act(CHIEF, DIRECTOR, (DECIDED, PAYABLE), "CAN-8.7"),
    "total_entered": Act(CROUPIER, None, (TOTAL,), "CAN-8.b1"),
    "total_withdrawn": Act(CROUPIER, None, (TOTAL,), "CAN-8.b1"),
    "total_final": Act(CROUPIER, None, (TOTAL,), "CAN-8.b1"),
    "jackpot_taken_over": Act(CHIEF, DIRECTOR, (CLOSED,), "CAN-8.b"),
    "jackpot_received": Act(CHIEF, DIRECTOR, (CLOSED,), "CAN-8.b"),
    "jackpot_moved": Act(CHIEF, DIRECTOR, (CLOSED,), "CAN-8.b"),
    "jackpot_ended": Act(CHIEF, DIRECTOR, (CLOSED,), "CAN-8.b"),
    "jackpot_corrected": Act(CHIEF, DIRECTOR, OUTSIDE_A_HAND, "CAN-8.b"),
    "seed_raised": Act(CHIEF, DIRECTOR, OUTSIDE_A_HAND, "CAN-8.b"),
    "total_corrected": Act(CHIEF, DIRECTOR, (BETWEEN_HANDS,), "CAN-8.b1"),
    "payment_reversed": Act(CHIEF, DIRECTOR, (PAYABLE, *OUTSIDE_A_HAND), "CAN-8.7"),
    "controller_replaced": Act(CHIEF, DIRECTOR, (CLOSED,), "CAN-8.b"),
    "carrusel_join_asked": Act(CHIEF, DIRECTOR, OUTSIDE_A_HAND, "CAN-9"),
    "carrusel_leave_asked": Act(CHIEF, DIRECTOR, OUTSIDE_A_HAND, "CAN-9"),
    "claim_withdrawn": Act(CHIEF, DIRECTOR, (PENDING,), "CAN-9"),
}
"""Every act of an officer (see ``docs/events.md``)."""


OF_ANOTHER_HAND = frozenset({"total_corrected"})
"""Acts whose ``hand`` is not the one on the screen."""


def check_act(table: Table, kind: str, info: dict[str, Any], findings: Findings) -> None:
    """The validators ``terms``, ``officers``, ``hand_numbers`` and ``phases`` for one act."""
    act = ACTS[kind]
    if table.terms is None:
        findings.wrong("terms", f"{kind} without terms", "terms in force", "none")
    unlocks = kind == "item_settled" and info["item"] in table.locks
    _officer(table, info["by"], CHIEF if unlocks else act.role, findings)
    if act.second is not None:
        second = info["second"]
        _officer(table, second, act.second, findings)
        different(kind, info["by"], second, findings)
    if "hand" in info and kind not in OF_ANOTHER_HAND:
        wanted = table.hand + (kind == "hand_started")
        if info["hand"] != wanted:
            findings.wrong(
                "hand_numbers", f"{kind} of another hand", wanted, info["hand"], act.rule
            )
    allowed = _allowed(table, kind, act)
    if allowed and table.phase not in allowed:
        _wrong_phase(table, kind, allowed, act.rule, findings)


def _allowed(table: Table, kind: str, act: Act) -> tuple[str, ...]:
    """In manual mode the lock key is optional at a table alone, and a total may come before the awards
    (CAN-8.b1); in a carrusel awards are on what the lock showed (CAN-9)."""
    if kind == "hand_voided" and not table.award:
        return (*act.phases, TOTAL)
    if not table.hand_manual:
        return act.phases
    unlocked = (BETTING,) if table.carrusel is None else ()
    if kind in ("awards_declared", "no_awards_declared"):
        return (*act.phases, *unlocked)
    if kind == "total_entered" and table.terms is not None:
        before = table.terms.terms.policies.manual_total == "before_awards"
        return (*act.phases, *unlocked, LOCKED) if before else act.phases
    return act.phases


def _officer(table: Table, officer: str, role: str, findings: Findings) -> None:
    roles = table.officers.get(officer)
    if roles is None:
        findings.wrong("officers", "an act by somebody unknown", "a listed officer", officer)
    elif MAY_ACT_AS[role].isdisjoint(roles):
        findings.wrong(
            "officers",
            f"{officer} lacks the role",
            f"somebody who may act as {role}",
            ", ".join(roles) or "no role",
            "CAN-3.1",
        )


def different(what: str, first: str | None, second: str, findings: Findings) -> None:
    """Two people, not one twice."""
    if first == second:
        findings.wrong(
            "two_officers", f"{what}: both signatures are one person's", "two officers", first
        )


def _wrong_phase(
    table: Table, kind: str, allowed: tuple[str, ...], rule: str, findings: Findings
) -> None:
    if table.unpaid and kind in ("hand_started", "day_closed"):
        says = f"{kind} with an award unpaid"
        findings.wrong("unpaid_award", says, "it paid", owed(table.unpaid), "CAN-7.3a")
        return
    says = f"{kind} at the wrong moment"
    findings.wrong("phases", says, " or ".join(allowed), table.phase, rule)
