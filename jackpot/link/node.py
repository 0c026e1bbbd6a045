"""The node at one table, sans-IO: messages and the time in; messages, facts and a deadline out.

It owns nothing. What it tells comes from committed batches of the ledger, what it learns becomes a
fact only when the table has recorded it; killed at any point, it begins again from the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from jackpot.link import messages as m
from jackpot.link.outbox import Batch
from jackpot.link.signing import Sign, Verify, verify
from jackpot.table.event import Fact
from jackpot.table.facts.carrusel import CarruselViewed
from jackpot.table.state import TableState

BEAT_MS = 1_000
"""A sign of life each second."""

LEASE_MS = 3_000
"""Three beats may be lost before the visors say SIN ENLACE."""

RESEND_MS = 1_000
"""What was not answered is said again; longer than any round trip, so that little is said twice."""

WINDOW_OPERATIONS = 400
"""Operations under way at once, four messages of them: the rest waits in the ledger."""

DECISIONS_AHEAD = 64
"""Decisions kept while an earlier one is missing; the others are asked for again."""


class NodeSettings(msgspec.Struct, frozen=True):
    """Who this node is. ``coordinators`` are the pinned keys by name; empty: those that the carrusel
    names first are trusted."""

    table: str
    carrusel: str
    ledger: str
    """The public key of the ledger, as its notes name it."""
    coordinators: Mapping[str, str] = {}


class CarruselShown(msgspec.Struct, frozen=True):
    """What the visors of this table may show. ``total_microcents`` is None until one was heard that
    this table has applied every decision of; ``pending`` are the tables whose claims wait."""

    total_microcents: int | None
    pending: tuple[str, ...]
    linked: bool
    position: int
    decision: int


class Node:
    """One table's end of the carrusel.

    Construct it at start with the state that the ledger holds, the batch in which the join was asked
    (None: never), the batch of its last operation since (None: none yet) and the hash of the entry
    that it applied last (empty: none). From then on call ``committed`` after each commit.
    """

    def __init__(
        self,
        settings: NodeSettings,
        sign: Sign,
        state: TableState,
        *,
        now_ms: int,
        join: Batch | None = None,
        last: Batch | None = None,
        applied_hash: str = "",
        verify: Verify = verify,
    ) -> None:
        raise NotImplementedError

    # ---- what happened here --------------------------------------------------------------------

    def committed(self, state: TableState, batches: Sequence[Batch], now_ms: int) -> None:
        """These batches were committed, and the table is in ``state``; only now the carrusel may
        hear of them."""

    @property
    def wanted_after(self) -> int | None:
        """The number of the operation after which the node needs operations from the ledger again
        (``provided``), or None."""
        return None

    def provided(self, batches: Sequence[Batch]) -> None:
        """Answers ``wanted_after``: the batch of that very operation (of the join for 0) and, in
        order, at most ``WINDOW_OPERATIONS`` batches with the operations after it."""

    # ---- what the wire says --------------------------------------------------------------------

    def connected(self, now_ms: int) -> None:
        """There is a broker."""

    def disconnected(self, now_ms: int) -> None:
        """There is none any more; whatever was taken may be lost."""

    def received(self, message: m.Message, now_ms: int) -> None:
        """A message of the carrusel, decoded; one that is not for this table is ignored."""

    # ---- time ----------------------------------------------------------------------------------

    @property
    def deadline_ms(self) -> int:
        """When ``tick`` must be called at the latest."""
        return 0

    def tick(self, now_ms: int) -> None:
        """Time went by: leases end, what was not answered is said again."""

    # ---- what comes out ------------------------------------------------------------------------

    def take_messages(self) -> list[tuple[str, m.Message]]:
        """Topic and message of everything to publish, oldest first."""
        return []

    def take_facts(self) -> list[Fact]:
        """Facts to offer to the table, in order; each is offered again until the committed state
        shows it."""
        return []

    @property
    def shown(self) -> CarruselShown:
        """What the visors show."""
        raise NotImplementedError

    def view(self) -> CarruselViewed | None:
        """The fact that goes before the lock, into the same batch; None while no total was heard."""
        return None
