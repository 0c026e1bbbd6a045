"""The visor in manual mode (CAN-8.b1): never more than is owed, and the base until it is decided.

Bet 2.00, 25 %, seed 10,000.00: seven chips add 3.50.
"""

from __future__ import annotations

import pytest
from support.table import FOUR_ACES, Table, canarias, open_table

from jackpot.console.desk import DeskStatus
from jackpot.law.policies import BaseOfHand, BrokenSlot, ManualTotal, Policies
from jackpot.law.terms import BetMode
from jackpot.money import cents_rounded_down
from jackpot.table import facts as f
from jackpot.table.state import Phase
from jackpot.visor.state import Lamp, VisorState, visor_state

READY = DeskStatus(ready=True)
BEFORE = Policies(manual_total=ManualTotal.BEFORE_AWARDS)


def _manual(policies: Policies | None = None) -> Table:
    """A manual table, open, its first hand started; the slots of no box answer."""
    table = open_table(canarias(policies, mode=BetMode.MANUAL))
    table.play(*(f.SlotDown(box=box, why="no_reply") for box in range(1, 8)))
    return table.hand()


def _seen(table: Table) -> VisorState:
    return visor_state(table.state, READY)


def _total(table: Table, chips: int) -> None:
    table.play(f.TotalEntered(by="C1", hand=table.number, chips=chips, cents=200 * chips))
    table.play(f.TotalFinal(by="C1", hand=table.number, chips=chips))


def test_in_manual_mode_every_lamp_is_off_and_no_slot_is_missed() -> None:
    assert _seen(_manual()).lamps == (Lamp.OFF,) * 7


@pytest.mark.parametrize("lock", [True, False])
def test_before_awards_the_total_shows_after_the_hand(lock: bool) -> None:
    table = _manual(BEFORE)
    if lock:
        table.play(f.LockPressed(by="C1", hand=1))
    _total(table, 7)
    assert table.phase() is Phase.LOCKED
    assert table.meter_microcents == 1_000_350_000_000
    assert _seen(table).amount_cents == 1_000_000
    table.no_awards()
    assert _seen(table).amount_cents == 1_000_350


def test_before_awards_a_player_is_paid_on_what_the_visor_says() -> None:
    table = _manual(BEFORE)
    _total(table, 7)
    table.declare(box4=FOUR_ACES)
    seen = _seen(table)
    assert seen.amount_cents == 1_000_000
    assert [line.cents for line in seen.awards] == [1_000_000, 100_000, 50_000]
    table.confirm()
    assert [(hit.box, hit.cents) for hit in _seen(table).hits] == [(4, 50_000)]
    assert _seen(table).amount_cents == 950_350


def test_while_the_total_is_awaited_the_betting_is_closed_and_the_hits_stay() -> None:
    table = _manual()
    table.declare(box4=FOUR_ACES)
    table.confirm()
    table.pay(4, 50_000)
    assert table.phase() is Phase.TOTAL
    seen = _seen(table)
    assert seen.locked
    assert [(hit.box, hit.cents, hit.paid) for hit in seen.hits] == [(4, 50_000, True)]
    assert seen.amount_cents == 950_000
    _total(table, 1)
    assert _seen(table).amount_cents == 950_050


@pytest.mark.parametrize("base", BaseOfHand)
@pytest.mark.parametrize("when", ManualTotal)
def test_whatever_the_policies_the_visor_never_shows_more_than_the_meter(
    base: BaseOfHand, when: ManualTotal
) -> None:
    table = _manual(Policies(base_of_hand=base, manual_total=when))
    steps = (
        f.TotalEntered(by="C1", hand=1, chips=7, cents=1_400),
        f.TotalFinal(by="C1", hand=1, chips=7),
        f.AwardsDeclared(by="C1", hand=1, hands=(f.DeclaredHand(4, FOUR_ACES),)),
        f.AwardsConfirmed(by="J1", hand=1),
    )
    for step in steps if when is ManualTotal.BEFORE_AWARDS else steps[2:]:
        table.play(step)
        amount_cents = _seen(table).amount_cents
        assert amount_cents is not None
        assert amount_cents <= cents_rounded_down(table.meter_microcents)


def test_a_box_that_plays_by_a_key_is_not_silent() -> None:
    table = open_table(canarias(Policies(broken_slot=BrokenSlot.BOX_MANUAL)))
    table.play(f.SlotDown(box=3, why="no_reply"))
    assert _seen(table).lamps[2] is Lamp.UNKNOWN
    table.play(f.BoxModeChanged(by="J1", box=3, mode=BetMode.MANUAL, why="slot broken"))
    assert _seen(table).lamps[2] is Lamp.OFF
    table.hand()
    table.play(f.BetAsserted(by="C1", hand=1, box=3))
    assert _seen(table).lamps[2] is Lamp.STEADY
