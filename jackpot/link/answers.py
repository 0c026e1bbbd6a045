"""What a coordinator says about the log's state: acknowledgements, totals, members, refusals."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from jackpot.link import messages as m
from jackpot.link.members import MemberState
from jackpot.link.shared_terms import differences, unfit
from jackpot.link.state import CarruselState
from jackpot.table.carrusel_finding import Finding, finding


class CoordinatorSettings(msgspec.Struct, frozen=True):
    """Who this coordinator is. ``coordinators`` are the public keys of all by name, its own among
    them; they and ``new_log_id`` open the log if there is none yet."""

    name: str
    carrusel: str
    coordinators: Mapping[str, str]
    new_log_id: str
    utc_ms_at_zero: int = 0
    """What ``now_ms = 0`` is in UTC, for the times that people see."""


def ack_of(state: CarruselState, table: str) -> m.Ack | None:
    """What the log holds of a table; None if it never heard of it."""
    member, left = state.members.get(table), state.left.get(table)
    if member is not None:
        stopped = member.state is MemberState.STOPPED
        return m.Ack(
            table=table,
            position=state.position,
            incarnation=member.incarnation,
            joined_position=member.joined_position,
            joined_decision=member.joined_decision,
            joined_meter_microcents=member.joined_meter_microcents,
            left_position=0,
            operation=member.operation,
            hash=member.hash,
            decision=state.decision,
            refused=member.why if stopped else "",
        )
    if left is None:
        return None
    return m.Ack(
        table=table,
        position=state.position,
        incarnation=left.incarnation,
        joined_position=left.joined_position,
        joined_decision=left.joined_decision,
        joined_meter_microcents=left.joined_meter_microcents,
        left_position=left.left_position,
        operation=left.operation,
        hash=left.hash,
        decision=left.decision,
    )


def refusal_of(state: CarruselState, birth: m.Birth, why: Finding) -> m.Ack:
    """A join that is not taken."""
    return m.Ack(
        table=birth.table,
        position=state.position,
        incarnation=birth.incarnation,
        joined_position=0,
        joined_decision=0,
        joined_meter_microcents=0,
        left_position=0,
        operation=0,
        hash=birth.join_hash,
        decision=state.decision,
        refused=why.text(),
    )


def is_answered(state: CarruselState, birth: m.Birth) -> bool:
    """Whether the log holds this very join."""
    known = state.members.get(birth.table) or state.left.get(birth.table)
    asked = (birth.incarnation, birth.join_hash)
    return known is not None and (known.incarnation, known.join_hash) == asked


def against_join(state: CarruselState, birth: m.Birth) -> Finding | None:
    """Why a table may not join; None if it may."""
    if birth.terms.table != birth.table:
        return finding("terms_of_another", terms=birth.terms.table, table=birth.table)
    if len(set(birth.officers)) < 2:
        return finding("one_officer")
    unfit_for_any = unfit(birth.terms)
    if unfit_for_any:
        return finding(unfit_for_any)
    other = next((m for t, m in state.members.items() if t != birth.table), None)
    if other is not None:
        found = differences(other.terms, birth.terms)
        if found:
            return finding("terms_differ", differences="; ".join(found))
    known = state.members.get(birth.table) or state.left.get(birth.table)
    if known is not None and birth.incarnation <= known.incarnation:
        return finding("incarnation_used", incarnation=birth.incarnation, last=known.incarnation)
    member = state.members.get(birth.table)
    if member is None or member.state is MemberState.STOPPED or member.ledger == birth.ledger:
        return None
    return finding("name_taken")


def total_of(state: CarruselState) -> m.Total:
    """What the visors show."""
    return m.Total(
        position=state.position,
        total_microcents=state.total_microcents,
        decision=state.decision,
        pending=tuple(member.table for member, _ in state.claims()),
    )


def members_of(state: CarruselState) -> m.Members:
    """Who is in the carrusel."""
    return m.Members(
        position=state.position,
        coordinators=dict(state.coordinators),
        members=tuple(
            m.MemberShown(
                table=one.table,
                ledger=one.ledger,
                incarnation=one.incarnation,
                meter_microcents=one.meter_microcents,
                operation=one.operation,
                state=one.state.value,
            )
            for one in state.members.values()
        ),
    )


def beat_of(
    settings: CoordinatorSettings, state: CarruselState, now_ms: int, checked_ms: int
) -> m.CoordinatorBeat:
    """Alive, with a log that answered at ``checked_ms``."""
    return m.CoordinatorBeat(
        coordinator=settings.name,
        position=state.position,
        decision=state.decision,
        log_checked_ms_ago=now_ms - checked_ms,
        at_ns=(settings.utc_ms_at_zero + now_ms) * 1_000_000,
    )
