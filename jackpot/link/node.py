"""The node at one table, sans-IO: messages and the time in; messages, facts and a deadline out.

It owns nothing. What it tells comes from committed batches of the ledger, what it learns becomes a
fact only when the table has recorded it; killed at any point, it begins again from the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jackpot.link import messages as m
from jackpot.link import topics
from jackpot.link.applied import decided_of, undone_of
from jackpot.link.decision_check import wrong_in
from jackpot.link.downlink import Downlink
from jackpot.link.entries import AwardUndone
from jackpot.link.outbox import Batch
from jackpot.link.saying import CarruselShown, NodeSettings, beat_of, birth_of
from jackpot.link.signing import Sign, Verify, signed, verify
from jackpot.link.uplink import RESEND_MS, Uplink
from jackpot.table import facts as f
from jackpot.table.carrusel_finding import Finding, finding, read_finding
from jackpot.table.carrusel_state import Membership, MemberStage
from jackpot.table.event import Fact
from jackpot.table.state import Phase, TableState

BEAT_MS = 1_000
"""A sign of life each second."""

OFFER_MS = 1_000
"""A fact that the ledger does not show by then is offered to the table again."""

STALE_MS = 5_000
"""So long an acknowledgement from an earlier position of the log is taken for an old one; afterwards
the log was put back, and what it lost is told again."""

__all__ = ["BEAT_MS", "CarruselShown", "Node", "NodeSettings"]


class Node:
    """One table's end of the carrusel.

    Construct it at start with the state that the ledger holds, the batch in which the join was asked
    (None: never), the batch of its last operation since (None: none yet) and the hash of the entry
    that holds the decision it applied last (empty: unknown). From then on call ``committed`` after each commit.
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
        self.settings = settings
        self._sign = sign
        self._state = state
        self._uplink = Uplink(join, last, now_ms)
        self._downlink = Downlink(dict(settings.coordinators), applied_hash, verify)
        self._ack: m.Ack | None = None
        self._ack_position = 0
        self._ack_ms = now_ms
        self._fault: Finding | None = None
        self._known_incarnation = 0
        self._now_ms = now_ms
        self._is_connected = False
        self._beat_due_ms = now_ms
        self._birth_due_ms = now_ms
        self._offered: dict[str, tuple[Fact, int]] = {}
        self._out: list[tuple[str, m.Message]] = []

    # ---- what happened here --------------------------------------------------------------------

    def committed(self, state: TableState, batches: Sequence[Batch], now_ms: int) -> None:
        """These batches were committed, and the table is in ``state``; only now the carrusel may
        hear of them."""
        before = self._member
        self._state, self._now_ms = state, now_ms
        for batch in batches:
            self._uplink.committed(batch)
        member = self._member
        if member is not None and before is not None and member.decision != before.decision:
            self._downlink.applied(member.decision)
        if _incarnation(before) != _incarnation(member):
            self._ack, self._fault = None, None
            self._downlink.forget()
            self._birth_due_ms = now_ms
        self._talk()

    @property
    def wanted_after(self) -> int | None:
        """The number of the operation after which the node needs operations from the ledger again
        (``provided``), or None."""
        member = self._member
        if member is None or not self._tells(member):
            return None
        return self._uplink.wanted_after(member.operation)

    def provided(self, batches: Sequence[Batch]) -> None:
        """Answers ``wanted_after``: the batch of that very operation (of the join for 0) and, in
        order, at most ``WINDOW_OPERATIONS`` batches with the operations after it."""
        self._fault = self._fault or self._uplink.provided(batches)
        self._talk()

    # ---- what the wire says --------------------------------------------------------------------

    def connected(self, now_ms: int) -> None:
        """There is a broker: this box says who it is, and everything that is not answered."""
        self._now_ms = now_ms
        self._is_connected = True
        self._birth_due_ms = self._beat_due_ms = self._uplink.resend_due_ms = now_ms
        self._talk()

    def disconnected(self, now_ms: int) -> None:
        """There is none any more; whatever was taken may be lost."""
        self._now_ms = now_ms
        self._is_connected = False
        self._out.clear()

    def received(self, message: m.Message, now_ms: int) -> None:
        """A message of the carrusel, decoded; one that is not for this table is ignored."""
        self._now_ms = now_ms
        if isinstance(message, m.Ack):
            if message.table == self.settings.table:
                self._acknowledged(message)
        elif isinstance(message, m.Entry):
            if message.carrusel == self.settings.carrusel:
                self._downlink.heard_entry(message, self._applied)
        elif isinstance(message, m.Total):
            self._downlink.heard_total(message)
        elif isinstance(message, m.CoordinatorBeat):
            self._downlink.beat(message, now_ms)
            if message.decision < self._applied:
                self._birth_due_ms = min(self._birth_due_ms, now_ms + RESEND_MS)
        elif isinstance(message, m.Members):
            self._downlink.members(message)
        self._talk()

    def _acknowledged(self, ack: m.Ack) -> None:
        """The log's word on this table; that on another incarnation matters only when it is later."""
        if ack.position < self._ack_position and self._now_ms < self._ack_ms + STALE_MS:
            return
        self._ack_position, self._ack_ms = ack.position, self._now_ms
        member = self._member
        mine = self._state.carrusel_incarnation
        if ack.incarnation > mine and ack.joined_position:
            self._known_incarnation = ack.incarnation
            self._fault = finding("later_incarnation", log=ack.incarnation, ledger=mine)
        if member is None or ack.incarnation != member.incarnation:
            return
        self._ack = ack
        self._downlink.announced = max(self._downlink.announced, ack.decision)
        if not ack.joined_position:
            return
        self._fault = self._fault or self._uplink.disagrees(ack, member.operation)
        if ack.refused:
            self._fault = self._fault or read_finding(ack.refused)
        self._uplink.heard(ack, self._now_ms)

    # ---- time ----------------------------------------------------------------------------------

    @property
    def deadline_ms(self) -> int:
        """When ``tick`` must be called at the latest."""
        due = [self._now_ms + BEAT_MS]
        if self._is_connected:
            due += [self._beat_due_ms, self._birth_due_ms]
            due += [self._uplink.resend_due_ms] * self._uplink.is_waiting
            due.append(self._downlink.ask_due_ms or due[0])
        member, lease_end_ms = self._member, self._downlink.lease_end_ms
        if member is not None and member.linked and lease_end_ms is not None:
            due.append(lease_end_ms)
        due += [at_ms + OFFER_MS for _, at_ms in self._offered.values()]
        return max(min(due), self._now_ms + 1)

    def tick(self, now_ms: int) -> None:
        """Time went by: leases end, what was not answered is said again."""
        self._now_ms = now_ms
        self._talk()

    def _talk(self) -> None:
        """Put everything that is due into the outbox."""
        if not self._is_connected:
            return
        now_ms, member = self._now_ms, self._member
        if now_ms >= self._birth_due_ms:
            self._birth_due_ms = now_ms + (RESEND_MS if self._asks(member) else _NEVER_MS)
            self._birth(member)
        if member is None or not member.position:
            self._beat_due_ms = now_ms + BEAT_MS
            return
        if self._tells(member):
            for operations in self._uplink.to_send(now_ms):
                self._up(member, operations)
        missing = self._downlink.gap(member.decision, now_ms)
        if missing is not None:
            self._say(
                topics.resync(self.settings.carrusel, self.settings.table),
                m.Resync(table=self.settings.table, from_decision=missing),
            )
        if now_ms >= self._beat_due_ms:
            self._beat_due_ms = now_ms + BEAT_MS
            self._beat(member)

    def _tells(self, member: Membership) -> bool:
        """Whether the log takes this box's operations."""
        return member.stage is not MemberStage.STOPPED and not self._fault

    def _asks(self, member: Membership | None) -> bool:
        """Whether an answer is due that only a birth brings."""
        if member is None:
            return False
        if member.stage is MemberStage.LEAVING or not member.position:
            return member.stage is not MemberStage.STOPPED
        return self._ack is None or self._waits_for_freeing

    @property
    def _waits_for_freeing(self) -> bool:
        hand = self._state.hand
        return self._state.phase is Phase.PENDING and hand is not None and hand.claim_withdrawn

    def _birth(self, member: Membership | None) -> None:
        birth = birth_of(self.settings, self._state, member, self._uplink.join)
        if birth is not None:
            self._say(
                topics.birth(self.settings.carrusel, self.settings.table),
                signed(birth, self._sign),
            )

    def _up(self, member: Membership, operations: tuple[m.Operation, ...]) -> None:
        message = m.Up(
            table=self.settings.table, incarnation=member.incarnation, operations=operations
        )
        self._say(
            topics.up(self.settings.carrusel, self.settings.table), signed(message, self._sign)
        )

    def _beat(self, member: Membership) -> None:
        view = self.view()
        beat = beat_of(self.settings, member, 0 if view is None else view.position, self._now_ms)
        self._say(topics.node_beat(self.settings.carrusel, self.settings.table), beat)

    def _say(self, topic: str, message: m.Message) -> None:
        self._out.append((topic, message))

    # ---- what comes out ------------------------------------------------------------------------

    def take_messages(self) -> list[tuple[str, m.Message]]:
        """Topic and message of everything to publish, oldest first."""
        out, self._out = self._out, []
        return out

    def take_facts(self) -> list[Fact]:
        """Facts to offer to the table, in order; each is offered again until the committed state
        shows it."""
        due = self._due_facts()
        self._offered = {k: held for k, held in self._offered.items() if k in {x.kind for x in due}}
        fresh = []
        for fact in due:
            last = self._offered.get(fact.kind)
            if last is None or last[0] != fact or self._now_ms >= last[1] + OFFER_MS:
                self._offered[fact.kind] = fact, self._now_ms
                fresh.append(fact)
        return fresh

    def _due_facts(self) -> list[Fact]:
        """What the link has told and the ledger does not show."""
        member, carrusel = self._member, self.settings.carrusel
        joined = member is not None and member.position > 0
        decided = self._next_decision(member) if member is not None and joined else None
        fault = self._fault or self._downlink.fault
        due: list[Fact] = []
        if fault and (member is None or member.stage is not MemberStage.STOPPED):
            known = max(self._known_incarnation, self._state.carrusel_incarnation)
            due.append(f.CarruselStopped(carrusel=carrusel, incarnation=known, why=fault.text()))
        if member is None:
            return due
        if not joined:
            answer = None if fault else self._join_answer(member)
            return due if answer is None else [*due, answer]
        if decided is not None:
            due.append(decided)
        elif not fault:
            due += self._after_decisions(member)
        return [*due, *self._link(member)]

    def _join_answer(self, member: Membership) -> Fact | None:
        ack = self._ack
        if ack is None or member.stage is MemberStage.STOPPED:
            return None
        if ack.joined_position:
            return f.CarruselJoined(
                carrusel=self.settings.carrusel,
                incarnation=ack.incarnation,
                position=ack.joined_position,
                decision=ack.joined_decision,
                meter_microcents=ack.joined_meter_microcents,
            )
        if not ack.refused:
            return None
        return f.CarruselJoinRefused(
            carrusel=self.settings.carrusel, incarnation=ack.incarnation, why=ack.refused
        )

    def _next_decision(self, member: Membership) -> Fact | None:
        """The decision after the last that was applied, if its arithmetic holds."""
        following, terms = self._downlink.next_after(member.decision), self._state.terms
        if following is None or terms is None:
            return None
        sealed, entry = following
        if isinstance(entry, AwardUndone):
            return undone_of(sealed, entry)
        wrong = wrong_in(entry, terms)
        if wrong:
            self._fault = finding("wrong_decision", decision=entry.decision, why=wrong)
            return None
        return decided_of(sealed, entry)

    def _after_decisions(self, member: Membership) -> list[Fact]:
        """What an acknowledgement means once every decision before it is applied."""
        ack, hand = self._ack, self._state.hand
        if ack is None or ack.decision > member.decision:
            return []
        due: list[Fact] = []
        if ack.left_position and member.stage is MemberStage.LEAVING:
            due.append(f.CarruselLeft(carrusel=self.settings.carrusel, position=ack.left_position))
        told = ack.operation >= member.operation
        if told and hand is not None and self._waits_for_freeing and not hand.decision:
            due.append(f.CarruselClaimFreed(hand=hand.number))
        return due

    def _link(self, member: Membership) -> list[Fact]:
        linked = self._downlink.is_linked(self._now_ms)
        if member.linked and not linked:
            return [f.CarruselLinkLost()]
        if linked and not member.linked and self.view() is not None:
            return [f.CarruselLinkBack()]
        return []

    @property
    def shown(self) -> CarruselShown:
        """What the visors show."""
        total = self._downlink.total
        return CarruselShown(
            total_microcents=self._downlink.shown_microcents(self._applied),
            pending=() if total is None else total.pending,
            linked=self._downlink.is_linked(self._now_ms),
            position=0 if total is None else total.position,
            decision=self._applied,
        )

    def view(self) -> f.CarruselViewed | None:
        """The fact that goes before the lock, into the same batch: a total that is the log's at its
        position, with exactly the decisions that this table has applied; None while there is none."""
        total, member = self._downlink.total, self._member
        if total is None or member is None or total.decision != member.decision:
            return None
        if total.position < member.position:
            return None
        return f.CarruselViewed(
            position=total.position,
            decision=total.decision,
            total_microcents=total.total_microcents,
        )

    @property
    def coordinators(self) -> Mapping[str, str]:
        """The keys of the coordinators that are believed, by name."""
        return self._downlink.keys

    @property
    def finding(self) -> Finding | None:
        """What is wrong with the link, for the table's own screens; None if nothing is."""
        return self._fault or self._downlink.fault or self._downlink.finding

    @property
    def _member(self) -> Membership | None:
        """This table's membership in the carrusel of the settings."""
        member = self._state.carrusel
        return member if member is not None and member.carrusel == self.settings.carrusel else None

    @property
    def _applied(self) -> int:
        return 0 if self._member is None else self._member.decision


_NEVER_MS = 86_400_000
"""A birth that nobody has to answer is said again with the next connection, or after a day."""


def _incarnation(member: Membership | None) -> int:
    return 0 if member is None else member.incarnation
