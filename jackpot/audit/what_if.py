"""What if other rules had applied: the recorded facts under changed terms. Never a finding.

Only rules about *amounts* can be tried: under other rules about chips the players and the staff
would have acted otherwise, and nobody knows how. What officers repeat (amounts that they sign or
pay) is taken as they would have repeated it; what was done only because of an award that the
changed rules do not give is left out; what they ask for besides is taken as done.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from jackpot.audit.replay import DECIDERS, FAILURES, Decoder, Progress, shown
from jackpot.audit.source import Source
from jackpot.errors import Refused
from jackpot.law.policies import Policies
from jackpot.law.policy_texts import with_policy
from jackpot.law.profile import Profile
from jackpot.law.terms import Terms
from jackpot.law.winners import ranked_winners
from jackpot.money import cents_rounded_down
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.day import opening_cents
from jackpot.table.event import Event, Fact
from jackpot.table.evolve import evolve
from jackpot.table.hand import winners
from jackpot.table.state import INITIAL, Phase, TableState, meters_microcents, unpaid

ABOUT_AMOUNTS = (
    "base_of_hand",
    "below_royal",
    "equal_straight_flushes",
    "payable_unit",
    "seed_source",
    "config_change",
)
"""The policies that change what is paid, and nothing that people or slots do."""

MAX_REFUSED = 100
"""Facts that the changed rules refuse are counted beyond this: the run says little by then."""

Paid = tuple[int, int, str, int]
"""A payment: box, bet, hand, cents."""


@dataclass(frozen=True)
class Changes:
    """What differs: ``policies`` as ``name=value``, and the award rules of another profile."""

    policies: tuple[str, ...] = ()
    profile: Profile | None = None

    def check(self) -> None:
        """Raises ``Refused`` for a policy that is unknown, or that is not about amounts."""
        for setting in self.policies:
            name = setting.partition("=")[0].strip()
            with_policy(Policies(), setting)
            if name not in ABOUT_AMOUNTS:
                raise Refused(
                    reason="policy_about_people",
                    expected=f"a policy about amounts: {', '.join(ABOUT_AMOUNTS)}",
                    found=name,
                    to_do="nobody knows what players and staff would have done under it",
                )
        if self.profile is not None and not self.profile.award_shares_ppm:
            raise Refused(
                reason="profile_without_awards",
                expected="a profile with a table of awards",
                found=self.profile.id,
                to_do="add its awards to a copy of the profile, and name that file",
            )

    def terms(self, recorded: Terms) -> Terms:
        """The recorded terms with the changes; the authorised figures stay."""
        policies, profile = recorded.policies, self.profile
        if profile is not None:
            for name in ABOUT_AMOUNTS:
                own = "payable_unit_cents" if name == "payable_unit" else name
                policies = replace(policies, **{own: getattr(profile.policies, own)})
            recorded = replace(
                recorded,
                profile=profile.id,
                ace_low_in_straights=profile.ace_low_in_straights,
                award_shares_ppm=profile.award_shares_ppm,
                citations=profile.citations,
            )
        for setting in self.policies:
            policies = with_policy(policies, setting)
        return replace(recorded, policies=policies)


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
        self._decide = next(iter(DECIDERS.values()))

    def batch(self, batch: int, seqs: Sequence[int], events: Sequence[Event]) -> None:
        """One recorded batch."""
        for seq, event in zip(seqs, events, strict=True):
            if isinstance(event, Fact):
                self._fact(batch, seq, event)
            self.recorded = evolve(self.recorded, event)
            if isinstance(event, o.HandEnded):
                self._finish()
            if isinstance(event, o.PaymentDecided):
                self._sides.recorded.append(_paid(event))
                self._sides.batch = self._sides.batch or batch

    def _fact(self, batch: int, seq: int, fact: Fact) -> None:
        if isinstance(fact, f.HandStarted):
            self.flush()
            self._croupier = fact.by
        try:
            for as_if in self._as_if(fact):
                self._play(as_if)
                if isinstance(as_if, f.AwardsConfirmed):
                    self._sides.batch = batch
        except (Refused, *FAILURES) as error:
            if len(self.not_possible) >= MAX_REFUSED:
                self.more_not_possible += 1
                return
            why = error.text() if isinstance(error, Refused) else repr(error)
            self.not_possible.append(
                NotPossible(self.recorded.hand_number, batch, seq, shown(fact), why)
            )

    def _play(self, fact: Fact) -> None:
        for event in (fact, *self._decide(self.state, fact)):
            self.state = evolve(self.state, event)
            if isinstance(event, o.PaymentDecided):
                self._sides.what_if.append(_paid(event))

    def _finish(self) -> None:
        """The recorded hand is over: what the changed rules still ask for is taken as done."""
        number, by = self.state.hand_number, self._croupier
        if self.state.phase is Phase.LOCKED:
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


_ADAPT: dict[type[Fact], Callable[..., tuple[Fact, ...]]] = {
    f.ConfigurationLoaded: WhatIf._configured,
    f.DayOpened: WhatIf._opened,
    f.DayClosed: WhatIf._closed,
    f.AwardsDeclared: WhatIf._declared,
    f.AwardsRejected: WhatIf._confirmed,
    f.AwardsConfirmed: WhatIf._confirmed,
    f.AwardsSigned: WhatIf._signed,
    f.AwardPaid: WhatIf._handed_over,
}


def _paid(event: o.PaymentDecided) -> Paid:
    return event.box, event.bet, event.hand.value, event.cents


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
