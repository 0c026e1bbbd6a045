"""A technician tests a slot with a real chip, between hands; such a chip is never a bet (CAN-7.1)."""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.event import Outcome
from jackpot.table.refusals import in_phase, signed, terms_in_force
from jackpot.table.state import Phase, TableState, boxes


def slot_test_started(state: TableState, act: f.SlotTestStarted) -> tuple[Outcome, ...]:
    """The slot opens for the test alone; no hand starts meanwhile."""
    terms = terms_in_force(state)
    signed(state, act, Role.TECHNICIAN)
    in_phase(state, Phase.CLOSED, Phase.BETWEEN_HANDS, rule="CAN-7.1")
    if act.box not in boxes(terms):
        raise Refused(
            reason="no_such_box",
            expected=f"a box from 1 to {terms.boxes}",
            found=str(act.box),
            to_do="pick a box of this table",
            rule="CAN-2.2",
        )
    if state.test is not None:
        raise Refused(
            reason="test_running",
            expected="one test at a time",
            found=f"{state.test.by} tests box {state.test.box}",
            to_do="wait for its end",
            rule="CAN-7.1",
        )
    return ()


def slot_tested(state: TableState, act: f.SlotTested) -> tuple[Outcome, ...]:
    """The same technician signs what the ledger has counted; passed only with a right chip."""
    signed(state, act, Role.TECHNICIAN)
    test = state.test
    if test is None or (test.box, test.by) != (act.box, act.by):
        raise Refused(
            reason="no_such_test",
            expected="the test that this technician began",
            found=f"box {act.box} by {act.by}",
            to_do="begin the test again",
        )
    result = f.TestResult.PASSED if test.chips else f.TestResult.FAILED
    if (act.chips, act.result) != (test.chips, result):
        raise Refused(
            reason="test_differs",
            expected=f"{test.chips} chips, {result.value}",
            found=f"{act.chips} chips, {act.result.value}",
            to_do="sign what the controller counted",
        )
    return ()


def no_test(state: TableState) -> None:
    """Refuse ``test_running`` while a slot is being tested: its chip must not become a bet."""
    if state.test is not None:
        raise Refused(
            reason="test_running",
            expected="no slot under test",
            found=f"{state.test.by} tests the slot of box {state.test.box}",
            to_do="wait for its end, half a minute at most",
            rule="CAN-7.1",
        )
