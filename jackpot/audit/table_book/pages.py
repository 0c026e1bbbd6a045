"""What stands in the table book of one layout and one gaming day (CAN-8.7).

Amounts of pools are micro-cents, bets and payments cents; times are UTC nanoseconds.
"""

from __future__ import annotations

import msgspec

from jackpot.law.derivation import Line
from jackpot.law.pools import Pool
from jackpot.law.terms import Terms


class Signed(msgspec.Struct, frozen=True):
    """Who acted, who signed with them, when."""

    at_ns: int
    by: str
    second: str | None = None


class HandRow(msgspec.Struct, kw_only=True):
    """The bets of one hand: so many, so much, and what they moved by pool (CAN-8.b). ``voided``: who
    signed that it was voided, and ``voided_why`` (CAN-10.1)."""

    hand: int
    at_ns: int
    manual: bool
    bets: int = 0
    bets_cents: int = 0
    moved_microcents: dict[Pool, int] = {}
    how: str | None = None
    voided: Signed | None = None
    voided_why: str = ""


class CountRow(msgspec.Struct, kw_only=True):
    """One count of the chips of a box, or without one of the whole table, beside what the ledger knows
    of and what the acceptors counted themselves (``accepted``: None where no counter was read)."""

    signed: Signed
    box: int | None
    counted: int
    detected: int
    accepted: int | None

    @property
    def differs(self) -> bool:
        """Whether any two of the numbers differ."""
        return self.counted != self.detected or self.accepted not in (None, self.counted)


class PaymentRow(msgspec.Struct, kw_only=True):
    """One payment of an award. ``struck``: it was reversed before it was handed over."""

    box: int
    bet: int
    cards: str
    hand: str
    cents: int
    rule: str
    paid: Signed | None = None
    struck: bool = False


class AwardRow(msgspec.Struct, kw_only=True):
    """One decision and how it was computed; ``undone``: it was taken back before a payment."""

    award: int
    hand: int
    at_ns: int
    base_microcents: int
    meter_microcents: int
    declared_by: str
    confirmed_by: str
    signed_by: str | None = None
    payments: list[PaymentRow] = []
    total_cents: int = 0
    deducted_microcents: int = 0
    house_microcents: int = 0
    restart_moved: dict[Pool, int] = {}
    derivation: tuple[Line, ...] = ()
    undone: Signed | None = None
    undone_why: str = ""


class ShareRow(msgspec.Struct, kw_only=True, frozen=True):
    """What one table gives to an award of its carrusel; ``house``: the house's deduction there."""

    table: str
    microcents: int
    house_microcents: int


class SettlementRow(msgspec.Struct, kw_only=True):
    """A decision of the carrusel that this table has a part in (CAN-9): ``table`` won it in its
    ``hand`` and pays. ``undoes``: the earlier decision that it takes back, or 0.

    ``moved_microcents`` is what it moved here beside the award's own row: the share in another
    table's award, the restart that this brought, and what the house bore of a shortfall.
    """

    decision: int
    at_ns: int
    table: str
    hand: int
    mine: bool
    paid_cents: int
    shares: list[ShareRow]
    undoes: int = 0
    given_microcents: int = 0
    house_microcents: int = 0
    borne_microcents: int = 0
    moved_microcents: dict[Pool, int] = {}
    before_opening: bool = False

    def owed_microcents(self, own_table: str) -> int:
        """What the other tables owe to this one for it; below zero: what this one owes."""
        if not self.mine:
            return -self.given_microcents
        others = sum(share.microcents for share in self.shares if share.table != own_table)
        return -others if self.undoes else others


class EntryRow(msgspec.Struct, kw_only=True):
    """A signed entry, and what it moved; ``house_microcents``: what the house bears outside it."""

    kind: str
    signed: Signed
    why: str
    authorisation: str = ""
    details: dict[str, str | int] = {}
    bets_cents: int = 0
    moved_microcents: dict[Pool, int] = {}
    house_microcents: int = 0
    before_opening: bool = False


class Sums(msgspec.Struct, kw_only=True):
    """One pool over the day, in micro-cents. ``given`` went to awards of other tables of a carrusel,
    ``borne`` came from the house where the pool lacked it."""

    opening: int = 0
    contributed: int = 0
    reversed: int = 0
    seeds: int = 0
    incoming: int = 0
    adjusted: int = 0
    borne: int = 0
    transferred: int = 0
    deducted: int = 0
    given: int = 0
    house: int = 0
    outgoing: int = 0

    def closing(self) -> int:
        """What the pool must hold at the end."""
        came = self.opening + self.contributed + self.seeds + self.incoming + self.adjusted
        went = self.reversed + self.deducted + self.given + self.house + self.outgoing
        return came + self.borne + self.transferred - went


class Recorded(msgspec.Struct, kw_only=True):
    """What the ledger itself says at the closing, to compare with."""

    hands: int
    bets_cents: int
    paid_cents: int
    meter_microcents: int


class Book(msgspec.Struct, kw_only=True):
    """The book of one layout and gaming day; ``closed`` is None while the day runs.

    ``opening_moved``: what a jackpot that starts with the opening gives to each pool. ``counts`` may
    come after the closing.
    """

    ledger: str
    origin: str
    terms: Terms
    day: str
    opened: Signed
    opened_cents: int
    closed: Signed | None = None
    closed_cents: int = 0
    recorded: Recorded | None = None
    hands: list[HandRow] = []
    awards: list[AwardRow] = []
    entries: list[EntryRow] = []
    settlements: list[SettlementRow] = []
    counts: list[CountRow] = []
    sums: dict[Pool, Sums]
    opening_microcents: int
    opening_moved: dict[Pool, int] = {}
    head_batch: int = 0
    head_hash: str = ""

    @property
    def bets_cents(self) -> int:
        """All bets of the day, corrections included."""
        corrected = sum(row.bets_cents for row in self.entries)
        return corrected + sum(row.bets_cents for row in self.hands)

    @property
    def paid_cents(self) -> int:
        """All that was handed over."""
        payments = (one for award in self.awards for one in award.payments)
        return sum(one.cents for one in payments if one.paid is not None)

    @property
    def hands_played(self) -> int:
        """Hands that were not voided."""
        return sum(row.how not in (None, "voided") for row in self.hands)

    @property
    def settled_microcents(self) -> int:
        """What the other tables of a carrusel owe to this one after the day; below zero: the reverse."""
        return sum(row.owed_microcents(self.terms.table) for row in self.settlements)

    def standing_counts(self) -> list[CountRow]:
        """The last count of each box, and of the whole table: it stands."""
        return list({row.box: row for row in self.counts}.values())

    def differences(self) -> list[str]:
        """Where the book and the ledger's own words disagree, in Spanish; none: it balances."""
        meter = self.sums[Pool.JACKPOT].closing()
        pairs = [
            (
                "importe firmado en la apertura",
                self.opening_microcents // 1_000_000,
                self.opened_cents,
            )
        ]
        if self.recorded is not None:
            told = self.recorded
            pairs += [
                ("acumulado al cierre (microcéntimos)", meter, told.meter_microcents),
                ("importe firmado en el cierre", meter // 1_000_000, self.closed_cents),
                ("apuestas del día", self.bets_cents, told.bets_cents),
                ("premios pagados", self.paid_cents, told.paid_cents),
                ("jugadas", self.hands_played, told.hands),
            ]
        found = [
            f"{what}: libro {ours}, registro {its}" for what, ours, its in pairs if ours != its
        ]
        below = [pool.value for pool in Pool if self.sums[pool].closing() < 0]
        return found + [f"fondo {pool} por debajo de cero" for pool in below]
