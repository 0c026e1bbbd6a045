"""The store against a list: whatever is done to it in whatever order, it says what the list says."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from ledger_counter import AT_NS, KEY, MACHINE, Counter, Filled, Knocked, Paid, new_ledger, reopened

from jackpot.ledger.errors import DuplicateCause
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.note import Signer, checkpoint_from_note
from jackpot.ledger.read import Reader
from jackpot.ledger.snapshot import verify_file
from jackpot.table.event import Event

SOURCES = st.sampled_from(["slot:1", "slot:2", "console:1"])
EVENTS = st.lists(
    st.one_of(
        st.builds(Filled, box=st.integers(1, 7), microcents=st.integers(0, 10**12)),
        st.builds(Paid, cents=st.integers(0, 10**6), to=st.text(max_size=3)),
        st.just(Knocked()),
    ),
    min_size=1,
    max_size=5,
).map(tuple)
STEP = st.tuples(SOURCES, st.integers(1, 3), EVENTS)


class LedgerAgainstAList(RuleBasedStateMachine):
    """The model: a list of batches, the last number of each source, the last checkpoint."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "table.ledger"
        self.ledger = new_ledger(self.path)
        self.batches: list[tuple[Cause, tuple[Event, ...]]] = []
        self.last: dict[str, int] = {}
        self.checkpoint = 0

    @rule(steps=st.lists(STEP, min_size=1, max_size=4))
    def append(self, steps: list[tuple[str, int, tuple[Event, ...]]]) -> None:
        new, last = [], dict(self.last)
        for source, ahead, events in steps:
            last[source] = last.get(source, 0) + ahead
            new.append((Cause(source, last[source]), events))
        committed = self.ledger.append(
            [NewBatch(AT_NS, None, cause, events) for cause, events in new]
        )
        assert committed.first_batch == len(self.batches) + 1
        self.batches += new
        self.last = last
        assert committed.last_batch == len(self.batches)

    @precondition(lambda self: self.batches)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        cause, events = data.draw(st.sampled_from(self.batches))
        with pytest.raises(DuplicateCause) as caught:
            self.ledger.append([NewBatch(AT_NS, None, cause, events)])
        assert caught.value.last_number == self.last[cause.source]

    @rule()
    def sign(self) -> None:
        note = self.ledger.sign_checkpoint(AT_NS)
        self.checkpoint = len(self.batches)
        assert checkpoint_from_note(note, self.ledger.verifier).batches == self.checkpoint

    @rule()
    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = reopened(self.path)

    @rule()
    def read(self) -> None:
        with Reader(self.path, MACHINE.events) as reader:
            found = [(recorded.cause, recorded.events) for recorded in reader.checked()]
            assert found == self.batches
            assert reader.checkpoints()[-1][0] == self.checkpoint

    @rule()
    def verify(self) -> None:
        fold = verify_file(self.path, MACHINE, Signer(self.ledger.verifier.name, KEY).verifier)
        assert (fold.head, fold.state) == (self.ledger.head, self.ledger.state)

    @invariant()
    def state_is_the_sum_of_the_list(self) -> None:
        events = [event for _, events in self.batches for event in events]
        came = sum(event.microcents for event in events if isinstance(event, Filled))
        went = sum(event.cents for event in events if isinstance(event, Paid)) * 1_000_000
        assert self.ledger.state == Counter(came - went, len(events))
        assert (self.ledger.head.batch, self.ledger.head.seq) == (len(self.batches), len(events))
        for source, number in self.last.items():
            assert self.ledger.last_number(source) == number

    def teardown(self) -> None:
        self.ledger.close()
        self.folder.cleanup()


TestLedgerAgainstAList = LedgerAgainstAList.TestCase
TestLedgerAgainstAList.settings = settings(max_examples=30, stateful_step_count=15)
