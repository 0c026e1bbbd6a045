"""The outcomes of one table: what follows from the facts by the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from jackpot.law.derivation import Line
from jackpot.law.pools import Pool
from jackpot.law.terms import AwardedHand, Terms
from jackpot.table.event import BOX, Columns, Outcome

# ---- terms and the jackpot -----------------------------------------------------------------------


class TermsInForce(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """These terms apply from now on."""

    kind: ClassVar[str] = "terms_in_force"
    terms: Terms


class TermsPending(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Changed terms that wait for the moment that ``config_change`` names."""

    kind: ClassVar[str] = "terms_pending"
    terms: Terms


class JackpotStarted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The meter got its starting amount: at the first opening, and after every royal flush (CAN-8.b).

    ``microcents`` reached the meter; it came from the house, the reserve and the overflow pool.
    """

    kind: ClassVar[str] = "jackpot_started"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    house_microcents: int
    reserve_microcents: int = 0
    overflow_microcents: int = 0


class Contributed(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The authorised percentage of a bet reached a pool (CAN-8.b)."""

    kind: ClassVar[str] = "contributed"
    columns: ClassVar[Columns] = Columns(box="box", microcents="microcents")
    box: int
    microcents: int
    pool: Pool = Pool.JACKPOT


class ContributionReversed(
    Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """A contribution was taken back, because its hand was voided (CAN-10.1)."""

    kind: ClassVar[str] = "contribution_reversed"
    columns: ClassVar[Columns] = Columns(box="box", microcents="microcents")
    box: int
    microcents: int
    pool: Pool = Pool.JACKPOT


# ---- bets ----------------------------------------------------------------------------------------


class BetSource(StrEnum):
    """How a bet came to be."""

    CHIP = "chip"
    ASSERTED = "asserted"
    HELD = "held"
    CARRIED = "carried"


class BetAccepted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A bet of this hand: the lamp of its box burns steadily once this is committed."""

    kind: ClassVar[str] = "bet_accepted"
    columns: ClassVar[Columns] = Columns(box="box", cents="bet_cents")
    box: int
    bet_cents: int
    bet: int = 1
    source: BetSource = BetSource.CHIP


class BetReturned(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A bet of a voided hand is no bet any more; its chip goes back to the player."""

    kind: ClassVar[str] = "bet_returned"
    columns: ClassVar[Columns] = Columns(box="box", cents="bet_cents")
    box: int
    bet_cents: int


class BetCarried(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A bet of a voided hand waits in its box for the replayed one; its contribution stays, once."""

    kind: ClassVar[str] = "bet_carried"
    columns: ClassVar[Columns] = Columns(box="box", cents="bet_cents")
    box: int
    bet_cents: int
    bet: int = 1


class RefusedChip(StrEnum):
    """Why a chip that got in is no bet."""

    LATE = "late"
    SECOND = "second"
    WRONG = "wrong"
    CLOSED_BOX = "closed_box"


class ChipRefused(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A chip that is no bet; it is handed back."""

    kind: ClassVar[str] = "chip_refused"
    columns: ClassVar[Columns] = BOX
    box: int
    why: RefusedChip


class ChipHeld(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A chip that waits in its box for the next hand (``extra_chip = next_hand``)."""

    kind: ClassVar[str] = "chip_held"
    columns: ClassVar[Columns] = BOX
    box: int


class ChipMatched(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An acceptor at last told of the chip that the croupier had found in it: no second bet."""

    kind: ClassVar[str] = "chip_matched"
    columns: ClassVar[Columns] = BOX
    box: int


class ChipTested(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A chip of a technician's test: no bet, and nothing to hand back. ``expected`` as it was seen."""

    kind: ClassVar[str] = "chip_tested"
    columns: ClassVar[Columns] = BOX
    box: int
    expected: bool


class ItemWhat(StrEnum):
    """The one thing to do."""

    HAND_BACK_CHIP = "hand_back_chip"
    EVENTS_LOST = "events_lost"
    SLOT_RESTARTED = "slot_restarted"
    SLOT_DOUBTFUL = "slot_doubtful"
    FRAUD_SIGN = "fraud_sign"
    SLOT_LOCKED = "slot_locked"


class ItemOpened(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Something for the croupier to see to; it stays on the console until an officer settles it."""

    kind: ClassVar[str] = "item_opened"
    columns: ClassVar[Columns] = BOX
    box: int
    item: int
    what: ItemWhat


# ---- a hand --------------------------------------------------------------------------------------


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


class HandOutcome(StrEnum):
    """How a hand ended."""

    NO_AWARDS = "no_awards"
    PAID = "paid"
    VOIDED = "voided"


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


OUTCOMES: dict[str, type[Outcome]] = {
    cls.kind: cls
    for cls in (
        TermsInForce,
        TermsPending,
        JackpotStarted,
        Contributed,
        ContributionReversed,
        BetAccepted,
        BetReturned,
        BetCarried,
        ChipRefused,
        ChipHeld,
        ChipMatched,
        ChipTested,
        ItemOpened,
        HandLocked,
        AwardsFrozen,
        PaymentDecided,
        AwardsDecided,
        PaidFromSeed,
        HandEnded,
        HandsLeft,
        DayTotals,
    )
}
"""Every outcome by its stable name."""
