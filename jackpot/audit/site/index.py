"""The sidecar index: where each hand, day, award, fault and correction stands in a ledger.

It is made by a replay in the background, piece after piece, into a temporary SQLite file beside
nothing of the casino's: readers see what is done so far. Every few thousand events the folded state
is kept as well, so that any hand is shown without folding the ledger from its beginning.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import msgspec

from jackpot.audit.hand_shown import officer_of
from jackpot.audit.replay import Difference, Progress, Replay, Result, Seen, Watches, replay
from jackpot.audit.source import Source
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct
from jackpot.table.facts import FACTS
from jackpot.table.state import Hand, TableState

STATE_EVERY_EVENTS = 2_000
"""A state is kept at the first hand after so many events: a fold of some 10 ms from there, and
some 12 MiB for a year."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS hand (
  hand INTEGER PRIMARY KEY, day INTEGER, batch INTEGER, last_batch INTEGER, seq INTEGER,
  at_ns INTEGER, ended_ns INTEGER, bets INTEGER, bets_cents INTEGER, how TEXT,
  base_microcents INTEGER, meter_microcents INTEGER, paid_cents INTEGER,
  layout TEXT);
CREATE INDEX IF NOT EXISTS hand_of_day ON hand (day);
CREATE TABLE IF NOT EXISTS day (
  day INTEGER PRIMARY KEY, name TEXT, seq INTEGER, last_seq INTEGER, at_ns INTEGER,
  closed_ns INTEGER, hands INTEGER, bets_cents INTEGER, paid_cents INTEGER,
  open_microcents INTEGER, close_microcents INTEGER);
CREATE TABLE IF NOT EXISTS mark (
  seq INTEGER PRIMARY KEY, batch INTEGER, at_ns INTEGER, day INTEGER, hand INTEGER, class TEXT,
  kind TEXT, box INTEGER, cents INTEGER, officer TEXT);
CREATE TABLE IF NOT EXISTS act (
  day INTEGER, officer TEXT, acts INTEGER, first_seq INTEGER, PRIMARY KEY (officer, day));
CREATE TABLE IF NOT EXISTS state (batch INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE IF NOT EXISTS verdict (body BLOB);
"""

AWARD, FAULT, CORRECTION, DAY = "award", "fault", "correction", "day"
CLASSES: dict[str, tuple[str, ...]] = {
    AWARD: (
        "awards_declared",
        "payment_decided",
        "awards_signed",
        "award_paid",
        "jackpot_started",
        "awards_claimed",
        "carrusel_decided",
        "carrusel_undone",
    ),
    FAULT: (
        "controller_started",
        "clock_stepped",
        "alarm_raised",
        "slot_identified",
        "slot_restarted",
        "slot_down",
        "slot_event",
        "slot_events_lost",
        "carrusel_link_lost",
        "carrusel_stopped",
        "shortfall_borne",
    ),
    CORRECTION: (
        "hand_voided",
        "awards_rejected",
        "slot_decided",
        "chip_decided",
        "box_closed",
        "box_opened",
        "box_mode_changed",
        "bet_asserted",
        "bet_disputed",
        "decision_reversed",
        "claim_withdrawn",
        "payment_reversed",
        "total_withdrawn",
        "total_corrected",
        "jackpot_corrected",
    ),
    DAY: (
        "day_opened",
        "last_hands_announced",
        "day_closed",
        "configuration_loaded",
        "terms_in_force",
        "terms_pending",
        "mode_changed",
        "table_suspended",
        "table_resumed",
        "table_minimum_set",
        "layout_changed",
        "drop_counted",
        "jackpot_taken_over",
        "jackpot_received",
        "jackpot_moved",
        "jackpot_ended",
        "seed_raised",
        "controller_replaced",
        "carrusel_joined",
        "carrusel_join_refused",
        "carrusel_left",
    ),
}
"""What an auditor jumps to, by class."""

_CLASS_OF = {kind: name for name, kinds in CLASSES.items() for kind in kinds}
_OFFICER_KINDS = frozenset(kind for kind, cls in FACTS.items() if issubclass(cls, OfficerAct))


class ReplayVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the replay behind the index came to. Pools in micro-cents."""

    batches: int
    events: int
    hands: int
    differences: tuple[Difference, ...]
    more_differences: int
    pools_microcents: dict[str, int]


def is_fault(seen: Seen) -> bool:
    """Whether an event of a kind that may be a fault is one."""
    event = seen.event
    if isinstance(event, f.ControllerStarted):
        return not event.clean
    if isinstance(event, f.SlotIdentified):
        return event.continuity is f.Continuity.DOUBTFUL
    return event.fraud if isinstance(event, f.SlotEvent) else True


@dataclass
class _OpenHand:
    """The hand that is being read. Amounts in the units of their names."""

    hand: int
    batch: int
    seq: int
    at_ns: int
    ended_ns: int | None = None
    how: str = ""


class IndexWriter:
    """Fills an index while a replay goes along. One process writes, any number may read."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path))
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")  # it can always be made anew
        self._db.execute(SCHEMA)
        self._hands: list[tuple[Any, ...]] = []
        self._marks: list[tuple[Any, ...]] = []
        self._states: list[tuple[int, bytes]] = []
        self._days: dict[int, list[Any]] = {}
        self._acts: Counter[tuple[int, str]] = Counter()
        self._first_acts: dict[tuple[int, str], int] = {}
        self._day = 0
        self._hand: _OpenHand | None = None
        self._state_seq = -STATE_EVERY_EVENTS
        self._last: TableState | None = None

    def watches(self) -> Watches:
        """Every kind that the index is about."""
        kinds = {*_CLASS_OF, *_OFFICER_KINDS, "hand_ended", "day_totals"}
        return dict.fromkeys(kinds, self._see)

    def _see(self, seen: Seen) -> None:
        kind = seen.row[2]
        self._last = seen.after
        if kind == "day_opened":
            self._day_opens(seen)
        if kind in _OFFICER_KINDS:
            self._act(seen)
        if kind in _CLASS_OF:
            self._mark(seen, _CLASS_OF[kind])
        if kind == "hand_started":
            self._hand_starts(seen)
        elif kind == "hand_ended" and self._hand is not None:
            self._hand.ended_ns = seen.header[1]
            how = getattr(seen.event, "how", "")
            self._hand.how = str(getattr(how, "value", how))
        elif kind == "day_closed":
            self._close_hand(seen.header[0] - 1, seen.before)
            self._day_row(seen.after, seen.row[0], seen.header[1])

    def _act(self, seen: Seen) -> None:
        """Who acted, and who signed with them."""
        for officer in (getattr(seen.event, "by", ""), getattr(seen.event, "second", "")):
            if officer:
                self._acts[self._day, officer] += 1
                self._first_acts.setdefault((self._day, officer), seen.row[0])

    def _mark(self, seen: Seen, name: str) -> None:
        if name == FAULT and not is_fault(seen):
            return
        row, header = seen.row, seen.header
        officer = officer_of(seen.event)
        hand = seen.after.hand_number or None
        self._marks.append(
            (row[0], row[1], header[1], self._day, hand, name, row[2], row[3], row[4], officer)
        )

    def _hand_starts(self, seen: Seen) -> None:
        header, seq = seen.header, seen.row[0]
        self._close_hand(header[0] - 1, seen.before)
        day = self._days.get(self._day)
        if day is not None and day[8] is None:
            day[8] = seen.before.pools.jackpot_microcents
        self._hand = _OpenHand(seen.after.hand_number, header[0], seq, header[1])
        if seq - self._state_seq >= STATE_EVERY_EVENTS and seq == header[5]:
            self._states.append((header[0], msgspec.msgpack.encode(seen.before)))
            self._state_seq = seq

    def _close_hand(self, last_batch: int, state: TableState) -> None:
        """A hand ends for good where the next one begins, or the day closes."""
        open_hand, self._hand = self._hand, None
        if open_hand is None:
            return
        self._hands.append(_hand_row(open_hand, self._day, last_batch, state))
        self._day_row(state, None, None)

    def _day_opens(self, seen: Seen) -> None:
        self._day += 1
        name = seen.after.day.name if seen.after.day is not None else ""
        self._days[self._day] = [name, seen.row[0], None, seen.header[1], None, 0, 0, 0, None, None]

    def _day_row(self, state: TableState, last_seq: int | None, closed_ns: int | None) -> None:
        """What a day has come to."""
        row, day = self._days.get(self._day), state.day
        if row is None or day is None:
            return
        meter = state.pools.jackpot_microcents
        row[2], row[4] = last_seq, closed_ns
        row[5:8] = day.hands, day.bets_cents, day.paid_cents
        row[9] = meter

    def write(self) -> None:
        """Make what was seen so far visible to readers."""
        insert = "INSERT OR REPLACE INTO {} VALUES ({})"
        acts = [(d, o_, n, self._first_acts[d, o_]) for (d, o_), n in self._acts.items()]
        days = [(day, *row) for day, row in self._days.items()]
        tables: tuple[tuple[str, list[Any]], ...] = (
            ("hand", self._hands),
            ("mark", self._marks),
            ("state", self._states),
            ("day", days),
            ("act", acts),
        )
        with self._db:
            for table, rows in tables:
                if rows:
                    marks = ", ".join("?" * len(rows[0]))
                    self._db.executemany(insert.format(table, marks), rows)
        self._hands, self._marks, self._states = [], [], []
        self._days = {day: row for day, row in self._days.items() if day == self._day}
        self._acts = Counter({key: n for key, n in self._acts.items() if key[0] == self._day})

    def finish(self, last_batch: int, result: Result) -> ReplayVerdict:
        """The last hand, and what the replay came to."""
        self._close_hand(last_batch, result.state)
        self.write()
        verdict = ReplayVerdict(
            batches=result.batches,
            events=result.events,
            hands=result.hands,
            differences=result.differences,
            more_differences=result.more_differences,
            pools_microcents=result.pools_microcents,
        )
        self._db.execute("INSERT INTO verdict VALUES (?)", (msgspec.json.encode(verdict),))
        return verdict

    def close(self) -> None:
        """Give the file back."""
        self._db.close()


def _hand_row(
    hand: _OpenHand, day: int, last_batch: int, state: TableState
) -> tuple[int | str | None, ...]:
    """A row of the table ``hand`` from the state after it."""
    told = state.hand
    payments = () if told is None else told.payments
    bets, bets_cents = _bets(told)
    return (
        hand.hand,
        day,
        hand.batch,
        last_batch,
        hand.seq,
        hand.at_ns,
        hand.ended_ns,
        bets,
        bets_cents,
        hand.how,
        None if told is None else told.base_microcents,
        state.pools.jackpot_microcents,
        sum(
            payment.cents - payment.reversed_cents for payment in payments
        ),  # less those struck out
        "" if state.terms is None else state.terms.layout,
    )


def _bets(hand: Hand | None) -> tuple[int, int]:
    """How many bets of a hand, and their cents: its final total in manual mode (CAN-8.b1)."""
    if hand is None:
        return 0, 0
    if hand.manual:
        total = hand.total if hand.total_is_final else None
        return (0, 0) if total is None else (total.chips, total.cents)
    return len(hand.bets), sum(bet.cents for bet in hand.bets)


def build_index(source: Source, path: Path, progress: Progress | None = None) -> ReplayVerdict:
    """Make the index of a whole ledger. Raises ``LedgerUnreadable``."""
    writer = IndexWriter(path)
    try:

        def after_piece(_: Replay) -> None:
            writer.write()

        result = replay(
            source, watches=writer.watches(), after_piece=after_piece, progress=progress
        )
        return writer.finish(source.batch, result)
    finally:
        writer.close()
