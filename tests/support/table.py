"""A table in memory for tests: facts in, events and state out, no clock, no disk."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.law.policies import Policies
from jackpot.law.terms import AwardedHand, BetMode, JackpotKind, Terms
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.event import Event, Fact
from jackpot.table.state import INITIAL, Phase, TableState

CANARIAS = Terms(
    profile="canarias",
    table="2",
    layout="2A",
    boxes=7,
    bets_per_box=1,
    ace_low_in_straights=False,
    closing_hands=3,
    kind=JackpotKind.PROGRESSIVE,
    mode=BetMode.AUTOMATIC,
    bet_cents=200,
    table_minimum_cents=1_000,
    jackpot_ppm=250_000,
    seed_cents=1_000_000,
    award_shares_ppm={
        AwardedHand.ROYAL_FLUSH: 1_000_000,
        AwardedHand.STRAIGHT_FLUSH: 100_000,
        AwardedHand.FOUR_OF_A_KIND: 50_000,
    },
)
"""Bet 2.00, minimum 10.00, 25 %, seed 10,000.00 (5,000 bets), second signature over 3,000.00."""

ONE_BET_MICROCENTS = 50_000_000
"""25 % of 2.00: fifty cents."""

OFFICERS: dict[str, tuple[Role, ...]] = {
    "C1": (Role.CROUPIER,),
    "C2": (Role.CROUPIER,),
    "J1": (Role.TABLE_CHIEF,),
    "D1": (Role.GAMES_DIRECTOR,),
    "D2": (Role.GAMES_DIRECTOR,),
    "T1": (Role.TECHNICIAN,),
    "A1": (Role.AUDITOR,),
}

ROYAL_SPADES = "As Ks Qs Js Ts"
ROYAL_HEARTS = "Ah Kh Qh Jh Th"
KING_HIGH_STRAIGHT_FLUSH = "Kd Qd Jd Td 9d"
NINE_HIGH_STRAIGHT_FLUSH_CLUBS = "9c 8c 7c 6c 5c"
NINE_HIGH_STRAIGHT_FLUSH_HEARTS = "9h 8h 7h 6h 5h"
FOUR_ACES = "As Ah Ad Ac 3h"
FOUR_SEVENS = "7h 7s 7d 7c 2h"
FULL_HOUSE = "8h 8s 8d 3c 3h"


def canarias(policies: Policies | None = None, **changes: Any) -> Terms:
    """The terms above with some of them changed."""
    return replace(CANARIAS, policies=policies or Policies(), **changes)


class Table:
    """Plays facts on a table and remembers every event."""

    def __init__(self, terms: Terms = CANARIAS) -> None:
        self.state: TableState = INITIAL
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()
        self.terms = terms

    def play(self, *facts: Fact) -> tuple[Event, ...]:
        """One batch; returns its events."""
        self.last, self.state = play(self.state, facts)
        self.events.extend(self.last)
        return self.last

    def refused(self, fact: Fact) -> Refused:
        """The refusal that ``fact`` meets; the state stays the very same."""
        before = self.state
        with pytest.raises(Refused) as caught:
            self.play(fact)
        assert self.state is before
        return caught.value

    # ---- a day in short words --------------------------------------------------------------------

    def start(self) -> Table:
        """Controller up, configuration loaded, officers known, seven slots answering."""
        self.play(f.ControllerStarted(version="test", clean=True))
        self.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=self.terms))
        self.play(f.OfficersListed(officers=OFFICERS))
        for box in range(1, 8):
            self.play(identified(box), f.SlotUp(box=box))
        return self

    def open(self, cents: int | None = None) -> Table:
        """Open the next day, the first of all 2026-11-30; the amount is the seed unless given."""
        self.play(
            f.DayOpened(
                by="C1",
                second="J1",
                day=next_day(self.state),
                displayed_cents=self.terms.seed_cents if cents is None else cents,
            )
        )
        return self

    @property
    def number(self) -> int:
        """The present hand's number."""
        return self.state.hand_number

    def phase(self) -> Phase:
        """Where the table stands; a method, so that a type checker does not hold on to its value."""
        return self.state.phase

    @property
    def meter_microcents(self) -> int:
        """The running amount of the jackpot."""
        return self.state.pools.jackpot_microcents

    def hand(self, *boxes: int) -> Table:
        """Start the next hand and put a chip into each of ``boxes``."""
        self.play(f.HandStarted(by="C1", hand=self.number + 1))
        for box in boxes:
            self.chip(box)
        return self

    def chip(self, box: int) -> tuple[Event, ...]:
        """The right chip enters the slot of ``box``."""
        return self.play(f.ChipSeen(box=box, expected=True, a=1, b=1))

    def lock(self, *unknown_boxes: int) -> Table:
        """«No va más», drained."""
        self.play(f.LockPressed(by="C1", hand=self.number))
        self.play(f.LockReached(unknown_boxes=unknown_boxes))
        return self

    def declare(self, **hands: str) -> Table:
        """Declare hands: ``declare(box3="Kd Qd Jd Td 9d")``."""
        declared = tuple(f.DeclaredHand(int(box[3:]), cards) for box, cards in hands.items())
        self.play(f.AwardsDeclared(by="C1", hand=self.number, hands=declared))
        return self

    def confirm(self) -> Table:
        """The table chief confirms the cards."""
        self.play(f.AwardsConfirmed(by="J1", hand=self.number))
        return self

    def sign(self) -> Table:
        """The games director signs the amount."""
        self.play(f.AwardsSigned(by="D1", hand=self.number, total_cents=self.owed_cents))
        return self

    @property
    def owed_cents(self) -> int:
        """The sum of the decided payments of the running hand."""
        hand = self.state.hand
        return 0 if hand is None else sum(payment.cents for payment in hand.payments)

    def pay(self, box: int, cents: int) -> Table:
        """«Pagado»."""
        self.play(f.AwardPaid(by="C1", hand=self.number, box=box, cents=cents))
        return self

    def no_awards(self) -> Table:
        """«Sin premios»."""
        self.play(f.NoAwardsDeclared(by="C1", hand=self.number))
        return self


def identified(
    box: int, continuity: f.Continuity = f.Continuity.FRESH, count: int = 0
) -> f.SlotIdentified:
    """An acceptor of the test bench answers."""
    return f.SlotIdentified(
        box=box,
        serial=1_000 + box,
        maker="Test",
        product="Bench",
        epoch=0,
        count=count,
        pairs=(),
        continuity=continuity,
    )


def next_day(state: TableState) -> str:
    """The gaming day after the last one."""
    if state.day is None:
        return "2026-11-30"
    return (date.fromisoformat(state.day.name) + timedelta(days=1)).isoformat()


def open_table(terms: Terms = CANARIAS) -> Table:
    """A table that is open and between hands."""
    return Table(terms).start().open()


def of_kind(events: tuple[Event, ...] | list[Event], kind: type[Event]) -> list[Any]:
    """The events of one kind, in order."""
    return [event for event in events if type(event) is kind]
