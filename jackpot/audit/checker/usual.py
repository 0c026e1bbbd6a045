"""What happens all evening, checked and folded in one step: hand after hand.

A usual hand is looked at as columns: betting, the lock, the croupier's word that there is no award;
where there is one, up to the lock. Then the table is as the judge would leave it, and he would find
nothing; otherwise nothing has happened yet, and the hand goes to him. The tests walk every ledger both
ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from jackpot.audit.checker.acts import CROUPIER, MAY_ACT_AS
from jackpot.audit.checker.columns.pages import Flags, Numbers
from jackpot.audit.checker.columns.piece import Form, Piece
from jackpot.audit.checker.due import POOL_INFO
from jackpot.audit.checker.fold import FOLDS
from jackpot.audit.checker.judge import EventRow, parsed
from jackpot.audit.checker.pools import JACKPOT
from jackpot.audit.checker.state import BETWEEN_HANDS, LOCKED, MANUAL, Bet, Table
from jackpot.audit.checker.terms import Text

POOL_OF = {info: pool for pool, info in POOL_INFO.items()}

BOXES = 16
"""Room for the number of a box beside that of a form."""


class Step(IntEnum):
    """What a batch is in a usual hand, in the order of the hand."""

    OTHER = 0
    STARTED = 1
    CHIP = 2
    PRESSED = 3
    REACHED = 4
    ENDED = 5


KINDS: dict[tuple[str, ...], Step] = {
    ("hand_started",): Step.STARTED,
    ("lock_pressed",): Step.PRESSED,
    ("lock_reached", "hand_locked"): Step.REACHED,
    ("no_awards_declared", "hand_ended"): Step.ENDED,
}

REACHED = (rb'"lock_reached",null,null,null,"{\"unknown_boxes\":[]}"]',)
"""The line of the lock where every slot has spoken."""

CHIP = ("chip_seen", "bet_accepted")
"""What a chip's batch begins with; contributions follow."""

FOLLOWS = np.zeros((len(Step), len(Step)), np.bool_)
"""Which step may follow which, within a hand; between hands the next one starts."""
for _before, _after in (
    (Step.STARTED, Step.CHIP),
    (Step.STARTED, Step.PRESSED),
    (Step.CHIP, Step.CHIP),
    (Step.CHIP, Step.PRESSED),
    (Step.PRESSED, Step.REACHED),
    (Step.REACHED, Step.ENDED),
):
    FOLLOWS[_before, _after] = True


class Known(NamedTuple):
    """What the batches of one form do."""

    step: Step
    by: str = ""
    bet_cents: int = 0
    moved: tuple[tuple[str, int], ...] = ()

    @property
    def jackpot_microcents(self) -> int:
        """What one such chip adds to the running jackpot."""
        return sum(amount for pool, amount in self.moved if pool == JACKPOT)


def known(form: Form) -> Known:
    """What a form is in a usual hand."""
    kinds, other = tuple(shape.kind for shape in form), Known(Step.OTHER)
    if kinds[:2] == CHIP and {*kinds[2:]} == {"contributed"}:
        return _chip(form)
    step = KINDS.get(kinds)
    if step is None:
        return other
    fields = [parsed(shape.info or None) for shape in form]
    if step is Step.REACHED:
        return Known(step) if form[0].line == REACHED else other
    ended = step is Step.ENDED
    if fields[0].keys() != {"by", "hand"} or (ended and fields[1].keys() != {"hand", "how"}):
        return other
    return Known(step, fields[0]["by"])


def _chip(form: Form) -> Known:
    bet, *contributed = form[1:]
    moved = [(POOL_OF.get(one.info), one.microcents) for one in contributed]
    if bet.cents is None or any(pool is None or amount is None for pool, amount in moved):
        return Known(Step.OTHER)
    return Known(
        Step.CHIP, "", bet.cents, tuple((pool, amount) for pool, amount in moved if pool and amount)
    )


class Hands(NamedTuple):
    """The usual hands of a piece, in their order. Places are those of batches, from 0."""

    begin: Numbers
    end: Numbers
    """The place after the hand; after its lock, where another word follows than that of no award."""
    ended: Flags
    number: Numbers
    run: Numbers
    """The first hand that is not of the same run: numbered on, and the meter fits."""
    contributed: Numbers
    """What all chips of the piece up to the end of the hand add to the jackpot, in micro-cents."""
    meter: Numbers
    """At the lock, in micro-cents."""


class Usual:
    """The usual hands at one table; ``hand_begins`` is told where one begins."""

    def __init__(self, table: Table, hand_begins: Callable[[], None]) -> None:
        self.table = table
        self._hand_begins = hand_begins
        self._known: list[Known] = []
        self._numbers: dict[Form, int] = {}
        self._terms: Text | None = None
        self._chips: set[int] = set()
        """Chips as the judge has found them right, by ``_pairs``."""

    def look_at(self, piece: Piece, stops: Sequence[int], at_ns: int) -> None:
        """Find the usual hands of a piece. None goes over a batch of ``stops``, or back in time;
        ``at_ns``: when the batch before it was."""
        self.piece = piece
        forms = np.array([self._number(form) for form in piece.forms])
        self._form = forms[piece.form]
        self._pairs = self._form * BOXES + piece.box
        step = np.array([one.step for one in self._known])[self._form]
        step[np.diff(piece.at_ns, prepend=at_ns) < 0] = Step.OTHER
        self._chip = step == Step.CHIP
        follows = FOLLOWS[np.concatenate([[Step.OTHER], step[:-1]]), step]
        follows[1:] &= piece.hand[1:] == piece.hand[:-1]
        after = np.array(stops, np.int64) - piece.first + 1
        follows[after[(after >= 0) & (after < len(piece))]] = False
        self.hands = self._hands(step, follows)

    def _number(self, form: Form) -> int:
        """The place of a form in ``_known``; pieces may number their forms each in its own way."""
        number = self._numbers.setdefault(form, len(self._known))
        if number == len(self._known):
            self._known.append(known(form))
        return number

    def _hands(self, step: Numbers, follows: Flags) -> Hands:
        piece = self.piece
        begin, reached = np.flatnonzero(step == Step.STARTED), np.flatnonzero(step == Step.REACHED)
        place = np.searchsorted(reached, begin)
        begin, place = begin[place < len(reached)], place[place < len(reached)]
        reached = reached[place]
        breaks = np.cumsum(~follows)
        whole = breaks[reached] == breaks[begin]
        begin, reached = begin[whole], reached[whole]
        jackpot = np.array([one.jackpot_microcents for one in self._known])[self._form]
        bets = np.array([one.bet_cents for one in self._known])[self._form]
        box = np.where(self._chip, 1 << piece.box, 0)
        boxes, sums, contributed = (_summed(values) for values in (box, bets, jackpot))
        all_boxes = (
            np.bitwise_or.reduceat(box, _spans(begin, reached))[::2] if len(begin) else begin
        )
        right = (all_boxes == boxes[reached] - boxes[begin]) & (
            sums[reached] - sums[begin] == piece.cents[reached]
        )
        begin, reached = begin[right], reached[right]
        following = np.minimum(reached + 1, len(piece) - 1)
        ended = (step[following] == Step.ENDED) & follows[following] & (following > reached)
        end = reached + 1 + ended
        number, meter = piece.hand[begin], piece.microcents[reached]
        until = contributed[reached]
        goes_on = (
            ended[:-1]
            & (begin[1:] == end[:-1])
            & (number[1:] == number[:-1] + 1)
            & ((meter - until)[1:] == (meter - until)[:-1])
        )
        ends = np.append(np.flatnonzero(~goes_on) + 1, len(begin))
        run = ends[np.searchsorted(ends, np.arange(len(begin)), side="right")]
        return Hands(begin, end, ended, number, run, until, meter)

    def next_from(self, at: int) -> int:
        """The place of the next usual hand, or that after the piece."""
        place = int(np.searchsorted(self.hands.begin, at))
        return int(self.hands.begin[place]) if place < len(self.hands.begin) else len(self.piece)

    def end_of(self, at: int) -> int:
        """The place after the hand that begins at ``at``."""
        return int(self.hands.end[np.searchsorted(self.hands.begin, at)])

    def along(self, at: int) -> int:
        """Fold the usual hands from ``at`` on; the place after the last of them."""
        hands = self.hands
        place = int(np.searchsorted(hands.begin, at))
        if place == len(hands.begin) or hands.begin[place] != at or not self._as_usual(place):
            return at
        last = self._last(place)
        if last < place:
            return at
        self._fold(place, last)
        return int(hands.end[last])

    def _as_usual(self, place: int) -> bool:
        """A table in service with all its slots, between hands, and the next hand is its own
        (CAN-7.1, CAN-7.3a, CAN-8.b2)."""
        table, hands = self.table, self.hands
        if table.terms is not self._terms:  # other terms make other bets
            self._chips.clear()
            self._terms = table.terms
        return (
            table.carrusel is None
            and table.terms is not None
            and table.phase == BETWEEN_HANDS
            and table.mode != MANUAL
            and table.hands_left is None
            and not (table.suspended or table.test or table.waiting or table.locks)
            and not table.slots_down()
            and int(hands.number[place]) == table.hand + 1
        )

    def _last(self, place: int) -> int:
        """The last hand of this run in which everybody may do what he did, every chip is the first one
        in an open box and known, and the meter is right (CAN-3.1, CAN-7.1, CAN-8.1, CAN-8.b)."""
        hands, table = self.hands, self.table
        before = self._contributed_before(place)
        if int(hands.meter[place] - hands.contributed[place]) != table.meter_microcents - before:
            return place - 1
        here = slice(int(hands.begin[place]), int(hands.end[int(hands.run[place]) - 1]))
        may = MAY_ACT_AS[CROUPIER]
        closed = {*table.closed_boxes, *table.manual_boxes}
        closed.update(box for box, owed in table.owed.items() if owed)
        wrong = [
            pair
            for pair in np.flatnonzero(np.bincount(self._pairs[here])).tolist()
            if not self._right(pair, may, closed)
        ]
        if not wrong:
            return int(hands.run[place]) - 1
        first = here.start + int(np.argmax(np.isin(self._pairs[here], wrong)))
        return int(np.searchsorted(hands.end, first, side="right")) - 1

    def _right(self, pair: int, may: frozenset[str], closed: set[int]) -> bool:
        one = self._known[pair // BOXES]
        if one.step is Step.CHIP:
            return pair in self._chips and pair % BOXES not in closed
        return one.step is Step.REACHED or not may.isdisjoint(self.table.officers.get(one.by, ()))

    def _contributed_before(self, place: int) -> int:
        """What the chips of the piece before a hand add to the jackpot."""
        hands = self.hands
        own = slice(int(hands.begin[place]), int(hands.end[place]))
        forms: list[int] = self._form[own].tolist()
        added = sum(self._known[form].jackpot_microcents for form in forms)
        return int(hands.contributed[place]) - added

    def _fold(self, place: int, last: int) -> None:
        """All hands from ``place`` to ``last``."""
        hands, table = self.hands, self.table
        self._hand_begins()
        self._fold_chips(int(hands.begin[place]), int(hands.begin[last]))
        FOLDS["hand_started"](table, 0, 0, 0, {"hand": int(hands.number[last])})
        self._fold_chips(int(hands.begin[last]), int(hands.end[last]))
        table.lock_meter_microcents = int(hands.meter[last])
        table.hands_ended += last - place
        table.day_hands += last - place
        if hands.ended[last]:
            FOLDS["hand_ended"](table, 0, 0, 0, {"how": "no_awards"})
        else:
            table.phase, table.bets = (
                LOCKED,
                self._bets(int(hands.begin[last]), int(hands.end[last])),
            )

    def _bets(self, begin: int, end: int) -> list[Bet]:
        """The bets between two places, for what follows in their hand."""
        pairs = self._pairs[begin:end][self._chip[begin:end]].tolist()
        chips = [(pair % BOXES, self._known[pair // BOXES]) for pair in pairs]
        return [Bet(box, 1, one.bet_cents, [*one.moved]) for box, one in chips]

    def _fold_chips(self, begin: int, end: int) -> None:
        """The bets between two places (CAN-8.b)."""
        table = self.table
        counts = np.bincount(self._pairs[begin:end][self._chip[begin:end]])
        for pair in np.flatnonzero(counts).tolist():
            count = int(counts[pair])
            one, box = self._known[pair // BOXES], pair % BOXES
            for pool, microcents in one.moved:
                table.pools[pool] += count * microcents
                table.sums[pool].contributed += count * microcents
            table.detected[box] = table.detected.get(box, 0) + count
            table.day_bets_cents += count * one.bet_cents

    def learn(self, at: int, rows: Sequence[EventRow]) -> None:
        """A batch that the judge has seen: if it was the first bet of its box, so are all like it."""
        form = int(self._form[at])
        if self._known[form].step is not Step.CHIP:
            return
        due = self.table.bet_rows.get((rows[0][3] or 0, 1, "chip"))
        if (
            due is not None
            and [row[2:] for row in rows[1:]] == due
            and parsed(rows[0][6])["expected"]
            and self.table.terms is self._terms
        ):
            self._chips.add(int(self._pairs[at]))


def _summed(values: Numbers) -> Numbers:
    """Sums of all values before each place."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _spans(begin: Numbers, last: Numbers) -> Numbers:
    """Begin and end of each hand, for ``reduceat``."""
    return np.stack([begin, last], axis=1).ravel()
