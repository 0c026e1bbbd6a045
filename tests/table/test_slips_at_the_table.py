"""Payment slips (CAN-8.7): one original for each payment, copies afterwards."""

from __future__ import annotations

import pytest
from support.table import FOUR_ACES, Table, open_table

from jackpot.table import facts as f
from jackpot.table.slips import payment_of


def _paid() -> Table:
    """Award 1, 500.02 of the meter of 10,000.50, handed over in box 3."""
    table = open_table()
    table.hand(3).lock()
    table.declare(box3=FOUR_ACES).confirm()
    return table


def test_CAN_8_7_there_is_one_original_of_a_slip_and_then_copies() -> None:
    table = _paid()
    cents = table.state.hand.payments[0].cents if table.state.hand else 0
    table.pay(3, cents)
    original = f.SlipPrinted(by="C1", award=1, box=3)
    table.play(original)
    assert table.refused(original).reason == "slip_printed_before"
    table.play(f.SlipPrinted(by="C1", award=1, box=3, copy=True))


def test_CAN_8_7_no_slip_of_what_is_not_handed_over() -> None:
    table = _paid()
    assert table.refused(f.SlipPrinted(by="C1", award=1, box=3)).reason == "not_paid_yet"
    assert table.refused(f.SlipPrinted(by="C1", award=9, box=3)).reason == "not_paid_yet"


def test_CAN_8_7_a_later_hand_does_not_forget_what_was_printed() -> None:
    table = _paid()
    cents = table.state.hand.payments[0].cents if table.state.hand else 0
    table.pay(3, cents)
    table.play(f.SlipPrinted(by="C1", award=1, box=3))
    table.hand(1).lock()
    payment = payment_of(table.state, 1, 3, 1)
    assert payment is not None
    assert payment.printed


@pytest.mark.parametrize("officer", ["C1", "J1"])
def test_a_print_moves_no_money(officer: str) -> None:
    table = _paid()
    cents = table.state.hand.payments[0].cents if table.state.hand else 0
    table.pay(3, cents)
    before = table.meter_microcents
    assert [e.kind for e in table.play(f.SlipPrinted(by=officer, award=1, box=3))] == [
        "slip_printed"
    ]
    assert table.meter_microcents == before
