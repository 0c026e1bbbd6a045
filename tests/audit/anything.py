"""Anything that may happen at a table, from one seed: most acts are refused, the rest is recorded."""

from __future__ import annotations

from random import Random

from support.table import (
    FOUR_ACES,
    FOUR_SEVENS,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    OFFICERS,
    ROYAL_HEARTS,
    ROYAL_SPADES,
    Table,
    next_day,
)

from jackpot.errors import Refused
from jackpot.law.terms import Terms
from jackpot.table import facts as f
from jackpot.table.event import Fact
from jackpot.table.slot_state import SlotTest
from jackpot.table.state import Phase, undecided_chips, unpaid

HANDS = (
    ROYAL_SPADES,
    ROYAL_HEARTS,
    KING_HIGH_STRAIGHT_FLUSH,
    NINE_HIGH_STRAIGHT_FLUSH_CLUBS,
    NINE_HIGH_STRAIGHT_FLUSH_HEARTS,
    FOUR_ACES,
    FOUR_SEVENS,
    "5d 4d 3d 2d Ad",
)


class Anything:
    """Drives a table with facts of all kinds, likely ones more often."""

    def __init__(self, table: Table, seed: int, changes: tuple[Terms, ...] = ()) -> None:
        self.table = table
        self.random = Random(seed)
        self.changes = changes
        self.refused = 0

    def run(self, steps: int) -> None:
        """Play ``steps`` facts."""
        for _ in range(steps):
            likely = self.random.random() < 0.85
            fact = self.likely() if likely else self.random.choice(self.anything())
            try:
                self.table.play(fact)
            except Refused:
                self.refused += 1

    def officer(self) -> str:
        return self.random.choice(sorted(OFFICERS))

    def likely(self) -> Fact:
        """What would come next at a table."""
        table, number, chance = self.table, self.table.number, self.random.random()
        phase = table.phase()
        if phase is Phase.CLOSED:
            return self.opening()
        if phase is Phase.BETWEEN_HANDS:
            return self.between(chance)
        if phase is Phase.BETTING:
            if chance < 0.7:
                return self.chip()
            for chip in undecided_chips(table.state):
                return f.ChipDecided(by="C1", hand=number, box=chip.box, plays=chance < 0.85)
            return f.LockPressed(by="C1", hand=number)
        if phase is Phase.LOCKING:
            if chance < 0.3:
                return self.chip()
            boxes = tuple(sorted(self.random.sample(range(1, 8), 2))) if chance < 0.5 else ()
            return f.LockReached(unknown_boxes=boxes)
        if phase is Phase.LOCKED:
            return self.locked(chance)
        if phase is Phase.DECLARED:
            if chance < 0.1:
                return f.AwardsRejected(by="J1", hand=number, why="")
            return f.AwardsConfirmed(by="J1", hand=number)
        if phase is Phase.DECIDED:
            return f.AwardsSigned(by="D1", hand=number, total_cents=table.owed_cents)
        owed = self.random.choice(unpaid(table.state))
        return f.AwardPaid(by="C2", hand=number, box=owed.box, cents=owed.cents, bet=owed.bet)

    def test_ends(self, test: SlotTest) -> Fact:
        """Some chips into the box under test, then the technician's signature."""
        if self.random.random() < 0.5:
            a = self.random.choice((1, 2))
            return f.ChipSeen(box=test.box, expected=a == 1, a=a, b=1)
        result = f.TestResult.PASSED if test.chips else f.TestResult.FAILED
        return f.SlotTested(by=test.by, box=test.box, chips=test.chips, result=result)

    def opening(self) -> Fact:
        state = self.table.state
        cents = state.pools.jackpot_microcents // 1_000_000
        terms = state.terms
        if not state.jackpot_started and terms is not None:
            cents = terms.seed_cents
        return f.DayOpened(
            by="C1", second="J1", day=next_day(self.table.state), displayed_cents=cents
        )

    def between(self, chance: float) -> Fact:
        state, number = self.table.state, self.table.number
        for item in state.items:
            return f.ItemSettled(by=self.random.choice(("C2", "J1")), item=item.item)
        if state.test is not None:
            return self.test_ends(state.test)
        if state.hands_left == 0 or chance < 0.03:
            for chip in state.waiting_chips:
                return f.ChipDecided(by="C1", hand=number, box=chip.box, plays=False)
            cents = self.table.meter_microcents // 1_000_000
            return f.DayClosed(by="C1", second="J1", displayed_cents=cents)
        down = [box for box in range(1, 8) if not state.slots[box - 1].up]
        if down:
            return f.SlotUp(box=down[0])
        return f.HandStarted(by="C1", hand=number + 1)

    def locked(self, chance: float) -> Fact:
        hand, number = self.table.state.hand, self.table.number
        assert hand is not None
        for box in hand.unknown_boxes:
            return f.SlotDecided(by="C1", hand=number, box=box, bet=chance < 0.5)
        if chance < 0.6 and hand.bets:
            count = min(self.random.choice((1, 1, 2, 3)), len(hand.bets))
            bets = self.random.sample(hand.bets, count)
            cards: dict[int, str] = {}
            for bet in bets:
                cards.setdefault(bet.box, self.random.choice(HANDS))
            declared = tuple(f.DeclaredHand(bet.box, cards[bet.box], bet.bet) for bet in bets)
            return f.AwardsDeclared(by="C1", hand=number, hands=declared)
        return f.NoAwardsDeclared(by="C1", hand=number)

    def chip(self) -> Fact:
        a = 1 if self.random.random() < 0.95 else 2
        return f.ChipSeen(box=self.random.randint(1, 7), expected=a == 1, a=a, b=1)

    def anything(self) -> list[Fact]:
        """One of each kind."""
        number, box = self.table.number, self.random.randint(1, 7)
        terms = self.random.choice((self.table.terms, *self.changes))
        kind = self.random.choice(tuple(f.Continuity))
        return [
            f.ControllerStopped(),
            f.ControllerStarted(version="test", clean=not self.table.state.running),
            f.ConfigurationLoaded(config_text="", profile_text="", terms=terms),
            f.OfficersListed(officers=OFFICERS),
            f.ClockStepped(step_ns=-5),
            f.AlarmRaised(alarm="disk"),
            f.AlarmCleared(alarm="disk"),
            f.SlotDown(box=box, why="silent"),
            f.SlotUp(box=box),
            self.table_slot(box, kind),
            f.SlotRestarted(box=box, epoch=self.table.state.slots[box - 1].epoch + 1),
            f.SlotEvent(box=box, a=0, b=3, name="rejected", fraud=self.random.random() < 0.3),
            f.SlotEventsLost(box=box, lost=2),
            self.chip(),
            f.SlotTestStarted(by="T1", box=box),
            f.SlotTested(by="T1", box=box, chips=0, result=f.TestResult.FAILED),
            f.LastHandsAnnounced(by=self.officer()),
            f.BoxClosed(by=self.officer(), box=box, why="broken"),
            f.BoxOpened(by=self.officer(), box=box),
            f.HandVoided(by=self.officer(), second="J1", hand=number, why="misdeal"),
            f.HandVoided(by="C2", second="J1", hand=number, why="misdeal"),
            f.ChipDecided(by=self.officer(), hand=number, box=box, plays=False),
            f.AwardsRejected(by=self.officer(), hand=number, why=""),
            f.DayClosed(by=self.officer(), second="J1", displayed_cents=0),
        ]

    def table_slot(self, box: int, kind: f.Continuity) -> Fact:
        """An acceptor presents itself; one that goes on is the one that is known."""
        slot = self.table.state.slots[box - 1]
        epoch = slot.epoch if kind is f.Continuity.CONTINUED else slot.epoch + 1
        return f.SlotIdentified(
            box=box,
            serial=1_000 + box,
            maker="Test",
            product="Bench",
            epoch=epoch,
            count=slot.count,
            pairs=(),
            continuity=kind,
        )
