"""A coordinator, sans-IO: it folds the log and proposes what comes next.

There is no election. Every coordinator proposes as a pure function of the log's prefix and of what it
has received; the store takes exactly one proposal for a place, and the others read again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from jackpot.invariant import invariant
from jackpot.link import entries as e
from jackpot.link import messages as m
from jackpot.link import proposing, topics
from jackpot.link.answers import (
    CoordinatorSettings,
    ack_of,
    against_join,
    beat_of,
    is_answered,
    members_of,
    refusal_of,
    total_of,
)
from jackpot.link.base import decide
from jackpot.link.fold import fold
from jackpot.link.inbox import Inbox, note_age
from jackpot.link.log import LogBroken, check_hash, check_signature, entry_of, seal_all
from jackpot.link.members import MemberState
from jackpot.link.rhythm import Rhythm
from jackpot.link.signing import Sign, Verify, is_signed, verify
from jackpot.link.state import CarruselState, PastAt
from jackpot.table.carrusel_finding import Finding, finding

OTHERS_TOTAL_MS = 1_000
"""Who appended tells the total; if it died on the way, another one does after this time."""

LISTEN_MS = 2_000
"""A coordinator that starts listens so long before it appends, twice a node's beat: a table that has
applied a later decision than its log holds shows that the log is an old copy."""

RESYNC_AT_MOST = 64
"""Decisions in one answer to a table that missed some; it asks again for the others."""

__all__ = ["Coordinator", "CoordinatorSettings", "Proposal"]


class Proposal(NamedTuple):
    """What this coordinator would append, sealed, the first at position ``after + 1``."""

    after: int
    entries: tuple[m.Entry, ...]


class Coordinator:
    """One coordinator. The shell reads the whole log into it at start (``appended``), then:

        proposal = coordinator.propose(now_ms, at_ns)
        ok = await log.append(proposal.entries, proposal.after)
        coordinator.appended(proposal.entries, now_ms)     if ok; else, or if nobody knows:
        coordinator.appended(await log.read(coordinator.position), now_ms)
        coordinator.settled()

    ``state`` may be a copy that was kept of an earlier position: only what follows it is read then.
    ``decision_entry`` finds the sealed entry of a decision by its number, for a table that missed it;
    ``past_at`` answers for a view that is older than what is kept in memory.
    """

    def __init__(
        self,
        settings: CoordinatorSettings,
        sign: Sign,
        *,
        now_ms: int,
        state: CarruselState | None = None,
        decision_entry: Callable[[int], m.Entry | None],
        past_at: PastAt,
        verify: Verify = verify,
    ) -> None:
        self.settings = settings
        self.state = CarruselState() if state is None else state
        self.findings: dict[str, Finding] = {}
        """Problems by table (or by ``log``), for the page and the log of events."""
        self.heard_ms: dict[str, int] = {}
        """When each table was heard last."""
        self._sign, self._verify = sign, verify
        self._decision_entry, self._past_at = decision_entry, past_at
        self._inbox = Inbox()
        self._joins: dict[str, m.Birth] = {}
        self._stops: dict[str, e.MemberStopped] = {}
        self._wishes: list[e.LogEntry] = []
        self._heads: dict[str, str] = {}
        self.letting_go = proposing.LettingGo()
        self._ahead: dict[str, int] = {}
        self._out: list[tuple[str, m.Message]] = []
        self._under_way = False
        self._proposed: dict[str, tuple[m.Entry, e.LogEntry]] = {}
        """What was proposed last, by hash."""
        self._answers: set[str] = set()
        self._members_changed = False
        self._listens_until_ms = now_ms + LISTEN_MS
        self._checked_ms: int | None = None
        self._rhythm = Rhythm(now_ms)

    @property
    def position(self) -> int:
        """The last position that this coordinator has read."""
        return self.state.position

    @property
    def is_behind(self) -> bool:
        """Whether a table has applied a later decision than this log holds: an old copy of the log,
        or one that is not read to its end. Nothing is appended to it."""
        return any(decision > self.state.decision for decision in self._ahead.values())

    # ---- what the tables say -------------------------------------------------------------------

    def received(self, message: m.Message, now_ms: int) -> None:
        """A message of a table, decoded."""
        if isinstance(message, m.Birth | m.Up | m.NodeBeat):
            self.heard_ms[message.table] = now_ms
        if isinstance(message, m.Up):
            self._up(message)
        elif isinstance(message, m.NodeBeat):
            self.letting_go.heard(self.state, message)
            note_age(self.findings, self.state.members.get(message.table), message)
        elif isinstance(message, m.Birth):
            self._birth(message)
        elif isinstance(message, m.Resync):
            self._resync(message)
        elif isinstance(message, m.Head):
            self._head(message)

    def _up(self, message: m.Up) -> None:
        member = self.state.members.get(message.table)
        if member is None or message.incarnation != member.incarnation:
            self._answers.add(message.table)
            return
        if not is_signed(message, member.ledger, self._verify):
            self.findings[message.table] = finding("operations_unsigned")
            return
        if member.state is MemberState.STOPPED:
            self._answers.add(message.table)
            return
        again, fault = self._inbox.offer(member, message.operations)
        if again:
            self._answers.add(message.table)
        if fault is not None:
            self.findings[message.table] = fault
            self._stops[message.table] = e.MemberStopped(
                table=message.table, incarnation=member.incarnation, why=fault.text()
            )

    def _birth(self, birth: m.Birth) -> None:
        if not is_signed(birth, birth.ledger, self._verify):
            self.findings[birth.table] = finding("birth_unsigned")
            return
        known = self.state.members.get(birth.table)
        if known is not None and known.ledger == birth.ledger:
            self._note_decision(birth)
        if not birth.asks_to_join or is_answered(self.state, birth):
            self._joins.pop(birth.table, None)
            self._answers.add(birth.table)
            return
        why = against_join(self.state, birth)
        if why is not None:
            self._joins.pop(birth.table, None)
            self.findings[birth.table] = why
            self._say(
                topics.ack(self.settings.carrusel, birth.table), refusal_of(self.state, birth, why)
            )
        else:
            self._joins[birth.table] = birth

    def _note_decision(self, birth: m.Birth) -> None:
        """What a member has applied. A later decision than ours is kept until we have read it."""
        if birth.decision > self.state.decision:
            self._ahead[birth.table] = birth.decision
            log, applied = self.state.decision, birth.decision
            self.findings["log"] = finding(
                "log_is_old", table=birth.table, applied=applied, log=log
            )

    def _resync(self, message: m.Resync) -> None:
        first = max(1, message.from_decision)
        last = min(self.state.decision, first + RESYNC_AT_MOST - 1)
        for decision in range(first, last + 1):
            sealed = self._decision_entry(decision)
            if sealed is not None:
                self._say(topics.decision(self.settings.carrusel), sealed)

    def _head(self, message: m.Head) -> None:
        member = self.state.members.get(message.name)
        if member is not None and self.state.heads.get(message.name) != message.note:
            self._heads[message.name] = message.note

    # ---- what the log says ---------------------------------------------------------------------

    def appended(self, entries: Sequence[m.Entry], now_ms: int) -> None:
        """These entries stand in the log after what was read; in order, own or others'.

        Raises ``LogBroken`` when they do not continue it, are not signed by a coordinator of the
        log, or decide otherwise than the rules: this coordinator then stops.
        """
        for sealed in entries:
            entry = self._own(sealed) or self._checked(sealed)
            fold(self.state, sealed, entry, self._past_at)
            self._follow(sealed, entry, now_ms)
        invariant(self.state.conserved, "every micro-cent of every member's meter is accounted for")
        self.log_checked(now_ms)
        if not self.is_behind:
            self.findings.pop("log", None)

    def _own(self, sealed: m.Entry) -> e.LogEntry | None:
        """What stands in an entry that was made here, on this very state."""
        made, entry = self._proposed.get(sealed.hash, (None, None))
        return entry if made == sealed and sealed.previous == self.state.head else None

    def _checked(self, sealed: m.Entry) -> e.LogEntry:
        state, entry = self.state, entry_of(sealed)
        if sealed.position != state.position + 1 or sealed.previous != state.head:
            raise LogBroken(f"entry {sealed.position} does not continue entry {state.position}")
        check_hash(sealed)
        keys = state.coordinators
        if isinstance(entry, e.LogOpened) and not state.log_id:
            keys = dict(self.settings.coordinators)
        check_signature(sealed, keys.get(sealed.author), self._verify)
        if isinstance(entry, e.AwardDecided):
            member = state.members.get(entry.table)
            locked = None if member is None else member.locked
            if member is None or locked is None or decide(state, member, locked) != entry:
                raise LogBroken(f"entry {sealed.position}: another award than the rules give")
        return entry

    def _follow(self, sealed: m.Entry, entry: e.LogEntry, now_ms: int) -> None:
        """Tell what the entry means: whoever appended it does; the others only after a while."""
        own = sealed.hash in self._proposed
        self._rhythm.changed(now_ms, 0 if own else OTHERS_TOTAL_MS)
        if isinstance(entry, e.AwardDecided | e.AwardUndone):
            if own:
                self._say(topics.decision(self.settings.carrusel), sealed)
            self._ahead = {t: d for t, d in self._ahead.items() if d > self.state.decision}
        elif isinstance(entry, e.OperationsTaken):
            self._inbox.drop(self.state.members[entry.table])
        elif isinstance(entry, e.MemberJoined | e.MemberLeft | e.MemberStopped | e.MemberLeaving):
            self._membership_changed(entry)
        elif isinstance(entry, e.CoordinatorAdmitted):
            self._say(topics.decision(self.settings.carrusel), sealed)
            self._members_changed = True
        elif isinstance(entry, e.HeadSeen):
            self._heads.pop(entry.table, None)
        if entry in self._wishes:
            self._wishes.remove(entry)
        table = getattr(entry, "table", None)
        if own and table is not None and not isinstance(entry, e.HeadSeen):
            self._answers.add(table)

    def _membership_changed(
        self, entry: e.MemberJoined | e.MemberLeft | e.MemberStopped | e.MemberLeaving
    ) -> None:
        if not isinstance(entry, e.MemberLeaving):
            self._inbox.clear(entry.table)
        if isinstance(entry, e.MemberLeft):
            self.letting_go.left(entry.table)
        if isinstance(entry, e.MemberJoined):
            self._joins.pop(entry.table, None)
            self.findings.pop(entry.table, None)
        self._stops.pop(entry.table, None)
        self._members_changed = True

    def log_checked(self, now_ms: int) -> None:
        """The store has just answered (an append, a fresh read, a check): beats are valid."""
        self._checked_ms = now_ms

    # ---- what comes next in the log ------------------------------------------------------------

    def propose(self, now_ms: int, at_ns: int) -> Proposal | None:
        """What to append now, if anything; None while a proposal is under way."""
        waits = self._under_way or self.is_behind or now_ms < self._listens_until_ms
        if waits or not proposing.may_append(self.state, self.settings):
            return None
        entries = self._next_entries()
        if not entries:
            return None
        self._under_way = True
        after = self.state.position
        settings = self.settings
        sealed = seal_all(
            settings.carrusel, entries, self.state.head, after, settings.name, at_ns, self._sign
        )
        self._proposed = {s.hash: (s, entry) for s, entry in zip(sealed, entries, strict=True)}
        return Proposal(after, sealed)

    def _next_entries(self) -> list[e.LogEntry]:
        state, settings = self.state, self.settings
        if not state.log_id:
            return [
                e.LogOpened(
                    carrusel=settings.carrusel,
                    log_id=settings.new_log_id,
                    coordinators=dict(settings.coordinators),
                )
            ]
        due = proposing.next_decision(state, self.findings)
        if due is not None:
            return [due]
        room = proposing.ENTRIES_PER_PROPOSAL
        entries: list[e.LogEntry] = [*self._due_stops(), *self._due_joins(), *self._wishes]
        comes = {entry.table for entry in entries if isinstance(entry, e.MemberJoined)}
        gone = proposing.leaves(state, self.letting_go)
        entries += [entry for entry in gone if entry.table not in comes]
        entries += [e.HeadSeen(table=table, note=note) for table, note in self._heads.items()]
        skip = {entry.table for entry in entries if isinstance(entry, _ENDS_OPERATIONS)}
        entries = entries[:room]
        entries += proposing.operations(state, self._inbox, skip, room - len(entries))
        return entries

    def _due_stops(self) -> list[e.LogEntry]:
        members = self.state.members
        return [
            stop
            for table, stop in self._stops.items()
            if table in members
            and members[table].incarnation == stop.incarnation
            and members[table].state is not MemberState.STOPPED
        ]

    def _due_joins(self) -> list[e.LogEntry]:
        """The first member alone: the next ones' terms are held against its."""
        fit = (birth for birth in self._joins.values() if not against_join(self.state, birth))
        at_once = proposing.JOINS_PER_PROPOSAL if self.state.members else 1
        return [proposing.joined(self.state, birth) for birth in islice(fit, at_once)]

    def settled(self) -> None:
        """The proposal was appended, or the log has been read again since; the next one may come."""
        self._under_way = False

    # ---- what officers ask here ----------------------------------------------------------------

    def override_order(self, table: str, hand: int, officers: tuple[str, ...], why: str) -> None:
        """Two officers no longer wait for hands that were locked before ``hand`` of ``table``."""
        self._wishes.append(e.OrderOverridden(table=table, hand=hand, officers=officers, why=why))

    def stop_member(self, table: str, officers: tuple[str, ...], why: str) -> None:
        """Two officers take nothing more of a box that does not answer, until it joins anew."""
        member = self.state.members.get(table)
        if member is not None:
            self._stops[table] = e.MemberStopped(
                table=table, incarnation=member.incarnation, why=why, officers=officers
            )

    def admit(self, name: str, key: str, officers: tuple[str, ...]) -> None:
        """A further coordinator may append."""
        self._wishes.append(e.CoordinatorAdmitted(name=name, key=key, officers=officers))

    # ---- time and messages ---------------------------------------------------------------------

    @property
    def deadline_ms(self) -> int:
        """When ``tick`` must be called at the latest."""
        return self._rhythm.deadline_ms

    def tick(self, now_ms: int) -> None:
        """Time went by: beats and totals are due."""
        beats, tells = self._rhythm.beats(now_ms), self._rhythm.tells(now_ms)
        if beats:
            self._beat(now_ms)
        if (beats or tells) and self.state.log_id and not self.is_behind:
            self._say(topics.total(self.settings.carrusel), total_of(self.state))

    def _beat(self, now_ms: int) -> None:
        """No sign of life of a coordinator that could not append."""
        if self._checked_ms is None or self.is_behind or not self.state.log_id:
            return
        beat = beat_of(self.settings, self.state, now_ms, self._checked_ms)
        self._say(topics.coordinator_beat(self.settings.carrusel, self.settings.name), beat)

    def _say(self, topic: str, message: m.Message) -> None:
        self._out.append((topic, message))

    def take_messages(self) -> list[tuple[str, m.Message]]:
        """Topic and message of everything to publish, oldest first."""
        for table in sorted(self._answers):
            ack = ack_of(self.state, table)
            if ack is not None:
                self._say(topics.ack(self.settings.carrusel, table), ack)
        self._answers.clear()
        if self._members_changed:
            self._members_changed = False
            self._say(topics.members(self.settings.carrusel), members_of(self.state))
        out, self._out = self._out, []
        return out


_ENDS_OPERATIONS = (e.MemberJoined, e.MemberLeft, e.MemberStopped)
