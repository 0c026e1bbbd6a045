"""One hand as it was: the visor and its lamps at every step, keys, cards, derivation, raw rows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jackpot.audit.replay import FAILURES, Decoder
from jackpot.audit.source import RawBatch, Source
from jackpot.ledger.chain import BatchRow, EventRow
from jackpot.table.event import Event, Fact
from jackpot.table.evolve import evolve
from jackpot.table.facts import FACTS, CarruselDecided
from jackpot.table.state import Hand, Phase, TableState
from jackpot.visor.state import NOTHING_KNOWN, VisorState, visor_state

_FIRST_OF_HAND = """
SELECT batch FROM event
WHERE kind = 'hand_started' AND CAST(json_extract(info, '$.hand') AS INTEGER) = ? LIMIT 1
"""
_AFTER_HAND = """
SELECT batch FROM event WHERE batch > ? AND seq > (SELECT first_seq FROM batch WHERE batch = ?)
AND kind IN ('hand_started', 'day_closed') LIMIT 1
"""


class _Sure:
    """A recorded state is certain: it was committed. What a carrusel's visors showed between two
    hands stands in the carrusel's log, not in this ledger."""

    ready = True
    halted = ""
    carrusel = None


class Moment(msgspec.Struct, frozen=True):
    """One batch of a hand: what happened, and what everybody saw after it."""

    header: BatchRow
    rows: tuple[EventRow, ...]
    events: tuple[Event, ...]
    phase: Phase
    visor: VisorState

    @property
    def facts(self) -> tuple[Event, ...]:
        """What came from outside."""
        return tuple(event for event in self.events if isinstance(event, Fact))


class HandShown(msgspec.Struct, frozen=True):
    """A hand with every moment from its start to the next hand or the closing of the table.

    ``hand`` is the table's own note of it: bets, cards, base, payments, derivation.
    """

    number: int
    day: str
    start_microcents: int
    end_microcents: int
    hand: Hand | None
    moments: tuple[Moment, ...]

    @property
    def decision(self) -> CarruselDecided | None:
        """The carrusel's decision on this hand; None at a table alone, or when it was taken back."""
        number = 0 if self.hand is None else self.hand.decision
        facts = (event for moment in self.moments for event in moment.events)
        told = (one for one in facts if isinstance(one, CarruselDecided))
        return next((one for one in told if number and one.decision == number), None)


def hand_range(source: Source, number: int) -> tuple[int, int] | None:
    """The first and last batch of a hand, found without an index; None if it was not played."""
    found = source.rows(_FIRST_OF_HAND, (number,))
    if not found:
        return None
    first = int(found[0][0])
    after = source.rows(_AFTER_HAND, (first, first))
    return first, min(int(after[0][0]) - 1 if after else source.batch, source.batch)


def folded(state: TableState, events: Sequence[Event]) -> TableState:
    """The state after some events; what cannot be folded (a forged row) leaves it as it was."""
    for event in events:
        try:
            state = evolve(state, event)
        except FAILURES:
            continue
    return state


def seen_by_players(state: TableState) -> VisorState:
    """What the visor showed in a recorded state."""
    try:
        return visor_state(state, _Sure())
    except FAILURES:
        return NOTHING_KNOWN


def hand_shown(state: TableState, batches: Sequence[RawBatch]) -> HandShown:
    """The hand of ``batches``, which begin with its start, at a table in ``state``.

    Raises ``LedgerUnreadable`` for an event that is not known.
    """
    decoder, before = Decoder(), state
    moments: list[Moment] = []
    for header, rows in batches:
        events = tuple(decoder.events(rows))
        state = folded(state, events)
        moments.append(Moment(header, tuple(rows), events, state.phase, seen_by_players(state)))
    return HandShown(
        number=state.hand_number,
        day="" if state.day is None else state.day.name,
        start_microcents=before.pools.jackpot_microcents,
        end_microcents=state.pools.jackpot_microcents,
        hand=state.hand,
        moments=tuple(moments),
    )


def officer_of(event: Event) -> str:
    """Who acted, and who signed with them; nothing for a machine's fact."""
    officers = (getattr(event, "by", ""), getattr(event, "second", ""))
    return " + ".join(officer for officer in officers if officer)


def fields_of(event: Event) -> dict[str, object]:
    """The fields of an event but box and officers, as plain values."""
    fields: dict[str, object] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name not in ("box", "by", "second")}


def is_fact(kind: str) -> bool:
    """Whether a kind came from outside."""
    return kind in FACTS
