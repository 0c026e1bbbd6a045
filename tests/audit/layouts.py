"""Terms of tables that differ in every policy about money."""

from __future__ import annotations

from msgspec.structs import replace
from support.table import canarias

from jackpot.law.policies import (
    BaseOfHand,
    BelowRoyal,
    ConfigChange,
    EqualStraightFlushes,
    ExtraChip,
    Policies,
    SeedSource,
    VoidBets,
)
from jackpot.law.terms import AwardedHand, JackpotKind, Terms

FLUSHES_ONLY = {AwardedHand.ROYAL_FLUSH: 1_000_000, AwardedHand.STRAIGHT_FLUSH: 100_000}
LARGE_SHARES = {**FLUSHES_ONLY, AwardedHand.STRAIGHT_FLUSH: 600_000}

LAYOUTS = {
    "default": canarias(),
    "carry": canarias(Policies(void_bets=VoidBets.CARRY)),
    "next_hand": canarias(Policies(extra_chip=ExtraChip.NEXT_HAND)),
    "ceiling and reserve": canarias(
        Policies(seed_source=SeedSource.RESERVE), ceiling_cents=1_000_175, reserve_ppm=50_000
    ),
    "ceiling, carry, from seed": canarias(
        Policies(void_bets=VoidBets.CARRY, below_royal=BelowRoyal.FROM_SEED),
        ceiling_cents=1_000_175,
    ),
    "fixed": canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000),
    "fixed, from seed, 50 cents": canarias(
        Policies(below_royal=BelowRoyal.FROM_SEED, payable_unit_cents=50),
        kind=JackpotKind.FIXED,
        jackpot_ppm=0,
        seed_cents=2_000_000,
    ),
    "hand start, of remainder, at opening": canarias(
        Policies(
            base_of_hand=BaseOfHand.AT_HAND_START,
            equal_straight_flushes=EqualStraightFlushes.OF_REMAINDER,
            config_change=ConfigChange.AT_OPENING,
        )
    ),
    "three bets a box, house deduction": canarias(
        Policies(base_of_hand=BaseOfHand.AT_PAYMENT),
        bets_per_box=3,
        ace_low_in_straights=True,
        house_deduction_ppm=100_000,
        award_shares_ppm=FLUSHES_ONLY,
    ),
    "locked after two signs of fraud": canarias(lock_after_fraud_signs=2),
    "awards above the whole": canarias(award_shares_ppm=LARGE_SHARES),
    "hand start, carry": canarias(
        Policies(base_of_hand=BaseOfHand.AT_HAND_START, void_bets=VoidBets.CARRY)
    ),
    "carry, next hand": canarias(
        Policies(void_bets=VoidBets.CARRY, extra_chip=ExtraChip.NEXT_HAND)
    ),
    "three bets a box, carry, next hand, ceiling": canarias(
        Policies(void_bets=VoidBets.CARRY, extra_chip=ExtraChip.NEXT_HAND),
        bets_per_box=3,
        ceiling_cents=1_000_175,
    ),
}


def later_terms(terms: Terms) -> tuple[Terms, Terms]:
    """What may be loaded later: another table minimum; another seed and ceiling, authorised."""
    ceiling = terms.ceiling_cents
    changed = replace(
        terms,
        authorisation="A-2",
        seed_cents=terms.seed_cents + 100_000,
        ceiling_cents=None if ceiling is None else ceiling + 200_000,
    )
    return replace(terms, table_minimum_cents=2_000), changed
