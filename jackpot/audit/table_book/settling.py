"""The carrusel's part of a table's books: what each table gave to an award of another (CAN-9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpot.audit.table_book.layout import Layout
from jackpot.audit.table_book.pages import (
    AwardRow,
    Book,
    EntryRow,
    SettlementRow,
    ShareRow,
    Signed,
    Sums,
)
from jackpot.law.pools import Pool
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event

Sheets = dict[Pool, Sums]


def settlement_of(
    fact: f.CarruselDecided | f.CarruselUndone, at_ns: int, own_table: str, *, closed: bool
) -> SettlementRow:
    """The row of a decision; what it moves here is added by its outcomes."""
    return SettlementRow(
        decision=fact.decision,
        at_ns=at_ns,
        table=fact.table,
        hand=fact.hand,
        mine=fact.table == own_table,
        paid_cents=fact.paid_cents,
        shares=[
            ShareRow(
                table=share.table,
                microcents=share.deducted_microcents + share.from_seed_microcents,
                house_microcents=share.house_microcents,
            )
            for share in fact.shares
        ],
        undoes=fact.undoes if isinstance(fact, f.CarruselUndone) else 0,
        before_opening=closed,
    )


def moved(row: SettlementRow, pool: Pool, microcents: int) -> None:
    """One movement of this table's pools by a decision."""
    if microcents:
        row.moved_microcents[pool] = row.moved_microcents.get(pool, 0) + microcents


def given(row: SettlementRow, sums: Sheets, event: o.CarruselDeducted) -> None:
    """The share in another table's award."""
    sums[Pool.JACKPOT].given += event.microcents
    sums[Pool.JACKPOT].house += event.house_microcents
    row.given_microcents += event.microcents
    row.house_microcents += event.house_microcents
    moved(row, Pool.JACKPOT, -event.microcents - event.house_microcents)


def returned(row: SettlementRow, sums: Sheets, event: o.CarruselReturned) -> None:
    """A share that came back; the award of this table says itself that it was taken back."""
    meter = sums[Pool.JACKPOT]
    meter.house -= event.house_microcents
    if row.mine:
        meter.deducted -= event.microcents
        return
    meter.given -= event.microcents
    row.given_microcents -= event.microcents
    row.house_microcents -= event.house_microcents
    hidden = event.seed_reserve_microcents + event.seed_overflow_microcents
    back = event.microcents + event.house_microcents - event.seed_house_microcents - hidden
    moved(row, Pool.JACKPOT, back)
    moved(row, Pool.RESERVE, event.seed_reserve_microcents)
    moved(row, Pool.OVERFLOW, event.seed_overflow_microcents)


def borne(row: SettlementRow, sums: Sheets, event: o.ShortfallBorne) -> None:
    """What the house bore, because the meter lacked it."""
    sums[Pool.JACKPOT].borne += event.microcents
    row.borne_microcents += event.microcents
    moved(row, Pool.JACKPOT, event.microcents)


def membership_entry(
    fact: f.CarruselJoined | f.CarruselLeft,
    asked: f.CarruselJoinAsked | f.CarruselLeaveAsked | None,
    at_ns: int,
    *,
    closed: bool,
) -> EntryRow:
    """A join or a leave as an entry, signed by the two who asked for it."""
    by = "" if asked is None else asked.by
    second = None if asked is None else asked.second
    return EntryRow(
        kind=fact.kind,
        signed=Signed(at_ns, by, second),
        why=getattr(asked, "why", "") or "autorizado",
        authorisation=getattr(asked, "authorisation", ""),
        details={"carrusel": fact.carrusel, "position": fact.position},
        before_opening=closed,
    )


class CarruselBooks:
    """The part of the fold that knows of the carrusel; ``_Books`` is the rest of it."""

    def __init__(self) -> None:
        self._book: Book | None = None
        self._fact: Event | None = None
        self._at_ns = 0
        self._declared: f.AwardsDeclared | None = None
        self._entry: EntryRow | None = None
        self._asked: f.CarruselJoinAsked | f.CarruselLeaveAsked | None = None
        self._reversed: f.DecisionReversed | None = None
        self._settlement: SettlementRow | None = None

    @property
    def _layout(self) -> Layout:
        raise NotImplementedError

    @property
    def _award(self) -> AwardRow | None:
        return self._book.awards[-1] if self._book is not None and self._book.awards else None

    def _seeded(self, house: int, reserve: int, overflow: int) -> None:
        sums = self._layout.sums
        sums[Pool.JACKPOT].seeds += house
        sums[Pool.JACKPOT].transferred += reserve + overflow
        sums[Pool.RESERVE].transferred -= reserve
        sums[Pool.OVERFLOW].transferred -= overflow

    def awards_claimed(self, event: o.AwardsClaimed) -> None:
        """The amounts come with the carrusel's decision."""
        if self._book is None or self._declared is None:
            return
        row = AwardRow(
            award=event.award,
            hand=event.hand,
            at_ns=self._at_ns,
            base_microcents=0,
            meter_microcents=0,
            declared_by=self._declared.by,
            confirmed_by=getattr(self._fact, "by", ""),
        )
        self._book.awards.append(row)

    def asked(self, event: f.CarruselJoinAsked | f.CarruselLeaveAsked) -> None:
        self._asked = event

    def membership(self, event: f.CarruselJoined | f.CarruselLeft) -> None:
        closed = self._book is None
        self._entry = membership_entry(event, self._asked, self._at_ns, closed=closed)
        (self._layout.waiting if self._book is None else self._book.entries).append(self._entry)

    def claim_withdrawn(self, event: f.ClaimWithdrawn) -> None:
        """If the decision came before, its amounts stand all the same."""
        if self._award is not None:
            self._award.undone = Signed(self._at_ns, event.by, event.second)
            self._award.undone_why = event.why

    def decision_asked_back(self, event: f.DecisionReversed) -> None:
        self._reversed = event

    def carrusel_decided(self, event: f.CarruselDecided | f.CarruselUndone) -> None:
        terms = self._layout.terms
        if terms is None:
            return
        closed = self._book is None
        row = settlement_of(event, self._at_ns, terms.table, closed=closed)
        self._settlement = row

    def settle(self) -> SettlementRow | None:
        """The row of the decision whose outcomes are read; it is kept once something follows. A
        decision that answers the claim of this table is that award's."""
        row, fact = self._settlement, self._fact
        if isinstance(fact, f.CarruselDecided) and row is not None and row.mine:
            self._answered(fact)
        kept = self._layout.waiting_settlements if self._book is None else self._book.settlements
        if row is not None and not any(one is row for one in kept):
            kept.append(row)
        return row

    def _answered(self, fact: f.CarruselDecided) -> None:
        award = self._award
        if award is not None and not award.base_microcents:
            award.base_microcents = fact.base_microcents
            award.meter_microcents = self._layout.sums[Pool.JACKPOT].closing()
            award.undone, award.undone_why = None, ""

    def carrusel_deducted(self, event: o.CarruselDeducted) -> None:
        row = self.settle()
        if row is not None:
            given(row, self._layout.sums, event)

    def carrusel_returned(self, event: o.CarruselReturned) -> None:
        row = self.settle()
        if row is None:
            return
        returned(row, self._layout.sums, event)
        self._seeded(
            -event.seed_house_microcents,
            -event.seed_reserve_microcents,
            -event.seed_overflow_microcents,
        )
        asked = self._reversed
        if row.mine and self._award is not None and asked is not None:
            self._award.undone = Signed(self._at_ns, asked.by, asked.second)
            self._award.undone_why = asked.why

    def shortfall_borne(self, event: o.ShortfallBorne) -> None:
        row = self.settle()
        if row is not None:
            borne(row, self._layout.sums, event)


STEPS: dict[type[Event], Callable[[Any, Any], None]] = {
    f.CarruselJoinAsked: CarruselBooks.asked,
    f.CarruselLeaveAsked: CarruselBooks.asked,
    f.CarruselJoined: CarruselBooks.membership,
    f.CarruselLeft: CarruselBooks.membership,
    f.ClaimWithdrawn: CarruselBooks.claim_withdrawn,
    f.DecisionReversed: CarruselBooks.decision_asked_back,
    f.CarruselDecided: CarruselBooks.carrusel_decided,
    f.CarruselUndone: CarruselBooks.carrusel_decided,
    o.AwardsClaimed: CarruselBooks.awards_claimed,
    o.CarruselDeducted: CarruselBooks.carrusel_deducted,
    o.CarruselReturned: CarruselBooks.carrusel_returned,
    o.ShortfallBorne: CarruselBooks.shortfall_borne,
}
"""The events of a carrusel that change the books."""
