"""From the events of a ledger to its books: one a gaming day of a layout, in their order.

Only movements are added up here, apart from the fold of the table; the ledger's own closing sums
are kept beside them, so that a book can say whether it balances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import asdict

from jackpot.audit.table_book import settling
from jackpot.audit.table_book.layout import Layout
from jackpot.audit.table_book.pages import (
    AwardRow,
    Book,
    CountRow,
    EntryRow,
    HandRow,
    PaymentRow,
    Recorded,
    Signed,
)
from jackpot.audit.table_book.settling import STEPS, CarruselBooks
from jackpot.law.pools import Pool
from jackpot.law.terms import BetMode
from jackpot.ledger.machine import Recorded as Batch
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event, Outcome
from jackpot.table.facts.entries import SignedEntry


def every(_: Book) -> bool:
    """Keep all books."""
    return True


def books_of(
    about: dict[str, str], batches: Iterable[Batch], keep: Callable[[Book], bool] = every
) -> list[Book]:
    """The books of a ledger that ``keep`` wants, a running day's last; a year of the others need
    not fit into memory."""
    fold = _Books(about, keep)
    fold.add(batches)
    return fold.finished()


class _Books(CarruselBooks):
    """Feed it every batch, then take what is ``finished``."""

    def __init__(self, about: dict[str, str], keep: Callable[[Book], bool]) -> None:
        super().__init__()
        self.about = about
        self.keep = keep
        self.books: list[Book] = []
        self._layouts: dict[str, Layout] = {}
        self._name: str | None = None
        self._manual = False

    def add(self, batches: Iterable[Batch]) -> None:
        """More batches, in order."""
        for batch in batches:
            self._at_ns = batch.at_ns
            for event in batch.events:
                if not isinstance(event, Outcome):
                    self._fact, self._entry, self._settlement = event, None, None
                if isinstance(event, SignedEntry):
                    self._signed_entry(event)
                step = _STEPS.get(type(event))
                if step is not None:
                    step(self, event)
            written = self._layout.newest if isinstance(self._fact, f.DropCounted) else self._book
            if written is not None:
                written.head_batch, written.head_hash = batch.batch, batch.hash
            if isinstance(self._fact, f.DayClosed):
                self._day_is_over()

    def finished(self) -> list[Book]:
        """The wanted books, that of a running day included."""
        self._kept()
        return self.books

    def _kept(self) -> None:
        if self._book is not None and self.keep(self._book):
            self.books.append(self._book)
        self._book = None

    @property
    def _layout(self) -> Layout:
        return self._layouts.setdefault(self._name or "", Layout())

    @property
    def _hand(self) -> HandRow:
        """The running hand, or between hands the last one."""
        if self._book is None or not self._book.hands:
            return HandRow(hand=0, at_ns=self._at_ns, manual=False)
        return self._book.hands[-1]

    # ---- terms, layouts, days ------------------------------------------------------------------

    def terms_in_force(self, event: o.TermsInForce) -> None:
        name = event.terms.layout
        if self._name is None:
            self._name = name
        layout = self._layouts.setdefault(name, Layout())
        if name == self._name and (layout.terms is None or layout.terms.mode != event.terms.mode):
            self._manual = event.terms.mode is BetMode.MANUAL
        layout.terms = event.terms
        if self._book is not None and name == self._name:
            self._book.terms = event.terms

    def layout_changed(self, event: f.LayoutChanged) -> None:
        self._name = event.layout
        terms = self._layout.terms
        self._manual = terms is not None and terms.mode is BetMode.MANUAL

    def mode_changed(self, event: f.ModeChanged) -> None:
        self._manual = event.mode is BetMode.MANUAL

    def day_opened(self, event: f.DayOpened) -> None:
        layout = self._layout
        if layout.terms is None:
            return
        self._book = Book(
            ledger=self.about.get("id", ""),
            origin=self.about.get("origin", ""),
            terms=layout.terms,
            day=event.day,
            opened=Signed(self._at_ns, event.by, event.second),
            opened_cents=event.displayed_cents,
            entries=layout.waiting,
            settlements=layout.waiting_settlements,
            sums=layout.sums,
            opening_microcents=layout.sums[Pool.JACKPOT].closing(),
        )
        layout.newest = self._book

    def day_closed(self, event: f.DayClosed) -> None:
        if self._book is not None:
            self._book.closed = Signed(self._at_ns, event.by, event.second)
            self._book.closed_cents = event.displayed_cents

    def day_totals(self, event: o.DayTotals) -> None:
        if self._book is not None:
            self._book.recorded = Recorded(**asdict(event))

    def _day_is_over(self) -> None:
        self._kept()
        self._fact = None
        self._layout.next_period()

    # ---- bets ----------------------------------------------------------------------------------

    def hand_started(self, event: f.HandStarted) -> None:
        if self._book is not None:
            row = HandRow(hand=event.hand, at_ns=self._at_ns, manual=self._manual)
            self._book.hands.append(row)

    def bet_accepted(self, event: o.BetAccepted) -> None:
        self._bets(1, event.bet_cents)

    def bet_off(self, event: o.BetCarried | o.BetReturned) -> None:
        """A carried bet left the day's sum when it began to wait."""
        if not isinstance(self._fact, f.ChipDecided):
            self._bets(-1, -event.bet_cents)

    def _bets(self, bets: int, cents: int) -> None:
        self._hand.bets += bets
        self._hand.bets_cents += cents

    def total_accepted(self, event: o.TotalAccepted) -> None:
        self._bets(event.chips, event.cents)

    def total_returned(self, event: o.TotalReturned) -> None:
        self._bets(-event.chips, -event.cents)

    def total_adjusted(self, event: o.TotalAdjusted) -> None:
        if self._entry is not None:
            self._entry.bets_cents += event.cents

    def drop_compared(self, event: o.DropCompared) -> None:
        fact, book = self._fact, self._layout.newest
        if book is not None and isinstance(fact, f.DropCounted):
            row = CountRow(
                signed=Signed(self._at_ns, fact.by, fact.second),
                box=event.box,
                counted=event.counted,
                detected=event.detected,
                accepted=event.accepted,
            )
            book.counts.append(row)

    def hand_voided(self, event: f.HandVoided) -> None:
        self._hand.voided = Signed(self._at_ns, event.by, event.second)
        self._hand.voided_why = event.why

    def hand_ended(self, event: o.HandEnded) -> None:
        self._hand.how = event.how.value

    def contributed(self, event: o.Contributed | o.TotalContributed) -> None:
        self._layout.sums[event.pool].contributed += event.microcents
        self._moved(event.pool, event.microcents)

    def taken_back(self, event: o.ContributionReversed | o.TotalReversed) -> None:
        self._layout.sums[event.pool].reversed += event.microcents
        self._moved(event.pool, -event.microcents)

    def _moved(self, pool: Pool, microcents: int) -> None:
        moved = (self._entry or self._hand).moved_microcents
        moved[pool] = moved.get(pool, 0) + microcents

    # ---- awards --------------------------------------------------------------------------------

    def awards_declared(self, event: f.AwardsDeclared) -> None:
        self._declared = event

    def awards_frozen(self, event: o.AwardsFrozen) -> None:
        if self._book is None or self._declared is None:
            return
        row = AwardRow(
            award=event.award,
            hand=self._hand.hand,
            at_ns=self._at_ns,
            base_microcents=event.base_microcents,
            meter_microcents=event.meter_microcents,
            declared_by=self._declared.by,
            confirmed_by=getattr(self._fact, "by", ""),
        )
        self._book.awards.append(row)

    def payment_decided(self, event: o.PaymentDecided) -> None:
        hands = () if self._declared is None else self._declared.hands
        cards = [one.cards for one in hands if (one.box, one.bet) == (event.box, event.bet)]
        if self._award is not None:
            self._award.payments.append(
                PaymentRow(
                    box=event.box,
                    bet=event.bet,
                    cards=cards[0] if cards else "",
                    hand=event.hand.value,
                    cents=event.cents,
                    rule=event.rule,
                )
            )

    def awards_decided(self, event: o.AwardsDecided) -> None:
        self.settle()
        sums = self._layout.sums[Pool.JACKPOT]
        sums.deducted += event.deducted_microcents
        sums.house += event.house_microcents
        if self._award is not None:
            self._award.total_cents = event.total_cents
            self._award.deducted_microcents = event.deducted_microcents
            self._award.house_microcents = event.house_microcents
            self._award.derivation = event.derivation

    def paid_from_seed(self, event: o.PaidFromSeed) -> None:
        self._layout.sums[Pool.JACKPOT].deducted += event.microcents
        if self._award is not None:
            self._award.deducted_microcents += event.microcents

    def awards_signed(self, event: f.AwardsSigned) -> None:
        if self._award is not None:
            self._award.signed_by = event.by

    def award_paid(self, event: f.AwardPaid) -> None:
        payment = self._payment(event.box, event.bet)
        if payment is not None:
            payment.paid = Signed(self._at_ns, event.by)

    def payment_struck(self, event: o.PaymentStruck) -> None:
        payment = self._payment(event.box, event.bet)
        if payment is not None:
            payment.struck = True

    def _payment(self, box: int, bet: int) -> PaymentRow | None:
        payments = [] if self._award is None else self._award.payments
        return next((one for one in payments if (one.box, one.bet) == (box, bet)), None)

    def decision_undone(self, event: o.DecisionUndone) -> None:
        sums = self._layout.sums[Pool.JACKPOT]
        sums.deducted -= event.deducted_microcents
        sums.house -= event.house_microcents
        self._seeded(
            -event.seed_house_microcents,
            -event.seed_reserve_microcents,
            -event.seed_overflow_microcents,
        )
        fact = self._fact
        if self._award is not None and isinstance(fact, f.DecisionReversed):
            self._award.undone = Signed(self._at_ns, fact.by, fact.second)
            self._award.undone_why = fact.why

    # ---- the jackpot otherwise -----------------------------------------------------------------

    def jackpot_started(self, event: o.JackpotStarted) -> None:
        """At an opening it is the opening amount; after an award, the restart."""
        self._seeded(event.house_microcents, event.reserve_microcents, event.overflow_microcents)
        moved = {
            Pool.JACKPOT: event.microcents,
            Pool.OVERFLOW: -event.overflow_microcents,
            Pool.RESERVE: -event.reserve_microcents,
        }
        moved = {pool: amount for pool, amount in moved.items() if amount}
        settlement = self._settlement
        if settlement is not None and not settlement.mine:
            self.settle()
            for pool, amount in moved.items():
                settling.moved(settlement, pool, amount)
        elif self._book is None:
            return
        elif isinstance(self._fact, f.DayOpened):
            self._book.opening_moved = moved
            self._book.opening_microcents = self._layout.sums[Pool.JACKPOT].closing()
        elif self._award is not None:
            self._award.restart_moved = moved

    def _signed_entry(self, event: SignedEntry) -> None:
        own = asdict(event)
        signed = Signed(self._at_ns, own.pop("by"), own.pop("second"))
        why, authorisation = own.pop("why"), own.pop("authorisation", "")
        self._entry = EntryRow(
            kind=event.kind,
            signed=signed,
            why=why,
            authorisation=authorisation,
            details={
                name: str(value) if isinstance(value, Pool) else value
                for name, value in own.items()
            },
            before_opening=self._book is None,
        )
        (self._layout.waiting if self._book is None else self._book.entries).append(self._entry)

    def amount_in(self, event: o.AmountIn) -> None:
        self._layout.sums[event.pool].incoming += event.microcents
        self._moved(event.pool, event.microcents)

    def amount_out(self, event: o.AmountOut) -> None:
        self._layout.sums[event.pool].outgoing += event.microcents
        self._moved(event.pool, -event.microcents)

    def amount_adjusted(self, event: o.AmountAdjusted) -> None:
        self._layout.sums[event.pool].adjusted += event.microcents
        self._moved(event.pool, event.microcents)

    def seed_added(self, event: o.SeedAdded) -> None:
        self._layout.sums[event.pool].seeds += event.microcents
        self._moved(event.pool, event.microcents)

    def house_settled(self, event: o.HouseSettled) -> None:
        if self._entry is not None:
            self._entry.house_microcents += event.microcents


_STEPS: dict[type[Event], Callable[[Any, Any], None]] = {
    **STEPS,
    f.LayoutChanged: _Books.layout_changed,
    f.ModeChanged: _Books.mode_changed,
    f.DayOpened: _Books.day_opened,
    f.DayClosed: _Books.day_closed,
    f.HandStarted: _Books.hand_started,
    f.HandVoided: _Books.hand_voided,
    f.AwardsDeclared: _Books.awards_declared,
    f.AwardsSigned: _Books.awards_signed,
    f.AwardPaid: _Books.award_paid,
    o.TermsInForce: _Books.terms_in_force,
    o.DayTotals: _Books.day_totals,
    o.BetAccepted: _Books.bet_accepted,
    o.BetCarried: _Books.bet_off,
    o.BetReturned: _Books.bet_off,
    o.TotalAccepted: _Books.total_accepted,
    o.TotalReturned: _Books.total_returned,
    o.TotalAdjusted: _Books.total_adjusted,
    o.HandEnded: _Books.hand_ended,
    o.DropCompared: _Books.drop_compared,
    o.Contributed: _Books.contributed,
    o.TotalContributed: _Books.contributed,
    o.ContributionReversed: _Books.taken_back,
    o.TotalReversed: _Books.taken_back,
    o.AwardsFrozen: _Books.awards_frozen,
    o.PaymentDecided: _Books.payment_decided,
    o.AwardsDecided: _Books.awards_decided,
    o.PaidFromSeed: _Books.paid_from_seed,
    o.PaymentStruck: _Books.payment_struck,
    o.DecisionUndone: _Books.decision_undone,
    o.JackpotStarted: _Books.jackpot_started,
    o.AmountIn: _Books.amount_in,
    o.AmountOut: _Books.amount_out,
    o.AmountAdjusted: _Books.amount_adjusted,
    o.SeedAdded: _Books.seed_added,
    o.HouseSettled: _Books.house_settled,
}
"""By the kind of the event; every other one is no matter of the book."""
