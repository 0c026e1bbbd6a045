"""What a coordinator's page shows, as plain values: read from the core, never written to it."""

from __future__ import annotations

import msgspec

from jackpot.daemon.link.coordinating import RunningCoordinator
from jackpot.law.derivation import Line
from jackpot.link.entries import AwardDecided, AwardUndone
from jackpot.link.members import Member, MemberState
from jackpot.link.messages import Entry
from jackpot.link.proposing import by_lock, may_append, waits_for
from jackpot.money import cents_rounded_down
from jackpot.table.carrusel_finding import Finding, finding

HEARD_MS = 3_000
"""A table beats each second; after three it counts as not heard."""

_NS_PER_MS = 1_000_000


class MemberLine(msgspec.Struct, frozen=True):
    """One table. ``state`` is a stable name; ``locked_hand`` is 0 without one; ``waits`` for a
    decision of its claim; ``waits_for`` are the tables that its claim or its leave waits for."""

    table: str
    state: str
    heard: bool
    meter_cents: int
    incarnation: int
    operation: int
    locked_hand: int
    view_position: int
    waits: bool
    waits_for: tuple[Wait, ...]
    why: str


class Wait(msgspec.Struct, frozen=True):
    """A table that a claim or a leave waits for. ``why``: its ``hand`` is locked, it has not shown a
    later ``total`` yet, or it is ``silent``."""

    table: str
    why: str
    hand: int = 0


class ShareLine(msgspec.Struct, frozen=True):
    """What one table gave to an award, in micro-cents."""

    table: str
    view_microcents: int
    base_microcents: int
    deducted_microcents: int
    seed_microcents: int


class DecisionLine(msgspec.Struct, frozen=True):
    """One award, or (``undoes`` not 0) one that was taken back."""

    decision: int
    undoes: int
    position: int
    at_ms: int
    table: str
    hand: int
    paid_cents: int
    restart: bool
    shares: tuple[ShareLine, ...]
    derivation: tuple[Line, ...]


class CarruselPicture(msgspec.Struct, frozen=True):
    """Everything. ``total_cents`` is None while it may not be shown: not sure means not shown."""

    carrusel: str
    coordinator: str
    position: int
    decision: int
    total_cents: int | None
    pending: tuple[str, ...]
    broker_fault: str
    log_fault: str
    members: tuple[MemberLine, ...]
    decisions: tuple[DecisionLine, ...]
    findings: dict[str, Finding]


def picture_of(running: RunningCoordinator) -> CarruselPicture:
    """The coordinator as it stands."""
    state = running.core.state
    return CarruselPicture(
        carrusel=running.config.carrusel,
        coordinator=running.config.name,
        position=state.position,
        decision=state.decision,
        total_cents=cents_rounded_down(state.total_microcents) if is_sure(running) else None,
        pending=tuple(member.table for member, _ in state.claims()),
        broker_fault=running.line.fault,
        log_fault=running.log_fault,
        members=tuple(_member(running, member) for member in state.members.values()),
        decisions=tuple(_decision(*one) for one in reversed(running.decisions)),
        findings={**_standing(running), **running.core.findings, **running.faults},
    )


def _standing(running: RunningCoordinator) -> dict[str, Finding]:
    """Why this coordinator appends nothing to a log that is there."""
    state, settings = running.core.state, running.core.settings
    if state.closed:
        return {"log": finding("log_moved")}
    if state.log_id and not may_append(state, settings):
        return {"log": finding("not_admitted", coordinator=settings.name)}
    return {}


def is_sure(running: RunningCoordinator) -> bool:
    """Whether the log has answered, is the newest, and holds a carrusel."""
    state = running.core.state
    return bool(state.members) and not running.log_fault and not running.core.is_behind


def _member(running: RunningCoordinator, member: Member) -> MemberLine:
    locked = member.locked
    leaving = member.state is MemberState.MEMBER and member.asks_to_leave
    return MemberLine(
        table=member.table,
        state=MemberState.LEAVING.value if leaving else member.state.value,
        heard=_is_heard(running, member),
        meter_cents=cents_rounded_down(member.meter_microcents),
        incarnation=member.incarnation,
        operation=member.operation,
        locked_hand=0 if locked is None else locked.hand,
        view_position=0 if locked is None else locked.view_position,
        waits=locked is not None and locked.claim is not None,
        waits_for=_waits_for(running, member),
        why=member.why,
    )


def _is_heard(running: RunningCoordinator, member: Member) -> bool:
    heard_ms = running.heard_ms.get(member.table)
    return heard_ms is not None and running.now_ms() - heard_ms < HEARD_MS


def _waits_for(running: RunningCoordinator, member: Member) -> tuple[Wait, ...]:
    state, locked = running.core.state, member.locked
    if member.state is MemberState.LEAVING:
        since = member.leaving_position
        return tuple(
            _wait(running, other, since) for other in running.core.letting_go.held_by(state, member)
        )
    if (
        locked is not None
        and locked.claim is not None
        and by_lock(member)
        and not locked.overridden
    ):
        return tuple(_wait(running, other, state.position) for other in waits_for(state, locked))
    return ()


def _wait(running: RunningCoordinator, other: Member, since: int) -> Wait:
    """``since``: a hand counts that was locked on an earlier view."""
    locked = other.locked
    if not _is_heard(running, other):
        return Wait(other.table, "silent")
    if locked is not None and locked.view_position < since:
        return Wait(other.table, "hand", locked.hand)
    return Wait(other.table, "total")


def _decision(sealed: Entry, entry: AwardDecided | AwardUndone) -> DecisionLine:
    undone = isinstance(entry, AwardUndone)
    return DecisionLine(
        decision=entry.decision,
        undoes=entry.undoes if isinstance(entry, AwardUndone) else 0,
        position=sealed.position,
        at_ms=sealed.at_ns // _NS_PER_MS,
        table=entry.table,
        hand=entry.hand,
        paid_cents=entry.paid_cents,
        restart=entry.restart,
        shares=tuple(
            ShareLine(
                share.table,
                share.view_microcents,
                share.base_microcents,
                share.deducted_microcents + share.from_seed_microcents,
                share.seed_microcents,
            )
            for share in entry.shares
        ),
        derivation=() if undone or not isinstance(entry, AwardDecided) else entry.derivation,
    )
