"""One table with two layouts and everything that people do around the hands, worked out by hand.

Bet 2.00, of which 0.50 go onto the meter; seed 10,000.00. Each comment names the meter afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace
from scripted import Recorded
from support.table import FOUR_ACES, KING_HIGH_STRAIGHT_FLUSH, canarias

from jackpot.law.policies import BrokenSlot, Policies
from jackpot.law.terms import BetMode
from jackpot.table import facts as f

TERMS = canarias(
    Policies(broken_slot=BrokenSlot.TABLE_MANUAL),
    minimum_band_cents=(1_000, 2_000),
    bet_of_minimum_ppm=500_000,
)
SIGNED: dict[str, Any] = {"by": "J1", "second": "D1"}


def pit_story(path: Path) -> Path:
    """Three days: 2026-11-30 of layout 2A, 2026-12-01 of layout 2B, 2026-12-02 of layout 2A."""
    table = Recorded(path, TERMS)
    table.start()
    for box in range(1, 8):
        table.play(f.SlotCountersRead(box=box, insertions=100, accepts=100))
    other = replace(TERMS, layout="2B")
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=other))
    why = "from the system before"
    table.play(f.JackpotTakenOver(**SIGNED, cents=1_234_567, authorisation="A-7", why=why))
    table.open(1_234_567)  # 12,345.67
    _disputed_hand(table)
    _manual_hands(table)
    _entries(table)
    table.play(f.ModeChanged(by="J1", mode=BetMode.AUTOMATIC, why="repaired"))
    table.close_day()
    _drop(table)
    _other_layout(table)
    _moves(table)
    return table.close()


def _disputed_hand(table: Recorded) -> None:
    """Hand 1: 12,346.67 at the lock, 5 % are 617.3335, paid 617.33; 17.33 come back."""
    table.hand(1, 2).lock()  # 12,346.67
    number = table.number
    table.play(f.BetDisputed(**SIGNED, hand=number, box=3, why="seen by all"))  # 12,347.17
    table.declare(box3=FOUR_ACES).confirm()  # award 1; 11,729.84
    table.play(f.DecisionReversed(**SIGNED, hand=number, award=1, why="box 2, not 3"))  # 12,347.17
    table.declare(box2=FOUR_ACES).confirm().pay(2, 61_733)  # award 2; 11,729.84
    for copy in (False, True):
        table.play(f.SlipPrinted(by="C1", award=2, box=2, copy=copy))
    table.play(f.PaymentReversed(**SIGNED, award=2, box=2, cents=1_733, why="agreed"))  # 11,747.17
    table.play(f.TableMinimumSet(by="D1", cents=1_200))
    table.play(f.TableSuspended(by="J1", why="no light"))
    table.play(f.TableResumed(by="J1", why="light again"))


def _manual_hands(table: Recorded) -> None:
    """Hand 2: 10 % of 11,747.17 are 1,174.717, paid 1,174.71; then six bets. Hand 3: four."""
    table.play(f.ModeChanged(by="J1", mode=BetMode.MANUAL, why="mechanism broken"))
    table.hand().declare(box4=KING_HIGH_STRAIGHT_FLUSH).confirm()  # 10,572.46
    table.pay(4, 117_471)
    for chips in (5, 6):  # the second replaces the first
        table.play(f.TotalEntered(by="C1", hand=2, chips=chips, cents=chips * 200))
    table.play(f.TotalFinal(by="C1", hand=2, chips=6))  # 10,575.46
    table.hand()
    table.play(f.LockPressed(by="C1", hand=3))
    table.no_awards()
    table.play(f.TotalEntered(by="C1", hand=3, chips=4, cents=800))
    table.play(f.TotalTimeUp(hand=3, entry=1))  # 10,577.46
    table.hand().no_awards()
    table.play(f.TotalEntered(by="C1", hand=4, chips=3, cents=600))
    table.play(f.TotalWithdrawn(by="C1", hand=4))
    table.play(f.HandVoided(by="C1", second="J1", hand=4, why="misdeal"))


def _entries(table: Recorded) -> None:
    """A chip too many in hand 3; 0.96 too much on the meter; 24.00 from the house."""
    table.play(
        f.TotalCorrected(**SIGNED, hand=3, chips_before=4, chips_after=3, why="counted again"),
        f.TokenUsed(officer="D1", token="0123456789abcdef"),
    )  # 10,576.96
    table.play(
        f.JackpotCorrected(
            **SIGNED, microcents=-96_000_000, jackpot=1, authorisation="A-8", why="typed wrongly"
        )
    )  # 10,576.00
    table.play(f.SeedRaised(**SIGNED, cents=2_400, authorisation="A-9", why="anniversary"))
    # 10,600.00


def _drop(table: Recorded) -> None:
    """Three chips of hand 1 (one disputed), six and three by totals: twelve."""
    for chips in (11, 12):
        table.play(f.DropCounted(by="C1", second="J1", day="2026-11-30", chips=chips))
    table.settle()


def _other_layout(table: Recorded) -> None:
    """Hand 5 on layout 2B: 5 % of 10,000.50 are 500.025; the payment is struck out."""
    table.play(f.LayoutChanged(**SIGNED, day="2026-12-01", layout="2B"))
    table.play(f.DayOpened(by="C1", second="J1", day="2026-12-01", displayed_cents=1_000_000))
    table.hand(1).lock().declare(box1=FOUR_ACES).confirm()  # 9,500.48
    struck = f.PaymentReversed(**SIGNED, award=4, box=1, cents=50_002, why="a false card")
    table.play(struck)  # 10,000.50
    table.close_day()


def _moves(table: Recorded) -> None:
    """Layout 2A's 10,600.00 go to table 3; 5,000.00 and seven micro-cents arrive; a short day."""
    table.play(f.LayoutChanged(**SIGNED, day="2026-12-02", layout="2A"))
    where: dict[str, Any] = {"authorisation": "A-10", "why": "tables change places"}
    table.play(f.JackpotMoved(**SIGNED, cents=1_060_000, to_table="3", to_layout="3A", **where))
    table.play(
        f.JackpotReceived(
            **SIGNED, microcents=500_000_000_007, from_table="3", from_layout="3A", **where
        )
    )
    table.play(f.DayOpened(by="C2", second="J1", day="2026-12-02", displayed_cents=500_000))
    table.close_day()
