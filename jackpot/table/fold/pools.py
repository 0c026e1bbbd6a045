"""What moves the pools of the layout: each movement once in the pool and once in its totals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from jackpot.law.pools import Pool, Pools
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event
from jackpot.table.state import Decided, Phase, TableState

OUTWARD = frozenset({"reversed", "deducted", "house", "outgoing"})
"""The totals that a pool loses; all others it gains."""

_DECIDED = (Phase.DECIDED, Phase.PAYABLE)
_JACKPOT = Pool.JACKPOT


def plus(pools: Pools, pool: Pool, microcents: int) -> Pools:
    """One movement; whether it was right is not asked here."""
    if pool is _JACKPOT:
        return replace(pools, jackpot_microcents=pools.jackpot_microcents + microcents)
    if pool is Pool.OVERFLOW:
        return replace(pools, overflow_microcents=pools.overflow_microcents + microcents)
    return replace(pools, reserve_microcents=pools.reserve_microcents + microcents)


def booked(state: TableState, pool: Pool, total: str, microcents: int) -> TableState:
    """``microcents`` into (or out of) ``pool``, counted in its ``total``."""
    pools = plus(state.pools, pool, -microcents if total in OUTWARD else microcents)
    if pool is _JACKPOT:
        of = state.totals
        return replace(
            state, pools=pools, totals=replace(of, **{total: getattr(of, total) + microcents})
        )
    if pool is Pool.OVERFLOW:
        of = state.overflow_totals
        changed = replace(of, **{total: getattr(of, total) + microcents})
        return replace(state, pools=pools, overflow_totals=changed)
    of = state.reserve_totals
    changed = replace(of, **{total: getattr(of, total) + microcents})
    return replace(state, pools=pools, reserve_totals=changed)


def transferred(state: TableState, source: Pool, microcents: int) -> TableState:
    """From a hidden pool to the meter; below zero: back."""
    if not microcents:
        return state
    state = booked(state, source, "transferred", -microcents)
    return booked(state, Pool.JACKPOT, "transferred", microcents)


def noted(state: TableState, **amounts: int) -> TableState:
    """Something that the newest decision of the carrusel moved here, so that it can be taken back."""
    member = state.carrusel
    if member is None or not member.applied:
        return state
    newest = member.applied[-1]
    if newest.decision != member.decision:
        return state
    more = {name: getattr(newest, name) + amount for name, amount in amounts.items()}
    applied = (*member.applied[:-1], replace(newest, **more))
    return replace(state, carrusel=replace(member, applied=applied))


def _is_of_hand(state: TableState) -> bool:
    """Whether a restart is that of the running hand's award, and not of another table's."""
    hand = state.hand
    if hand is None or hand.decided is None or state.phase not in _DECIDED:
        return False
    return state.carrusel is None or hand.decision == state.carrusel.decision


def _jackpot_started(state: TableState, outcome: o.JackpotStarted) -> TableState:
    state = booked(state, Pool.JACKPOT, "seeds", outcome.house_microcents)
    state = transferred(state, Pool.RESERVE, outcome.reserve_microcents)
    state = transferred(state, Pool.OVERFLOW, outcome.overflow_microcents)
    state = noted(
        state,
        seed_house_microcents=outcome.house_microcents,
        seed_reserve_microcents=outcome.reserve_microcents,
        seed_overflow_microcents=outcome.overflow_microcents,
    )
    hand = state.hand
    if hand is not None and hand.decided is not None and _is_of_hand(state):
        decided = replace(
            hand.decided,
            seed_house_microcents=outcome.house_microcents,
            seed_reserve_microcents=outcome.reserve_microcents,
            seed_overflow_microcents=outcome.overflow_microcents,
        )
        hand = replace(hand, decided=decided)
    return replace(state, jackpot_started=True, jackpots=state.jackpots + 1, hand=hand)


def _awards_decided(state: TableState, outcome: o.AwardsDecided) -> TableState:
    state = booked(state, Pool.JACKPOT, "deducted", outcome.deducted_microcents)
    state = booked(state, Pool.JACKPOT, "house", outcome.house_microcents)
    state = noted(
        state,
        deducted_microcents=outcome.deducted_microcents,
        house_microcents=outcome.house_microcents,
    )
    hand = state.hand
    if hand is None:
        return state
    hand = replace(
        hand,
        derivation=outcome.derivation,
        second_signature=outcome.second_signature,
        decided=Decided(outcome.deducted_microcents, outcome.house_microcents),
    )
    phase = Phase.DECIDED if outcome.second_signature else Phase.PAYABLE
    return replace(state, phase=phase, hand=hand)


def _paid_from_seed(state: TableState, outcome: o.PaidFromSeed) -> TableState:
    state = booked(state, Pool.JACKPOT, "deducted", outcome.microcents)
    state = noted(state, deducted_microcents=outcome.microcents)
    hand = state.hand
    if hand is None or hand.decided is None:
        return state
    deducted = hand.decided.deducted_microcents + outcome.microcents
    decided = replace(hand.decided, deducted_microcents=deducted)
    return replace(state, hand=replace(hand, decided=decided))


def _decision_undone(state: TableState, outcome: o.DecisionUndone) -> TableState:
    state = booked(state, Pool.JACKPOT, "deducted", -outcome.deducted_microcents)
    state = booked(state, Pool.JACKPOT, "house", -outcome.house_microcents)
    state = booked(state, Pool.JACKPOT, "seeds", -outcome.seed_house_microcents)
    state = transferred(state, Pool.RESERVE, -outcome.seed_reserve_microcents)
    state = transferred(state, Pool.OVERFLOW, -outcome.seed_overflow_microcents)
    hand = state.hand
    if hand is None:
        return state
    again = replace(
        hand,
        declared=(),
        declared_by=None,
        confirmed_by=None,
        base_microcents=None,
        payments=(),
        derivation=(),
        second_signature=False,
        award=0,
        decided=None,
        terms_before=None,
    )
    return replace(state, phase=Phase.LOCKED, hand=again, jackpots=hand.jackpot)


def _amount_in(state: TableState, outcome: o.AmountIn) -> TableState:
    return booked(state, outcome.pool, "incoming", outcome.microcents)


def _amount_out(state: TableState, outcome: o.AmountOut) -> TableState:
    return booked(state, outcome.pool, "outgoing", outcome.microcents)


def _amount_adjusted(state: TableState, outcome: o.AmountAdjusted) -> TableState:
    return booked(state, outcome.pool, "adjusted", outcome.microcents)


def _seed_added(state: TableState, outcome: o.SeedAdded) -> TableState:
    return booked(state, outcome.pool, "seeds", outcome.microcents)


def _jackpot_arrives(state: TableState, _: f.JackpotTakenOver | f.JackpotReceived) -> TableState:
    if state.jackpot_started:
        return state
    return replace(state, jackpot_started=True, jackpots=state.jackpots + 1)


def _jackpot_leaves(state: TableState, _: f.JackpotMoved | f.JackpotEnded) -> TableState:
    return replace(state, jackpot_started=False)


STEPS: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    f.JackpotTakenOver: _jackpot_arrives,
    f.JackpotReceived: _jackpot_arrives,
    f.JackpotMoved: _jackpot_leaves,
    f.JackpotEnded: _jackpot_leaves,
    o.JackpotStarted: _jackpot_started,
    o.AwardsDecided: _awards_decided,
    o.PaidFromSeed: _paid_from_seed,
    o.DecisionUndone: _decision_undone,
    o.AmountIn: _amount_in,
    o.AmountOut: _amount_out,
    o.AmountAdjusted: _amount_adjusted,
    o.SeedAdded: _seed_added,
}
"""The events of this subject that change the state."""
