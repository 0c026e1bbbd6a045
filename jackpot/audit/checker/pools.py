"""Contributions, restarts and reversals to the micro-cent: the checker's own arithmetic.

A pool is named ``jackpot`` (the meter), ``overflow`` (above the ceiling) or ``reserve`` (hidden).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jackpot.audit.checker.terms import MICROCENTS, Terms

JACKPOT, OVERFLOW, RESERVE = POOLS = ("jackpot", "overflow", "reserve")

Pools = dict[str, int]
Moved = tuple[tuple[str, int], ...]
"""Pool and micro-cents, in the order jackpot, overflow, reserve; never of nothing."""


def moved(jackpot: int, overflow: int, reserve: int) -> Moved:
    """Movements without those of nothing."""
    return tuple(
        (pool, amount)
        for pool, amount in zip(POOLS, (jackpot, overflow, reserve), strict=True)
        if amount
    )


def contribution(terms: Terms, pools: Pools, bet_cents: int) -> Moved:
    """Bet times rate, exactly (CAN-8.b); above the ceiling into the overflow."""
    share = bet_cents * terms.jackpot_ppm
    top = terms.top_microcents
    kept = share if top is None else max(0, min(share, top - pools[JACKPOT]))
    return moved(kept, share - kept, bet_cents * terms.reserve_ppm)


def spread(terms: Terms, pools: Pools, microcents: int) -> Moved:
    """What is no bet reaches the meter up to the ceiling, the rest goes to the overflow."""
    top = terms.top_microcents
    kept = microcents if top is None else max(0, min(microcents, top - pools[JACKPOT]))
    return moved(kept, microcents - kept, 0)


def reversal(
    pools: Pools, made: Iterable[tuple[str, int]], later: Iterable[tuple[str, int]]
) -> Moved:
    """What is taken out of each pool when a bet is taken back (CAN-10.1); ``later`` is what bets
    moved that came after it and stand: if they spilled over a ceiling because of it, their spill
    is what goes back first. No pool goes below zero."""
    own = dict.fromkeys(POOLS, 0)
    for pool, amount in made:
        own[pool] += amount
    spilled = own[OVERFLOW] + sum(amount for pool, amount in later if pool == OVERFLOW)
    total = own[JACKPOT] + own[OVERFLOW]
    overflow = min(total, spilled, pools[OVERFLOW])
    jackpot = min(total - overflow, pools[JACKPOT])
    return moved(jackpot, overflow, min(own[RESERVE], pools[RESERVE]))


class Start(NamedTuple):
    """What a starting jackpot gains, and from whom; the overflow's part may be negative."""

    house: int
    reserve: int
    overflow: int

    @property
    def gain(self) -> int:
        """What reaches the meter."""
        return self.house + self.reserve + self.overflow

    def plus(self, other: Start) -> Start:
        """Two starts of one decision."""
        return Start(
            self.house + other.house, self.reserve + other.reserve, self.overflow + other.overflow
        )

    def applied(self, pools: Pools) -> Pools:
        """The pools after it."""
        return {
            JACKPOT: pools[JACKPOT] + self.gain,
            OVERFLOW: pools[OVERFLOW] - self.overflow,
            RESERVE: pools[RESERVE] - self.reserve,
        }


def start(terms: Terms, pools: Pools) -> Start:
    """A progressive jackpot gains its seed (CAN-8.b), a fixed one is filled up (CAN-8.a); the
    reserve pays first where it may; then the overflow comes in, up to the ceiling."""
    seed = terms.seed_cents * MICROCENTS
    if terms.fixed:
        seed = max(0, seed - pools[JACKPOT])
    reserve = min(seed, pools[RESERVE]) if terms.policies.seed_source == "reserve" else 0
    seeded = pools[JACKPOT] + seed
    full = seeded + pools[OVERFLOW]
    top = terms.top_microcents
    return Start(seed - reserve, reserve, (full if top is None else min(full, top)) - seeded)
