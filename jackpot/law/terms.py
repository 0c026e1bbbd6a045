"""The terms of one layout: everything that the rules need to know, as plain values.

Terms are made from a profile (the law of a region, with its policies) and a table's configuration
(its authorised figures). They are written to the ledger in full, so that an auditor needs neither.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jackpot.law.policies import Policies


class AwardedHand(StrEnum):
    """The hands that a profile may give an award for, highest first."""

    ROYAL_FLUSH = "royal_flush"
    STRAIGHT_FLUSH = "straight_flush"
    FOUR_OF_A_KIND = "four_of_a_kind"


class JackpotKind(StrEnum):
    """CAN-8.a and CAN-8.b."""

    PROGRESSIVE = "progressive"
    FIXED = "fixed"


class BetMode(StrEnum):
    """How bets reach the meter: CAN-8.b2 and CAN-8.b1."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"


class Citations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which rule of the profile stands behind each step of an award; the defaults are Canarias'."""

    cards: str = "CAN-2.1"
    boxes: str = "CAN-2.2"
    closing: str = "CAN-7.3b"
    bet: str = "CAN-8.1"
    own_cards: str = "CAN-8.2"
    shares: str = "CAN-8.3"
    equal_split: str = "CAN-8.4"
    order: str = "CAN-8.5"
    equal_straight_flushes: str = "CAN-8.6"
    deduction: str = "CAN-8.7"
    fixed: str = "CAN-8.a"
    progressive: str = "CAN-8.b"
    house_deduction: str = "CAN-8.3"


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules and figures in force at one layout.

    Shares and rates are in parts per million. ``award_shares_ppm`` names only hands that earn an
    award. ``reserve_ppm`` feeds the hidden pool of ``seed_source = reserve``. The games director sets
    the table minimum within ``minimum_band_cents``, and the bet is at most ``bet_of_minimum_ppm`` of
    it (CAN-6.1, CAN-8.1). So many signs of fraud in a gaming day lock a slot
    (``lock_after_fraud_signs``); 0: never, as in ledgers older than this rule.
    """

    profile: str
    table: str
    layout: str
    boxes: int
    bets_per_box: int
    ace_low_in_straights: bool
    closing_hands: int
    kind: JackpotKind
    mode: BetMode
    bet_cents: int
    table_minimum_cents: int
    jackpot_ppm: int
    seed_cents: int
    award_shares_ppm: dict[AwardedHand, int]
    policies: Policies = Policies()
    reserve_ppm: int = 0
    house_deduction_ppm: int = 0
    ceiling_cents: int | None = None
    second_signature_over_cents: int = 300_000
    authorisation: str = ""
    citations: Citations = Citations()
    minimum_band_cents: tuple[int, int] | None = None
    bet_of_minimum_ppm: int | None = None
    lock_after_fraud_signs: int = 0
