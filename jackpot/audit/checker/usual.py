"""What happens all evening, checked and folded in one step: betting, the lock, a hand without awards.

Each step says whether a batch is just that and nothing else. Then the table is as the judge would
leave it, and he would find nothing; otherwise nothing has happened yet, and the batch goes to him.
The tests walk every ledger both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

import msgspec

from jackpot.audit.checker.acts import CROUPIER, MAY_ACT_AS
from jackpot.audit.checker.due import POOL_INFO
from jackpot.audit.checker.fold import FOLDS
from jackpot.audit.checker.judge import EventRow, parsed
from jackpot.audit.checker.state import (
    BETTING,
    BETTING_IS_OPEN,
    BETWEEN_HANDS,
    LOCKED,
    LOCKING,
    Bet,
    Table,
)

Step = Callable[[Sequence[EventRow]], bool]
"""Given the rows of one batch: whether it was usual, and is folded in now."""

_event = itemgetter(slice(2, None))
"""The columns of a row that are the event itself."""

POOL_OF = {info: pool for pool, info in POOL_INFO.items()}


class _HandAct(msgspec.Struct, forbid_unknown_fields=True):
    """An act of the croupier at a hand."""

    by: str
    hand: int


_hand_act = msgspec.json.Decoder(_HandAct).decode


class Usual:
    """The usual steps at one table. ``steps``: by the kind of the fact."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._officers: dict[str, list[str]] = {}
        self._croupiers: frozenset[str] = frozenset()
        self.steps: dict[str, Step] = {
            "hand_started": self._hand_started,
            "chip_seen": self._chip_seen,
            "lock_pressed": self._lock_pressed,
            "lock_reached": self._lock_reached,
            "no_awards_declared": self._no_awards_declared,
        }

    def _by_croupier(self, info: str | None, hand: int) -> bool:
        """An act at hand ``hand`` by somebody who may do a croupier's work (CAN-3.1)."""
        officers = self.table.officers
        if officers is not self._officers:
            may = MAY_ACT_AS[CROUPIER]
            self._croupiers = frozenset(
                name for name, roles in officers.items() if not may.isdisjoint(roles)
            )
            self._officers = officers
        act = _hand_act(info or "")
        return act.hand == hand and act.by in self._croupiers

    def _hand_started(self, rows: Sequence[EventRow]) -> bool:
        """The next hand at a table in service with all its slots (CAN-7.3a, CAN-8.b2)."""
        table, number = self.table, self.table.hand + 1
        if (
            len(rows) != 1
            or table.phase != BETWEEN_HANDS
            or table.terms is None
            or table.suspended
            or table.test is not None
            or table.hands_left is not None
            or table.manual
            or table.slots_down()
            or not self._by_croupier(rows[0][6], number)
        ):
            return False
        FOLDS["hand_started"](table, 0, 0, 0, {"hand": number})
        return True

    def _chip_seen(self, rows: Sequence[EventRow]) -> bool:
        """The first chip in an open box is a bet (CAN-7.1, CAN-8.1, CAN-8.b)."""
        table, box = self.table, rows[0][3] or 0
        due = table.bet_rows.get((box, 1, "chip"))
        if (
            due is None
            or list(map(_event, rows[1:])) != due
            or table.phase not in BETTING_IS_OPEN
            or table.hand_manual
            or table.test is not None
            or table.waiting
            or table.locks
            or box in table.closed_boxes
            or table.owed.get(box)
            or table.bets_in(box)
            or not parsed(rows[0][6])["expected"]
        ):
            return False
        cents, moved = due[0][2], []
        for _, _, _, microcents, info in due[1:]:
            pool = POOL_OF[info]
            table.pools[pool] += microcents
            table.sums[pool].contributed += microcents
            moved.append((pool, microcents))
        table.detected[box] = table.detected.get(box, 0) + 1
        table.day_bets_cents += cents
        table.bets.append(Bet(box, 1, cents, moved))
        return True

    def _lock_pressed(self, rows: Sequence[EventRow]) -> bool:
        """«No va más», and no chip waits for a decision (CAN-7.1)."""
        table = self.table
        if (
            len(rows) != 1
            or table.phase != BETTING
            or table.terms is None
            or table.hand_manual
            or table.waiting
            or not self._by_croupier(rows[0][6], table.hand)
        ):
            return False
        table.phase = LOCKING
        return True

    def _lock_reached(self, rows: Sequence[EventRow]) -> bool:
        """Every slot has spoken; bets and meter at the lock (CAN-7.1)."""
        table = self.table
        bets_cents = sum([bet.cents for bet in table.bets])
        due = ("hand_locked", None, bets_cents, table.pools["jackpot"], None)
        if (
            len(rows) != 2
            or table.phase != LOCKING
            or rows[1][2:] != due
            or parsed(rows[0][6])["unknown_boxes"]
        ):
            return False
        table.unknown = set()
        table.phase, table.lock_meter_microcents = LOCKED, due[3]
        return True

    def _no_awards_declared(self, rows: Sequence[EventRow]) -> bool:
        """The hand is over (CAN-7.3a); no countdown runs."""
        table = self.table
        ended = f'{{"hand":{table.hand},"how":"no_awards"}}'
        if (
            len(rows) != 2
            or table.phase != LOCKED
            or table.terms is None
            or table.hand_manual
            or table.unknown
            or table.award
            or table.hands_left is not None
            or rows[1][2:] != ("hand_ended", None, None, None, ended)
            or not self._by_croupier(rows[0][6], table.hand)
        ):
            return False
        FOLDS["hand_ended"](table, 0, 0, 0, {"how": "no_awards"})
        return True
