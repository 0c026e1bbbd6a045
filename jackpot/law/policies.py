"""Where the decree is silent: named policies, each with exactly these values.

The first value of each is the default: the literal or the safer reading. The policies in force are
part of the profile, shown by ``jackpot rules``, and go to the ledger with the terms of every table.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class BaseOfHand(StrEnum):
    """The amount that the awards of one hand are computed on (CAN-8.3)."""

    AT_LOCK = "at_lock"
    AT_HAND_START = "at_hand_start"
    AT_PAYMENT = "at_payment"


class ManualTotal(StrEnum):
    """Mode b.1: is a hand's own total on the meter before its awards or after (CAN-8.b1)?"""

    AFTER_AWARDS = "after_awards"
    BEFORE_AWARDS = "before_awards"


class BelowRoyal(StrEnum):
    """What lower hands earn beside a royal flush that took everything (CAN-8.3, CAN-8.5)."""

    NOTHING = "nothing"
    FROM_SEED = "from_seed"


class EqualStraightFlushes(StrEnum):
    """What equal straight flushes are paid on (CAN-8.6)."""

    OF_BASE = "of_base"
    OF_REMAINDER = "of_remainder"


class VoidBets(StrEnum):
    """What becomes of the bets of a voided hand (CAN-10.1)."""

    REFUND = "refund"
    CARRY = "carry"


class ExtraChip(StrEnum):
    """What becomes of a late, second or wrong chip that still got in (CAN-7.1, CAN-8.1)."""

    HAND_BACK = "hand_back"
    NEXT_HAND = "next_hand"


class BrokenSlot(StrEnum):
    """What becomes of a box whose slot is out of service (CAN-8.b2)."""

    BOX_CLOSED = "box_closed"
    TABLE_MANUAL = "table_manual"
    BOX_MANUAL = "box_manual"


class SeedSource(StrEnum):
    """Who pays the amount that a jackpot starts with (CAN-8.b)."""

    HOUSE = "house"
    RESERVE = "reserve"


class ConfigChange(StrEnum):
    """When a changed percentage, seed or limit comes into force."""

    AT_RESTART = "at_restart"
    AT_OPENING = "at_opening"


class CarruselOrder(StrEnum):
    """The order in which awards of several tables are decided (CAN-9)."""

    ARRIVAL = "arrival"
    LOCK_POSITION = "lock_position"


class LinkLost(StrEnum):
    """What a table does when its carrusel cannot be reached (CAN-9)."""

    STOP_BETS = "stop_bets"
    QUEUE = "queue"


class Policies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value for each policy; the defaults are those of the Canarias profile."""

    base_of_hand: BaseOfHand = BaseOfHand.AT_LOCK
    manual_total: ManualTotal = ManualTotal.AFTER_AWARDS
    below_royal: BelowRoyal = BelowRoyal.NOTHING
    equal_straight_flushes: EqualStraightFlushes = EqualStraightFlushes.OF_BASE
    void_bets: VoidBets = VoidBets.REFUND
    extra_chip: ExtraChip = ExtraChip.HAND_BACK
    broken_slot: BrokenSlot = BrokenSlot.BOX_CLOSED
    payable_unit_cents: int = 1
    seed_source: SeedSource = SeedSource.HOUSE
    config_change: ConfigChange = ConfigChange.AT_RESTART
    carrusel_order: CarruselOrder = CarruselOrder.ARRIVAL
    link_lost: LinkLost = LinkLost.STOP_BETS
