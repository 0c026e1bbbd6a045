"""The node of one real table: what it tells, what it believes, what it makes its table record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace
from support.carrusel_log import EURO, Log
from support.table import FOUR_ACES, OFFICERS, Table, canarias, identified

from jackpot.floor.keys import key_of, sign_as, verify
from jackpot.link import messages as m
from jackpot.link.downlink import LEASE_MS
from jackpot.link.entries import AwardDecided
from jackpot.link.log import entry_of, seal
from jackpot.link.node import STALE_MS, Node, NodeSettings
from jackpot.table import facts as f
from jackpot.table.carrusel_finding import finding
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import Event, Fact
from jackpot.table.outcomes.carrusel import Stage
from jackpot.table.state import Phase


class Batch(NamedTuple):
    """A committed batch; its hash is its place."""

    events: tuple[Event, ...]
    hash: str


@dataclass
class Desk:
    """A table, its batches, and its node; the node's facts are played at once."""

    now_ms: int = 0
    batches: list[Batch] = field(default_factory=list)
    said: list[m.Message] = field(default_factory=list)
    recorded: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table = Table(canarias(table="a"))
        self.node = self._node()
        for fact in (
            f.ConfigurationLoaded(config_text="", profile_text="", terms=self.table.terms),
            f.OfficersListed(officers=OFFICERS),
            *(f.SlotUp(box=box) for box in range(1, 8)),
            *(identified(box) for box in range(1, 8)),
            f.DayOpened(by="C1", second="J1", day="2026-11-30", displayed_cents=1_000_000),
        ):
            self.play(fact)
        self.node.connected(0)

    def _node(self) -> Node:
        asked = [b for b in self.batches if isinstance(b.events[0], f.CarruselJoinAsked)]
        told = [b for b in self.batches if type(b.events[-1]).__name__ == "CarruselOperation"]
        return Node(
            NodeSettings("a", "norte", key_of("a"), {"k1": key_of("k1")}),
            sign_as("a"),
            self.table.state,
            now_ms=self.now_ms,
            join=asked[-1] if asked else None,
            last=told[-1] if told else None,
            verify=verify,
        )

    def play(self, *facts: Fact) -> None:
        """A batch: decided, committed, told to the node."""
        events = self.table.play(*facts)
        batch = Batch(events, f"{len(self.batches):064x}")
        self.batches.append(batch)
        self.recorded += facts
        self.node.committed(self.table.state, [batch], self.now_ms)
        self.settle()

    def settle(self) -> None:
        """The table records what the node offers."""
        for fact in self.node.take_facts():
            self.play(fact)
        self.said += [message for _, message in self.node.take_messages()]

    def hear(self, *messages: m.Message) -> None:
        """Messages arrive."""
        for message in messages:
            self.node.received(message, self.now_ms)
            self.settle()

    def wait(self, for_ms: int) -> None:
        """Time goes by."""
        self.now_ms += for_ms
        self.node.tick(self.now_ms)
        self.settle()

    def restart(self) -> None:
        """Killed, and started from the ledger."""
        self.node = self._node()
        self.play(f.ControllerStarted(version="test", clean=False))
        self.play(*(f.SlotUp(box=box) for box in range(1, 8)))
        self.node.connected(self.now_ms)
        self.settle()

    @property
    def stage(self) -> MemberStage | None:
        """Where the membership stands."""
        member = self.table.state.carrusel
        return None if member is None else member.stage

    def of(self, kind: type[m.Message]) -> list[m.Message]:
        """What was said of one kind."""
        return [message for message in self.said if isinstance(message, kind)]

    def ask(self) -> None:
        """Two officers ask to join."""
        self.play(f.CarruselJoinAsked(by="J1", second="D1", carrusel="norte", authorisation="A"))


def ack(operation: int = 0, digest: str = "", **more: int | str) -> m.Ack:
    """The log's word on the table, at position 9 unless said otherwise."""
    plain = m.Ack(
        table="a",
        position=9,
        incarnation=1,
        joined_position=2,
        joined_decision=0,
        joined_meter_microcents=10_000 * EURO,
        left_position=0,
        operation=operation,
        hash=digest,
        decision=0,
    )
    return replace(plain, **more)


def beat(decision: int = 0) -> m.CoordinatorBeat:
    """A coordinator whose log has just answered."""
    return m.CoordinatorBeat(
        coordinator="k1", position=9, decision=decision, log_checked_ms_ago=0, at_ns=1
    )


def total(position: int = 9, euros: int = 50_000, decision: int = 0) -> m.Total:
    """The prize."""
    return m.Total(position=position, total_microcents=euros * EURO, decision=decision, pending=())


def member() -> Desk:
    """A table in its carrusel, linked."""
    desk = Desk()
    desk.ask()
    desk.hear(ack(digest=desk.batches[-1].hash), beat(), total())
    return desk


def locked() -> Desk:
    """A member with a bet in box 3, locked on 50,000.00."""
    desk = member()
    desk.play(f.HandStarted(by="C1", hand=1))
    desk.play(f.ChipSeen(box=3, expected=True, a=1, b=1))
    desk.play(f.LockPressed(by="C1", hand=1))
    view = desk.node.view()
    assert view is not None
    desk.play(view, f.LockReached(unknown_boxes=()))
    return desk


def pending() -> Desk:
    """Four aces in box 3, claimed."""
    desk = locked()
    hands = (f.DeclaredHand(3, FOUR_ACES),)
    desk.play(f.AwardsDeclared(by="C1", hand=1, hands=hands))
    desk.play(f.AwardsConfirmed(by="J1", hand=1))
    return desk


def decision_for(desk: Desk, author: str = "k1") -> m.Entry:
    """The award on the claim, as the log would hold it: A alone in its view, with 10,000.00."""
    log = Log()
    log.join("a", 10_000)
    log.lock("a")
    log.claim("a", (3, FOUR_ACES))
    award = log.decide("a")
    return seal("norte", award, "", 12, author, 1, sign_as(author))


def test_a_join_is_asked_until_it_is_answered() -> None:
    """Signed, with the officers; again each second; then no more."""
    desk = Desk()
    desk.ask()
    desk.wait(1_000)
    births = [one for one in desk.of(m.Birth) if isinstance(one, m.Birth) and one.asks_to_join]
    assert len(births) == 2
    assert (births[0].officers, births[0].meter_microcents) == (("J1", "D1"), 10_000 * EURO)
    desk.hear(ack(digest=desk.batches[-1].hash))
    assert desk.stage is MemberStage.MEMBER


def test_a_refused_join_is_told_to_the_officers() -> None:
    """The table is alone again, and the ledger has the reason."""
    desk = Desk()
    desk.ask()
    desk.hear(ack(joined_position=0, refused="bet_cents: 200, 400"))
    assert desk.stage is None
    assert desk.recorded[-1] == f.CarruselJoinRefused(
        carrusel="norte", incarnation=1, why="bet_cents: 200, 400"
    )


def test_each_operation_is_told_when_committed_and_again_until_acknowledged() -> None:
    """The chip and the lock; resent after a second; nothing after the acknowledgement."""
    desk = locked()
    told = [op.stage for one in desk.of(m.Up) if isinstance(one, m.Up) for op in one.operations]
    assert told == [Stage.MOVED, Stage.LOCKED]
    desk.said.clear()
    desk.wait(1_000)
    (again,) = desk.of(m.Up)
    assert isinstance(again, m.Up)
    assert [op.number for op in again.operations] == [1, 2]
    assert again.operations[1].previous == again.operations[0].hash
    desk.said.clear()
    desk.hear(ack(2, again.operations[1].hash))
    desk.wait(5_000)
    assert desk.of(m.Up) == []


def test_after_a_restart_it_goes_on_from_the_ledger() -> None:
    """The acknowledgement says what is missing, and the ledger has it."""
    desk = locked()
    desk.restart()
    join = next(b for b in desk.batches if isinstance(b.events[0], f.CarruselJoinAsked))
    desk.said.clear()
    desk.hear(ack(0, join.hash))
    assert desk.node.wanted_after == 0
    operations = [b for b in desk.batches if type(b.events[-1]).__name__ == "CarruselOperation"]
    desk.node.provided([join, *operations])
    desk.settle()
    (up,) = desk.of(m.Up)
    assert isinstance(up, m.Up)
    assert [op.number for op in up.operations] == [1, 2]


def test_a_box_from_an_old_copy_stops_itself() -> None:
    """The log has more operations than the ledger, or another one under the same number."""
    for word in (ack(7, "other"), ack(2, "other")):
        desk = locked()
        desk.hear(word)
        assert desk.stage is MemberStage.STOPPED
        desk.said.clear()
        desk.wait(5_000)
        assert desk.of(m.Up) == []


def test_a_copy_from_before_the_join_stops_itself_and_counts_on() -> None:
    """Its next join is under the incarnation after the last that the log knows."""
    desk = Desk()
    desk.hear(ack(5, "h", incarnation=3))
    assert desk.stage is MemberStage.STOPPED
    desk.ask()
    assert desk.table.state.carrusel_incarnation == 4


def test_an_old_acknowledgement_changes_nothing_unless_it_stays() -> None:
    """Overtaken on the way: ignored. A log that was put back: told again after a while."""
    desk = locked()
    desk.hear(ack(2, desk.batches[-1].hash))
    first = next(b for b in desk.batches if isinstance(b.events[0], f.ChipSeen))
    desk.hear(ack(1, first.hash, position=8))
    assert desk.node.wanted_after is None
    desk.now_ms += STALE_MS
    desk.hear(ack(1, first.hash, position=8))
    assert desk.node.wanted_after == 1


def test_without_a_sign_of_life_the_visors_say_so() -> None:
    """A lease, not a last will; and it counts only with a log that answered."""
    desk = member()
    assert desk.node.shown.linked
    desk.wait(LEASE_MS)
    assert isinstance(desk.recorded[-1], f.CarruselLinkLost)
    desk.hear(replace(beat(), log_checked_ms_ago=LEASE_MS))
    assert isinstance(desk.recorded[-1], f.CarruselLinkLost)
    desk.hear(beat())
    assert isinstance(desk.recorded[-1], f.CarruselLinkBack)


def test_no_total_is_shown_that_lacks_a_decision_or_has_one_too_many() -> None:
    """A visor never shows what an award has taken, nor what this meter does not hold yet."""
    desk = member()
    assert desk.node.shown.total_microcents == 50_000 * EURO
    desk.hear(total(8, 60_000))
    assert desk.node.shown.total_microcents == 50_000 * EURO  # an older one came late
    desk.hear(total(12, 47_500, decision=1))
    assert desk.node.shown.total_microcents is None
    assert desk.node.view() is None


def test_a_claim_is_paid_once_its_decision_is_there() -> None:
    """PENDIENTE; then 5 % of 10,000.00, and the steps of a table alone."""
    desk = pending()
    assert desk.table.phase() is Phase.PENDING
    desk.hear(decision_for(desk))
    assert desk.table.phase() is Phase.PAYABLE
    assert desk.table.owed_cents == 50_000
    desk.hear(decision_for(desk))  # doubled on the way
    assert sum(isinstance(fact, f.CarruselDecided) for fact in desk.recorded) == 1


def test_a_forged_decision_is_not_recorded() -> None:
    """Signed by nobody known, altered on the way, or with arithmetic of its own."""
    desk = pending()
    right = decision_for(desk)
    desk.hear(decision_for(desk, author="k9"), replace(right, at_ns=2))
    assert desk.table.phase() is Phase.PENDING
    award = entry_of(right)
    assert isinstance(award, AwardDecided)
    wrong = replace(award, paid_cents=60_000)
    desk.hear(seal("norte", wrong, "", 12, "k1", 1, sign_as("k1")))
    assert desk.table.phase() is Phase.PENDING
    assert desk.stage is MemberStage.STOPPED
    assert desk.node.finding == finding(
        "wrong_decision", decision=1, why="what is paid is not what is deducted"
    )


def test_a_missing_decision_is_asked_for() -> None:
    """Announced by a beat, not there: asked for after a moment, and each second again."""
    desk = member()
    desk.hear(beat(decision=2))
    desk.wait(299)
    assert desk.of(m.Resync) == []
    desk.wait(1)
    desk.wait(1_000)
    asked = [one.from_decision for one in desk.of(m.Resync) if isinstance(one, m.Resync)]
    assert asked == [1, 1]


def test_a_log_with_another_decision_of_the_same_number_is_refused() -> None:
    """It forks from what this table holds."""
    desk = pending()
    right = decision_for(desk)
    desk.hear(right)
    award = entry_of(right)
    desk.hear(seal("norte", award, "elsewhere", 12, "k1", 1, sign_as("k1")))
    assert desk.stage is MemberStage.STOPPED
    assert desk.node.finding == finding("two_decisions", decision=1)


def test_a_withdrawn_claim_is_free_when_the_log_holds_it_and_no_decision() -> None:
    """Two officers; the acknowledgement of the withdrawal, with nothing decided before it."""
    desk = pending()
    desk.play(f.ClaimWithdrawn(by="J1", second="D1", hand=1, why="another card"))
    digest = desk.batches[-1].hash
    desk.hear(ack(4, digest, position=10, decision=1))
    assert desk.table.phase() is Phase.PENDING  # a decision came before it: that first
    desk.hear(ack(4, digest, position=11, decision=0))
    assert desk.table.phase() is Phase.LOCKED


def test_a_table_leaves_when_the_log_says_so() -> None:
    """Two officers ask; no hand starts; the meter is its own again."""
    desk = member()
    desk.play(f.CarruselLeaveAsked(by="J1", second="D1", why="another room"))
    digest = desk.batches[-1].hash
    desk.hear(ack(1, digest))
    assert desk.stage is MemberStage.LEAVING
    desk.hear(ack(1, digest, position=15, left_position=15))
    assert desk.stage is None
