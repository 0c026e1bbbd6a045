"""What the players do with their chips in one hand: commands for the simulated mechanism, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from jackpot.daemon.demo.deal import Deal
from jackpot.daemon.demo.rigs import Trouble

HURRY_MS = 800
SLOWEST_MS = 7_000
"""Between these a player puts the chip in, counted from the start of the betting."""

FOREIGN_CHIP = 2
"""The coin position of a chip that is no jackpot chip."""

MORE_THAN_TOLD = 9
"""Chips at once; an acceptor can tell of five."""


class Moment(StrEnum):
    """When something is done, in the order of a hand."""

    BETTING = "betting"
    BETS_IN = "bets_in"
    LOCKED = "locked"


@dataclass(frozen=True)
class Move:
    """``commands`` for the mechanism, sent together ``after_ms`` the ``moment`` has come."""

    moment: Moment
    box: int
    commands: tuple[str, ...]
    after_ms: int = 0


def moves(seed: int, dealt: Deal) -> tuple[Move, ...]:
    """Everything that the players and the slots do in this hand, in order."""
    pace = random.Random(f"{seed}/{dealt.number}/pace")  # noqa: S311 - repeatable, nobody's money
    in_time = [
        Move(
            Moment.BETTING,
            box,
            (f"await {box}", *_chips(dealt, box)),
            pace.randrange(HURRY_MS, SLOWEST_MS),
        )
        for box in dealt.bets
        if not (box == dealt.troubled_box and dealt.trouble in _SILENT)
    ]
    in_time.sort(key=lambda move: (move.after_ms, move.box))
    return (*in_time, *_trouble(dealt))


_SILENT = frozenset({Trouble.LATE_CHIP, Trouble.SILENT_SLOT})
"""The chip goes in after the slot's wire is cut, so that the controller hears of it too late."""


def _chips(dealt: Deal, box: int) -> tuple[str, ...]:
    if box != dealt.troubled_box:
        return (f"chip {box}",)
    return {
        Trouble.SECOND_CHIP: (f"events {box} 2",),
        Trouble.WRONG_CHIP: (f"chip {box} {FOREIGN_CHIP}", f"chip {box}"),
        Trouble.LOST_EVENTS: (f"events {box} {MORE_THAN_TOLD}",),
    }.get(dealt.trouble, (f"chip {box}",))


def _trouble(dealt: Deal) -> tuple[Move, ...]:
    box = dealt.troubled_box
    if dealt.trouble in _SILENT:
        return (
            Move(Moment.BETS_IN, box, (f"await {box}", f"silent {box}", f"chip {box}")),
            Move(Moment.LOCKED, box, (f"speak {box}",)),
        )
    if dealt.trouble is Trouble.RESTARTED_SLOT:
        return (Move(Moment.BETS_IN, box, (f"reset {box}",)),)
    return ()
