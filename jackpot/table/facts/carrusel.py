"""The carrusel as one table lives it (CAN-9): officers ask, its coordinator answers.

The meter of a member stays its own; the prize is the sum. Whatever moves the meter is told to the
carrusel as a numbered operation (see ``jackpot.table.outcomes.carrusel``), and an award is decided
by the carrusel, once, for all its tables.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from jackpot.law.derivation import Line
from jackpot.law.terms import AwardedHand
from jackpot.table.event import Columns, Fact, OfficerAct
from jackpot.table.facts.hand import HandAct

# ---- what officers ask ---------------------------------------------------------------------------


class CarruselJoinAsked(
    OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """A table chief and the games director link this layout's jackpot to a carrusel.

    Outside a hand only; no hand starts until the carrusel has answered. ``incarnation`` is the one
    after the last of this ledger, from 1.
    """

    kind: ClassVar[str] = "carrusel_join_asked"
    carrusel: str
    second: str
    authorisation: str


class CarruselLeaveAsked(
    OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """Two officers take this table out of its carrusel, with its own meter; outside a hand only.

    Also takes back a join that was not answered yet.
    """

    kind: ClassVar[str] = "carrusel_leave_asked"
    second: str
    why: str


class ClaimWithdrawn(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Two officers take a claim back that the carrusel has not decided yet; its own log says
    whether it came in time (``CarruselClaimFreed``)."""

    kind: ClassVar[str] = "claim_withdrawn"
    second: str
    why: str


# ---- what the link tells: never refused ------------------------------------------------------------


class CarruselJoined(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The carrusel's log holds the join, at ``position``.

    ``meter_microcents`` is what the log has for this table at that position: what the table offered
    or, after a restored box came back, what the carrusel knew better. ``decision`` is the last one
    that is in it; the next to apply is the one after.
    """

    kind: ClassVar[str] = "carrusel_joined"
    columns: ClassVar[Columns] = Columns(microcents="meter_microcents")
    carrusel: str
    incarnation: int
    position: int
    decision: int
    meter_microcents: int


class CarruselJoinRefused(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The carrusel does not take this table; ``why`` names the difference."""

    kind: ClassVar[str] = "carrusel_join_refused"
    carrusel: str
    incarnation: int
    why: str


class CarruselLeft(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The carrusel's log holds the leave; from now on the meter is this table's alone."""

    kind: ClassVar[str] = "carrusel_left"
    carrusel: str
    position: int


class CarruselStopped(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The carrusel takes no operation of this box any more: its numbers do not continue what was
    recorded (a restored copy, two boxes under one name). It stays closed until it joins anew.

    A copy restored from before its join hears this, too: the carrusel knows it, it does not know of
    the carrusel. ``incarnation`` is the last that either of them knows; the next join is under the
    one after it.
    """

    kind: ClassVar[str] = "carrusel_stopped"
    carrusel: str
    incarnation: int = 0
    why: str


class CarruselLinkLost(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """No valid sign of life of the carrusel: the policy ``link_lost`` applies."""

    kind: ClassVar[str] = "carrusel_link_lost"


class CarruselLinkBack(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The carrusel is heard: a valid sign of life, and a total that this table may show.

    Told anew after each start of the controller and after each ``CarruselLinkLost``.
    """

    kind: ClassVar[str] = "carrusel_link_back"


class CarruselViewed(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What this table's visors show as the hand is locked: the carrusel's total at a position of its
    log, with every decision up to ``decision`` in it. Recorded in the batch of the lock, before it.
    """

    kind: ClassVar[str] = "carrusel_viewed"
    columns: ClassVar[Columns] = Columns(microcents="total_microcents")
    position: int
    decision: int
    total_microcents: int


class CarruselShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one decision means for one member, in micro-cents.

    ``view`` is its meter in the claiming table's view, ``base`` the part of the base that it bears
    (the lowest of the view and of its meter after every later entry), ``deducted`` what it pays,
    ``house`` the house's deduction (GAL-8b), ``seed`` what its restart brings (zero without a
    restart), ``from_seed`` what the restarted meter pays (``below_royal = from_seed``).
    """

    table: str
    view_microcents: int
    base_microcents: int
    deducted_microcents: int
    house_microcents: int = 0
    seed_microcents: int = 0
    from_seed_microcents: int = 0

    @property
    def moved_microcents(self) -> int:
        """How far the decision moves this member's meter, by the arithmetic of the log."""
        taken = self.deducted_microcents + self.house_microcents + self.from_seed_microcents
        return self.seed_microcents - taken


class CarruselPayment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One payment at the claiming table; payments stand in paying order (CAN-8.5)."""

    box: int
    bet: int
    hand: AwardedHand
    rule: str
    cents: int


class CarruselDecided(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Decision ``decision`` of the carrusel, the one after the last that this table applied.

    ``table`` claimed it for its ``hand`` and pays; ``shares`` has one line for each member in its
    view, this table perhaps among them. ``restart``: a royal flush took the whole. ``author``,
    ``entry_hash`` and ``signature`` are those of the log's entry, checked before this is recorded.
    """

    kind: ClassVar[str] = "carrusel_decided"
    columns: ClassVar[Columns] = Columns(cents="paid_cents", microcents="base_microcents")
    carrusel: str
    decision: int
    position: int
    table: str
    hand: int
    view_position: int
    base_microcents: int
    paid_cents: int
    restart: bool
    shares: tuple[CarruselShare, ...]
    payments: tuple[CarruselPayment, ...]
    derivation: tuple[Line, ...]
    author: str
    entry_hash: str
    signature: str


class CarruselUndone(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Decision ``decision`` takes an earlier one (``undoes``) back, before anything of it was paid.

    ``shares`` are those of the undone decision: every member gets back what it gave, and gives back
    its seed.
    """

    kind: ClassVar[str] = "carrusel_undone"
    columns: ClassVar[Columns] = Columns(cents="paid_cents")
    carrusel: str
    decision: int
    undoes: int
    position: int
    table: str
    hand: int
    paid_cents: int
    restart: bool
    shares: tuple[CarruselShare, ...]
    author: str
    entry_hash: str
    signature: str


class CarruselClaimFreed(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The log holds the withdrawal of this table's claim, and no decision of it: back to the
    declaration."""

    kind: ClassVar[str] = "carrusel_claim_freed"
    hand: int
