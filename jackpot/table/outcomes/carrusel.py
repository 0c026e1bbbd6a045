"""What a member of a carrusel owes to it, and what it gives (CAN-9)."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from jackpot.table.event import Columns, Outcome
from jackpot.table.facts.hand import DeclaredHand


class Stage(StrEnum):
    """What an operation tells besides the movement of the meter."""

    MOVED = "moved"
    LOCKED = "locked"
    CLAIMED = "claimed"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"
    REVERSAL = "reversal"
    LEAVING = "leaving"


class CarruselOperation(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The last event of a batch that the carrusel must hear of: its ``operation``-th since the join.

    At most one in a batch. ``microcents`` is how far this batch moved the meter by itself: what a
    decision of the carrusel moved is in its log already and does not count. The operation's own hash
    is that of its batch, so the carrusel's log bears witness to this ledger.
    """

    kind: ClassVar[str] = "carrusel_operation"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    operation: int
    stage: Stage
    microcents: int
    hand: int


class AwardsClaimed(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The confirmed hands wait for the carrusel's decision: PENDIENTE, nothing is paid on a guess.

    ``award`` is this table's own sequence number, ``view_position`` where the log stood in the view
    that the hand was locked on.
    """

    kind: ClassVar[str] = "awards_claimed"
    award: int
    hand: int
    view_position: int
    hands: tuple[DeclaredHand, ...]


class CarruselDeducted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """This table's share of an award that another table pays: the visor falls, and the books of the
    two tables carry the settlement. ``microcents`` includes what the restarted meter paid."""

    kind: ClassVar[str] = "carrusel_deducted"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    decision: int
    microcents: int
    house_microcents: int = 0


class CarruselReturned(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """This table's share of an undone decision comes back; its seed goes back where it was from."""

    kind: ClassVar[str] = "carrusel_returned"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    decision: int
    microcents: int
    house_microcents: int = 0
    seed_house_microcents: int = 0
    seed_reserve_microcents: int = 0
    seed_overflow_microcents: int = 0


class ShortfallBorne(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The house bears what a decision takes from this meter beyond what it holds.

    That happens only when bets were taken back here while the decision was on its way; the player
    was shown the amount and is paid it.
    """

    kind: ClassVar[str] = "shortfall_borne"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    decision: int
    microcents: int
