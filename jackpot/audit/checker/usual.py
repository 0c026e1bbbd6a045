"""What happens all evening, checked and folded in one step: betting, the lock, a hand without awards.

A usual batch stands word for word as it must, so its text is compared and not read. Then the table is
as the judge would leave it, and he would find nothing; otherwise nothing has happened yet, and the
batch goes to him. The tests walk every ledger both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from jackpot.audit.checker.acts import CROUPIER, MAY_ACT_AS
from jackpot.audit.checker.due import POOL_INFO, text
from jackpot.audit.checker.findings import Untidy
from jackpot.audit.checker.fold import FOLDS
from jackpot.audit.checker.judge import EventRow, parsed
from jackpot.audit.checker.state import (
    BETTING,
    BETTING_IS_OPEN,
    BETWEEN_HANDS,
    LOCKED,
    LOCKING,
    MANUAL,
    Bet,
    Table,
)
from jackpot.audit.checker.terms import Text

Step = Callable[[bytes], bool]
"""Given the events of one batch: whether it was usual, and is folded in now."""

KNOWN_CHIPS = 1_024
"""One for each box and reading of its chip; a forged ledger must not fill the memory."""

POOL_OF = {info: pool for pool, info in POOL_INFO.items()}

_line = msgspec.json.encode

ACTS = ("hand_started", "lock_pressed", "no_awards_declared")
"""What a croupier signs in a hand without awards; each begins the text of one officer's act."""

AT_HAND = b'%d}"]'
"""The end of such an act."""

ENDED = b'%d}"]\n"hand_ended",null,null,null,"{\\"hand\\":%d,\\"how\\":\\"no_awards\\"}"]'
"""The end of a hand without awards, from the number of the hand that the croupier names."""

REACHED = (
    b'"lock_reached",null,null,null,"{\\"unknown_boxes\\":[]}"]\n"hand_locked",null,%d,%d,null]'
)
"""The lock where every slot has spoken; bets in cents, the meter in micro-cents."""


class Usual:
    """The usual steps at one table; ``hand_begins`` is told of each hand."""

    def __init__(self, table: Table, hand_begins: Callable[[], None]) -> None:
        self.table = table
        self._hand_begins = hand_begins
        self._terms: Text | None = None
        self._chips: dict[bytes, Bet] = {}
        self._officers: dict[str, list[str]] = {}
        self._acts: dict[str, set[bytes]] = {kind: set() for kind in ACTS}
        self._begins = self._bets = False
        self._shut: set[int] = set()
        self._taken: set[int] = set()
        self._steps: dict[str, Step] = {
            BETWEEN_HANDS: self._hand_started,
            BETTING: self._lock_pressed,
            LOCKING: self._lock_reached,
            LOCKED: self._no_awards_declared,
        }

    def along(self, bodies: Sequence[bytes], hands: Sequence[int | None], begin: int) -> int:
        """Fold what is usual from ``begin`` on; where the next other batch stands. ``bodies`` are the
        events of each batch (``Piece.bodies``), ``hands`` what it names as its hand.

        Raises ``Untidy`` where it names another hand.
        """
        if self.table.carrusel is not None or self.table.terms is None:
            return begin
        self._look_about()
        end = self._go(bodies, hands, begin)
        self.table.bets = [
            Bet(one.box, one.number, one.cents, [*one.moved]) for one in self.table.bets
        ]
        return end

    def _go(self, bodies: Sequence[bytes], hands: Sequence[int | None], begin: int) -> int:
        """Until something else comes. Like bets are one object here; the judge may change each."""
        table, chips, steps, now = self.table, self._chips, self._steps, self.table.hand
        for at, (events, hand) in enumerate(zip(bodies[begin:], hands[begin:], strict=True), begin):
            bet = chips.get(events)
            if bet is not None:
                usual = self._chip_seen(bet)
            else:
                step = steps.get(table.phase)
                usual = step is not None and step(events)
            if not usual:
                return at
            before, now = now, table.hand
            if hand is not None and hand != now and hand != before:
                raise Untidy("the batch names another hand")
        return len(bodies)

    def learn(self, body: bytes, rows: Sequence[EventRow]) -> None:
        """A chip that the judge has seen: if it was the first bet of its box, so are all like it."""
        self._look_about()
        box = rows[0][3] or 0
        due = self.table.bet_rows.get((box, 1, "chip"))
        if (
            due is None
            or [row[2:] for row in rows[1:]] != due
            or not parsed(rows[0][6])["expected"]
        ):
            return
        if len(self._chips) < KNOWN_CHIPS:
            moved = [(POOL_OF[info], microcents) for _, _, _, microcents, info in due[1:]]
            self._chips[body] = Bet(box, 1, due[0][2], moved)

    def _look_about(self) -> None:
        """The judge may have changed whatever the usual steps leave as it is."""
        table = self.table
        if table.terms is not self._terms:  # other terms make other bets
            self._chips.clear()
            self._terms = table.terms
        if table.officers is not self._officers:
            may = MAY_ACT_AS[CROUPIER]
            croupiers = [name for name, has in table.officers.items() if not may.isdisjoint(has)]
            for kind in self._acts:
                self._acts[kind] = {_act(kind, name) for name in croupiers}
            self._officers = table.officers
        self._shut = table.closed_boxes.union([box for box, owed in table.owed.items() if owed])
        self._taken = self._shut.union([bet.box for bet in table.bets])
        self._bets = not (table.test or table.waiting or table.locks or table.hand_manual)
        self._begins = not (
            table.suspended
            or table.test
            or table.hands_left is not None
            or table.mode == MANUAL
            or table.slots_down()
        )

    def _by_croupier(self, kind: str, events: bytes, rest: bytes) -> bool:
        """An act by somebody who may do a croupier's work (CAN-3.1), and ``rest``: at which hand."""
        return events.endswith(rest) and events[: -len(rest)] in self._acts[kind]

    def _hand_started(self, events: bytes) -> bool:
        """The next hand at a table in service with all its slots (CAN-7.3a, CAN-8.b2)."""
        number = self.table.hand + 1
        if not self._begins or not self._by_croupier("hand_started", events, AT_HAND % number):
            return False
        FOLDS["hand_started"](self.table, 0, 0, 0, {"hand": number})
        self._bets, self._taken = not (self.table.waiting or self.table.locks), {*self._shut}
        self._hand_begins()
        return True

    def _chip_seen(self, bet: Bet) -> bool:
        """The first chip in an open box is a bet (CAN-7.1, CAN-8.1, CAN-8.b)."""
        table, box = self.table, bet.box
        if box in self._taken or table.phase not in BETTING_IS_OPEN or not self._bets:
            return False
        self._taken.add(box)
        pools, sums = table.pools, table.sums
        for pool, microcents in bet.moved:
            pools[pool] += microcents
            sums[pool].contributed += microcents
        table.detected[box] = table.detected.get(box, 0) + 1
        table.day_bets_cents += bet.cents
        table.bets.append(bet)
        return True

    def _lock_pressed(self, events: bytes) -> bool:
        """«No va más», and no chip waits for a decision (CAN-7.1)."""
        table = self.table
        if (
            table.hand_manual
            or table.waiting
            or not self._by_croupier("lock_pressed", events, AT_HAND % table.hand)
        ):
            return False
        table.phase = LOCKING
        return True

    def _lock_reached(self, events: bytes) -> bool:
        """Every slot has spoken; bets and meter at the lock (CAN-7.1)."""
        table = self.table
        bets_cents, meter_microcents = (
            sum([bet.cents for bet in table.bets]),
            table.meter_microcents,
        )
        if events != REACHED % (bets_cents, meter_microcents):
            return False
        table.unknown = set()
        table.phase, table.lock_meter_microcents = LOCKED, meter_microcents
        return True

    def _no_awards_declared(self, events: bytes) -> bool:
        """The hand is over (CAN-7.3a); no countdown runs."""
        table = self.table
        if (
            table.hand_manual
            or table.unknown
            or table.award
            or table.hands_left is not None
            or not self._by_croupier("no_awards_declared", events, ENDED % (table.hand, table.hand))
        ):
            return False
        FOLDS["hand_ended"](table, 0, 0, 0, {"how": "no_awards"})
        return True


def _act(kind: str, by: str) -> bytes:
    """The event of an officer's act up to the number of its hand."""
    line = _line([kind, None, None, None, text({"by": by, "hand": 0})])
    return line[1:].removesuffix(AT_HAND % 0)
