"""What a table knows of the carrusel that it belongs to (CAN-9)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jackpot.law.policies import LinkLost

REMEMBERED_DECISIONS = 256
"""Decisions that may still be taken back here: some hours of five hundred tables, and a decision is
taken back only while its hand waits for the payment."""


class MemberStage(StrEnum):
    """Where the membership of a table stands."""

    JOINING = "joining"
    """Two officers asked; the carrusel has not answered."""
    MEMBER = "member"
    LEAVING = "leaving"
    """Two officers asked; hands that were locked before may still count on this table."""
    STOPPED = "stopped"
    """The carrusel takes nothing more of this box until it joins anew."""


class View(msgspec.Struct, frozen=True):
    """What the visors of this table showed as its hand was locked: see ``CarruselViewed``."""

    position: int
    decision: int
    total_microcents: int


class AppliedDecision(msgspec.Struct, frozen=True):
    """What one decision moved here, so that it can be taken back exactly: from the meter (the part
    that a restarted one paid included), to the house, and the seed by its source. ``jackpot``
    numbers the one that paid. ``prize_fell`` is what it took from all members together, without what
    restarts brought: no hand that was locked before has more left than its view less that."""

    decision: int
    jackpot: int
    prize_fell_microcents: int = 0
    deducted_microcents: int = 0
    house_microcents: int = 0
    seed_house_microcents: int = 0
    seed_reserve_microcents: int = 0
    seed_overflow_microcents: int = 0

    @property
    def seed_microcents(self) -> int:
        """What the meter gained by the restart, whoever paid it."""
        hidden = self.seed_reserve_microcents + self.seed_overflow_microcents
        return self.seed_house_microcents + hidden


class Membership(msgspec.Struct, frozen=True):
    """This table in a carrusel, under one incarnation.

    ``offered_microcents`` is the meter in the batch in which ``officers`` asked; ``position`` that of
    the join in the carrusel's log (0: not answered yet). ``operation`` is the last that was told,
    ``decision`` the last that was applied. ``linked``: the carrusel is heard now; ``heard``: it was,
    since this controller started, so that there is a total to show. ``why`` it was stopped.
    """

    carrusel: str
    incarnation: int
    stage: MemberStage
    offered_microcents: int
    officers: tuple[str, ...] = ()
    authorisation: str = ""
    position: int = 0
    operation: int = 0
    decision: int = 0
    linked: bool = False
    heard: bool = False
    applied: tuple[AppliedDecision, ...] = ()
    why: str = ""

    def applied_decision(self, decision: int) -> AppliedDecision | None:
        """What ``decision`` moved here; None if it moved nothing, or too long ago."""
        return next((one for one in self.applied if one.decision == decision), None)

    def stops_bets(self, link_lost: LinkLost) -> bool:
        """Whether no bet is taken: the carrusel has stopped this box, or it is not heard
        (``link_lost = stop_bets``)."""
        if self.stage is MemberStage.STOPPED:
            return True
        return not self.linked and link_lost is LinkLost.STOP_BETS
