"""A coordinator, sans-IO: it folds the log and proposes what comes next.

There is no election. Every coordinator proposes as a pure function of the log's prefix and of what it
has received; the store takes exactly one proposal for a place, and the others read again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from jackpot.link import messages as m
from jackpot.link.signing import Sign, Verify, verify

BEAT_MS = 1_000
TOTAL_MS = 100
"""At most ten totals a second: nobody reads faster."""

LISTEN_MS = 5_000
"""A coordinator that starts listens so long before it appends: a member that applied a later
decision than its log holds shows that the log is an old copy."""

INBOX_OPERATIONS = 1_000
"""Operations of one table that wait for the log; the node sends the others again."""

ENTRIES_PER_PROPOSAL = 64
"""Entries in one append: a few hundred kilobytes at most."""


class CoordinatorSettings(msgspec.Struct, frozen=True):
    """Who this coordinator is."""

    name: str
    carrusel: str


class Proposal(NamedTuple):
    """What this coordinator would append, sealed, the first at position ``after + 1``."""

    after: int
    entries: tuple[m.Entry, ...]


class Coordinator:
    """One coordinator. The shell reads the whole log into it at start (``appended``), then:

        proposal = coordinator.propose(now_ms, at_ns)
        if proposal: ok = await log.append(proposal.entries, proposal.after)
        ok      -> coordinator.appended(proposal.entries, now_ms)
        not ok, or unknown -> coordinator.lost(now_ms); read after coordinator.position; appended(...)

    ``decision_entry`` finds the sealed entry of an old decision by its number, for a table that
    missed it; ``past`` answers for a view that is older than what is kept in memory.
    """

    def __init__(
        self,
        settings: CoordinatorSettings,
        sign: Sign,
        *,
        now_ms: int,
        decision_entry: Callable[[int], m.Entry | None],
        verify: Verify = verify,
    ) -> None:
        raise NotImplementedError

    @property
    def position(self) -> int:
        """The last position that this coordinator has read."""
        return 0

    @property
    def findings(self) -> Mapping[str, str]:
        """Problems by table (or by ``log``), for the page and the log of events."""
        return {}

    def received(self, message: m.Message, now_ms: int) -> None:
        """A message of a table, decoded."""

    def appended(self, entries: Sequence[m.Entry], now_ms: int) -> None:
        """These entries stand in the log after what was read; in order, own or others'.

        Raises ``LogBroken`` when they do not continue it.
        """

    def log_checked(self, now_ms: int) -> None:
        """The store has just answered (an append, a fresh read, a check): beats are valid."""

    def propose(self, now_ms: int, at_ns: int) -> Proposal | None:
        """What to append now, if anything; None while a proposal is under way."""
        return None

    def lost(self, now_ms: int) -> None:
        """The proposal was not taken, or nobody knows; the log is being read again."""

    def override_order(self, table: str, hand: int, officers: tuple[str, ...], why: str) -> None:
        """Two officers no longer wait for hands that were locked before ``hand`` of ``table``."""

    def stop_member(self, table: str, officers: tuple[str, ...], why: str) -> None:
        """Two officers take nothing more of a box that does not answer, until it joins anew."""

    def admit(self, name: str, key: str, officers: tuple[str, ...]) -> None:
        """A further coordinator may append."""

    @property
    def deadline_ms(self) -> int:
        """When ``tick`` must be called at the latest."""
        return 0

    def tick(self, now_ms: int) -> None:
        """Time went by: beats and totals are due."""

    def take_messages(self) -> list[tuple[str, m.Message]]:
        """Topic and message of everything to publish, oldest first."""
        return []
