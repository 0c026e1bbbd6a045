"""The ledger of one table: the store, bound to the table's events and rules."""

from __future__ import annotations

from jackpot.ledger.machine import Machine
from jackpot.table.decide import RULES_VERSION
from jackpot.table.evolve import evolve
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES
from jackpot.table.state import INITIAL, TableState, meters_microcents

TABLE: Machine[TableState] = Machine(
    name="table",
    events={**FACTS, **OUTCOMES},
    initial=INITIAL,
    evolve=evolve,
    state_type=TableState,
    rules_version=str(RULES_VERSION),
    derive=meters_microcents,
)
"""What ``Ledger.create``, ``Ledger.open`` and ``Reader`` need to keep the ledger of a table."""
