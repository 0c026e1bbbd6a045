"""Signed entries: corrections, moves, and what a casino brings on the first day.

Each is signed by the table chief and the games director, with a reason or an authorisation. Besides
awards, voided bets and these entries nothing ever lowers a meter.
"""

from __future__ import annotations

from typing import ClassVar

from jackpot.law.pools import Pool
from jackpot.table.event import Columns, OfficerAct


class SignedEntry(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An entry that needs two: ``by`` a table chief, ``second`` the games director."""

    second: str
    why: str


class JackpotTakenOver(
    SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """A running jackpot of an earlier system goes on here, instead of a seed, before the first
    opening; ``cents`` is its authorised amount."""

    kind: ClassVar[str] = "jackpot_taken_over"
    columns: ClassVar[Columns] = Columns(cents="cents")
    cents: int
    authorisation: str


class JackpotReceived(SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A jackpot arrives whole from another table or layout, to the micro-cent, with its hidden pools."""

    kind: ClassVar[str] = "jackpot_received"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    from_table: str
    from_layout: str
    authorisation: str
    overflow_microcents: int = 0
    reserve_microcents: int = 0


class JackpotMoved(SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The jackpot of this layout moves whole to another table or layout; ``cents`` is the amount
    that the visor shows. The next one starts anew, or is received."""

    kind: ClassVar[str] = "jackpot_moved"
    columns: ClassVar[Columns] = Columns(cents="cents")
    cents: int
    to_table: str
    to_layout: str
    authorisation: str


class JackpotEnded(SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The jackpot of this layout ends; its whole amount goes where the authorisation says."""

    kind: ClassVar[str] = "jackpot_ended"
    columns: ClassVar[Columns] = Columns(cents="cents")
    cents: int
    paid_to: str
    authorisation: str


class JackpotCorrected(
    SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """A signed amount corrects a pool of jackpot number ``jackpot``. What an ended jackpot lacked
    the house bears; the new seed is not touched."""

    kind: ClassVar[str] = "jackpot_corrected"
    columns: ClassVar[Columns] = Columns(microcents="microcents")
    microcents: int
    jackpot: int
    authorisation: str
    pool: Pool = Pool.JACKPOT


class SeedRaised(SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The house adds to the running jackpot."""

    kind: ClassVar[str] = "seed_raised"
    columns: ClassVar[Columns] = Columns(cents="cents")
    cents: int
    authorisation: str


class TotalCorrected(SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The final total of hand ``hand`` was wrong: so many chips before, so many after. The original
    stays; this entry moves the difference."""

    kind: ClassVar[str] = "total_corrected"
    hand: int
    chips_before: int
    chips_after: int


class PaymentReversed(SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A dispute about one payment of award ``award``: ``cents`` come back to the meter, or, below
    zero, the player is owed that much more. One that is not paid yet is struck out whole."""

    kind: ClassVar[str] = "payment_reversed"
    columns: ClassVar[Columns] = Columns(box="box", cents="cents")
    award: int
    box: int
    cents: int
    bet: int = 1


class ControllerReplaced(
    SignedEntry, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """This ledger goes on where that of a replaced controller ended: its name, its last batch, and
    the hash of that batch. The jackpot then arrives by ``JackpotReceived``."""

    kind: ClassVar[str] = "controller_replaced"
    old_ledger: str
    old_batch: int
    old_hash: str
