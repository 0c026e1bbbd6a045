"""What a carrusel decides on given views: the fact as its members hear it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from jackpot.law.awards import AwardDecision, decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.policies import SeedSource
from jackpot.law.pools import Pools
from jackpot.law.terms import Terms
from jackpot.law.winners import Winner
from jackpot.link.base import allocate
from jackpot.table import facts as f
from support.carrusel import NAME


def decision_on(
    terms: Terms,
    bases: Mapping[str, int],
    hands: Sequence[f.DeclaredHand],
    *,
    decision: int,
    table: str,
    hand: int,
    outside_microcents: int = 0,
) -> f.CarruselDecided:
    """``bases`` by table, in order of joining; every member has the seed of ``terms``."""
    base = sum(bases.values())
    house_pays = replace(terms.policies, seed_source=SeedSource.HOUSE)
    award = decide_awards(
        terms,
        base_microcents=base,
        pools=Pools(base + outside_microcents),
        winners=[Winner(one.box, parse_hand(one.cards), one.bet) for one in hands],
        restart_terms=replace(
            terms,
            seed_cents=terms.seed_cents * len(bases),
            ceiling_cents=None,
            policies=house_pays,
        ),
    )
    return f.CarruselDecided(
        carrusel=NAME,
        decision=decision,
        position=100 + decision,
        table=table,
        hand=hand,
        view_position=20,
        base_microcents=award.base_microcents,
        paid_cents=award.paid_cents,
        restart=award.restart is not None,
        shares=_shares(terms, bases, award),
        payments=tuple(
            f.CarruselPayment(p.box, p.bet, p.hand, p.rule, p.cents) for p in award.payments
        ),
        derivation=award.derivation,
        author="k1",
        entry_hash="0" * 64,
        signature="s",
    )


def _shares(
    terms: Terms, bases: Mapping[str, int], award: AwardDecision
) -> tuple[f.CarruselShare, ...]:
    weights = list(bases.values())
    house = allocate(award.house_microcents, weights)
    left = [weight - part for weight, part in zip(weights, house, strict=True)]
    deducted = allocate(award.deducted_microcents - award.from_seed_microcents, left)
    seed = terms.seed_cents * 1_000_000 if award.restart is not None else 0
    again = [one - part + seed for one, part in zip(left, deducted, strict=True)]
    from_seed = allocate(award.from_seed_microcents, again)
    return tuple(
        f.CarruselShare(
            table=name,
            view_microcents=weights[at],
            base_microcents=weights[at],
            deducted_microcents=deducted[at],
            house_microcents=house[at],
            seed_microcents=seed,
            from_seed_microcents=from_seed[at],
        )
        for at, name in enumerate(bases)
    )


def undoing(fact: f.CarruselDecided, decision: int) -> f.CarruselUndone:
    """The decision that takes ``fact`` back."""
    return f.CarruselUndone(
        carrusel=fact.carrusel,
        decision=decision,
        undoes=fact.decision,
        position=100 + decision,
        table=fact.table,
        hand=fact.hand,
        paid_cents=fact.paid_cents,
        restart=fact.restart,
        shares=fact.shares,
        author="k1",
        entry_hash="1" * 64,
        signature="s",
    )
