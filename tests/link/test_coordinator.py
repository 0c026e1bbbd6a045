"""One coordinator and the tables that talk to it: what it takes, refuses, and finds."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace
from support.carrusel_log import EURO, terms_of
from support.table import FOUR_ACES, canarias

from jackpot.floor.keys import key_of, sign_as, verify
from jackpot.law.policies import BaseOfHand, LinkLost, Policies
from jackpot.law.terms import JackpotKind, Terms
from jackpot.link import entries as e
from jackpot.link import messages as m
from jackpot.link.coordinator import LISTEN_MS, Coordinator, CoordinatorSettings
from jackpot.link.log import LogBroken, entry_of, seal
from jackpot.link.signing import signed
from jackpot.table.facts.hand import DeclaredHand
from jackpot.table.outcomes.carrusel import Stage


@dataclass
class Bench:
    """A coordinator, its log as a list, and what it has said."""

    name: str = "k1"
    now_ms: int = LISTEN_MS
    log: list[m.Entry] = field(default_factory=list)
    said: list[m.Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.core = Coordinator(
            CoordinatorSettings(
                name=self.name,
                carrusel="norte",
                coordinators={"k1": key_of("k1"), "k2": key_of("k2")},
                new_log_id="one",
            ),
            sign_as(self.name),
            now_ms=0,
            decision_entry=self._decision,
            past_at=lambda _position, _until: None,
            verify=verify,
        )

    def _decision(self, number: int) -> m.Entry | None:
        for sealed in self.log:
            if getattr(entry_of(sealed), "decision", 0) == number:
                return sealed
        return None

    def settle(self) -> list[e.LogEntry]:
        """Append until there is nothing more to append; what was appended."""
        appended: list[e.LogEntry] = []
        while (proposal := self.core.propose(self.now_ms, 1)) is not None:
            self.log += proposal.entries
            self.core.appended(proposal.entries, self.now_ms)
            self.core.settled()
            appended += [entry_of(sealed) for sealed in proposal.entries]
        self.said += [message for _, message in self.core.take_messages()]
        return appended

    def hear(self, message: m.Message) -> list[e.LogEntry]:
        """A message arrives, and what follows from it."""
        self.core.received(message, self.now_ms)
        return self.settle()

    def ack(self) -> m.Ack:
        """The last acknowledgement."""
        return [message for message in self.said if isinstance(message, m.Ack)][-1]


def birth(
    table: str, euros: int = 100, incarnation: int = 1, terms: Terms | None = None
) -> m.Birth:
    """A table asks to join."""
    unsigned = m.Birth(
        table=table,
        ledger=key_of(table),
        incarnation=incarnation,
        asks_to_join=True,
        join_hash=f"{table}-join-{incarnation}",
        officers=("j1", "d1"),
        authorisation="A-1",
        terms=terms_of(table) if terms is None else terms,
        meter_microcents=euros * EURO,
        operation=0,
        decision=0,
    )
    return sign(unsigned, table)


def sign(message: m.Birth, table: str) -> m.Birth:
    """Signed by the table's ledger."""
    whole = signed(message, sign_as(table))
    assert isinstance(whole, m.Birth)
    return whole


def up(table: str, *operations: m.Operation, by: str = "", incarnation: int = 1) -> m.Up:
    """Operations, signed by the table's ledger unless by somebody else."""
    message = m.Up(table=table, incarnation=incarnation, operations=operations)
    whole = signed(message, sign_as(by or table))
    assert isinstance(whole, m.Up)
    return whole


def op(number: int, previous: str, digest: str, euros: int = 1, **more: object) -> m.Operation:
    """An operation that moves the meter."""
    plain = m.Operation(
        number=number,
        previous=previous,
        hash=digest,
        stage=Stage.MOVED,
        delta_microcents=euros * EURO,
    )
    return replace(plain, **more)


def joined(*tables: str) -> Bench:
    """A carrusel of these tables with 100.00 each."""
    bench = Bench()
    bench.settle()
    for table in tables:
        bench.hear(birth(table))
    return bench


FIRST = op(1, "a-join-1", "h1")
SECOND = op(2, "h1", "h2")


def test_a_table_joins_with_its_meter() -> None:
    """The entry holds the officers and the terms, the acknowledgement the place."""
    bench = joined("a")
    assert [type(entry_of(sealed)) for sealed in bench.log] == [e.LogOpened, e.MemberJoined]
    assert (bench.ack().joined_position, bench.ack().joined_meter_microcents) == (2, 100 * EURO)
    assert bench.core.state.total_microcents == 100 * EURO


def test_many_tables_join_in_one_append_and_are_named_together() -> None:
    """But for the first: the others' terms are held against its."""
    bench = Bench()
    bench.settle()
    for table in ("a", "b", "c"):
        bench.core.received(birth(table), bench.now_ms)
    odd = canarias(table="d", bet_cents=400)
    bench.core.received(birth("d", terms=odd), bench.now_ms)
    entries = bench.settle()
    assert [entry.table for entry in entries if isinstance(entry, e.MemberJoined)] == [*"abc"]
    named = [message for message in bench.said if isinstance(message, m.Members)]
    assert [[one.table for one in message.members] for message in named] == [[*"abc"]]
    bench.hear(birth("d", terms=odd))
    assert "bet_cents" in bench.core.findings["d"].text()


def test_it_appends_nothing_before_it_has_listened() -> None:
    """A table may show that this log is an old copy."""
    bench = Bench(now_ms=LISTEN_MS - 1)
    assert bench.settle() == []


def test_operations_are_taken_once_whatever_the_wire_does() -> None:
    """Doubled, in one message or in two, late: 2.00 and not more; each is acknowledged."""
    bench = joined("a")
    bench.hear(up("a", FIRST))
    bench.hear(up("a", FIRST, SECOND))
    bench.hear(up("a", FIRST))
    assert bench.core.state.members["a"].meter_microcents == 102 * EURO
    assert (bench.ack().operation, bench.ack().hash) == (2, "h2")


def test_a_gap_is_not_jumped() -> None:
    """The second operation waits for the first; the acknowledgement says where the log stands."""
    bench = joined("a")
    assert bench.hear(up("a", SECOND)) == []
    assert bench.ack().operation == 0


@pytest.mark.parametrize(
    "other", [op(2, "h1", "other"), op(3, "not-h2", "h3")], ids=["same number", "next number"]
)
def test_a_restored_box_is_stopped(other: m.Operation) -> None:
    """Another operation under a number that the log has, or one that continues another."""
    bench = joined("a")
    bench.hear(up("a", FIRST, SECOND))
    entries = bench.hear(up("a", other))
    assert [type(entry) for entry in entries] == [e.MemberStopped]
    assert bench.ack().refused
    assert bench.hear(up("a", op(3, "h2", "h3"))) == []
    assert bench.core.state.total_microcents == 102 * EURO  # its meter stays in the prize


def beat(operation: int, incarnation: int = 1) -> m.NodeBeat:
    """Table a is alive and holds so many operations."""
    return m.NodeBeat(
        table="a",
        incarnation=incarnation,
        operation=operation,
        decision=0,
        view_position=0,
        at_ns=0,
    )


def test_a_restored_box_that_stopped_itself_is_told_by_its_beats_until_it_is_no_longer_so() -> None:
    """It offers no operation; a beat that was only late is taken back by the next one."""
    bench = joined("a")
    bench.hear(beat(0))
    assert "a" not in bench.core.findings
    bench.hear(up("a", FIRST, SECOND))
    bench.hear(beat(1))
    assert "restored from an older copy" in bench.core.findings["a"].text()
    assert bench.core.state.members["a"].operation == 2  # told, and nothing else
    bench.hear(beat(2))
    assert "a" not in bench.core.findings


def test_a_stopped_box_comes_back_under_its_next_incarnation() -> None:
    """With the log's meter, whatever it offers."""
    bench = joined("a")
    bench.hear(up("a", FIRST, SECOND))
    bench.hear(up("a", op(2, "h1", "other")))
    bench.hear(birth("a", euros=90, incarnation=2))
    assert bench.ack().joined_meter_microcents == 102 * EURO
    assert (bench.ack().incarnation, bench.ack().operation) == (2, 0)


def test_forged_operations_are_named_and_not_taken() -> None:
    """Signed by another table's key."""
    bench = joined("a", "b")
    assert bench.hear(up("a", FIRST, by="b")) == []
    assert "did not sign" in bench.core.findings["a"].text()


def test_another_box_under_a_name_that_plays_is_refused() -> None:
    """Duplicate table names: the second box hears why, the first plays on."""
    bench = joined("a")
    other = replace(birth("a", incarnation=2), ledger=key_of("other"))
    bench.hear(sign(other, "other"))
    assert "another box plays under this name" in bench.ack().refused
    assert bench.hear(up("a", FIRST))


REFUSED = {
    "bet_cents: 200, 400": canarias(table="b", bet_cents=400),
    "profile: canarias, galicia": canarias(table="b", profile="galicia"),
    "link_lost: stop_bets, queue": canarias(Policies(link_lost=LinkLost.QUEUE), table="b"),
    "only progressive": canarias(table="b", kind=JackpotKind.FIXED),
    "at_lock": canarias(Policies(base_of_hand=BaseOfHand.AT_PAYMENT), table="b"),
    "the terms are those of table 2": canarias(),
}


@pytest.mark.parametrize("why", REFUSED)
def test_terms_that_differ_are_refused_with_the_difference(why: str) -> None:
    """Same bet, percentage, profile and policies, or no join."""
    bench = joined("a")
    assert bench.hear(birth("b", terms=REFUSED[why])) == []
    assert why in bench.ack().refused
    assert why in bench.core.findings["b"].text()


def test_what_is_a_tables_own_keeps_nobody_out() -> None:
    """Boxes, minimum, seed, ceiling."""
    bench = joined("a")
    own = canarias(
        table="b", boxes=5, table_minimum_cents=2_000, seed_cents=7, ceiling_cents=10_000_000
    )
    assert [type(entry) for entry in bench.hear(birth("b", terms=own))] == [e.MemberJoined]


def test_an_old_copy_of_the_log_appends_nothing() -> None:
    """A table has applied decision 3, the log ends before any: somebody put an old file in."""
    bench = joined("a")
    ahead = replace(birth("a"), asks_to_join=False, decision=3)
    bench.hear(sign(ahead, "a"))
    assert bench.hear(up("a", FIRST)) == []
    assert "an old copy" in bench.core.findings["log"].text()
    bench.core.tick(bench.now_ms)
    assert bench.core.take_messages() == []


def test_a_claim_is_decided_as_soon_as_it_is_in_the_log() -> None:
    """5 % of 200.00: 10.00, half of it from each table; told at once."""
    bench = joined("a", "b")
    lock = op(1, "a-join-1", "h1", 0, stage=Stage.LOCKED, hand=1, view_position=3)
    claim = op(2, "h1", "h2", 0, stage=Stage.CLAIMED, hand=1, hands=(DeclaredHand(3, FOUR_ACES),))
    entries = bench.hear(up("a", lock, claim))
    award = entries[-1]
    assert isinstance(award, e.AwardDecided)
    assert award.paid_cents == 1_000
    assert any(isinstance(message, m.Entry) for message in bench.said)
    bench.said.clear()
    bench.hear(m.Resync(table="b", from_decision=1))
    assert [type(message) for message in bench.said] == [m.Entry]


def test_of_two_coordinators_one_appends_and_the_other_reads_again() -> None:
    """Both have heard the same; what one appended, the other does not append again."""
    bench, other = joined("a"), Bench(name="k2")
    other.core.appended(bench.log, other.now_ms)
    other.core.received(up("a", FIRST), 0)
    bench.hear(up("a", FIRST))
    lost = other.core.propose(other.now_ms, 1)
    assert lost is not None
    assert lost.after < bench.core.position
    other.core.appended(bench.log[lost.after :], other.now_ms)
    other.core.settled()
    assert other.core.propose(other.now_ms, 1) is None
    assert other.core.state.members["a"].meter_microcents == 101 * EURO


def test_what_it_made_itself_is_taken_as_it_was_made_and_not_otherwise() -> None:
    """Nobody else's signature is taken on trust, and no other text under its own entry's hash."""
    bench = joined("a")
    bench.core.received(up("a", FIRST), bench.now_ms)
    proposal = bench.core.propose(bench.now_ms, 1)
    assert proposal is not None
    made = proposal.entries[0]
    for body in ('{"entry":{"table":"a"},"kind":"member_leaving"}', "{"):
        with pytest.raises(LogBroken):
            bench.core.appended([replace(made, body=body)], bench.now_ms)
    with pytest.raises(LogBroken, match="not signed"):
        bench.core.appended([replace(made, signature="another")], bench.now_ms)
    bench.core.appended([made], bench.now_ms)
    with pytest.raises(LogBroken, match="does not continue"):
        bench.core.appended([made], bench.now_ms)
    assert bench.core.state.members["a"].meter_microcents == 101 * EURO


def test_an_award_that_the_rules_do_not_give_is_not_accepted() -> None:
    """A coordinator decides every award of another one again."""
    bench = joined("a", "b")
    lock = op(1, "a-join-1", "h1", 0, stage=Stage.LOCKED, hand=1, view_position=3)
    claim = op(2, "h1", "h2", 0, stage=Stage.CLAIMED, hand=1, hands=(DeclaredHand(3, FOUR_ACES),))
    bench.hear(up("a", lock, claim))
    before, last = bench.log[:-1], bench.log[-1]
    award = entry_of(last)
    assert isinstance(award, e.AwardDecided)
    forged = seal(
        "norte",
        replace(award, paid_cents=2_000),
        last.previous,
        last.position,
        "k1",
        1,
        sign_as("k1"),
    )
    reader = Bench(name="k2")
    reader.core.appended(before, 0)
    with pytest.raises(LogBroken, match="another award"):
        reader.core.appended([forged], 0)
    with pytest.raises(LogBroken, match="does not continue"):
        reader.core.appended([last, last], 0)
