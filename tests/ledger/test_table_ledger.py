"""A table's day through its ledger: what is read back is what was played."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ledger_counter import AT_NS, KEY, ORIGIN
from support.table import FOUR_ACES, Table

from jackpot.ledger.codec import Codec
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.read import Reader
from jackpot.ledger.snapshot import verify_file
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.event import Event, Fact
from jackpot.table.state import INITIAL, TableState


class RecordedTable(Table):
    """Every batch that is played goes to the ledger as well."""

    def __init__(self, ledger: Ledger[TableState]) -> None:
        super().__init__()
        self.ledger = ledger

    def play(self, *facts: Fact) -> tuple[Event, ...]:
        events = super().play(*facts)
        number = self.ledger.head.batch + 1
        self.ledger.append([NewBatch(AT_NS, self.number, Cause("test", number), events)])
        assert self.ledger.state == self.state
        return events


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The ledger of a day: a hand without awards, and one with four aces among three bets."""
    path = tmp_path / "table.ledger"
    with Ledger.create(path, TABLE, KEY, origin=ORIGIN, at_ns=AT_NS) as ledger:
        table = RecordedTable(ledger)
        table.start().open().hand(1, 2).lock()
        table.play(f.NoAwardsDeclared(by="C1", hand=1))
        ledger.sign_checkpoint(AT_NS)
        table.hand(3, 4, 5).lock()
        declared = (f.DeclaredHand(box=4, cards=FOUR_ACES),)
        table.play(f.AwardsDeclared(by="C1", hand=2, hands=declared))
        table.play(f.AwardsConfirmed(by="J1", hand=2))
    return path


def test_the_state_and_the_meters_are_there_again(path: Path) -> None:
    with Ledger.open(path, TABLE, KEY) as ledger:
        # 10,000.00 + 5 bets of 2.00 at 25 % = 10,002.50; four of a kind takes 5 %: 500.12.
        assert ledger.state.pools.jackpot_microcents == 950_238_000_000
        assert verify_file(path, TABLE, ledger.verifier).state == ledger.state
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT * FROM meter").fetchall() == [
        ("2A/jackpot", 950_238_000_000),
        ("2A/overflow", 0),
        ("2A/reserve", 0),
    ]
    contributed = "SELECT sum(microcents) FROM event WHERE kind = 'contributed'"
    assert connection.execute(contributed).fetchone() == (250_000_000,)
    connection.close()


def test_playing_the_facts_again_gives_every_outcome_again(path: Path) -> None:
    state = INITIAL
    with Reader(path, TABLE.events) as reader:
        for recorded in reader.checked():
            facts = [event for event in recorded.events if isinstance(event, Fact)]
            events, state = play(state, facts)
            assert events == recorded.events
    assert state.pools.jackpot_microcents == 950_238_000_000


CODEC = Codec(TABLE.events)


def any_of(cls: type[Any]) -> st.SearchStrategy[Any]:
    """Events of one class with arbitrary fields, their numbers within 64 bits."""
    hints = get_type_hints(cls)
    fields = {name: st.from_type(hints[name]) for name in cls.__struct_fields__}
    return st.builds(cls, **fields).filter(fits)


def fits(event: Event) -> bool:
    """Whether JSON as SQLite reads it can hold the event's numbers."""
    try:
        msgspec.json.encode(event)
    except OverflowError:
        return False
    return True


@pytest.mark.parametrize("kind", sorted(TABLE.events))
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_every_event_of_a_table_comes_back_as_it_was(kind: str, data: st.DataObject) -> None:
    event = data.draw(any_of(TABLE.events[kind]))
    assert CODEC.unpack(*CODEC.pack(event)) == event
