"""A table, its ledger on the disk, an onlooker's tally, and a controller that dies in between."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from support.table import OFFICERS, Table, identified
from tally import Tally

from jackpot.law.terms import Terms
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.event import Event, Fact
from jackpot.table.state import OUTSIDE_A_HAND, TableState

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SECOND_NS = 1_000_000_000
MORNING_NS = 1_796_000_000 * SECOND_NS
SIGNED_AFTER = (f.AwardsConfirmed, f.DayClosed, f.ControllerStopped)
BOXES = range(1, 8)
COMMITTED_TOGETHER = 16


class RecordedDay:
    """Facts go to the table and to its ledger; ``restart_in`` counts the steps to the next death."""

    def __init__(self, path: Path, terms: Terms, seed: int) -> None:
        self.path = path
        self.random = Random(seed)
        self.table = Table(terms)
        self.tallies: dict[str, Tally] = {}
        self.dead: set[int] = set()
        self.restart_in: int | None = None
        self.steps = 0
        self.restarts: Counter[str] = Counter()
        self.doing = ""
        self._waiting: list[NewBatch] = []
        self._batches = 0
        self.ledger: Ledger[TableState] = Ledger.create(
            path, TABLE, KEY, origin="casino.example/table-2", at_ns=MORNING_NS
        )

    @property
    def state(self) -> TableState:
        return self.table.state

    @property
    def terms(self) -> Terms:
        """Those in force."""
        terms = self.state.terms
        assert terms is not None
        return terms

    @property
    def tally(self) -> Tally:
        """Of the layout on the table."""
        return self.tallies.setdefault(self.terms.layout, Tally())

    def do(self, *facts: Fact) -> tuple[Event, ...]:
        """One batch; then the controller may die."""
        events = self._record(*facts)
        self.steps += 1
        if self.restart_in == self.steps:
            self.restart()
        return events

    def _record(self, *facts: Fact) -> tuple[Event, ...]:
        events = self.table.play(*facts)
        self._batches += 1
        at_ns = MORNING_NS + self._batches * SECOND_NS
        hand = None if self.state.phase in OUTSIDE_A_HAND else self.table.number
        self._waiting.append(NewBatch(at_ns, hand, Cause("day", self._batches), events))
        if len(self._waiting) >= COMMITTED_TOGETHER or isinstance(facts[0], SIGNED_AFTER):
            self._commit()
        if isinstance(facts[0], SIGNED_AFTER):
            self.ledger.sign_checkpoint(at_ns)
        return events

    def _commit(self) -> None:
        if self._waiting:
            self.ledger.append(self._waiting)
            self._waiting = []

    def restart(self) -> None:
        """The power goes, or the controller is stopped in good order; then it starts again."""
        self.restarts[self.doing] += 1
        clean = self.random.random() < 0.3
        if clean:
            self._record(f.ControllerStopped())
        before = self.state
        self.close()
        self.ledger = Ledger.open(self.path, TABLE, KEY)
        assert self.ledger.state == before, "the ledger says exactly what was known"
        self.table.state = self.ledger.state
        self._record(f.ControllerStarted(version="test", clean=clean))
        self._record(f.OfficersListed(officers=OFFICERS))
        for box in BOXES:
            if box not in self.dead:
                self._record(identified(box, f.Continuity.CONTINUED), f.SlotUp(box=box))

    def close(self) -> Path:
        """Give the ledger back."""
        self._commit()
        self.ledger.close()
        return self.path
