"""What an award is based on and who bears it (CAN-9).

For each member *t* in the view that the players saw at «no va más»

    b_t = the lowest of t's meter in the view and of its meter after each later entry,
          up to the decision

and the base is their sum. Without another award meanwhile that is exactly the view; with one, it is
what the other left. Entries that were undone meanwhile count as if they had never been.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from jackpot.invariant import invariant
from jackpot.law.awards import AwardDecision, decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.policies import SeedSource
from jackpot.law.pools import Pools
from jackpot.law.terms import Terms
from jackpot.law.winners import Winner
from jackpot.link.entries import AwardDecided, AwardUndone
from jackpot.link.members import LockedHand, Member
from jackpot.link.state import CarruselState
from jackpot.money import microcents_from_cents
from jackpot.table.facts.carrusel import CarruselPayment, CarruselShare
from jackpot.table.facts.hand import DeclaredHand


def allocate(microcents: int, weights: Sequence[int]) -> list[int]:
    """``microcents`` in proportion to ``weights``, exactly, by largest remainder.

    No part exceeds its weight; equal remainders go to the earlier place. Raises
    ``InvariantBroken`` if the weights together are less than the amount.
    """
    whole = sum(weights)
    invariant(0 <= microcents <= whole, f"0 <= {microcents} <= {whole}")
    if not microcents:
        return [0] * len(weights)
    parts = [microcents * weight // whole for weight in weights]
    lacking = microcents - sum(parts)
    largest = sorted(
        range(len(weights)), key=lambda at: microcents * weights[at] % whole, reverse=True
    )
    for at in largest[:lacking]:
        parts[at] += 1
    return parts


def bases(state: CarruselState, locked: LockedHand) -> dict[str, int]:
    """``b_t`` of every member in the view of a locked hand, in order of joining, in micro-cents.

    A table that has left since bears nothing: it took its meter along. A restart in the view that was
    undone since is in no base.
    """
    at = locked.view_position
    lows = {
        table: min(view, view + _corrected(state, table, at), state.members[table].meter_microcents)
        for table, view in locked.views.items()
        if table in state.members and state.members[table].is_in_view(at)
    }
    for fall in state.falls:
        if fall.position > at and fall.table in lows:
            meter = fall.meter_microcents + _corrected(state, fall.table, fall.position)
            lows[fall.table] = min(lows[fall.table], meter)
    return {table: max(0, low) for table, low in lows.items()}


def _corrected(state: CarruselState, table: str, position: int) -> int:
    """What undone decisions had moved at ``position``, to be left out again; in micro-cents."""
    return sum(
        one.microcents
        for one in state.corrections
        if one.table == table and one.first_position <= position < one.end_position
    )


def decide(state: CarruselState, member: Member, locked: LockedHand) -> AwardDecided:
    """The award on the claim of a locked hand: a pure function of the log's prefix."""
    claim = locked.claim
    invariant(claim is not None, "an award answers a claim")
    hands = () if claim is None else claim.hands
    lows = bases(state, locked)
    tables = list(lows)
    decision = decide_awards(
        member.terms,
        base_microcents=sum(lows.values()),
        pools=Pools(sum(max(0, state.members[t].meter_microcents) for t in tables)),
        winners=_winners(hands),
        restart_terms=_restart_terms(state, member.terms, tables),
    )
    shares = _shares(state, locked, lows, decision)
    return AwardDecided(
        decision=state.decision + 1,
        table=member.table,
        hand=locked.hand,
        view_position=locked.view_position,
        hands=hands,
        base_microcents=decision.base_microcents,
        paid_cents=decision.paid_cents,
        restart=decision.restart is not None,
        shares=shares,
        payments=_payments(decision),
        derivation=decision.derivation,
    )


def undo(state: CarruselState, member: Member, locked: LockedHand) -> AwardUndone:
    """The decision on a locked hand taken back whole."""
    award = locked.decided
    invariant(award is not None, "what is undone was decided")
    return AwardUndone(
        decision=state.decision + 1,
        undoes=award.decision if award else 0,
        table=member.table,
        hand=locked.hand,
        paid_cents=award.paid_cents if award else 0,
        restart=bool(award and award.restart),
        shares=award.shares if award else (),
    )


def _winners(hands: Sequence[DeclaredHand]) -> list[Winner]:
    return [Winner(hand.box, parse_hand(hand.cards), hand.bet) for hand in hands]


def _payments(decision: AwardDecision) -> tuple[CarruselPayment, ...]:
    return tuple(CarruselPayment(p.box, p.bet, p.hand, p.rule, p.cents) for p in decision.payments)


def _restart_terms(state: CarruselState, terms: Terms, tables: Sequence[str]) -> Terms:
    """Every member restarts at its own seed; ceiling, overflow and reserve stay its own."""
    seeds_cents = sum(state.members[table].terms.seed_cents for table in tables)
    house = replace(terms.policies, seed_source=SeedSource.HOUSE)
    return replace(terms, seed_cents=seeds_cents, ceiling_cents=None, policies=house)


def _shares(
    state: CarruselState, locked: LockedHand, lows: dict[str, int], decision: AwardDecision
) -> tuple[CarruselShare, ...]:
    """The house's deduction over the bases, the payments over what that leaves, and what was paid
    from the seeds over the restarted meters."""
    tables, weights = list(lows), list(lows.values())
    house = allocate(decision.house_microcents, weights)
    left = [weight - part for weight, part in zip(weights, house, strict=True)]
    of_base = decision.deducted_microcents - decision.from_seed_microcents
    deducted = allocate(of_base, left)
    seeds = [0] * len(tables)
    from_seed = seeds
    if decision.restart is not None:
        seeds = [microcents_from_cents(state.members[table].terms.seed_cents) for table in tables]
        meters = [max(0, state.members[table].meter_microcents) for table in tables]
        restarted = [
            meter - h - d + s for meter, h, d, s in zip(meters, house, deducted, seeds, strict=True)
        ]
        from_seed = allocate(decision.from_seed_microcents, restarted)
    return tuple(
        CarruselShare(
            table=table,
            view_microcents=locked.views[table],
            base_microcents=lows[table],
            deducted_microcents=deducted[at],
            house_microcents=house[at],
            seed_microcents=seeds[at],
            from_seed_microcents=from_seed[at],
        )
        for at, table in enumerate(tables)
    )
