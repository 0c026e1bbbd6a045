"""States of a visor for tests of signs, each with what a reader must see in mind."""

from __future__ import annotations

from msgspec.structs import replace

from jackpot.law.terms import AwardedHand
from jackpot.visor.state import Hit, Lamp, VisorState

PLAYING = VisorState(
    table="7",
    layout="1",
    hand=3,
    amount_cents=1_234_567,
    bet_cents=200,
    awards=(),
    lamps=(Lamp.OFF,) * 7,
    hits=(),
    pending=False,
    hands_left=None,
    closed=False,
    locked=False,
)
"""12,345.67 € at table 7."""

ROYAL_IN_3 = Hit(3, AwardedHand.ROYAL_FLUSH, 1_234_567, paid=False)
ACES_IN_5 = Hit(5, AwardedHand.FOUR_OF_A_KIND, 61_728, paid=False)
KING_HIGH_IN_1 = Hit(1, AwardedHand.STRAIGHT_FLUSH, 123_456, paid=True)


def playing(cents: int | None) -> VisorState:
    """The same table with another amount."""
    return replace(PLAYING, amount_cents=cents)
