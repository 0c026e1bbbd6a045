"""Ledgers for the auditor's tests: scripted hands through the real table, into a real ledger."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from support.table import CANARIAS, Table

from jackpot.law.terms import Terms
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.event import Event, Fact
from jackpot.table.state import Phase, TableState

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ORIGIN = "casino.example/table-2"
START_NS = 1_800_000_000_000_000_000
SECOND_NS = 1_000_000_000


class Recorded(Table):
    """A table whose every batch goes to a ledger; checkpoints at closing and at every award."""

    def __init__(self, path: Path, terms: Terms = CANARIAS, group: int = 1) -> None:
        super().__init__(terms)
        self.path = path
        self.group = group
        self.uncommitted: list[NewBatch] = []
        self.number_of_batch = 0
        self.signs = True
        self.ledger: Ledger[TableState] = Ledger.create(
            path, TABLE, KEY, origin=ORIGIN, at_ns=START_NS
        )

    def play(self, *facts: Fact) -> tuple[Event, ...]:
        """One batch, committed; a checkpoint where one is due."""
        events = super().play(*facts)
        self.number_of_batch += 1
        cause = Cause("script", self.number_of_batch)
        at_ns = START_NS + self.number_of_batch * SECOND_NS
        in_hand = self.phase() not in (Phase.CLOSED, Phase.BETWEEN_HANDS)
        hand = self.number if in_hand else None
        self.uncommitted.append(NewBatch(at_ns, hand, cause, events))
        signed_at_once = (f.AwardsConfirmed, f.CarruselDecided, f.DayClosed)
        signs = self.signs and isinstance(facts[0], signed_at_once)
        if signs or len(self.uncommitted) >= self.group:
            self.commit()
        if signs:
            self.ledger.sign_checkpoint(at_ns)
        return events

    def commit(self) -> None:
        """What waits goes to the disk in one commit."""
        if self.uncommitted:
            self.ledger.append(self.uncommitted)
            self.uncommitted = []

    def close_day(self) -> Recorded:
        """Two officers close the table on the amount that it shows."""
        cents = self.meter_microcents // 1_000_000
        self.play(f.DayClosed(by="C1", second="J1", displayed_cents=cents))
        return self

    def settle(self) -> Recorded:
        """Every open item is seen to."""
        for item in self.state.items:
            self.play(f.ItemSettled(by="C1", item=item.item))
        return self

    def close(self) -> Path:
        """Give the ledger back."""
        self.commit()
        self.ledger.close()
        return self.path


def opened(path: Path, terms: Terms = CANARIAS, group: int = 1) -> Recorded:
    """A recorded table, open, between hands; ``group`` batches share a commit."""
    table = Recorded(path, terms, group)
    table.start().open()
    return table
