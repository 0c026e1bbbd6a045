"""Table 2 in a carrusel with tables 1 and 3, worked out by hand (CAN-9).

Bet 2.00, of which 0.50 go onto the meter; each table's seed is 10,000.00. Comments name the meter
of table 2 afterwards, in euros.
"""

from __future__ import annotations

from pathlib import Path

from scripted import Recorded
from support.carrusel import NAME
from support.carrusel_award import decision_on, undoing
from support.table import CANARIAS, FOUR_ACES, KING_HIGH_STRAIGHT_FLUSH, ROYAL_HEARTS

from jackpot.table import facts as f

EURO = 100_000_000
"""Micro-cents in a euro."""

TABLE_1, TABLE_3 = 1_999_850_000_000, 3_000_000_000_000
"""19,998.50 and 30,000.00: with the 10,001.50 of table 2 that is 60,000.00."""


def carrusel_story(path: Path) -> Path:
    """2026-11-30 in the carrusel, 2026-12-01 out of it again."""
    table = Recorded(path)
    table.start().open()
    _joins(table)
    _pays_an_award_of_all(table)
    _gives_to_another(table)
    _takes_a_claim_back(table)
    _takes_a_decision_back(table)
    _others_win_the_whole(table)
    _lacks_what_it_gives(table)
    table.settle().close_day()
    table.play(f.OfficersListed(officers=table.state.officers))
    _gives_while_it_is_closed(table)
    table.open(table.meter_microcents // 1_000_000)
    _leaves(table)
    table.hand(1).lock().no_awards()  # 9,500.75
    table.close_day()
    return table.close()


def _joins(table: Recorded) -> None:
    table.play(f.CarruselJoinAsked(by="J1", second="D1", carrusel=NAME, authorisation="AUT-9"))
    table.play(
        f.CarruselJoined(
            carrusel=NAME,
            incarnation=1,
            position=7,
            decision=0,
            meter_microcents=10_000 * EURO,
        )
    )
    table.play(f.CarruselLinkBack())


def _locked(table: Recorded, total_microcents: int) -> None:
    table.play(f.LockPressed(by="C1", hand=table.number))
    decision = 0 if table.state.carrusel is None else table.state.carrusel.decision
    table.play(
        f.CarruselViewed(position=20, decision=decision, total_microcents=total_microcents),
        f.LockReached(unknown_boxes=()),
    )


def _pays_an_award_of_all(table: Recorded) -> None:
    """Hand 1: 5 % of 60,000.00 are 3,000.00; table 2 bears 10,001.50 parts of 60,000."""
    table.hand(1, 2, 3)  # 10,001.50
    _locked(table, 60_000 * EURO)
    table.declare(box2=FOUR_ACES).confirm()
    bases = {"1": TABLE_1, "2": table.meter_microcents, "3": TABLE_3}
    hands = (f.DeclaredHand(2, FOUR_ACES),)
    table.play(decision_on(CANARIAS, bases, hands, decision=1, table="2", hand=1))  # 9,501.425
    table.pay(2, 300_000)


def _gives_to_another(table: Recorded) -> None:
    """Table 1: 10 % of the 57,000.00 that are left; table 2 bears 9,501.425 parts of 57,000."""
    bases = {"1": 1_899_857_500_000, "2": table.meter_microcents, "3": 2_850_000_000_000}
    hands = (f.DeclaredHand(5, KING_HIGH_STRAIGHT_FLUSH),)
    table.play(decision_on(CANARIAS, bases, hands, decision=2, table="1", hand=40))  # 8,551.2825


def _takes_a_claim_back(table: Recorded) -> None:
    table.hand(4)  # 8,551.7825
    _locked(table, 51_300 * EURO)
    table.declare(box4=FOUR_ACES).confirm()
    number = table.number
    table.play(f.ClaimWithdrawn(by="J1", second="D1", hand=number, why="a full house"))
    table.play(f.CarruselClaimFreed(hand=number))
    table.no_awards()


def _takes_a_decision_back(table: Recorded) -> None:
    table.hand(4)  # 8,552.2825
    _locked(table, 51_301 * EURO)
    table.declare(box4=FOUR_ACES).confirm()
    bases = {"1": 1_709_871_750_000, "2": table.meter_microcents, "3": 2_565_000_000_000}
    hands = (f.DeclaredHand(4, FOUR_ACES),)
    decided = decision_on(CANARIAS, bases, hands, decision=3, table="2", hand=table.number)
    table.play(decided)
    award = table.state.awards
    table.play(
        f.DecisionReversed(by="J1", second="D1", hand=table.number, award=award, why="box 3")
    )
    table.play(undoing(decided, 4))  # 8,552.2825
    table.no_awards()


def _others_win_the_whole(table: Recorded) -> None:
    """A royal flush at table 3; table 2 has a bet more than in its view, which stays."""
    before = table.meter_microcents
    table.hand(6)  # 8,552.7825
    bases = {"1": 1_709_871_750_000, "2": before, "3": 2_565_000_000_000}
    hands = (f.DeclaredHand(1, ROYAL_HEARTS),)
    table.play(decision_on(CANARIAS, bases, hands, decision=5, table="3", hand=9))  # 10,000.50


def _lacks_what_it_gives(table: Recorded) -> None:
    """The whole again, the bet of the running hand included, which was voided meanwhile."""
    bases = {"1": 10_000 * EURO, "2": table.meter_microcents, "3": 10_000 * EURO}
    number = table.number
    table.play(f.HandVoided(by="C1", second="J1", hand=number, why="misdeal"))  # 10,000.00
    hands = (f.DeclaredHand(1, ROYAL_HEARTS),)
    table.play(decision_on(CANARIAS, bases, hands, decision=6, table="1", hand=41))  # 10,000.00


def _gives_while_it_is_closed(table: Recorded) -> None:
    """5 % of 30,000.00, a third of it from here."""
    bases = {"1": 10_000 * EURO, "2": 10_000 * EURO, "3": 10_000 * EURO}
    hands = (f.DeclaredHand(1, FOUR_ACES),)
    table.play(decision_on(CANARIAS, bases, hands, decision=7, table="3", hand=10))  # 9,500.00


def _leaves(table: Recorded) -> None:
    table.play(f.SeedRaised(by="J1", second="D1", why="gift", cents=25, authorisation="A-3"))
    table.play(f.CarruselLeaveAsked(by="J1", second="D1", why="end of the season"))
    table.play(f.CarruselLeft(carrusel=NAME, position=300))  # 9,500.25
