"""How long the automatic croupier takes for each act, so that people can follow."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

SLOWEST, FASTEST = 0.1, 100.0
"""Speeds that make sense: below nobody waits for it, above nobody can follow."""

PAUSE_MS: Mapping[type[OfficerAct], int] = {
    f.DayOpened: 3_000,
    f.HandStarted: 3_000,
    f.ChipDecided: 2_000,
    f.LockPressed: 2_500,
    f.SlotDecided: 3_000,
    f.HandVoided: 4_000,
    f.NoAwardsDeclared: 5_000,
    f.AwardsDeclared: 6_000,
    f.AwardsConfirmed: 5_000,
    f.AwardsSigned: 5_000,
    f.AwardPaid: 5_000,
    f.TotalEntered: 4_000,
    f.TotalWithdrawn: 2_000,
    f.TotalFinal: 3_000,
    f.TotalCorrected: 5_000,
    f.ItemSettled: 4_000,
    f.LastHandsAnnounced: 2_000,
    f.DayClosed: 8_000,
    f.CarruselJoinAsked: 2_000,
}
"""At speed 1."""


def pause_s(act: OfficerAct, speed: float) -> float:
    """Seconds from seeing what is to be done to doing it; speed 0 does not wait at all."""
    return PAUSE_MS[type(act)] / 1_000 / speed if speed else 0
