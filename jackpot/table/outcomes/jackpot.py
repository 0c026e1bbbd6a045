"""Terms, pools, and what reaches or leaves them."""

from __future__ import annotations

from typing import ClassVar

from jackpot.law.pools import Pool
from jackpot.law.terms import Terms
from jackpot.table.event import Columns, Outcome


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


class AmountIn(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An amount came into a pool from another table, layout or system."""

    kind: ClassVar[str] = "amount_in"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    pool: Pool = Pool.JACKPOT


class AmountOut(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An amount left a pool for another table or layout, or for where an ended jackpot goes."""

    kind: ClassVar[str] = "amount_out"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    pool: Pool = Pool.JACKPOT


class AmountAdjusted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A signed entry moved a pool: more, or below zero less."""

    kind: ClassVar[str] = "amount_adjusted"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    pool: Pool = Pool.JACKPOT


class SeedAdded(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The house added to a running jackpot."""

    kind: ClassVar[str] = "seed_added"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    pool: Pool = Pool.JACKPOT


class HouseSettled(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What a correction would have taken from a pool that no longer holds it: the house bears it
    (below zero: the house keeps it). No pool moves."""

    kind: ClassVar[str] = "house_settled"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
