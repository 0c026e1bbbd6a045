"""One member as the log has it: its meter, its last operation, its locked hand and claim."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jackpot.law.terms import Terms
from jackpot.link.entries import AwardDecided
from jackpot.table.facts.hand import DeclaredHand


class MemberState(StrEnum):
    """What the log takes of a member."""

    MEMBER = "member"
    LEAVING = "leaving"
    STOPPED = "stopped"


class Claim(msgspec.Struct, frozen=True):
    """Confirmed hands that wait for a decision; ``position`` is where the log heard of them."""

    position: int
    hands: tuple[DeclaredHand, ...]


class LockedHand(msgspec.Struct):
    """A hand between its lock and its end. ``views`` are the meters in the view that its visors
    showed, in micro-cents by table."""

    hand: int
    view_position: int
    lock_position: int
    views: dict[str, int]
    claim: Claim | None = None
    decided: AwardDecided | None = None
    decided_position: int = 0
    reversal_asked: bool = False
    overridden: bool = False


class Member(msgspec.Struct):
    """One table. ``since_position`` is its first join, from which its meter is in the total;
    ``joined_…`` are those of this incarnation. ``hash`` is its last operation's (or the join's)."""

    table: str
    ledger: str
    incarnation: int
    join_hash: str
    terms: Terms
    meter_microcents: int
    since_position: int
    joined_position: int
    joined_decision: int
    joined_meter_microcents: int
    hash: str
    operation: int = 0
    state: MemberState = MemberState.MEMBER
    asks_to_leave: bool = False
    leaving_position: int = 0
    away: tuple[tuple[int, int], ...] = ()
    """When it was out of the total, from a position to before another: it was leaving, and came back
    before it had left."""
    why: str = ""
    locked: LockedHand | None = None

    def is_in_view(self, position: int) -> bool:
        """Whether the total at ``position`` had this member's meter in it."""
        leaves = self.leaving_position
        if position < self.since_position or (leaves and position >= leaves):
            return False
        return not any(first <= position < end for first, end in self.away)

    @property
    def in_total(self) -> bool:
        """Whether its meter is part of what the visors show."""
        return not self.leaving_position


class Left(msgspec.Struct, frozen=True):
    """A table that took its meter along; ``decision`` is the last before it left."""

    incarnation: int
    join_hash: str
    joined_position: int
    joined_decision: int
    joined_meter_microcents: int
    left_position: int
    decision: int
    operation: int
    hash: str
