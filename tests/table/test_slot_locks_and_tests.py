"""A slot that reports fraud again and again is locked; a technician's test chip is never a bet."""

from __future__ import annotations

from support.table import Table, canarias, of_kind, open_table

from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import accepting_boxes, is_locked

STRING = 20
"""Error code of a coin on a string (ccTalk, part 3, table 2)."""


def fraud(table: Table, box: int) -> list[o.ItemWhat]:
    events = table.play(f.SlotEvent(box=box, a=0, b=STRING, name="string", fraud=True))
    return [event.what for event in events if isinstance(event, o.ItemOpened)]


def at_a_table_that_locks_after(signs: int) -> Table:
    return open_table(canarias(lock_after_fraud_signs=signs)).hand()


def settle(table: Table, what: o.ItemWhat, by: str) -> None:
    for item in table.state.items:
        if item.what is what:
            table.play(f.ItemSettled(by=by, item=item.item))


def test_the_third_sign_of_fraud_locks_the_slot_and_only_that_one() -> None:
    table = at_a_table_that_locks_after(3)
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN]
    assert fraud(table, 5) == [o.ItemWhat.FRAUD_SIGN]
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN]
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN, o.ItemWhat.SLOT_LOCKED]
    assert is_locked(table.state, 4)
    assert accepting_boxes(table.state) == (1, 2, 3, 5, 6, 7)


def test_a_chip_that_still_gets_into_a_locked_slot_is_handed_back_and_is_no_bet() -> None:
    table = at_a_table_that_locks_after(1)
    fraud(table, 4)
    before = table.meter_microcents
    assert table.chip(4)[1] == o.ChipRefused(box=4, why=o.RefusedChip.CLOSED_BOX)
    assert table.meter_microcents == before


def test_a_locked_slot_that_reports_fraud_again_is_not_locked_twice() -> None:
    table = at_a_table_that_locks_after(1)
    fraud(table, 4)
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN]


def test_only_a_table_chief_unlocks_the_slot_and_counting_begins_anew() -> None:
    table = at_a_table_that_locks_after(2)
    fraud(table, 4)
    fraud(table, 4)
    (lock,) = (i.item for i in table.state.items if i.what is o.ItemWhat.SLOT_LOCKED)
    assert table.refused(f.ItemSettled(by="C1", item=lock)).reason == "role_missing"
    table.play(f.ItemSettled(by="J1", item=lock))
    assert 4 in accepting_boxes(table.state)
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN]
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN, o.ItemWhat.SLOT_LOCKED]


def test_signs_of_yesterday_do_not_count_today() -> None:
    table = at_a_table_that_locks_after(2)
    fraud(table, 4)
    settle(table, o.ItemWhat.FRAUD_SIGN, "C1")
    table.lock().no_awards()
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000))
    table.open().hand()
    assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN]


def test_terms_of_before_the_rule_never_lock() -> None:
    table = open_table().hand()
    for _ in range(20):
        assert fraud(table, 4) == [o.ItemWhat.FRAUD_SIGN]


def test_the_running_bet_of_a_slot_that_is_then_locked_stays_a_bet() -> None:
    table = open_table(canarias(lock_after_fraud_signs=1)).hand(4)
    fraud(table, 4)
    assert table.state.hand is not None
    assert [bet.box for bet in table.state.hand.bets] == [4]


# ---- a technician's test -------------------------------------------------------------------------


def test_a_test_chip_is_no_bet_moves_nothing_and_leaves_nothing_to_do_CAN_7_1() -> None:
    table = open_table()
    before = table.state.pools
    table.play(f.SlotTestStarted(by="T1", box=3))
    assert accepting_boxes(table.state) == (3,)
    assert table.chip(3)[1:] == (o.ChipTested(box=3, expected=True),)
    table.play(f.SlotTested(by="T1", box=3, chips=1, result=f.TestResult.PASSED))
    assert (table.state.pools, table.state.items, table.state.test) == (before, (), None)
    assert accepting_boxes(table.state) == ()


def test_a_chip_in_another_box_during_the_test_is_late_as_ever() -> None:
    table = open_table()
    table.play(f.SlotTestStarted(by="T1", box=3))
    assert of_kind(table.chip(5), o.ChipRefused)


def test_a_test_without_a_right_chip_has_failed() -> None:
    table = open_table()
    table.play(f.SlotTestStarted(by="T1", box=3))
    table.play(f.ChipSeen(box=3, expected=False, a=2, b=1))
    passed = f.SlotTested(by="T1", box=3, chips=1, result=f.TestResult.PASSED)
    assert table.refused(passed).reason == "test_differs"
    table.play(f.SlotTested(by="T1", box=3, chips=0, result=f.TestResult.FAILED))


def test_no_hand_starts_while_a_slot_is_tested_and_no_test_during_a_hand() -> None:
    table = open_table()
    table.play(f.SlotTestStarted(by="T1", box=3))
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "test_running"
    assert table.refused(f.SlotTestStarted(by="T1", box=4)).reason == "test_running"
    table.play(f.SlotTested(by="T1", box=3, chips=0, result=f.TestResult.FAILED))
    table.hand()
    assert table.refused(f.SlotTestStarted(by="T1", box=3)).reason == "wrong_phase"


def test_only_a_technician_tests_and_signs_what_they_began() -> None:
    table = open_table()
    assert table.refused(f.SlotTestStarted(by="J1", box=3)).reason == "role_missing"
    assert table.refused(f.SlotTestStarted(by="T1", box=8)).reason == "no_such_box"
    end = f.SlotTested(by="T1", box=3, chips=0, result=f.TestResult.FAILED)
    assert table.refused(end).reason == "no_such_test"


def test_a_test_that_a_crash_cut_off_is_over_after_the_restart() -> None:
    table = open_table()
    table.play(f.SlotTestStarted(by="T1", box=3))
    table.play(f.ControllerStarted(version="test", clean=False))
    assert table.state.test is None
