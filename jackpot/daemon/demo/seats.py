"""The players at the table: their moves of ``jackpot.daemon.demo.players`` reach the mechanism."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from jackpot.cctalk.events import wire_counter
from jackpot.daemon.demo.deal import Deal
from jackpot.daemon.demo.mechanism import Answer, Mechanism
from jackpot.daemon.demo.players import Moment, Move, moves
from jackpot.table.state import Phase, TableState

_OPEN = (Phase.BETTING, Phase.LOCKING)


class EmptySeats:
    """Players whose chips no slot tells of: manual mode needs no mechanism."""

    failure: BaseException | None = None

    def look(self, _state: TableState, _dealt: Deal | None, _now_s: float) -> float | None:
        """Nothing is due."""
        return None

    def told(self, _state: TableState) -> bool:
        """Nothing is awaited."""
        return True


@dataclass
class _Hand:
    """What is left to do in one hand, and since when each moment has come, in loop seconds."""

    dealt: Deal
    left: list[Move]
    since_s: dict[Moment, float] = field(default_factory=dict)
    left_alone: bool = False


class Seats:
    """Follows the table: ``look`` after every change, and again after the seconds it returns.

    ``speed`` divides every delay; 0 leaves none at all.
    """

    def __init__(
        self, mechanism: Mechanism, seed: int, speed: float, on_news: Callable[[], None]
    ) -> None:
        self._mechanism = mechanism
        self._seed = seed
        self._speed = speed
        self._on_news = on_news
        self._hand: _Hand | None = None
        self._unanswered = 0
        self._counters: dict[int, int] = {}
        self._cut: set[int] = set()
        self.failure: BaseException | None = None

    def look(self, state: TableState, dealt: Deal | None, now_s: float) -> float | None:
        """Do what is due; returns when the next move is, None if that depends on the table."""
        self._leave_out_the_late(state)
        hand = self._hand
        if dealt is not None and (hand is None or hand.dealt.number != dealt.number):
            for move in hand.left if hand else ():
                self._send(move.box, move.commands)  # a slot that was cut off speaks again
            hand = self._hand = _Hand(dealt, list(moves(self._seed, dealt)))
        while hand and hand.left and self._has_come(hand, hand.left[0].moment, state):
            move = hand.left[0]
            since_s = hand.since_s.setdefault(move.moment, now_s)
            due_s = since_s + (move.after_ms / 1_000 / self._speed if self._speed else 0)
            if due_s > now_s:
                return due_s
            hand.left.pop(0)
            self._send(move.box, move.commands)
        return None

    def told(self, state: TableState) -> bool:
        """Whether no chip is about to go in, and the ledger knows of every one that did."""
        return not self._bets_left() and self._counted(state)

    def _bets_left(self) -> bool:
        return self._hand is not None and any(
            m.moment is not Moment.LOCKED for m in self._hand.left
        )

    def _has_come(self, hand: _Hand, moment: Moment, state: TableState) -> bool:
        if moment is Moment.BETTING:
            return state.phase is Phase.BETTING
        if moment is Moment.BETS_IN:
            in_time = any(move.moment is Moment.BETTING for move in hand.left)
            return state.phase is Phase.BETTING and not in_time and self._counted(state)
        unknown = state.hand.unknown_boxes if state.hand is not None else ()
        return state.phase not in _OPEN and not unknown

    def _counted(self, state: TableState) -> bool:
        """Whether the ledger knows of every chip that went in, as far as the wire can tell."""
        return not self._unanswered and all(
            wire_counter(state.slots[box - 1].count) == counter
            for box, counter in self._counters.items()
            if box not in self._cut
        )

    def _leave_out_the_late(self, state: TableState) -> None:
        """Whoever closed the betting did not wait: these players stay out of this hand."""
        hand = self._hand
        if hand is None:
            return
        if state.hand_number == hand.dealt.number and state.phase is Phase.BETTING:
            return
        hand.left = [move for move in hand.left if move.moment is Moment.LOCKED]
        if self._unanswered and not hand.left_alone:
            self._send(hand.dealt.troubled_box, ("leave",))
        hand.left_alone = True

    def _send(self, box: int, commands: tuple[str, ...]) -> None:
        for command, answer in zip(commands, self._mechanism.send(commands), strict=True):
            word = command.split()[0]
            if word == "silent":
                self._cut.add(box)
            elif word == "speak":
                self._cut.discard(box)
            self._unanswered += 1
            answer.add_done_callback(self._answered)

    def _answered(self, future: asyncio.Future[Answer]) -> None:
        self._unanswered -= 1
        if future.cancelled():
            return
        self.failure = future.exception() or self.failure
        if self.failure is None:
            answer = future.result()
            if answer.counter is not None:
                self._counters[answer.box] = answer.counter
        self._on_news()
