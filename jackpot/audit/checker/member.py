"""What the checker knows of a table's membership in a carrusel (CAN-9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

JOINING, MEMBER, LEAVING, STOPPED = "joining", "member", "leaving", "stopped"

REMEMBERED_DECISIONS = 256
"""Decisions that a table may still take back: some hours of a large floor."""


@dataclass(slots=True)
class Applied:
    """What one decision moved here, in micro-cents, so that it can be taken back exactly."""

    jackpot: int
    deducted: int = 0
    house: int = 0
    seed_house: int = 0
    seed_reserve: int = 0
    seed_overflow: int = 0


@dataclass(slots=True)
class Member:
    """A table in a carrusel, under one incarnation.

    ``offered`` is the meter when two officers asked, ``position`` that of the join in the carrusel's
    log (0: not answered). ``logged`` sums what the log itself moved the meter by since then.
    """

    carrusel: str
    incarnation: int
    offered: int
    stage: str = JOINING
    position: int = 0
    operation: int = 0
    decision: int = 0
    linked: bool = False
    heard: bool = False
    logged: int = 0
    applied: dict[int, Applied] = field(default_factory=dict)
    why: str = ""

    @property
    def awaits_answer(self) -> bool:
        """Whether two officers asked and the log has not answered."""
        return self.position == 0 and self.stage in (JOINING, LEAVING)

    def is_next(self, info: dict[str, Any]) -> bool:
        """Whether a decision is the one after the last that was applied; no other moves anything."""
        goes_on = self.position > 0 and info["carrusel"] == self.carrusel
        return goes_on and info["decision"] == self.decision + 1

    def answers(self, info: dict[str, Any]) -> bool:
        """Whether an answer is to what was asked here."""
        asked = (self.carrusel, self.incarnation)
        return self.awaits_answer and asked == (info["carrusel"], info["incarnation"])


@dataclass(frozen=True, slots=True)
class Share:
    """What a decision means for one member, in micro-cents."""

    table: str
    view: int
    base: int
    deducted: int
    house: int
    seed: int
    from_seed: int

    @property
    def moves(self) -> int:
        """How far its meter moves by the log's arithmetic; a seed comes only with a restart."""
        return self.seed - self.deducted - self.house - self.from_seed


def shares_of(info: dict[str, Any]) -> list[Share]:
    """The shares of a decision, in the order of the record."""
    return [
        Share(
            one["table"],
            one["view_microcents"],
            one["base_microcents"],
            one["deducted_microcents"],
            one["house_microcents"],
            one["seed_microcents"],
            one["from_seed_microcents"],
        )
        for one in info["shares"]
    ]
