"""What a start finds that people must hear of: an older ledger that goes on, a clock that went back."""

from __future__ import annotations

from jackpot.daemon.clock import STEP_NS
from jackpot.table import facts as f
from jackpot.table.event import Fact
from jackpot.table.state import TableState

LEDGER_RESTORED = "ledger_restored"
"""Raised at each start while an older copy goes on whose acceptors have no new base line yet; over at
the next start after that."""

CLOCK_BEHIND = "clock_behind"
"""The clock is before the ledger's last batch: a new battery, no time server, or a wrong hand."""


def doubt_facts(state: TableState, *, older: bool, behind_ns: int) -> tuple[Fact, ...]:
    """What a start tells of its doubts; nothing when all is well.

    ``older``: an older copy of the ledger was restored on purpose. ``behind_ns``: how far the clock
    is before the last batch, in nanoseconds; less than a step counts as nothing.
    """
    behind = behind_ns >= STEP_NS
    facts: list[Fact] = [f.ClockStepped(step_ns=-behind_ns)] if behind else []
    for alarm, stands in ((CLOCK_BEHIND, behind), (LEDGER_RESTORED, older)):
        if stands and alarm not in state.alarms:
            facts.append(f.AlarmRaised(alarm=alarm))
        elif alarm in state.alarms and not stands:
            facts.append(f.AlarmCleared(alarm=alarm))
    return tuple(facts)
