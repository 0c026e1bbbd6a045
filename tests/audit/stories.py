"""What happened at two tables, as ledgers."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from scripted import Recorded, opened
from support.table import (
    CANARIAS,
    FOUR_ACES,
    FOUR_SEVENS,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    ROYAL_SPADES,
    canarias,
)

from jackpot.law.policies import BelowRoyal, Policies, VoidBets
from jackpot.table import facts as f


def long_story(path: Path) -> Path:
    """Default policies; hands 1 to 13 on two days (see the comments for the numbers)."""
    table = opened(path)
    table.hand(1, 2, 3).lock().no_awards()  # 1
    two_awards(table)  # 2
    table.hand(1, 2).lock()  # 3: declared, rejected, declared again: equal straight flushes
    table.declare(box1=FOUR_ACES)
    table.play(f.AwardsRejected(by="J1", hand=table.number, why="a queen, not an ace"))
    table.declare(box1=NINE_HIGH_STRAIGHT_FLUSH_CLUBS, box2=NINE_HIGH_STRAIGHT_FLUSH_HEARTS)
    table.confirm()
    pay_all(table)
    table.hand(1, 4)  # 4: a second chip, a wrong one; voided, handed back
    table.chip(1)
    table.play(f.ChipSeen(box=6, expected=False, a=2, b=1))
    table.play(f.HandVoided(by="C1", second="J1", hand=table.number, why="misdeal"))
    table.settle()
    changed = replace(CANARIAS, seed_cents=1_200_000, authorisation="A-2")
    table.play(f.ConfigurationLoaded(config_text="new", profile_text="", terms=changed))
    table.hand(3).lock(4, 5)  # 5: two silent slots
    table.play(f.SlotDecided(by="C1", hand=table.number, box=4, bet=True))
    table.play(f.SlotDecided(by="C1", hand=table.number, box=5, bet=False))
    table.no_awards()
    table.chip(4)  # the silent slot tells of it at last
    table.chip(5)  # and this one is late
    table.play(f.SlotEvent(box=2, a=0, b=20, name="string", fraud=True))
    table.settle()
    table.hand(1, 3).lock()  # 6: royal flush; the next jackpot starts with the new seed
    table.declare(box1=ROYAL_SPADES, box3=FOUR_SEVENS).confirm().sign()
    pay_all(table)
    table.play(f.LastHandsAnnounced(by="J1"))
    for _ in range(3):  # 7, 8, 9
        table.hand(1).lock().no_awards()
    table.close_day()
    table.play(f.ControllerStopped())
    table.play(f.ControllerStarted(version="test", clean=True))
    for box in range(1, 8):
        table.play(f.SlotUp(box=box))
    table.play(f.BoxClosed(by="J1", box=7, why="broken"))
    table.play(f.SlotTestStarted(by="T1", box=3))
    table.chip(3)
    table.play(f.SlotTested(by="T1", box=3, chips=1, result=f.TestResult.PASSED))
    table.open(table.meter_microcents // 1_000_000)
    table.play(f.ClockStepped(step_ns=-5))
    table.hand(2).lock().no_awards()  # 10
    table.close_day()
    table.ledger.sign_checkpoint(1_800_000_000_000_000_000)
    return table.close()


def two_awards(table: Recorded) -> None:
    """10,002.50 at the lock: 1,000.25, then 5 % of 9,002.25 is 450.1125, paid 450.11."""
    table.hand(1, 2).lock().declare(box1=KING_HIGH_STRAIGHT_FLUSH, box2=FOUR_ACES).confirm()
    table.pay(1, 100_025).pay(2, 45_011)


def pay_all(table: Recorded) -> None:
    """Hand over whatever is decided."""
    hand = table.state.hand
    assert hand is not None
    for payment in hand.payments:
        table.pay(payment.box, payment.cents)


def carried_story(path: Path) -> Path:
    """Ceiling of 10,001.00 (two bets above the seed), carried bets, lower hands from the seed."""
    policies = Policies(void_bets=VoidBets.CARRY, below_royal=BelowRoyal.FROM_SEED)
    table = opened(path, canarias(policies, ceiling_cents=1_000_100))
    table.hand(1, 2, 3).lock()  # 1: the third bet spills over
    table.play(f.HandVoided(by="C1", second="J1", hand=table.number, why="exposed card"))
    table.play(f.ChipDecided(by="C1", hand=table.number, box=1, plays=False))
    table.play(f.HandStarted(by="C1", hand=table.number + 1))  # 2
    table.play(f.ChipDecided(by="C1", hand=table.number, box=2, plays=True))
    table.play(f.ChipDecided(by="C1", hand=table.number, box=3, plays=True))
    table.lock().declare(box2=ROYAL_SPADES, box3=FOUR_SEVENS).confirm().sign()
    pay_all(table)
    table.settle()
    table.close_day()
    return table.close()


def one_award(path: Path) -> Path:
    """One hand with one award on one day: small enough to change every bit of it."""
    table = opened(path)
    table.hand(1, 2).lock().declare(box1=FOUR_ACES).confirm()
    pay_all(table)
    return table.close_day().close()
