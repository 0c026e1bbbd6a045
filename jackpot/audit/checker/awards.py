"""The awards of one hand, recomputed from the declared cards (CAN-8.2 to CAN-8.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from jackpot.audit.checker.cards import ROYAL_FLUSH, STRAIGHT_FLUSH, Value, awarded
from jackpot.audit.checker.pools import JACKPOT, Pools, Start, start
from jackpot.audit.checker.terms import MICROCENTS, Terms


class Declared(NamedTuple):
    """One winning bet."""

    box: int
    bet: int
    cards: str


class Paid(NamedTuple):
    """What it is paid, in cents, for which award, by which rule."""

    box: int
    bet: int
    award: str
    cents: int
    rule: str


class _Winner(NamedTuple):
    value: Value
    award: str
    bet: Declared


@dataclass
class Decision:
    """The payments in order, and what the meter loses and gains. Micro-cents but for the payments."""

    payments: list[Paid] = field(default_factory=list)
    house: int = 0
    from_base: int = 0
    from_seed: int = 0
    restart: Start | None = None

    @property
    def total_cents(self) -> int:
        """The sum that the signatures are about."""
        return sum(payment.cents for payment in self.payments)


def decide(
    terms: Terms, next_terms: Terms, base: int, pools: Pools, declared: Sequence[Declared]
) -> Decision:
    """``next_terms`` are those of a restart. Raises ``ValueError`` for cards that are none."""
    winners = _in_order(terms, declared)
    decision = Decision()
    decision.house = _floor(base * terms.house_deduction_ppm // MICROCENTS, 1) if winners else 0
    base = remaining = base - decision.house
    pools = {**pools, JACKPOT: pools[JACKPOT] - decision.house}
    whole_taken = False
    for _, group in groupby(winners, key=lambda winner: winner.value):
        equals = list(group)
        if whole_taken and terms.policies.below_royal == "nothing":
            break
        share = terms.award_shares_ppm[equals[0].award]
        each, rule = _each(terms, base, remaining, share, equals, len(winners))
        cents = _floor(each, terms.policies.payable_unit_cents) // MICROCENTS
        if cents:
            decision.payments += [Paid(w.bet.box, w.bet.bet, w.award, cents, rule) for w in equals]
        taken = cents * MICROCENTS * len(equals)
        remaining -= taken
        pools[JACKPOT] -= taken
        if decision.restart is None:
            decision.from_base += taken
        else:
            decision.from_seed += taken
        if share == MICROCENTS:
            whole_taken = True
            if terms.policies.below_royal == "from_seed":
                pools = _restarted(decision, next_terms, pools)
                base = remaining = pools[JACKPOT]
    due = bool(decision.payments or decision.house) if terms.fixed else whole_taken
    if due and (terms.fixed or decision.restart is None):
        _restarted(decision, next_terms, pools)
    return decision


def _in_order(terms: Terms, declared: Sequence[Declared]) -> list[_Winner]:
    """The highest hand first (CAN-8.5); equal ones by box and bet."""
    winners = []
    for bet in sorted(declared, key=lambda one: (one.box, one.bet)):
        worth = awarded(bet.cards, terms.ace_low_in_straights)
        if worth is not None and worth[0] in terms.award_shares_ppm:
            winners.append(_Winner(worth[1], worth[0], bet))
    return sorted(winners, key=lambda winner: winner.value, reverse=True)


def _each(
    terms: Terms, base: int, remaining: int, share: int, equals: list[_Winner], in_all: int
) -> tuple[int, str]:
    """What each of a group of equal hands is due before rounding, and by which rule."""
    count, award, cites = len(equals), equals[0].award, terms.citations
    each = remaining * share // MICROCENTS
    if award == ROYAL_FLUSH:
        if count > 1:
            return each // count, cites.equal_split
        return each, cites.shares
    rule = cites.order if in_all > 1 else cites.shares
    of_base = terms.policies.equal_straight_flushes == "of_base"
    if award == STRAIGHT_FLUSH and count > 1 and of_base:
        each, rule = base * share // MICROCENTS, cites.equal_straight_flushes
    return min(each, remaining // count), rule


def _floor(microcents: int, unit_cents: int) -> int:
    """Rounded down to the payable unit, in micro-cents."""
    unit = unit_cents * MICROCENTS
    return microcents // unit * unit


def _restarted(decision: Decision, terms: Terms, pools: Pools) -> Pools:
    one = start(terms, pools)
    decision.restart = one if decision.restart is None else decision.restart.plus(one)
    return one.applied(pools)
