"""The terms of a layout as the ledger holds them in full, read without the controller's code."""

from __future__ import annotations

from typing import Any

import msgspec

MICROCENTS = 1_000_000
"""Micro-cents in a cent; also the parts per million of a whole."""


class Policies(msgspec.Struct, frozen=True, kw_only=True):
    """The policies that decide about money; every other one is only compared as text."""

    base_of_hand: str
    below_royal: str
    equal_straight_flushes: str
    void_bets: str
    extra_chip: str
    payable_unit_cents: int
    seed_source: str
    config_change: str
    manual_total: str
    broken_slot: str
    link_lost: str = "stop_bets"


class Citations(msgspec.Struct, frozen=True, kw_only=True):
    """The rule ids that payments quote."""

    shares: str
    equal_split: str
    order: str
    equal_straight_flushes: str


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What the arithmetic needs. Amounts in cents, rates and shares in parts per million."""

    profile: str
    table: str
    layout: str
    boxes: int
    bets_per_box: int
    ace_low_in_straights: bool
    closing_hands: int
    kind: str
    mode: str
    bet_cents: int
    table_minimum_cents: int
    jackpot_ppm: int
    reserve_ppm: int
    house_deduction_ppm: int
    seed_cents: int
    ceiling_cents: int | None
    award_shares_ppm: dict[str, int]
    policies: Policies
    second_signature_over_cents: int
    authorisation: str
    citations: Citations
    minimum_band_cents: tuple[int, int] | None
    bet_of_minimum_ppm: int | None
    lock_after_fraud_signs: int = 0

    @property
    def fixed(self) -> bool:
        """CAN-8.a; otherwise progressive, CAN-8.b."""
        return self.kind == "fixed"

    @property
    def top_microcents(self) -> int | None:
        """What the meter never exceeds by contributions: a ceiling, or the fixed amount."""
        top = self.seed_cents if self.fixed else self.ceiling_cents
        return None if top is None else top * MICROCENTS


class Text(msgspec.Struct, frozen=True):
    """Terms as recorded (compared in full, see ``complete``) and as read."""

    raw: dict[str, Any]
    terms: Terms


ADDED_LATER = {"lock_after_fraud_signs": 0}
"""Terms that the oldest ledgers do not name, and what holds without them."""


def complete(raw: Any) -> Any:
    """Recorded terms with those that were added later; anything else as it is."""
    return {**ADDED_LATER, **raw} if isinstance(raw, dict) else raw


def terms_of(raw: dict[str, Any]) -> Text:
    """Terms from the JSON of an event. Raises ``msgspec.ValidationError``."""
    return Text(complete(raw), msgspec.convert(raw, Terms))


FREE = frozenset(
    {
        "table_minimum_cents",
        "minimum_band_cents",
        "second_signature_over_cents",
        "closing_hands",
        "authorisation",
        "lock_after_fraud_signs",
    }
)
"""What never touches the running jackpot, so that it need not wait for a restart (CAN-6.1)."""


def only_free_changes(old: Text, new: Text) -> bool:
    """Whether only such terms differ."""
    keys = old.raw.keys() | new.raw.keys()
    return all(key in FREE for key in keys if old.raw.get(key) != new.raw.get(key))


def with_minimum(old: Text, cents: int) -> Text:
    """The same terms with another table minimum (CAN-6.1)."""
    return terms_of({**old.raw, "table_minimum_cents": cents})
