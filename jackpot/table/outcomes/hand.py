"""A hand: lock, awards, total, end; the sums of a day."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from jackpot.law.derivation import Line
from jackpot.law.pools import Pool
from jackpot.law.terms import AwardedHand
from jackpot.table.event import Columns, Outcome


class HandLocked(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The betting is closed: what the hand's awards are based on under ``at_lock``, and what the
    table's visors show until the hand ends."""

    kind: ClassVar[str] = "hand_locked"
    columns: ClassVar[Columns] = Columns(cents="bets_cents", microcents="meter_microcents")
    meter_microcents: int
    bets_cents: int


class AwardsFrozen(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The award's sequence number, the amount its hands are computed on, and the meter at that moment."""

    kind: ClassVar[str] = "awards_frozen"
    columns: ClassVar[Columns] = Columns(microcents="base_microcents")
    award: int
    base_microcents: int
    meter_microcents: int


class PaymentDecided(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What one winning bet is paid; payments stand in paying order (CAN-8.5)."""

    kind: ClassVar[str] = "payment_decided"
    columns: ClassVar[Columns] = Columns(box="box", cents="cents")
    box: int
    cents: int
    hand: AwardedHand
    rule: str
    bet: int = 1


class AwardsDecided(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The decision: its payments leave the meter now (CAN-8.7), and how they were computed.

    ``deducted_microcents`` is what the meter of this hand pays; see ``PaidFromSeed`` for the rest.
    """

    kind: ClassVar[str] = "awards_decided"
    columns: ClassVar[Columns] = Columns(cents="total_cents", microcents="deducted_microcents")
    award: int
    total_cents: int
    deducted_microcents: int
    house_microcents: int
    restart: bool
    second_signature: bool
    derivation: tuple[Line, ...]


class PaidFromSeed(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The part of an award that the restarted meter pays (``below_royal = from_seed``)."""

    kind: ClassVar[str] = "paid_from_seed"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int


class DecisionUndone(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A decision is taken back before anything was paid; all that it moved goes back where it was.

    ``microcents`` is what the meter gains: the deducted and the house's amount less the seed, which
    goes back to the house, the reserve and the overflow that it came from."""

    kind: ClassVar[str] = "decision_undone"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    award: int
    microcents: int
    deducted_microcents: int
    house_microcents: int
    seed_house_microcents: int = 0
    seed_reserve_microcents: int = 0
    seed_overflow_microcents: int = 0


class PaymentStruck(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A decided payment will not be handed over; it was reversed before."""

    kind: ClassVar[str] = "payment_struck"
    columns: ClassVar[Columns] = Columns(box="box", cents="cents")
    box: int
    cents: int
    bet: int = 1


class HandOutcome(StrEnum):
    """How a hand ended."""

    NO_AWARDS = "no_awards"
    PAID = "paid"
    VOIDED = "voided"


class TotalDue(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """In manual mode the hand ends with its total, which is awaited now (CAN-8.b1)."""

    kind: ClassVar[str] = "total_due"
    how: HandOutcome


class TotalAccepted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The total of the hand is final: so many bets."""

    kind: ClassVar[str] = "total_accepted"
    columns: ClassVar[Columns] = Columns(cents="cents")
    chips: int
    cents: int


class TotalContributed(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The authorised percentage of a total reached a pool (CAN-8.b1)."""

    kind: ClassVar[str] = "total_contributed"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    pool: Pool = Pool.JACKPOT


class TotalReversed(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What a total had added was taken back: its hand is void, or the total was too high."""

    kind: ClassVar[str] = "total_reversed"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    pool: Pool = Pool.JACKPOT


class TotalReturned(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The total of a voided hand is no bet any more; the chips go back to the players."""

    kind: ClassVar[str] = "total_returned"
    columns: ClassVar[Columns] = Columns(cents="cents")
    chips: int
    cents: int


class TotalAdjusted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A final total was corrected to ``chips``; ``cents`` is the difference."""

    kind: ClassVar[str] = "total_adjusted"
    columns: ClassVar[Columns] = Columns(cents="cents")
    hand: int
    chips: int
    cents: int


class HandEnded(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The hand is over (CAN-7.3a)."""

    kind: ClassVar[str] = "hand_ended"
    hand: int
    how: HandOutcome


class HandsLeft(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """How many hands the announced closing leaves (CAN-7.3b)."""

    kind: ClassVar[str] = "hands_left"
    left: int


class DayTotals(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The day's sums for the closing sheet."""

    kind: ClassVar[str] = "day_totals"
    columns: ClassVar[Columns] = Columns(cents="bets_cents", microcents="meter_microcents")
    hands: int
    bets_cents: int
    paid_cents: int
    meter_microcents: int
