"""The way down: decisions in their order without a gap, totals that a table may show, the lease."""

from __future__ import annotations

from jackpot.link import messages as m
from jackpot.link.entries import AwardDecided, AwardUndone, CoordinatorAdmitted
from jackpot.link.log import LogBroken, check_hash, check_signature, entry_of
from jackpot.link.signing import Verify
from jackpot.table.carrusel_finding import Finding, finding

LEASE_MS = 3_000
"""Three beats may be lost before the visors say SIN ENLACE."""

GAP_MS = 300
"""A decision that is announced and not there is asked for again after this time: totals may overtake
it on the way."""

RESYNC_MS = 1_000
"""As long as it stays away, it is asked for again."""

DECISIONS_AHEAD = 64
"""Decisions kept while an earlier one is missing; the others are asked for again."""


class Downlink:
    """What the coordinators say. ``keys`` are their public keys; none: the first that the carrusel
    names are trusted."""

    def __init__(self, keys: dict[str, str], applied_hash: str, verify: Verify) -> None:
        self.keys = keys
        self.fault: Finding | None = None
        """What proves that the log forks from what this table holds; None: nothing."""
        self.finding: Finding | None = None
        """The last entry was not believed; None once one is again."""
        self.lease_end_ms: int | None = None
        self.announced = 0
        """The last decision that anybody spoke of."""
        self.total: m.Total | None = None
        self._applied_hash = applied_hash
        self._verify = verify
        self._entries: dict[int, tuple[m.Entry, AwardDecided | AwardUndone]] = {}
        self._ask_due_ms: int | None = None

    def beat(self, beat: m.CoordinatorBeat, now_ms: int) -> None:
        """A coordinator is alive, and its log was, so many milliseconds ago."""
        end_ms = now_ms - beat.log_checked_ms_ago + LEASE_MS
        self.lease_end_ms = max(end_ms, self.lease_end_ms or end_ms)
        self.announced = max(self.announced, beat.decision)

    def is_linked(self, now_ms: int) -> bool:
        """Whether the lease runs."""
        return self.lease_end_ms is not None and now_ms < self.lease_end_ms

    def members(self, members: m.Members) -> None:
        """Who coordinates: believed only by a table that was told no key."""
        if not self.keys:
            self.keys = dict(members.coordinators)

    def heard_total(self, total: m.Total) -> None:
        """The newest total counts, whatever order they come in."""
        if self.total is None or total.position > self.total.position:
            self.total = total
        self.announced = max(self.announced, total.decision)

    def heard_entry(self, sealed: m.Entry, applied: int) -> None:
        """An entry for every member, this one having applied ``applied`` decisions."""
        try:
            check_hash(sealed)
            check_signature(sealed, self.keys.get(sealed.author), self._verify)
            entry = entry_of(sealed)
        except LogBroken as broken:
            self.finding = finding("entry_not_believed", why=str(broken))
            return
        self.finding = None
        if isinstance(entry, CoordinatorAdmitted):
            self.keys.setdefault(entry.name, entry.key)
        if not isinstance(entry, AwardDecided | AwardUndone):
            return
        number = entry.decision
        self.announced = max(self.announced, number)
        known = self._entries.get(number)
        held = known[0].hash if known is not None else ""
        if number == applied:
            held = held or self._applied_hash
        if held and held != sealed.hash:
            self.fault = finding("two_decisions", decision=number)
        elif applied < number <= applied + DECISIONS_AHEAD:
            self._entries[number] = sealed, entry

    def next_after(self, applied: int) -> tuple[m.Entry, AwardDecided | AwardUndone] | None:
        """The decision to apply now, if it is there."""
        return self._entries.get(applied + 1)

    def applied(self, decision: int) -> None:
        """The table has recorded decisions up to this one."""
        self._applied_hash = ""
        for number in [n for n in self._entries if n <= decision]:
            sealed, _ = self._entries.pop(number)
            if number == decision:
                self._applied_hash = sealed.hash

    def forget(self) -> None:
        """A new incarnation: what was held against the log counts no more."""
        self.fault, self._applied_hash = None, ""
        self._entries.clear()

    def shown_microcents(self, applied: int) -> int | None:
        """The total, while it has exactly the decisions in it that this table has applied: an older
        one would show what an award has taken, a newer one what this meter does not hold yet."""
        total = self.total
        return None if total is None or total.decision != applied else total.total_microcents

    def gap(self, applied: int, now_ms: int) -> int | None:
        """The decision to ask for now, if one is missing and its time has come."""
        if self.announced <= applied or (applied + 1) in self._entries:
            self._ask_due_ms = None
            return None
        if self._ask_due_ms is None:
            self._ask_due_ms = now_ms + GAP_MS
        if now_ms < self._ask_due_ms:
            return None
        self._ask_due_ms = now_ms + RESYNC_MS
        return applied + 1

    @property
    def ask_due_ms(self) -> int | None:
        """When ``gap`` is to be asked again."""
        return self._ask_due_ms
