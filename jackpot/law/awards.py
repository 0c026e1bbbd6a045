"""Who gets what: the awards of one hand (CAN-8.3 to CAN-8.7, CAN-8.a, and the named policies).

Money never comes out of nothing here. With ``base <= meter`` each payment is taken from what
remains of the base, and a group of equal hands that would exceed it shares it equally; so for every
table of awards: the sum paid and the house's part together are at most the base. Under Canarias
that limit is never even touched: besides royal flushes there are at most seven awards of at most
ten percent of the base each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from jackpot.invariant import invariant
from jackpot.law.derivation import Line, hand_numbers, line
from jackpot.law.hands import HandKind
from jackpot.law.policies import BelowRoyal, EqualStraightFlushes
from jackpot.law.pools import Movement, Pool, Pools, Restart, restart
from jackpot.law.terms import AwardedHand, JackpotKind, Terms
from jackpot.law.winners import Group, Ranked, Winner, groups_of_equals, ranked_winners
from jackpot.money import (
    PPM_WHOLE,
    cents_rounded_down,
    microcents_from_cents,
    payable_cents,
    share_microcents,
)


class Payment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one bet is paid, more than nothing, and why."""

    box: int
    bet: int
    hand: AwardedHand
    rule: str
    cents: int
    derivation: tuple[Line, ...]


class Unpaid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A declared bet that is paid nothing, and why."""

    box: int
    bet: int
    kind: HandKind
    rule: str
    derivation: tuple[Line, ...]


class AwardDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The awards of one hand: payments in paying order, and what they do to the pools.

    ``deducted_microcents`` is exactly what is paid; ``from_seed_microcents`` the part of it that
    the restarted meter paid (``below_royal = from_seed``); ``house_microcents`` the house's
    deduction (GAL-8b). ``left_microcents`` is the meter after deductions and restart.
    """

    base_microcents: int
    payments: tuple[Payment, ...]
    unpaid: tuple[Unpaid, ...]
    deducted_microcents: int
    from_seed_microcents: int
    house_microcents: int
    restart: Restart | None
    pools: Pools
    derivation: tuple[Line, ...]

    @property
    def left_microcents(self) -> int:
        """The meter after this decision."""
        return self.pools.jackpot_microcents

    @property
    def paid_cents(self) -> int:
        """The sum of the payments: what the thresholds of signatures look at."""
        return sum(payment.cents for payment in self.payments)


def decide_awards(
    terms: Terms,
    *,
    base_microcents: int,
    pools: Pools,
    winners: Sequence[Winner],
    restart_terms: Terms | None = None,
) -> AwardDecision:
    """Decide the awards of one hand at one layout.

    ``base_microcents`` is the amount that ``base_of_hand`` names; ``pools`` what the layout holds
    now, later bets included. ``restart_terms`` are those that come into force with a restart, where
    a change waits for it (``config_change = at_restart``); left out, they are ``terms``. Raises
    ``Refused`` for hands that cannot be (see ``ranked_winners``), ``InvariantBroken`` if the base
    exceeds the meter.
    """
    invariant(
        0 <= base_microcents <= pools.jackpot_microcents,
        f"0 <= base {base_microcents} <= meter {pools.jackpot_microcents}",
    )
    ranked = ranked_winners(terms, winners)
    groups = groups_of_equals(ranked)
    several = sum(len(group.entries) for group in groups) > 1
    hand = _Hand(terms, restart_terms or terms, base_microcents, pools, several)
    hand.show_base()
    if groups:
        hand.take_house_deduction()
    for group in groups:
        hand.pay_group(group)
    hand.name_hands_without_award([entry for entry in ranked if entry.award is None])
    hand.close()
    return hand.decision(base_microcents, pools)


@dataclass(frozen=True)
class _Award:
    """What each hand of a group is due before rounding, and the step that says so."""

    rule: str
    key: str
    share_ppm: int
    of_microcents: int
    each_microcents: int


@dataclass
class _Hand:
    """The awards of one hand while they are being decided; every amount in micro-cents."""

    terms: Terms
    restart_terms: Terms
    base: int
    pools: Pools
    several: bool
    remaining: int = field(init=False)
    shown: int = field(init=False)
    deducted: int = 0
    deducted_of_base: int | None = None
    house: int = 0
    whole_taken: bool = False
    restarted: Restart | None = None
    payments: list[Payment] = field(default_factory=list)
    unpaid: list[Unpaid] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.remaining = self.base
        self.shown = self.pools.jackpot_microcents

    def show_base(self) -> None:
        """Name the base, and what is in the meter beside it."""
        key = f"base.{self.terms.policies.base_of_hand.value}"
        self.lines.append(line("policy:base_of_hand", key, base_microcents=self.base))
        outside = self.pools.jackpot_microcents - self.base
        if outside:
            self.lines.append(
                line("policy:base_of_hand", "outside_base", outside_microcents=outside)
            )

    def take_house_deduction(self) -> None:
        """GAL-8b: the house's deduction comes first, in whole cents; awards are on the rest."""
        share_ppm = self.terms.house_deduction_ppm
        if not share_ppm:
            return
        exact = share_microcents(self.base, share_ppm)
        self.house = microcents_from_cents(cents_rounded_down(exact))
        self._out_of_meter(self.house)
        self.lines.append(
            line(
                self.terms.citations.house_deduction,
                "house",
                share_ppm=share_ppm,
                of_microcents=self.base,
                exact_microcents=exact,
                house_microcents=self.house,
                base_microcents=self.remaining,
            )
        )
        self.base = self.remaining

    def pay_group(self, group: Group) -> None:
        """Pay hands of equal value, all on the same amount (CAN-8.5)."""
        if self.whole_taken and self.terms.policies.below_royal is BelowRoyal.NOTHING:
            for entry in group.entries:
                self._pay_nothing(entry, "policy:below_royal", "below_whole")
            return
        award = self._award(group)
        for entry in group.entries:
            self._pay(entry, group.award, award, len(group.entries))
        if award.share_ppm == PPM_WHOLE:
            self._whole_is_taken()

    def name_hands_without_award(self, entries: Sequence[Ranked]) -> None:
        """Hands that earn nothing are listed with the reason (CAN-8.3, CAN-2.1)."""
        for entry in entries:
            if _is_suited_five_high(entry):
                self._pay_nothing(entry, self.terms.citations.cards, "ace_high_only")
            else:
                self._pay_nothing(entry, self.terms.citations.shares, "no_award")

    def close(self) -> None:
        """Deduct on the visor (CAN-8.7); restart after the whole (CAN-8.b) or fill up (CAN-8.a)."""
        self._show_deduction()
        if self.terms.kind is JackpotKind.FIXED:
            if self.deducted or self.house:
                self._restart()
        elif self.whole_taken and self.restarted is None:
            self._restart()

    def decision(self, base: int, before: Pools) -> AwardDecision:
        """Close the account of the hand and prove that nothing came or went unseen."""
        gained = 0
        if self.restarted is not None:
            gained = self.restarted.seed_microcents + self.restarted.overflow_microcents
        taken = self.deducted + self.house
        invariant(
            self.pools.jackpot_microcents == before.jackpot_microcents - taken + gained,
            "meter after = meter before - paid - house + restart",
        )
        paid = sum(payment.cents for payment in self.payments)
        invariant(microcents_from_cents(paid) == self.deducted, "what is paid is deducted")
        return AwardDecision(
            base_microcents=base,
            payments=tuple(self.payments),
            unpaid=tuple(self.unpaid),
            deducted_microcents=self.deducted,
            from_seed_microcents=self._from_seed_microcents(),
            house_microcents=self.house,
            restart=self.restarted,
            pools=self.pools,
            derivation=tuple(self.lines),
        )

    def _award(self, group: Group) -> _Award:
        """What each hand of a group is due, never more in all than what remains."""
        count = len(group.entries)
        share_ppm = self.terms.award_shares_ppm[group.award]
        cites = self.terms.citations
        royal = group.award is AwardedHand.ROYAL_FLUSH
        each = share_microcents(self.remaining, share_ppm)
        if royal and count > 1:
            each //= count
            return _Award(cites.equal_split, "equal_parts", share_ppm, self.remaining, each)
        rule = cites.order if self.several and not royal else cites.shares
        award = _Award(rule, "share_of_remainder", share_ppm, self.remaining, each)
        if count > 1 and self._equals_are_paid_of_base(group.award):
            each = share_microcents(self.base, share_ppm)
            rule = cites.equal_straight_flushes
            award = _Award(rule, "share_of_base", share_ppm, self.base, each)
        if award.each_microcents * count <= self.remaining:
            return award
        each = self.remaining // count
        return _Award(rule, "no_more_than_remains", share_ppm, self.remaining, each)

    def _equals_are_paid_of_base(self, award: AwardedHand) -> bool:
        of_base = self.terms.policies.equal_straight_flushes is EqualStraightFlushes.OF_BASE
        return award is AwardedHand.STRAIGHT_FLUSH and of_base

    def _pay(self, entry: Ranked, hand: AwardedHand, award: _Award, count: int) -> None:
        unit_cents = self.terms.policies.payable_unit_cents
        exact = award.each_microcents
        cents = payable_cents(exact, unit_cents)
        if not cents:
            numbers = {"exact_microcents": exact, "unit_cents": unit_cents}
            self._pay_nothing(entry, "policy:payable_unit", "below_unit", **numbers)
            return
        paid = microcents_from_cents(cents)
        self.deducted += paid
        self._out_of_meter(paid)
        steps = (
            self._share_line(entry, award, count),
            self._rounding_line(entry, cents, exact - paid),
        )
        self.lines.extend(steps)
        winner = entry.winner
        self.payments.append(Payment(winner.box, winner.bet, hand, award.rule, cents, steps))

    def _share_line(self, entry: Ranked, award: _Award, count: int) -> Line:
        return line(
            award.rule,
            award.key,
            **hand_numbers(entry.winner.box, entry.winner.bet, entry.value),
            share_ppm=award.share_ppm,
            of_microcents=award.of_microcents,
            count=count,
            exact_microcents=award.each_microcents,
        )

    def _rounding_line(self, entry: Ranked, cents: int, cut_microcents: int) -> Line:
        return line(
            "policy:payable_unit",
            "rounded_down",
            box=entry.winner.box,
            bet=entry.winner.bet,
            paid_cents=cents,
            unit_cents=self.terms.policies.payable_unit_cents,
            cut_microcents=cut_microcents,
            remaining_microcents=self.remaining,
        )

    def _pay_nothing(self, entry: Ranked, rule: str, key: str, **numbers: int) -> None:
        winner = entry.winner
        step = line(rule, key, **hand_numbers(winner.box, winner.bet, entry.value), **numbers)
        self.lines.append(step)
        self.unpaid.append(Unpaid(winner.box, winner.bet, entry.value.kind, rule, (step,)))

    def _whole_is_taken(self) -> None:
        self.whole_taken = True
        if self.terms.policies.below_royal is BelowRoyal.NOTHING:
            return
        if self.deducted_of_base is None:
            self.deducted_of_base = self.deducted
        self._show_deduction()
        self._restart()
        self.base = self.remaining = self.pools.jackpot_microcents
        self.lines.append(
            line("policy:below_royal", "below_whole_from_seed", base_microcents=self.base)
        )

    def _from_seed_microcents(self) -> int:
        """What the restarted meter paid, not the base (``below_royal = from_seed``)."""
        of_base = self.deducted_of_base
        return 0 if of_base is None else self.deducted - of_base

    def _restart(self) -> None:
        start = restart(self.restart_terms, self.pools)
        self.pools = self.pools.plus(start.movements)
        self.restarted = start if self.restarted is None else self.restarted.plus(start)
        fixed = self.terms.kind is JackpotKind.FIXED
        cites = self.terms.citations
        self.lines.append(
            line(
                cites.fixed if fixed else cites.progressive,
                "restart",
                house_microcents=start.house_microcents,
                reserve_microcents=start.reserve_microcents,
                overflow_microcents=start.overflow_microcents,
                after_microcents=self.pools.jackpot_microcents,
            )
        )
        self.shown = self.pools.jackpot_microcents

    def _show_deduction(self) -> None:
        after = self.pools.jackpot_microcents
        if after == self.shown:
            return
        self.lines.append(
            line(
                self.terms.citations.deduction,
                "deducted",
                before_microcents=self.shown,
                deducted_microcents=self.shown - after,
                after_microcents=after,
            )
        )
        self.shown = after

    def _out_of_meter(self, microcents: int) -> None:
        invariant(0 <= microcents <= self.remaining, "no payment exceeds what remains")
        self.remaining -= microcents
        self.pools = self.pools.plus((Movement(Pool.JACKPOT, -microcents),))


def _is_suited_five_high(entry: Ranked) -> bool:
    """A suited A-2-3-4-5 where the ace is high only (CAN-2.1)."""
    return entry.value.kind is HandKind.FLUSH and entry.value.ranks == (14, 5, 4, 3, 2)
