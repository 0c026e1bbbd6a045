"""A hand as people play it, and what the onlooker writes down of it."""

from __future__ import annotations

from dataclasses import dataclass

from recorded_day import BOXES, RecordedDay
from tally import CENT, SIGNED_ABOVE, awards

from jackpot.law.policies import ManualTotal
from jackpot.table import facts as f
from jackpot.table.state import is_manual


@dataclass(frozen=True)
class Dealt:
    """A winning hand: its cards and how the onlooker calls it."""

    cards: str
    name: str


ROYAL = Dealt("As Ks Qs Js Ts", "royal")
OTHER_ROYAL = Dealt("Ah Kh Qh Jh Th", "royal")
KING_HIGH = Dealt("Kd Qd Jd Td 9d", "flush")
NINE_HIGH_CLUBS = Dealt("9c 8c 7c 6c 5c", "twin")
NINE_HIGH_HEARTS = Dealt("9h 8h 7h 6h 5h", "twin")
ACES = Dealt("As Ah Ad Ac 3h", "four")
SEVENS = Dealt("7s 7h 7d 7c 2s", "four")

LUCK: tuple[tuple[Dealt, ...], ...] = (
    (ACES,),
    (SEVENS,),
    (KING_HIGH,),
    (KING_HIGH, SEVENS),
    (ACES, SEVENS),
    (NINE_HIGH_CLUBS, NINE_HIGH_HEARTS),
    (ROYAL,),
    (ROYAL, SEVENS),
    (ROYAL, OTHER_ROYAL),
)
"""Winners of one hand, the highest first."""


class Dealer:
    """Plays hands on a recorded day."""

    def __init__(self, day: RecordedDay) -> None:
        self.day = day
        self.base = 0

    @property
    def number(self) -> int:
        """The running hand."""
        return self.day.table.number

    @property
    def manual(self) -> bool:
        return is_manual(self.day.state)

    @property
    def total_first(self) -> bool:
        return self.day.terms.policies.manual_total is ManualTotal.BEFORE_AWARDS

    def some_boxes(self, least: int = 1) -> list[int]:
        """Where players sit down to bet in this hand."""
        day = self.day
        open_boxes = [box for box in BOXES if box not in day.state.closed_boxes]
        return sorted(day.random.sample(open_boxes, day.random.randint(least, len(open_boxes))))

    # ---- step by step ----------------------------------------------------------------------------

    def start(self) -> None:
        """«Hagan juego»; chips that wait from before are decided."""
        day = self.day
        day.do(f.HandStarted(by="C1", hand=self.number + 1))
        self.base = day.tally.meter
        for chip in day.state.waiting_chips:
            self.waiting_chip(chip.box, chip.source.value, plays=day.random.random() < 0.5)

    def waiting_chip(self, box: int, source: str, *, plays: bool) -> None:
        """A carried or a held chip, with or without its initial bet."""
        day = self.day
        day.do(f.ChipDecided(by="C1", hand=self.number, box=box, plays=plays))
        if source == "carried":
            day.tally.carried_plays() if plays else day.tally.carried_goes_back()
        elif plays:
            day.tally.bet()

    def chip(self, box: int) -> None:
        """A chip into a box: the slot tells of it, or the croupier's key."""
        day = self.day
        if box in day.state.manual_boxes:
            day.do(f.BetAsserted(by="C1", hand=self.number, box=box))
        else:
            day.do(f.ChipSeen(box=box, expected=True, a=1, b=1))
        day.tally.bet()
        day.tally.in_the_boxes += 1

    def bets(self, boxes: list[int]) -> None:
        """One in each, where none stands yet."""
        hand = self.day.state.hand
        taken = {bet.box for bet in hand.bets} if hand is not None else set()
        for box in boxes:
            if box not in taken:
                self.chip(box)

    def lock(self, *silent: int) -> None:
        """«No va más»."""
        self.day.do(f.LockPressed(by="C1", hand=self.number))
        if not self.manual:
            self.day.do(f.LockReached(unknown_boxes=silent))
        self.base = self.day.tally.meter

    def no_awards(self) -> None:
        self.day.do(f.NoAwardsDeclared(by="C1", hand=self.number))

    def declare(self, winners: dict[int, Dealt]) -> None:
        hands = tuple(f.DeclaredHand(box, dealt.cards) for box, dealt in winners.items())
        self.day.do(f.AwardsDeclared(by="C1", hand=self.number, hands=hands))

    def worth(self, winners: dict[int, Dealt]) -> dict[int, int]:
        """What the onlooker expects each box to be paid."""
        names = [dealt.name for dealt in winners.values()]
        unit = self.day.terms.policies.payable_unit_cents * CENT
        return dict(zip(winners, awards(self.base, names, unit), strict=True))

    def confirm(self, winners: dict[int, Dealt]) -> dict[int, int]:
        """The chief looks at the cards; the amounts are off the meter."""
        owed = self.worth(winners)
        self.day.do(f.AwardsConfirmed(by="J1", hand=self.number))
        royal = any(dealt.name == "royal" for dealt in winners.values())
        self.day.tally.decided(sum(owed.values()), royal=royal)
        return owed

    def sign(self, owed: dict[int, int]) -> None:
        """A third officer, for a large sum."""
        if sum(owed.values()) > SIGNED_ABOVE:
            cents = sum(owed.values()) // CENT
            self.day.do(f.AwardsSigned(by="D1", hand=self.number, total_cents=cents))

    def pay(self, owed: dict[int, int]) -> None:
        """«Pagado», box by box; who is owed nothing gets nothing."""
        for box, microcents in owed.items():
            if microcents:
                cents = microcents // CENT
                self.day.do(f.AwardPaid(by="C1", hand=self.number, box=box, cents=cents))
                self.day.tally.paid(microcents)

    def total(self, chips: int) -> None:
        """The total of the hand, final at once."""
        self.enter(chips)
        self.day.do(f.TotalFinal(by="C1", hand=self.number, chips=chips))
        self.counted(chips)

    def enter(self, chips: int) -> None:
        """Not final yet."""
        self.day.do(f.TotalEntered(by="C1", hand=self.number, chips=chips, cents=chips * 200))

    def counted(self, chips: int) -> None:
        """The onlooker counts with them."""
        self.day.tally.bet(chips)
        self.day.tally.in_the_boxes += chips

    # ---- whole hands -----------------------------------------------------------------------------

    def until_locked(self, boxes: list[int]) -> None:
        """Bets, and the end of betting; under ``before_awards`` the total too."""
        self.start()
        if not self.manual:
            self.bets(boxes)
            self.lock()
            return
        if self.day.random.random() < 0.5:
            self.lock()
        if self.total_first:
            self.total(len(boxes))

    def after_awards(self, boxes: list[int]) -> None:
        """The total where it comes last."""
        if self.manual and not self.total_first:
            self.total(len(boxes))

    def play(self, luck: tuple[Dealt, ...] = ()) -> dict[int, int]:
        """One hand without a mistake; returns what was paid, by box."""
        boxes = self.some_boxes(max(1, len(luck)))
        self.until_locked(boxes)
        owed: dict[int, int] = {}
        if not luck:
            self.no_awards()
        else:
            winners = dict(zip(self.day.random.sample(boxes, len(luck)), luck, strict=True))
            self.declare(winners)
            owed = self.confirm(winners)
            self.sign(owed)
            self.pay(owed)
        self.after_awards(boxes)
        return owed

    def settle(self) -> None:
        """Every notice is seen to; a locked slot by the chief."""
        for item in self.day.state.items:
            self.day.do(f.ItemSettled(by="J1", item=item.item))
