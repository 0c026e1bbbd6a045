"""What if other rules had applied: the recorded facts under changed terms. Never a finding.

Only rules about *amounts* can be tried: under other rules about chips the players and the staff
would have acted otherwise, and nobody knows how. What officers repeat (amounts that they sign or
pay) is taken as they would have repeated it; what was done only because of an award that the
changed rules do not give is left out; what they ask for besides is taken as done. What was agreed in
a dispute about an amount that would have been another, nobody knows: it is left out, and listed.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from jackpot.audit.replay import DECIDERS, FAILURES, Decoder, Progress, shown
from jackpot.audit.source import Source
from jackpot.audit.what_if_changes import Changes
from jackpot.errors import Refused
from jackpot.law.pools import Pools
from jackpot.law.winners import ranked_winners
from jackpot.money import cents_rounded_down, euros_text
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.day import opening_cents
from jackpot.table.event import Event, Fact
from jackpot.table.evolve import evolve
from jackpot.table.hand import winners
from jackpot.table.state import (
    INITIAL,
    Payment,
    Phase,
    TableState,
    is_manual,
    meters_microcents,
    unpaid,
)

MAX_REFUSED = 100
"""Facts that the changed rules refuse are counted beyond this: the run says little by then."""

Paid = tuple[int, int, str, int]
"""A payment: box, bet, hand, cents."""


class OtherAwards(msgspec.Struct, frozen=True):
    """A hand that would have been paid otherwise, and where its recorded decision stands."""

    hand: int
    batch: int
    recorded: tuple[Paid, ...]
    what_if: tuple[Paid, ...]


class NotPossible(msgspec.Struct, frozen=True):
    """A recorded fact that the changed rules refuse; the what-if goes on without it."""

    hand: int
    batch: int
    seq: int
    fact: str
    why: str


class WhatIfResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a what-if came to. Pools and paid amounts in the units of their names."""

    batches: int
    hands: int
    awards: tuple[OtherAwards, ...]
    not_possible: tuple[NotPossible, ...]
    more_not_possible: int
    recorded_pools_microcents: dict[str, int]
    what_if_pools_microcents: dict[str, int]
    recorded_paid_cents: int
    what_if_paid_cents: int


@dataclass
class _Sides:
    """The payments of the hand at hand, as recorded and as they would have been."""

    recorded: list[Paid] = field(default_factory=list)
    what_if: list[Paid] = field(default_factory=list)
    batch: int = 0


class WhatIf:
    """Both tables side by side: ``recorded`` follows the record, ``state`` the changed rules."""

    def __init__(self, changes: Changes) -> None:
        changes.check()
        self.changes = changes
        self.recorded: TableState = INITIAL
        self.state: TableState = INITIAL
        self.awards: list[OtherAwards] = []
        self.not_possible: list[NotPossible] = []
        self.more_not_possible = 0
        self.paid_cents = [0, 0]
        self._sides = _Sides()
        self._croupier = ""
        self._award = 0
        self._awards: dict[int, int] = {}
        """The number of each recorded award under the changed rules; 0 without one."""
        self._sent: dict[tuple[str, str], tuple[Pools, Pools]] = {}
        self._decide = next(iter(DECIDERS.values()))

    def batch(self, batch: int, seqs: Sequence[int], events: Sequence[Event]) -> None:
        """One recorded batch. What a carrusel decided stays decided: other rules of one table would not
        have changed what its log holds of the others."""
        for seq, event in zip(seqs, events, strict=True):
            if isinstance(event, Fact):
                self._fact(batch, seq, event)
            self.recorded = evolve(self.recorded, event)
            if isinstance(event, o.HandEnded | o.TotalDue):
                self._tried(batch, seq, event, self._finish)
            if isinstance(event, o.AwardsFrozen | o.AwardsClaimed):
                self._awards[event.award] = self._award
            if isinstance(event, o.PaymentDecided):
                self._sides.batch = self._sides.batch or batch
            _note(self._sides.recorded, event, self.recorded)

    def _fact(self, batch: int, seq: int, fact: Fact) -> None:
        if isinstance(fact, f.HandStarted):
            self.flush()
            self._croupier = fact.by
        self._award = 0
        self._tried(batch, seq, fact, lambda: self._adapted(batch, fact))

    def _adapted(self, batch: int, fact: Fact) -> None:
        for as_if in self._as_if(fact):
            self._play(as_if)
            if isinstance(as_if, f.AwardsConfirmed):
                self._sides.batch = batch

    def _tried(self, batch: int, seq: int, event: Event, act: Callable[[], None]) -> None:
        """Do it, or note why the changed rules, or nobody, can."""
        try:
            act()
        except (Refused, *FAILURES) as error:
            if len(self.not_possible) >= MAX_REFUSED:
                self.more_not_possible += 1
                return
            why = error.text() if isinstance(error, Refused) else repr(error)
            self.not_possible.append(
                NotPossible(self.recorded.hand_number, batch, seq, shown(event), why)
            )

    def _play(self, fact: Fact) -> None:
        for event in (fact, *self._decide(self.state, fact)):
            self.state = evolve(self.state, event)
            if isinstance(event, o.AwardsFrozen | o.AwardsClaimed):
                self._award = event.award
            _note(self._sides.what_if, event, self.state)

    def _finish(self) -> None:
        """The recorded hand is over: what the changed rules still ask for is taken as done.

        In manual mode without a lock key it is over from the betting (CAN-8.b1).
        """
        number, by = self.state.hand_number, self._croupier
        betting = self.state.phase is Phase.BETTING and is_manual(self.state)
        if self.state.phase is Phase.LOCKED or betting:
            self._play(f.NoAwardsDeclared(by=by, hand=number))
        if self.state.phase is Phase.DECIDED:
            self._sign()
        if self.state.phase is Phase.PAYABLE:
            for owed in unpaid(self.state):
                self._play(
                    f.AwardPaid(by=by, hand=number, box=owed.box, cents=owed.cents, bet=owed.bet)
                )

    def _sign(self) -> None:
        """The further signature that the changed amount needs."""
        hand = self.state.hand
        total = 0 if hand is None else sum(payment.cents for payment in hand.payments)
        act = f.AwardsSigned(by="what-if", hand=self.state.hand_number, total_cents=total)
        self.state = evolve(self.state, act)

    def flush(self) -> None:
        """Compare the payments of the hand that is over."""
        sides, self._sides = self._sides, _Sides()
        for side, paid in enumerate((sides.recorded, sides.what_if)):
            self.paid_cents[side] += sum(payment[3] for payment in paid)
        if sides.recorded != sides.what_if:
            self.awards.append(
                OtherAwards(
                    self.recorded.hand_number,
                    sides.batch,
                    tuple(sides.recorded),
                    tuple(sides.what_if),
                )
            )

    def _as_if(self, fact: Fact) -> tuple[Fact, ...]:
        adapt = _ADAPT.get(type(fact))
        return (fact,) if adapt is None else adapt(self, fact)

    # ---- facts as they would have been ---------------------------------------------------------------

    def _configured(self, fact: f.ConfigurationLoaded) -> tuple[Fact, ...]:
        return (replace(fact, terms=self.changes.terms(fact.terms)),)

    def _opened(self, act: f.DayOpened) -> tuple[Fact, ...]:
        return (replace(act, displayed_cents=opening_cents(self.state)),)

    def _closed(self, act: f.DayClosed) -> tuple[Fact, ...]:
        cents = cents_rounded_down(self.state.pools.jackpot_microcents)
        return (replace(act, displayed_cents=cents),)

    def _declared(self, act: f.AwardsDeclared) -> tuple[Fact, ...]:
        """Only hands that earn an award; a declaration of none is as if it had not been made."""
        terms = self.state.terms
        if terms is None:
            return (act,)
        ranked = ranked_winners(terms, winners(act.hands))
        earning = {(r.winner.box, r.winner.bet) for r in ranked if r.award is not None}
        hands = tuple(hand for hand in act.hands if (hand.box, hand.bet) in earning)
        if hands:
            return (replace(act, hands=hands),)
        if self.state.phase is Phase.DECLARED:
            rejected = f.AwardsRejected(by="what-if", hand=act.hand, why="")
            self.state = evolve(self.state, rejected)
        return ()

    def _confirmed(self, act: Fact) -> tuple[Fact, ...]:
        return (act,) if self.state.phase is Phase.DECLARED else ()

    def _signed(self, act: f.AwardsSigned) -> tuple[Fact, ...]:
        if self.state.phase is not Phase.DECIDED or self.state.hand is None:
            return ()
        total = sum(payment.cents for payment in self.state.hand.payments)
        return (replace(act, total_cents=total),)

    def _handed_over(self, act: f.AwardPaid) -> tuple[Fact, ...]:
        if self.state.phase is Phase.DECIDED:
            self._sign()
        if self.state.phase is not Phase.PAYABLE:
            return ()
        owed = [p for p in unpaid(self.state) if (p.box, p.bet) == (act.box, act.bet)]
        return tuple(replace(act, cents=payment.cents) for payment in owed)

    def _taken_back(self, act: f.DecisionReversed) -> tuple[Fact, ...]:
        """The decision of the changed rules, if there is one."""
        hand = self.state.hand
        if self.state.phase not in (Phase.DECIDED, Phase.PAYABLE) or hand is None:
            return ()
        return (replace(act, award=hand.award),)

    def _reversed(self, act: f.PaymentReversed) -> tuple[Fact, ...]:
        """A payment that would have been the same; one not handed over yet is struck out whole."""
        award = self._awards.get(act.award, 0)
        told = _payment(self.recorded, act.award, act)
        other = _payment(self.state, award, act)
        struck = self.recorded.phase is Phase.PAYABLE
        if struck and other is None:
            return ()
        if told is None or other is None or (not struck and told.cents != other.cents):
            raise Refused(
                reason="nobody_knows",
                expected="a dispute about a payment that would have been the same",
                found="nothing paid" if other is None else f"{euros_text(other.cents)} € paid",
                to_do="reckon this dispute by hand",
            )
        return (replace(act, award=award, cents=other.cents if struck else act.cents),)

    def _gone(self, act: f.JackpotMoved | f.JackpotEnded) -> tuple[Fact, ...]:
        """Whole, as the visor would have shown it."""
        terms = self.recorded.terms
        if isinstance(act, f.JackpotMoved) and terms is not None:
            self._sent[terms.table, terms.layout] = (self.recorded.pools, self.state.pools)
        cents = cents_rounded_down(self.state.pools.jackpot_microcents)
        return (replace(act, cents=cents),)

    def _arrived(self, act: f.JackpotReceived) -> tuple[Fact, ...]:
        """What this table's other layout sent, as it would have been; another table's, as recorded."""
        recorded, other = self._sent.pop((act.from_table, act.from_layout), (None, Pools()))
        arrives = Pools(act.microcents, act.overflow_microcents, act.reserve_microcents)
        if arrives != recorded:
            return (act,)
        return (
            replace(
                act,
                microcents=other.jackpot_microcents,
                overflow_microcents=other.overflow_microcents,
                reserve_microcents=other.reserve_microcents,
            ),
        )


_ADAPT: dict[type[Fact], Callable[..., tuple[Fact, ...]]] = {
    f.ConfigurationLoaded: WhatIf._configured,
    f.DayOpened: WhatIf._opened,
    f.DayClosed: WhatIf._closed,
    f.AwardsDeclared: WhatIf._declared,
    f.AwardsRejected: WhatIf._confirmed,
    f.AwardsConfirmed: WhatIf._confirmed,
    f.AwardsSigned: WhatIf._signed,
    f.AwardPaid: WhatIf._handed_over,
    f.DecisionReversed: WhatIf._taken_back,
    f.PaymentReversed: WhatIf._reversed,
    f.JackpotMoved: WhatIf._gone,
    f.JackpotEnded: WhatIf._gone,
    f.JackpotReceived: WhatIf._arrived,
}


def _paid(event: o.PaymentDecided) -> Paid:
    return event.box, event.bet, event.hand.value, event.cents


def _note(payments: list[Paid], event: Event, state: TableState) -> None:
    """Follow the payments of a hand: decided, taken back (in a carrusel by its log), struck out."""
    if isinstance(event, o.PaymentDecided):
        payments.append(_paid(event))
    elif isinstance(event, o.DecisionUndone):
        payments.clear()
    elif isinstance(event, f.CarruselUndone):
        if state.terms is not None and event.table == state.terms.table:
            payments.clear()
    elif isinstance(event, o.PaymentStruck):
        payments[:] = [paid for paid in payments if paid[:2] != (event.box, event.bet)]


def _payment(state: TableState, award: int, act: f.PaymentReversed) -> Payment | None:
    """The payment of an award that ``act`` is about, in the running hand or a past one."""
    hand = state.hand
    if state.phase is Phase.PAYABLE and hand is not None and hand.award == award:
        payments = hand.payments
    else:
        past = (one.payments for one in state.past_awards if one.award == award)
        payments = next(past, ())
    return next((p for p in payments if (p.box, p.bet) == (act.box, act.bet)), None)


def what_if(
    source: Source,
    changes: Changes,
    *,
    last: int | None = None,
    progress: Progress | None = None,
) -> WhatIfResult:
    """Play a ledger's facts under changed terms to batch ``last`` or to its end.

    Raises ``Refused`` for changes that nobody can try, ``LedgerUnreadable`` for the ledger.
    """
    running, decoder = WhatIf(changes), Decoder()
    end = source.batch if last is None else min(last, source.batch)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for headers, rows in source.pieces(1, end):
            events = decoder.events(rows)
            at = 0
            for header in headers:
                upto = at + header[6]
                seqs = [row[0] for row in rows[at:upto]]
                running.batch(header[0], seqs, events[at:upto])
                at = upto
            if progress is not None:
                progress(headers[-1][0], end)
        running.flush()
    finally:
        if collecting:
            gc.enable()
    return WhatIfResult(
        batches=end,
        hands=running.recorded.hand_number,
        awards=tuple(running.awards),
        not_possible=tuple(running.not_possible),
        more_not_possible=running.more_not_possible,
        recorded_pools_microcents=dict(meters_microcents(running.recorded)),
        what_if_pools_microcents=dict(meters_microcents(running.state)),
        recorded_paid_cents=running.paid_cents[0],
        what_if_paid_cents=running.paid_cents[1],
    )
