"""What a technician's test of a slot must keep: one at a time, signed by who began it, rightly counted."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.audit.checker.due import Due, Fact, terms
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.state import Table

_VALIDATOR, _RULE = "slot_tests", "CAN-7.1"


def slot_test_started(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """A box of this table, and no other test."""
    if not 1 <= fact.box <= terms(table).boxes:
        findings.wrong(_VALIDATOR, "no such box", f"1 to {terms(table).boxes}", fact.box, "CAN-2.2")
    if table.test is not None:
        findings.wrong(_VALIDATOR, "two tests at a time", "the end of one", table.test, _RULE)
    return ()


def slot_tested(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """The test that this technician began, with the chips that the slot told."""
    who = (fact.box, fact.info["by"])
    if table.test != who:
        findings.wrong(_VALIDATOR, "the end of no test", table.test, who, _RULE)
    right = (table.test_chips, "passed" if table.test_chips else "failed")
    says = (fact.info["chips"], fact.info["result"])
    if says != right:
        findings.wrong(_VALIDATOR, "a test's result does not fit its chips", right, says, _RULE)
    return ()
