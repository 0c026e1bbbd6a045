"""What goes over the wire between tables and coordinators.

MQTT only carries these. Nothing here counts on a quality of service: operations are numbered and
resent until the log's acknowledgement, decisions are numbered and asked for again on a gap.
Micro-cents travel as strings of digits, because JavaScript loses whole numbers past 2**53.
"""

from __future__ import annotations

import msgspec

from jackpot.law.terms import Terms
from jackpot.table.facts.hand import DeclaredHand
from jackpot.table.outcomes.carrusel import Stage

FORMAT = 1
"""The version of every payload; another one is refused, not guessed at."""

MAX_MESSAGE_BYTES = 262_144
"""A decision for five hundred members is a hundred kilobytes; anything longer is no message of ours."""

MAX_OPERATIONS_PER_MESSAGE = 100
"""One signature for a hundred operations lets a backlog pass quickly, and a message stays small."""


class Message(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """One payload. ``format`` is ``FORMAT``."""

    format: int = FORMAT


class Operation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One operation of a table, the ``number``-th of its incarnation, from 1.

    ``hash`` is the chain hash of the ledger's batch that holds it, ``previous`` that of the operation
    before (of the join for the first). ``delta_microcents`` is applied before ``stage`` counts.
    """

    number: int
    previous: str
    hash: str
    stage: Stage
    delta_microcents: int
    hand: int = 0
    view_position: int | None = None
    hands: tuple[DeclaredHand, ...] = ()


# ---- from a table ----------------------------------------------------------------------------------


class Birth(Message, frozen=True, kw_only=True, tag="birth"):
    """``carrusel/{id}/node/{table}/birth``: who this box is, at each connection and when it asks to
    join. ``asks_to_join`` holds from the officers' act until the carrusel answers."""

    table: str
    ledger: str
    """The public key of the ledger, as its signed notes name it (vkey)."""
    incarnation: int
    asks_to_join: bool
    join_hash: str
    """Chain hash of the batch in which two officers asked."""
    officers: tuple[str, ...]
    authorisation: str
    terms: Terms
    meter_microcents: int
    operation: int
    """The last operation that this ledger holds."""
    decision: int
    """The last decision that it applied."""
    signature: str = ""


class Up(Message, frozen=True, kw_only=True, tag="up"):
    """``…/up``: consecutive operations, oldest first; signed over everything else."""

    table: str
    incarnation: int
    operations: tuple[Operation, ...]
    signature: str = ""


class NodeBeat(Message, frozen=True, kw_only=True, tag="node_beat"):
    """``…/beat``: alive, with the last operation it holds and the last decision it applied."""

    table: str
    incarnation: int
    operation: int
    decision: int
    view_position: int
    at_ns: int


class Resync(Message, frozen=True, kw_only=True, tag="resync"):
    """``…/resync``: a gap; say again from this decision on."""

    table: str
    from_decision: int


class Head(Message, frozen=True, kw_only=True, tag="head"):
    """``carrusel/{id}/heads/{name}``: a signed checkpoint of a ledger, for others to keep."""

    name: str
    note: str


# ---- from a coordinator ----------------------------------------------------------------------------


class Ack(Message, frozen=True, kw_only=True, tag="ack"):
    """``carrusel/{id}/node/{table}/ack``, retained: the last operation of this incarnation in the log.

    ``decision`` is the last decision before or at that place of the log. ``refused`` says why
    nothing more is taken (a restored copy, terms that differ). ``hash`` is that operation's (the
    join's for none): a box whose own ledger has another one there is a copy that went its own way.
    """

    table: str
    position: int
    """Where the log stood: of two that say different things the later one counts."""
    incarnation: int
    joined_position: int
    """0: not a member."""
    joined_decision: int
    joined_meter_microcents: int
    left_position: int
    """0: not left."""
    operation: int
    hash: str
    decision: int
    refused: str = ""


class Total(Message, frozen=True, kw_only=True, tag="total"):
    """``carrusel/{id}/total``, retained, at most ten a second: what the visors show."""

    position: int
    total_microcents: int
    decision: int
    pending: tuple[str, ...]
    """The tables whose claims wait."""


class Entry(Message, frozen=True, kw_only=True, tag="entry"):
    """``carrusel/{id}/decision``: an entry of the log that every member applies, as it stands there.

    ``body`` is the canonical JSON of the entry (see ``jackpot.link.entries``); ``hash`` covers
    ``previous``, ``position``, ``author`` and ``body``; ``signature`` is the author's over ``hash``.
    """

    carrusel: str
    position: int
    previous: str
    author: str
    at_ns: int
    body: str
    hash: str
    signature: str


class Members(Message, frozen=True, kw_only=True, tag="members"):
    """``carrusel/{id}/members``, retained, on change: who is in it, and with which keys."""

    position: int
    coordinators: dict[str, str]
    """Name to public key, as pinned in the log."""
    members: tuple[MemberShown, ...]


class MemberShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One member as the log has it."""

    table: str
    ledger: str
    incarnation: int
    meter_microcents: int
    operation: int
    state: str
    """``member``, ``leaving`` or ``stopped``."""


class CoordinatorBeat(Message, frozen=True, kw_only=True, tag="coordinator_beat"):
    """``carrusel/{id}/coordinator/{name}/beat``: valid only with a recent append or quorum read."""

    coordinator: str
    position: int
    decision: int
    log_checked_ms_ago: int
    at_ns: int
