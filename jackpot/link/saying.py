"""What a table says of itself: who it is, that it is alive, what its visors show."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from jackpot.link import messages as m
from jackpot.link.outbox import Join
from jackpot.table.carrusel_state import Membership, MemberStage
from jackpot.table.state import TableState


class NodeSettings(msgspec.Struct, frozen=True):
    """Who a node is. ``coordinators`` are the pinned keys by name; empty: those that the carrusel
    names first are trusted."""

    table: str
    carrusel: str
    ledger: str
    """The public key of the ledger, as its notes name it."""
    coordinators: Mapping[str, str] = {}
    utc_ms_at_zero: int = 0
    """What ``now_ms = 0`` is in UTC, for the times that people see; order never depends on it."""


class CarruselShown(msgspec.Struct, frozen=True):
    """What the visors of this table may show. ``total_microcents`` is None until one was heard that
    has exactly the decisions in it that this table has applied; ``pending`` are the tables whose
    claims wait."""

    total_microcents: int | None
    pending: tuple[str, ...]
    linked: bool
    position: int
    decision: int


def birth_of(
    settings: NodeSettings, state: TableState, member: Membership | None, join: Join | None
) -> m.Birth | None:
    """Who this box is, not signed yet; None while it has no terms. It asks to join from the officers'
    act until the carrusel has answered."""
    terms = state.terms
    if terms is None:
        return None
    birth = m.Birth(
        table=settings.table,
        ledger=settings.ledger,
        incarnation=state.carrusel_incarnation,
        asks_to_join=False,
        join_hash="",
        officers=(),
        authorisation="",
        terms=terms,
        meter_microcents=0,
        operation=0,
        decision=0,
    )
    if member is None or join is None:
        return birth
    return msgspec.structs.replace(
        birth,
        asks_to_join=not member.position and member.stage is not MemberStage.STOPPED,
        join_hash=join.hash,
        officers=member.officers,
        authorisation=member.authorisation,
        meter_microcents=member.offered_microcents,
        operation=member.operation,
        decision=member.decision,
    )


def beat_of(
    settings: NodeSettings, member: Membership, view_position: int, now_ms: int
) -> m.NodeBeat:
    """Alive; a hand that is locked from here on is locked on this view or a later one."""
    return m.NodeBeat(
        table=settings.table,
        incarnation=member.incarnation,
        operation=member.operation,
        decision=member.decision,
        view_position=view_position,
        at_ns=(settings.utc_ms_at_zero + now_ms) * 1_000_000,
    )
