"""What a carrusel's log says, folded: members, meters, locked hands, claims, decisions (CAN-9).

Two pasts are kept for the bases of awards: the last *moves*, from which the meters at a recent
position are worked out, and the *falls*, the only entries that can make a base smaller. A view that is
older than what is kept is answered by folding the log again (``past_of``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from jackpot.invariant import invariant
from jackpot.link.entries import AwardDecided
from jackpot.link.members import Left, LockedHand, Member
from jackpot.money import microcents_from_cents
from jackpot.table.facts.carrusel import CarruselShare

KEPT_MOVES = 20_000
"""Minutes of the busiest carrusel; a table locks on a view that is seconds old."""


class Move(NamedTuple):
    """The meter of a table before the entry at ``position`` moved it."""

    position: int
    table: str
    before_microcents: int


class Fall(NamedTuple):
    """A table's meter fell to this at ``position``."""

    position: int
    table: str
    meter_microcents: int


class Correction(NamedTuple):
    """An undone decision: what its table's meter would have been above (below zero: beneath) what it
    was, from its position up to that of the undoing, had it never been decided."""

    first_position: int
    end_position: int
    table: str
    microcents: int


class Past(NamedTuple):
    """What an old view needs: the meters in the total then, and all that fell since."""

    meters: dict[str, int]
    falls: list[Fall]
    corrections: list[Correction]


PastAt = Callable[[int, int], Past | None]
"""Answers for a view's position that is older than ``CarruselState.kept_from``: what fell from there
up to the second position."""


class Sums(msgspec.Struct):
    """Where every micro-cent in the members' meters came from and went; all in micro-cents."""

    joined: int = 0
    moved: int = 0
    seeds: int = 0
    paid: int = 0
    house: int = 0
    left: int = 0

    @property
    def balance_microcents(self) -> int:
        """What the meters must hold together."""
        return self.joined + self.moved + self.seeds - self.paid - self.house - self.left


class CarruselState(msgspec.Struct):
    """The fold of a log's prefix up to ``position``; ``head`` is the hash of its last entry.

    ``members`` stand in the order of joining. ``decision`` numbers decisions and undoings alike.
    ``waiting`` are the tables whose claim waits or whose decision is to be taken back, ``leaving`` those
    that ask to leave or are leaving: nearly always nobody. ``closed``: the log goes on elsewhere.
    """

    carrusel: str = ""
    log_id: str = ""
    position: int = 0
    head: str = ""
    decision: int = 0
    coordinators: dict[str, str] = {}
    members: dict[str, Member] = {}
    left: dict[str, Left] = {}
    heads: dict[str, str] = {}
    sums: Sums = msgspec.field(default_factory=Sums)
    moves: list[Move] = []
    falls: list[Fall] = []
    corrections: list[Correction] = []
    waiting: set[str] = set()
    leaving: set[str] = set()
    kept_from: int = 0
    closed: bool = False
    pinned_view: int | None = None

    @property
    def total_microcents(self) -> int:
        """The prize, as every visor may show it; never below zero."""
        return max(0, sum(m.meter_microcents for m in self.members.values() if m.in_total))

    @property
    def conserved(self) -> bool:
        """Whether every micro-cent of every meter is accounted for."""
        held = sum(member.meter_microcents for member in self.members.values())
        return held == self.sums.balance_microcents

    def claims(self) -> list[tuple[Member, LockedHand]]:
        """Claims that wait, in the order of the log."""
        waiting = [
            (member, member.locked)
            for member in self.those(self.waiting)
            if member.locked is not None and member.locked.claim is not None
        ]
        waiting.sort(key=lambda pair: pair[1].claim.position if pair[1].claim else 0)
        return waiting

    def those(self, tables: set[str]) -> list[Member]:
        """Their members, in order of joining."""
        return [m for t, m in self.members.items() if t in tables] if tables else []

    def note(self, table: str) -> None:
        """Whether a table waits or leaves, after an entry about it."""
        member = self.members.get(table)
        locked = None if member is None else member.locked
        waits = locked is not None and (locked.claim is not None or locked.reversal_asked)
        leaves = member is not None and (member.asks_to_leave or member.leaving_position > 0)
        (self.waiting.add if waits else self.waiting.discard)(table)
        (self.leaving.add if leaves else self.leaving.discard)(table)

    def meters_at(self, position: int) -> dict[str, int]:
        """The meters that were in the total at ``position``, which is kept, in order of joining."""
        invariant(position >= self.kept_from, f"position {position} is kept")
        meters = {t: m.meter_microcents for t, m in self.members.items() if m.is_in_view(position)}
        for move in reversed(self.moves):
            if move.position <= position:
                break
            if move.table in meters:
                meters[move.table] = move.before_microcents
        return meters

    def moved(self, table: str, microcents: int) -> None:
        """The entry at ``position`` moves a meter."""
        member = self.members[table]
        before = member.meter_microcents
        member.meter_microcents = before + microcents
        if microcents:
            self.moves.append(Move(self.position, table, before))
        if microcents < 0:
            self.falls.append(Fall(self.position, table, member.meter_microcents))

    def forget(self) -> None:
        """Drop what no view needs any more; called after each entry, works seldom."""
        if len(self.moves) <= 2 * KEPT_MOVES:
            return
        self.moves = self.moves[-KEPT_MOVES:]
        self.kept_from = self.moves[0].position
        views = [m.locked.view_position for m in self.members.values() if m.locked is not None]
        pinned = () if self.pinned_view is None else (self.pinned_view,)
        oldest = min((*views, *pinned, self.kept_from))
        self.falls = [fall for fall in self.falls if fall.position > oldest]
        self.corrections = [one for one in self.corrections if one.end_position > oldest]


def effect_microcents(share: CarruselShare) -> int:
    """What a decision adds to the meter of a share's table (below zero: takes)."""
    taken = share.deducted_microcents + share.house_microcents + share.from_seed_microcents
    return share.seed_microcents - taken


def apply_award(state: CarruselState, award: AwardDecided) -> None:
    """Deductions and restarts of a decision, all in its own entry."""
    state.decision = award.decision
    sums = state.sums
    for share in award.shares:
        state.moved(share.table, effect_microcents(share))
        sums.seeds += share.seed_microcents
        sums.house += share.house_microcents
    sums.paid += microcents_from_cents(award.paid_cents)
    locked = state.members[award.table].locked
    invariant(locked is not None and locked.hand == award.hand, "a decision answers a claim")
    if locked is not None:
        locked.claim, locked.decided, locked.decided_position = None, award, state.position


def undo_award(state: CarruselState, table: str, decision: int) -> None:
    """Everything that the decision on the locked hand of ``table`` moved goes back."""
    state.decision = decision
    locked = state.members[table].locked
    award = None if locked is None else locked.decided
    invariant(award is not None, "what is undone was decided")
    if locked is None or award is None:
        return
    sums = state.sums
    for share in award.shares:
        back = -effect_microcents(share)
        state.moved(share.table, back)
        sums.seeds -= share.seed_microcents
        sums.house -= share.house_microcents
        state.corrections.append(
            Correction(locked.decided_position, state.position, share.table, back)
        )
    sums.paid -= microcents_from_cents(award.paid_cents)
    locked.decided, locked.decided_position, locked.reversal_asked = None, 0, False
