"""The ledger of one table: the store, bound to the table's events and rules."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.law.pools import Pool
from jackpot.ledger.machine import Machine
from jackpot.table.decide import RULES_VERSION
from jackpot.table.evolve import evolve
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES
from jackpot.table.state import INITIAL, TableState


def meters_microcents(state: TableState) -> Mapping[str, int]:
    """The amount of each pool, by its name in the law."""
    return {
        Pool.JACKPOT.value: state.pools.jackpot_microcents,
        Pool.OVERFLOW.value: state.pools.overflow_microcents,
        Pool.RESERVE.value: state.pools.reserve_microcents,
    }


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
