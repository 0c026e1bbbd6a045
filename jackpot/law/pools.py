"""What bets add to a layout's pools, what a void takes back, and how a jackpot restarts.

Three pools, all in micro-cents: the jackpot (the meter that the visor shows), the overflow (what
exceeded the ceiling; it feeds the next jackpot) and the reserve (hidden, for later seeds).
Everything here is exact: no step rounds (CAN-8.b).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from jackpot.invariant import invariant
from jackpot.law.policies import SeedSource
from jackpot.law.terms import JackpotKind, Terms
from jackpot.money import contribution_microcents, microcents_from_cents


class Pool(StrEnum):
    """Where the money of one layout stands."""

    JACKPOT = "jackpot"
    OVERFLOW = "overflow"
    RESERVE = "reserve"


_JACKPOT, _OVERFLOW, _RESERVE = Pool
_FIXED = JackpotKind.FIXED
"""Each by itself: a member asked of its class costs as much as a whole movement, and every bet asks."""


class Movement(msgspec.Struct, frozen=True):
    """So much into one pool; negative: out of it."""

    pool: Pool
    microcents: int


class Pools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the pools of one layout hold."""

    jackpot_microcents: int = 0
    overflow_microcents: int = 0
    reserve_microcents: int = 0

    def plus(self, movements: Iterable[Movement]) -> Pools:
        """The pools after ``movements``. Raises ``InvariantBroken`` if one fell below zero."""
        amounts = {
            Pool.JACKPOT: self.jackpot_microcents,
            Pool.OVERFLOW: self.overflow_microcents,
            Pool.RESERVE: self.reserve_microcents,
        }
        for movement in movements:
            amounts[movement.pool] += movement.microcents
        invariant(min(amounts.values()) >= 0, f"no pool below zero: {amounts}")
        return Pools(amounts[Pool.JACKPOT], amounts[Pool.OVERFLOW], amounts[Pool.RESERVE])


class Restart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a jackpot starts again with (CAN-8.b); the meter gains the sum of all three.

    ``overflow_microcents`` is negative when what stood above the ceiling went back to the overflow.
    """

    house_microcents: int
    reserve_microcents: int
    overflow_microcents: int

    @property
    def seed_microcents(self) -> int:
        """The seed, whoever pays it."""
        return self.house_microcents + self.reserve_microcents

    @property
    def movements(self) -> tuple[Movement, ...]:
        """The restart as movements of the pools; the house's part comes from outside."""
        gained = self.seed_microcents + self.overflow_microcents
        return _movements(gained, -self.overflow_microcents, -self.reserve_microcents)

    def plus(self, other: Restart) -> Restart:
        """Two restarts of one decision as one."""
        return Restart(
            self.house_microcents + other.house_microcents,
            self.reserve_microcents + other.reserve_microcents,
            self.overflow_microcents + other.overflow_microcents,
        )


def contribute(terms: Terms, pools: Pools, bet_cents: int) -> tuple[Movement, ...]:
    """What bets of ``bet_cents`` in all add to the pools (CAN-8.b1, CAN-8.b2).

    The authorised percentage goes to the jackpot up to the ceiling, beyond it to the overflow; the
    reserve's own percentage to the reserve. Movements of nothing are left out.
    """
    invariant(bet_cents >= 0, "a bet is not negative")
    share = contribution_microcents(bet_cents, terms.jackpot_ppm)
    kept = _kept_microcents(terms, pools, share)
    return _movements(kept, share - kept, contribution_microcents(bet_cents, terms.reserve_ppm))


def spread(terms: Terms, pools: Pools, microcents: int) -> tuple[Movement, ...]:
    """An amount that reaches the jackpot otherwise than by bets: into the meter up to the ceiling,
    beyond it into the overflow, so that the visor stays at the ceiling."""
    invariant(microcents >= 0, "what is spread is not negative")
    kept = _kept_microcents(terms, pools, microcents)
    return _movements(kept, microcents - kept, 0)


def _kept_microcents(terms: Terms, pools: Pools, microcents: int) -> int:
    """How much of an amount the meter takes, under its ceiling."""
    top = _top_microcents(terms)
    if top is None:
        return microcents
    return min(microcents, max(0, top - pools.jackpot_microcents))


def reverse(
    pools: Pools, made: Sequence[Movement], later: Sequence[Movement] = ()
) -> tuple[Movement, ...]:
    """The movements that take a bet back when its hand is void (CAN-10.1, ``void_bets = refund``).

    ``made`` is what the bet moved; ``later`` what bets moved that came after it and still stand.
    Under a ceiling those may have spilled because this bet had filled the meter: the spill comes
    back first, so that the pools are as if the bet had never been. No pool falls below zero: what
    an award has carried off meanwhile is missing from the sum, and the house bears it.
    """
    total = _sum(made, Pool.JACKPOT) + _sum(made, Pool.OVERFLOW)
    spilled = _sum(made, Pool.OVERFLOW) + _sum(later, Pool.OVERFLOW)
    from_overflow = min(total, spilled, pools.overflow_microcents)
    from_jackpot = min(total - from_overflow, pools.jackpot_microcents)
    from_reserve = min(_sum(made, Pool.RESERVE), pools.reserve_microcents)
    return _movements(-from_jackpot, -from_overflow, -from_reserve)


def restart(terms: Terms, pools: Pools) -> Restart:
    """How the jackpot starts again after ``pools`` were left by an award (CAN-8.b, CAN-8.a).

    A progressive one gains its whole seed on top of what was left; a fixed one is filled up to its
    amount. The reserve pays first where the policy says so, and the house what is lacking; then the
    overflow is poured in up to the ceiling.
    """
    seed = microcents_from_cents(terms.seed_cents)
    if terms.kind is _FIXED:
        seed = max(0, seed - pools.jackpot_microcents)
    from_reserve = 0
    if terms.policies.seed_source is SeedSource.RESERVE:
        from_reserve = min(seed, pools.reserve_microcents)
    seeded = pools.jackpot_microcents + seed
    poured = seeded + pools.overflow_microcents
    top = _top_microcents(terms)
    after = poured if top is None else min(poured, top)
    return Restart(seed - from_reserve, from_reserve, after - seeded)


def _top_microcents(terms: Terms) -> int | None:
    """What the meter never exceeds: a ceiling, or the amount of a fixed jackpot."""
    if terms.kind is _FIXED:
        return microcents_from_cents(terms.seed_cents)
    if terms.ceiling_cents is None:
        return None
    return microcents_from_cents(terms.ceiling_cents)


def _movements(jackpot: int, overflow: int, reserve: int) -> tuple[Movement, ...]:
    moved: tuple[Movement, ...] = (Movement(_JACKPOT, jackpot),) if jackpot else ()
    if overflow:
        moved += (Movement(_OVERFLOW, overflow),)
    if reserve:
        moved += (Movement(_RESERVE, reserve),)
    return moved


def _sum(movements: Sequence[Movement], pool: Pool) -> int:
    return sum(movement.microcents for movement in movements if movement.pool is pool)
