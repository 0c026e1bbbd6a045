"""One deal of the demonstration: who bets and what cards each box gets. Pure, from the seed alone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jackpot.daemon.demo.rigs import NOTHING, Rig, Trouble
from jackpot.law.cards import DECK, HAND_SIZE, hand_text, parse_hand
from jackpot.law.terms import Terms
from jackpot.law.winners import Winner, ranked_winners
from jackpot.table.facts import DeclaredHand

SIT_OUT_HANDS = 8
"""A player who leaves the table comes back after so many hands."""

SEAT_TAKEN_PERCENT = 88
BETS_PERCENT = 85
STRAY_CHIP_PERCENT = 2
"""How often a hand sees a second or a foreign chip without being rigged."""


@dataclass(frozen=True)
class Deal:
    """A hand as it lies on the table. ``hands`` holds five cards by box, of betting boxes only."""

    number: int
    hands: Mapping[int, str]
    trouble: Trouble

    @property
    def bets(self) -> tuple[int, ...]:
        """The boxes whose players bet on the jackpot."""
        return tuple(self.hands)

    @property
    def troubled_box(self) -> int:
        """The box of ``trouble``."""
        return self.bets[0]


def deal(seed: int, number: int, boxes: Sequence[int], rig: Rig = NOTHING) -> Deal:
    """Hand ``number`` for the open ``boxes``: the same for the same seed, whatever came before."""
    cards = random.Random(f"{seed}/{number}/cards")  # noqa: S311 - repeatable, nobody's money
    bets = _betting_boxes(seed, number, boxes, least=max(1, len(rig.hands)))
    arranged = [parse_hand(hand) for hand in rig.hands][: len(bets)]
    used = {card for hand in arranged for card in hand}
    pack = [card for card in DECK if card not in used]
    cards.shuffle(pack)
    rest = [
        tuple(pack[HAND_SIZE * place : HAND_SIZE * (place + 1)])
        for place in range(len(bets) - len(arranged))
    ]
    hands = {box: hand_text(hand) for box, hand in zip(bets, [*arranged, *rest], strict=True)}
    return Deal(number, hands, rig.trouble if rig is not NOTHING else _stray_chip(cards))


def _betting_boxes(seed: int, number: int, boxes: Sequence[int], least: int) -> list[int]:
    """Some seats are empty for a while, some players leave a hand out; at least ``least`` bet."""
    willing: list[int] = []
    others: list[int] = []
    for box in boxes:
        seat = random.Random(f"{seed}/{number // SIT_OUT_HANDS}/seat {box}")  # noqa: S311
        player = random.Random(f"{seed}/{number}/player {box}")  # noqa: S311
        taken = seat.randrange(100) < SEAT_TAKEN_PERCENT
        bets = taken and player.randrange(100) < BETS_PERCENT
        (willing if bets else others).append(box)
    return sorted(willing + others[: max(0, least - len(willing))])


def _stray_chip(chance: random.Random) -> Trouble:
    if chance.randrange(100) >= STRAY_CHIP_PERCENT:
        return Trouble.NONE
    return chance.choice((Trouble.SECOND_CHIP, Trouble.WRONG_CHIP))


def winning_hands(terms: Terms, dealt: Deal, bet_boxes: Sequence[int]) -> tuple[DeclaredHand, ...]:
    """What the croupier declares: every dealt hand that earns an award in a box with a bet (CAN-8.3)."""
    winners = [
        Winner(box, parse_hand(cards)) for box, cards in dealt.hands.items() if box in bet_boxes
    ]
    return tuple(
        DeclaredHand(entry.winner.box, hand_text(entry.winner.cards))
        for entry in ranked_winners(terms, winners)
        if entry.award is not None
    )
