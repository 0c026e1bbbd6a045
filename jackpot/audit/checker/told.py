"""What a batch of a carrusel's member must tell it, as its last event (CAN-9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackpot.audit.checker.due import Due, text
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.member import STOPPED
from jackpot.audit.checker.state import Table

OPERATION = "carrusel_operation"

_STAGES = {
    "hand_locked": "locked",
    "awards_claimed": "claimed",
    "claim_withdrawn": "withdrawn",
    "hand_ended": "ended",
    "decision_reversed": "reversal",
    "carrusel_leave_asked": "leaving",
}
_OF_NO_HAND = ("moved", "leaving")


class Told:
    """The member at the begin of a batch, and what it must have told at its end."""

    def __init__(self, table: Table) -> None:
        member = table.carrusel
        self._before = None if member is None else (member.incarnation, member.operation)
        self._logged = 0 if member is None else member.logged
        self._meter = table.meter_microcents

    def due(self, table: Table, rows: Sequence[tuple[Any, ...]], findings: Findings) -> Due | None:
        """The row of the operation after the batch's other ``rows``; None if there is none."""
        member, before = table.carrusel, self._before
        if member is None or before is None or member.stage == STOPPED:
            return None
        if member.incarnation != before[0]:
            return None
        stages = [_STAGES[row[2]] for row in rows if row[2] in _STAGES]
        stage = stages[-1] if stages else "moved"
        if len(stages) > 1:
            findings.wrong("carrusel", "a batch of two stages", "one at most", stages, "CAN-9")
        if stage == "locked" and all(row[2] != "carrusel_viewed" for row in rows):
            says = "a lock without the view in its batch"
            findings.wrong("carrusel", says, "carrusel_viewed", "none", "CAN-9")
        by_itself = table.meter_microcents - self._meter - (member.logged - self._logged)
        if stage == "moved" and not by_itself:
            return None
        info = {
            "operation": before[1] + 1,
            "stage": stage,
            "hand": 0 if stage in _OF_NO_HAND else table.hand,
        }
        return (OPERATION, None, None, by_itself, text(info))
