"""Ledgers of the real table and the real store: the checker, written apart, finds nothing."""

from __future__ import annotations

from pathlib import Path

from scripted import opened
from support.table import FOUR_ACES, KING_HIGH_STRAIGHT_FLUSH

from jackpot.audit.checker import verify


def test_CAN_8_5_a_day_with_two_awards_is_clean(tmp_path: Path) -> None:
    """10,002.50 at the lock: 10 % is 1,000.25; 5 % of the remaining 9,002.25 is 450.1125."""
    table = opened(tmp_path / "ledger")
    table.hand(1, 2, 3).lock().no_awards()
    table.hand(1, 2).lock().declare(box1=KING_HIGH_STRAIGHT_FLUSH, box2=FOUR_ACES).confirm()
    table.pay(1, 100_025).pay(2, 45_011)
    report = verify(table.close_day().close())
    assert report.findings == ()
    assert report.exit_status == 0
    assert report.summary is not None
    assert report.summary.paid_cents == 145_036
    assert report.summary.pools_microcents == {
        "2A/jackpot": 855_214_000_000,
        "2A/overflow": 0,
        "2A/reserve": 0,
    }
