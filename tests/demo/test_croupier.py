"""The automatic croupier: the next act for every situation at the table."""

from dataclasses import replace
from typing import Any

from support.table import CANARIAS, Table, canarias, identified

from jackpot.daemon.demo.croupier import OFFICERS, Sight, next_act
from jackpot.daemon.demo.deal import Deal
from jackpot.daemon.demo.rigs import Trouble
from jackpot.law.policies import ExtraChip, Policies
from jackpot.law.terms import Terms
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

FLUSH_AND_ACES = Deal(1, {2: "Kd Qd Jd Td 9d", 5: "As Ah Ad Ac 3h"}, Trouble.NONE)


def table_of_the_demonstration(terms: Terms = CANARIAS) -> Table:
    table = Table(terms)
    table.play(f.ControllerStarted(version="test", clean=True))
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=terms))
    table.play(f.OfficersListed(officers=OFFICERS))
    for box in range(1, 8):
        table.play(identified(box), f.SlotUp(box=box))
    return table


def sight(dealt: Deal | None = FLUSH_AND_ACES, **changes: Any) -> Sight:
    return replace(Sight(dealt=dealt, chips_told=True, day="2026-11-30"), **changes)


def press(table: Table, seen: Sight) -> OfficerAct:
    """Play the next act, and return it."""
    act = next_act(table.state, seen)
    assert act is not None
    table.play(act)
    return act


def to_the_lock(table: Table, *boxes: int, unknown: tuple[int, ...] = ()) -> None:
    press(table, sight())
    press(table, sight())
    for box in boxes:
        table.chip(box)
    press(table, sight())
    table.play(f.LockReached(unknown_boxes=unknown))


def test_a_whole_hand_with_awards_needs_nobody_else() -> None:
    table = table_of_the_demonstration()
    to_the_lock(table, 2, 5)
    pressed = [press(table, sight()) for _ in range(4)]
    # 10,001.00: 10 % is 1,000.10; then 5 % of 9,000.90 is 450.04; 1,450.14 needs no third signature
    assert pressed == [
        f.AwardsDeclared(
            by="croupier-1",
            hand=1,
            hands=(f.DeclaredHand(2, "Kd Qd Jd Td 9d"), f.DeclaredHand(5, "As Ah Ad Ac 3h")),
        ),
        f.AwardsConfirmed(by="jefe-1", hand=1),
        f.AwardPaid(by="croupier-1", hand=1, box=2, cents=100_010),
        f.AwardPaid(by="croupier-1", hand=1, box=5, cents=45_004),
    ]
    assert press(table, sight()) == f.HandStarted(by="croupier-1", hand=2)


def test_can_8_7_above_the_threshold_a_third_officer_signs() -> None:
    table = table_of_the_demonstration()
    royal = Deal(1, {1: "As Ks Qs Js Ts"}, Trouble.NONE)
    to_the_lock(table, 1)
    pressed = [press(table, sight(royal)) for _ in range(4)]
    assert pressed[1:] == [
        f.AwardsConfirmed(by="jefe-1", hand=1),
        f.AwardsSigned(by="jefe-2", hand=1, total_cents=1_000_050),
        f.AwardPaid(by="croupier-1", hand=1, box=1, cents=1_000_050),
    ]


def test_whoever_declared_is_not_asked_to_confirm() -> None:
    table = table_of_the_demonstration()
    to_the_lock(table, 5)
    table.play(f.AwardsDeclared(by="jefe-1", hand=1, hands=(f.DeclaredHand(5, "As Ah Ad Ac 3h"),)))
    assert press(table, sight()) == f.AwardsConfirmed(by="jefe-2", hand=1)


def test_it_waits_for_chips_that_are_not_told_yet() -> None:
    table = table_of_the_demonstration()
    press(table, sight())
    press(table, sight())
    assert next_act(table.state, sight(chips_told=False)) is None


def test_it_waits_for_a_slot_that_is_out_of_service() -> None:
    table = table_of_the_demonstration()
    press(table, sight())
    table.play(f.SlotDown(box=3, why="no_reply"))
    assert next_act(table.state, sight()) is None


def test_it_presses_nothing_while_the_slots_are_drained() -> None:
    table = table_of_the_demonstration()
    press(table, sight())
    press(table, sight())
    press(table, sight())
    assert next_act(table.state, sight()) is None


def test_can_8_b2_it_looks_into_a_box_whose_slot_was_silent() -> None:
    table = table_of_the_demonstration()
    to_the_lock(table, 5, unknown=(2, 3))
    assert press(table, sight()) == f.SlotDecided(by="croupier-1", hand=1, box=2, bet=True)
    assert press(table, sight()) == f.SlotDecided(by="croupier-1", hand=1, box=3, bet=False)


def test_a_chip_that_comes_late_was_not_seen_in_the_box() -> None:
    table = table_of_the_demonstration()
    to_the_lock(table, 5, unknown=(2,))
    late = Deal(1, FLUSH_AND_ACES.hands, Trouble.LATE_CHIP)
    assert press(table, sight(late)) == f.SlotDecided(by="croupier-1", hand=1, box=2, bet=False)


def test_can_10_1_a_misdeal_is_voided_with_the_chief() -> None:
    table = table_of_the_demonstration()
    to_the_lock(table, 2)
    misdeal = Deal(1, FLUSH_AND_ACES.hands, Trouble.MISDEAL)
    assert press(table, sight(misdeal)) == f.HandVoided(
        by="croupier-1", hand=1, second="jefe-1", why="exposed card"
    )
    assert press(table, sight()) == f.ItemSettled(by="croupier-1", item=1)


def test_a_hand_without_awards_ends_with_one_key() -> None:
    table = table_of_the_demonstration()
    to_the_lock(table, 3)
    assert press(table, sight()) == f.NoAwardsDeclared(by="croupier-1", hand=1)


def test_a_chip_that_waits_plays_once_betting_is_open() -> None:
    table = table_of_the_demonstration(canarias(Policies(extra_chip=ExtraChip.NEXT_HAND)))
    to_the_lock(table, 3)
    table.chip(3)  # late: it waits
    press(table, sight())
    assert press(table, sight()) == f.HandStarted(by="croupier-1", hand=2)
    assert press(table, sight()) == f.ChipDecided(by="croupier-1", hand=2, box=3, plays=True)


def test_a_chip_that_waits_is_handed_back_before_the_table_closes() -> None:
    table = table_of_the_demonstration(canarias(Policies(extra_chip=ExtraChip.NEXT_HAND)))
    to_the_lock(table, 3)
    table.chip(3)
    press(table, sight())
    back = f.ChipDecided(by="croupier-1", hand=1, box=3, plays=False)
    assert press(table, sight(close=True)) == back


def test_can_7_3b_the_last_hands_are_announced_and_then_the_day_is_closed() -> None:
    table = table_of_the_demonstration()
    press(table, sight())
    assert press(table, sight(announce=True)) == f.LastHandsAnnounced(by="jefe-1")
    for _ in range(3):
        press(table, sight(announce=True))
        press(table, sight(announce=True))
        table.play(f.LockReached(unknown_boxes=()))
        press(table, sight(announce=True))
    assert press(table, sight()) == f.DayClosed(
        by="croupier-1", second="jefe-1", displayed_cents=1_000_000
    )


def test_a_closed_table_stays_closed_when_everything_is_played() -> None:
    table = table_of_the_demonstration()
    assert next_act(table.state, sight(close=True)) is None
