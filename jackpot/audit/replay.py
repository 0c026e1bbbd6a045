"""Replay: every fact of a ledger is decided again by the table's own rules, every outcome compared.

``verify`` proves with other code that the record is right; this proves that the table's own rules,
as they stand in this program, lead from the recorded facts to the recorded outcomes. The state
follows what was *recorded*, so that each difference stands for itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from jackpot.audit.source import Piece, Source
from jackpot.audit.told import Told
from jackpot.errors import Refused
from jackpot.invariant import InvariantBroken
from jackpot.ledger.chain import BatchRow, EventRow
from jackpot.ledger.codec import Codec
from jackpot.ledger.errors import LedgerUnreadable
from jackpot.table.decide import RULES_VERSION, decide
from jackpot.table.event import Event, Fact, Outcome
from jackpot.table.evolve import evolve
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES, CarruselOperation
from jackpot.table.state import INITIAL, TableState, conserved, meters_microcents

DECIDERS: Mapping[str, Callable[[TableState, Fact], tuple[Outcome, ...]]] = {
    str(RULES_VERSION): decide
}
"""The rules of every released version, by the name that batches carry."""

MAX_DIFFERENCES = 1_000
"""The first says where to look; beyond a thousand they are only counted."""

KEPT_EVENTS = 4_096
"""Rows that were seen before need no second decoding; this holds the usual ones in about 1 MiB."""

FAILURES = (InvariantBroken, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What the rules may raise over facts that no table could have recorded."""

Progress = Callable[[int, int], None]
"""Called now and then with the batches done and the batches in all."""


class Difference(msgspec.Struct, frozen=True):
    """One thing that the rules decide otherwise than it was recorded, and where.

    ``what``: ``other`` (another outcome), ``missing`` (no such outcome is recorded), ``extra`` (one
    too many is), ``refused`` (the rules refuse the fact), ``broken`` (they cannot decide it),
    ``meter`` (the derived meter is another).
    """

    what: str
    hand: int
    batch: int
    seq: int
    decided: str
    recorded: str

    def text(self) -> str:
        """One line for people."""
        place = f"batch {self.batch}, seq {self.seq}, hand {self.hand}"
        return f"{place}: {self.what}: the rules decide {self.decided}; recorded {self.recorded}"


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a replay came to. Pools in micro-cents."""

    batches: int
    events: int
    hands: int
    differences: tuple[Difference, ...]
    more_differences: int
    pools_microcents: dict[str, int]
    state: TableState

    @property
    def equal(self) -> bool:
        """Whether every outcome is what the rules decide."""
        return not self.differences


@cache
def _codec() -> Codec:
    """Made once: it compiles a reader for each kind."""
    return Codec({**FACTS, **OUTCOMES})


class Decoder:
    """Rows to events; most rows repeat an earlier one, so decoded events are kept for a while."""

    def __init__(self) -> None:
        self._unpack = _codec().unpack.__wrapped__  # no second cache behind this one
        self._kept: dict[tuple[Any, ...], Event] = {}

    def events(self, rows: Sequence[EventRow]) -> list[Event]:
        """The events of some rows. Raises ``LedgerUnreadable`` for an unknown kind or field."""
        kept = self._kept
        return [kept.get(row[2:]) or self._decoded(row[2:]) for row in rows]

    def _decoded(self, columns: tuple[Any, ...]) -> Event:
        if len(self._kept) >= KEPT_EVENTS:
            self._kept.clear()
        event = self._kept[columns] = self._unpack(*columns)
        return event


class Seen(NamedTuple):
    """One event that somebody watches: its batch, its row, itself, the state before and after."""

    header: BatchRow
    row: EventRow
    event: Event
    before: TableState
    after: TableState


Watches = Mapping[str, Callable[[Seen], None]]
"""What to call, by the kind of event."""

_NOTHING: tuple[Outcome, ...] = ()
_NO_ROW: EventRow = (0, 0, "", None, None, None, None)


def _decider(headers: Sequence[BatchRow]) -> Callable[[TableState, Fact], tuple[Outcome, ...]]:
    """The rules that decided some batches; a piece never spans two versions."""
    for header in headers:
        if header[3] not in DECIDERS:
            raise LedgerUnreadable(
                reason="rules_unknown",
                expected=f"rules of version {', '.join(DECIDERS)} in batch {header[0]}",
                found=repr(header[3]),
                to_do="replay with the version that wrote this ledger, or a newer one",
            )
    return DECIDERS[headers[0][3]]


class Replay:
    """Goes along a ledger, piece by piece. ``state`` is the table as recorded so far.

    ``watches`` are called after the events of their kinds, with the state before and after. Kinds
    that nobody watches cost nothing.
    """

    def __init__(
        self, source: Source, state: TableState = INITIAL, watches: Watches | None = None
    ) -> None:
        self.source = source
        self.state = state
        self.batch = 0
        self.events = 0
        self.differences: list[Difference] = []
        self.more_differences = 0
        self._watches = watches or {}
        self._decoder = Decoder()

    def run(
        self,
        *,
        last: int | None = None,
        after_piece: Callable[[Replay], None] | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Go on to batch ``last``, or to the end. Raises ``LedgerUnreadable``."""
        end = self.source.batch if last is None else min(last, self.source.batch)
        collecting = gc.isenabled()
        gc.disable()  # hundreds of thousands of states, and not one cycle among them
        try:
            for piece in self.source.pieces(self.batch + 1, end):
                self.piece(piece)
                if after_piece is not None:
                    after_piece(self)
                if progress is not None:
                    progress(self.batch, end)
            if end == self.source.batch:
                self._at_the_end()
        finally:
            if collecting:
                gc.enable()

    def piece(self, piece: Piece) -> None:
        """Some batches. Raises ``LedgerUnreadable``: an unknown event, rules of no known version."""
        headers, rows = piece
        decider = _decider(headers)
        watches, by_batch = self._watches, {header[0]: header for header in headers}
        state, due, at = self.state, _NOTHING, 0
        batch, told = 0, None
        previous: EventRow = _NO_ROW
        for row, event in zip(rows, self._decoder.events(rows), strict=True):
            before = state
            if row[1] != batch:
                if told is not None:
                    self._told(told, state, previous)
                batch, told = row[1], None if state.carrusel is None else Told(state)
            if told is not None:
                told.event(state, event)
            if row[2] in FACTS:
                if at < len(due):
                    self._missing(state, previous, due[at:])
                due, at = self._decided(decider, state, row, event), 0
            elif at < len(due) and due[at] == event:
                at += 1
            elif told is None or row[2] != CarruselOperation.kind:
                self._other(state, row, event, due[at] if at < len(due) else None)
                at += 1
            try:
                state = evolve(state, event)
            except FAILURES as error:
                self._differs("broken", state, row, f"nothing ({error!r})", shown(event))
            if row[2] in watches:
                watches[row[2]](Seen(by_batch.get(row[1], headers[0]), row, event, before, state))
            previous = row
        if at < len(due):
            self._missing(state, previous, due[at:])
        if told is not None:
            self._told(told, state, previous)
        self.state = state
        self.batch = headers[-1][0]
        self.events += len(rows)

    def _decided(
        self,
        decider: Callable[[TableState, Fact], tuple[Outcome, ...]],
        state: TableState,
        row: EventRow,
        fact: Event,
    ) -> tuple[Outcome, ...]:
        try:
            return decider(state, fact)  # type: ignore[arg-type]  # its kind is that of a fact
        except Refused as refused:
            self._differs("refused", state, row, refused.text(), shown(fact))
        except FAILURES as error:
            self._differs("broken", state, row, f"nothing ({error!r})", shown(fact))
        return ()

    def _told(self, told: Told, state: TableState, last: EventRow) -> None:
        """At the end of a batch: what it told the carrusel, against what it should have."""
        recorded = told.recorded
        try:
            due = told.due(state)
        except FAILURES as error:
            self._differs("broken", state, last, f"nothing ({error!r})", "the end of the batch")
            return
        if recorded is None and due is not None:
            self._missing(state, last, (due,))
        elif recorded is not None and recorded != due:
            self._other(state, last, recorded, due)

    def _missing(self, state: TableState, row: EventRow, due: Sequence[Outcome]) -> None:
        for outcome in due:
            self._differs("missing", state, row, shown(outcome), "nothing")

    def _other(self, state: TableState, row: EventRow, event: Event, due: Outcome | None) -> None:
        if due is None:
            self._differs("extra", state, row, "nothing more", shown(event))
        else:
            self._differs("other", state, row, *_both_shown(due, event))

    def _differs(
        self, what: str, state: TableState, row: EventRow, decided: str, recorded: str
    ) -> None:
        if len(self.differences) >= MAX_DIFFERENCES:
            self.more_differences += 1
            return
        where = (state.hand_number, row[1], row[0])
        self.differences.append(Difference(what, *where, decided, recorded))

    def _at_the_end(self) -> None:
        """At the end of a whole ledger: every micro-cent accounted for, the derived meters equal."""
        pools, row = meters_microcents(self.state), (self.source.seq, self.source.batch)
        last: EventRow = (*row, "", None, None, None, None)
        if not conserved(self.state):
            self._differs(
                "broken", self.state, last, "conservation", "a micro-cent unaccounted for"
            )
        derived = self.source.meters()
        if derived != dict(pools) and self.source.batch == _present_end(self.source):
            self._differs("meter", self.state, last, str(dict(pools)), str(derived))

    def result(self) -> Result:
        """What it came to so far."""
        return Result(
            batches=self.batch,
            events=self.events,
            hands=self.state.hand_number,
            differences=tuple(self.differences),
            more_differences=self.more_differences,
            pools_microcents=dict(meters_microcents(self.state)),
            state=self.state,
        )


def replay(
    source: Source,
    *,
    last: int | None = None,
    watches: Watches | None = None,
    after_piece: Callable[[Replay], None] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Replay a ledger to batch ``last``, or to its end.

    ``after_piece`` is called now and then, with all before decided. Raises ``LedgerUnreadable``.
    """
    going = Replay(source, watches=watches)
    going.run(last=last, after_piece=after_piece, progress=progress)
    return going.result()


def shown(event: Event) -> str:
    """An event in one line: its kind, and its fields as JSON."""
    return f"{event.kind} {msgspec.json.encode(event).decode()}"


def _both_shown(decided: Event, recorded: Event) -> tuple[str, str]:
    """Two events; of one kind only the fields that differ."""
    if type(decided) is not type(recorded):
        return shown(decided), shown(recorded)
    names = [
        name
        for name in decided.__struct_fields__
        if getattr(decided, name) != getattr(recorded, name)
    ]
    return _fields_shown(decided, names), _fields_shown(recorded, names)


def _fields_shown(event: Event, names: Sequence[str]) -> str:
    fields = {name: getattr(event, name) for name in names}
    return f"{event.kind} {msgspec.json.encode(fields).decode()}"


def _present_end(source: Source) -> int:
    """The last batch now: a table that played on has other derived meters than at opening."""
    rows = source.rows("SELECT max(batch) FROM batch")
    return int(rows[0][0] or 0)
