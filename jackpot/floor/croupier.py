"""Who plays: one croupier with chief and director at each table, faster than any real one.

It looks at its screen, presses one key, and looks again. What happens is drawn by chance; what must not
happen is left to the table to refuse.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from jackpot.authority.roles import Role
from jackpot.floor import manual
from jackpot.floor.box import CARRUSEL, Box
from jackpot.floor.world import World
from jackpot.law.terms import Terms
from jackpot.table import facts as f
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import Fact
from jackpot.table.state import (
    BOXES_AT_MOST,
    Phase,
    TableState,
    is_manual,
    undecided_chips,
    unpaid,
)

OFFICERS: dict[str, tuple[Role, ...]] = {
    "c1": (Role.CROUPIER,),
    "j1": (Role.TABLE_CHIEF,),
    "d1": (Role.GAMES_DIRECTOR,),
}

ROYAL_SPADES = "As Ks Qs Js Ts"
ROYAL_HEARTS = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "Kd Qd Jd Td 9d"
FOUR_SEVENS = "7h 7s 7d 7c 2h"

LUCK: tuple[tuple[str, ...], ...] = (
    (FOUR_SEVENS,),
    (FOUR_SEVENS,),
    (STRAIGHT_FLUSH,),
    (STRAIGHT_FLUSH, FOUR_SEVENS),
    (ROYAL_SPADES,),
    (ROYAL_SPADES,),
    (ROYAL_HEARTS, ROYAL_SPADES),
    (ROYAL_SPADES, FOUR_SEVENS),
)
"""Winning hands of one deal; royal flushes far more often than any casino sees them."""


class Habits(msgspec.Struct):
    """How often things happen, each in a thousand times that they could."""

    awards: int = 40
    voids: int = 15
    withdrawals: int = 60
    reversals: int = 80
    leaves: int = 0
    think_ms: int = 1_000


class Croupier:
    """Plays at one box until ``hands`` have ended."""

    def __init__(self, box: Box, terms: Terms, world: World, habits: Habits) -> None:
        self.box, self._terms, self._world, self.habits = box, terms, world, habits
        self.hands_to_play = 0
        self._tries = 0

    @property
    def is_done(self) -> bool:
        """Whether every hand is played, and nothing is open."""
        state = self.box.state
        outside = state.phase in (Phase.CLOSED, Phase.BETWEEN_HANDS)
        return outside and state.hand_number >= self.hands_to_play

    def sit_down(self) -> None:
        """A new table: officers, configuration, slots, the first day."""
        self.box.play(f.OfficersListed(officers=OFFICERS))
        self.box.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=self._terms))
        self._look()

    def _look(self) -> None:
        """Press one key, think, and look again."""
        if self.box.is_up:
            facts = self._next()
            if facts:
                self.box.play(*facts)
        self._world.after(self._world.some_ms(5, self.habits.think_ms), self._look)

    def _next(self) -> tuple[Fact, ...]:
        return _KEYS[self.box.state.phase](self, self.box.state)

    def _chance(self, per_thousand: int) -> bool:
        return self._world.chance(per_thousand)

    # ---- outside a hand ------------------------------------------------------------------------

    def _closed(self, state: TableState) -> tuple[Fact, ...]:
        if not any(slot.up for slot in state.slots):
            return slots_up()
        cents = self._terms.seed_cents
        if state.jackpot_started:
            cents = state.pools.jackpot_microcents // 1_000_000
        day = f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=cents)
        return (day,)

    def _between(self, state: TableState) -> tuple[Fact, ...]:
        if not any(slot.up for slot in state.slots):
            return slots_up()
        member = state.carrusel
        if member is None or member.stage is MemberStage.STOPPED:
            return (
                f.CarruselJoinAsked(by="j1", second="d1", carrusel=CARRUSEL, authorisation="A-1"),
            )
        playing = state.hand_number < self.hands_to_play
        if playing and self.habits.leaves and self._chance(self.habits.leaves):
            return (f.CarruselLeaveAsked(by="j1", second="d1", why="moved to another room"),)
        return (f.HandStarted(by="c1", hand=state.hand_number + 1),) if playing else ()

    # ---- a hand --------------------------------------------------------------------------------

    def _betting(self, state: TableState) -> tuple[Fact, ...]:
        number, dice = state.hand_number, self._world.dice
        if self._chance(self.habits.voids):
            return (void(number),)
        if is_manual(state):
            return manual.lock(self.box, state)
        waiting = undecided_chips(state)
        if waiting:
            return (self._carried(state, waiting[0].box),)
        if dice.randrange(5):
            return (f.ChipSeen(box=dice.randrange(1, BOXES_AT_MOST + 1), expected=True, a=1, b=1),)
        return (f.LockPressed(by="c1", hand=number),)

    def _carried(self, state: TableState, box: int) -> Fact:
        """A bet of a void hand: its player bets again, or not."""
        plays = not self._chance(300)
        return f.ChipDecided(by="c1", hand=state.hand_number, box=box, plays=plays)

    def _locking(self, state: TableState) -> tuple[Fact, ...]:
        """The slots are drained; the daemon records what the visors show, in the batch of the lock."""
        reached = f.LockReached(unknown_boxes=())
        member = state.carrusel
        if member is None or member.stage is MemberStage.STOPPED:
            return (reached,)
        view = self.box.node.view()
        return () if view is None else (view, reached)

    def _locked(self, state: TableState) -> tuple[Fact, ...]:
        number, hand = state.hand_number, state.hand
        bets = () if hand is None else tuple(bet.box for bet in hand.bets)
        if is_manual(state):
            bets = tuple(range(1, BOXES_AT_MOST + 1))
        if self._chance(self.habits.voids):
            return (void(number),)
        stopped = state.carrusel is None or state.carrusel.stage is MemberStage.STOPPED
        cards = self._world.dice.choice(LUCK)
        wins = self._chance(self.habits.awards) and len(bets) >= len(cards) and not stopped
        if not wins:
            return (f.NoAwardsDeclared(by="c1", hand=number),)
        declared = zip(self._world.dice.sample(bets, len(cards)), cards, strict=True)
        hands = tuple(f.DeclaredHand(box, text) for box, text in declared)
        return (f.AwardsDeclared(by="c1", hand=number, hands=hands),)

    def _declared(self, state: TableState) -> tuple[Fact, ...]:
        if state.carrusel is not None and state.carrusel.stage is MemberStage.STOPPED:
            return (void(state.hand_number),)
        return (f.AwardsConfirmed(by="j1", hand=state.hand_number),)

    def _pending(self, state: TableState) -> tuple[Fact, ...]:
        """The carrusel is asked; somebody may find that the cards were other ones."""
        hand, member = state.hand, state.carrusel
        stopped = member is not None and member.stage is MemberStage.STOPPED
        asked = hand is not None and (hand.claim_withdrawn or hand.reversal_asked)
        if stopped or (not asked and self._chance(self.habits.withdrawals)):
            withdrawn = f.ClaimWithdrawn(
                by="j1", second="d1", hand=state.hand_number, why="another card"
            )
            return (withdrawn,)
        return ()

    def _decided(self, state: TableState) -> tuple[Fact, ...]:
        if self._chance(self.habits.reversals):
            return (self._reversal(state),)
        total = sum(payment.cents for payment in unpaid(state))
        return (f.AwardsSigned(by="d1", hand=state.hand_number, total_cents=total),)

    def _reversal(self, state: TableState) -> Fact:
        return f.DecisionReversed(
            by="j1",
            second="d1",
            hand=state.hand_number,
            award=0 if state.hand is None else state.hand.award,
            why="the cards were other ones",
        )

    def _payable(self, state: TableState) -> tuple[Fact, ...]:
        if self._chance(self.habits.reversals):
            return (self._reversal(state),)
        payment = unpaid(state)[0]
        return (f.AwardPaid(by="c1", hand=state.hand_number, box=payment.box, cents=payment.cents),)

    def _total(self, state: TableState) -> tuple[Fact, ...]:
        return manual.total(state, self._world)


def void(hand: int) -> Fact:
    """«Anular jugada»."""
    return f.HandVoided(by="c1", second="j1", hand=hand, why="an exposed card")


def slots_up() -> tuple[Fact, ...]:
    """Seven acceptors answer."""
    facts: list[Fact] = []
    for box in range(1, BOXES_AT_MOST + 1):
        facts.append(
            f.SlotIdentified(
                box=box,
                serial=1_000 + box,
                maker="Floor",
                product="Slot",
                epoch=0,
                count=0,
                pairs=(),
                continuity=f.Continuity.FRESH,
            )
        )
        facts.append(f.SlotUp(box=box))
    return tuple(facts)


_KEYS: dict[Phase, Callable[[Croupier, TableState], tuple[Fact, ...]]] = {
    Phase.CLOSED: Croupier._closed,
    Phase.BETWEEN_HANDS: Croupier._between,
    Phase.BETTING: Croupier._betting,
    Phase.LOCKING: Croupier._locking,
    Phase.LOCKED: Croupier._locked,
    Phase.DECLARED: Croupier._declared,
    Phase.PENDING: Croupier._pending,
    Phase.DECIDED: Croupier._decided,
    Phase.PAYABLE: Croupier._payable,
    Phase.TOTAL: Croupier._total,
}
"""What is pressed in each phase."""
