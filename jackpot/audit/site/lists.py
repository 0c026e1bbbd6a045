"""What the pages list, by name: each can be exported as it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from jackpot.audit.hand_shown import HandShown, Moment, officer_of
from jackpot.audit.hand_text import lamps_text
from jackpot.audit.replay import Difference
from jackpot.audit.site.events import EventLine, Filters, find_events
from jackpot.audit.site.export import MOST_ROWS
from jackpot.audit.site.index_reader import ActRow, DayRow, HandRow, MarkRow
from jackpot.audit.site.room import Room
from jackpot.law.words import Language

LIMIT = MOST_ROWS + 1
"""One more than an export takes: so it is known that there are more."""


class Listed(NamedTuple):
    """The lines of a list, and the struct whose fields are its columns."""

    cls: type[msgspec.Struct]
    rows: Sequence[msgspec.Struct]


class MomentLine(msgspec.Struct, frozen=True):
    """One moment of a hand: what happened, who did it, and what everybody saw after it."""

    batch: int
    at_ns: int
    facts: str
    officers: str
    phase: str
    visor_cents: int | None
    lamps: str
    hash: str


class PaymentLine(msgspec.Struct, frozen=True):
    """A decided payment of a hand, with the cards it was declared with."""

    box: int
    bet: int
    cards: str
    combination: str
    rule: str
    cents: int
    paid: bool
    reversed_cents: int


class DerivationLine(msgspec.Struct, frozen=True):
    """A step of the computation of an award."""

    rule: str
    spanish: str
    english: str


def _hand(room: Room, filters: Filters) -> HandShown | None:
    row = None if filters.hand is None else room.index.hand(filters.hand)
    return None if row is None else room.hand(row)


def _moment_line(moment: Moment) -> MomentLine:
    return MomentLine(
        batch=moment.header[0],
        at_ns=moment.header[1],
        facts="; ".join(fact.kind for fact in moment.facts),
        officers="; ".join(filter(None, map(officer_of, moment.facts))),
        phase=moment.phase.value,
        visor_cents=moment.visor.amount_cents,
        lamps=lamps_text(moment.visor),
        hash=moment.header[7],
    )


def _moments(room: Room, filters: Filters) -> Listed:
    shown = _hand(room, filters)
    return Listed(MomentLine, [] if shown is None else [_moment_line(m) for m in shown.moments])


def _payments(room: Room, filters: Filters) -> Listed:
    shown = _hand(room, filters)
    if shown is None or shown.hand is None:
        return Listed(PaymentLine, [])
    cards = {(each.box, each.bet): each.cards for each in shown.hand.declared}
    lines = [
        PaymentLine(
            box=each.box,
            bet=each.bet,
            cards=cards.get((each.box, each.bet), ""),
            combination=each.hand.value,
            rule=each.rule,
            cents=each.cents,
            paid=each.paid,
            reversed_cents=each.reversed_cents,
        )
        for each in shown.hand.payments
    ]
    return Listed(PaymentLine, lines)


def _derivation(room: Room, filters: Filters) -> Listed:
    shown = _hand(room, filters)
    steps = () if shown is None or shown.hand is None else shown.hand.derivation
    lines = [DerivationLine(s.rule, s.text(Language.ES), s.text(Language.EN)) for s in steps]
    return Listed(DerivationLine, lines)


def _findings(room: Room, _: Filters) -> Listed:
    report = room.background.work().report
    return _of_checker([] if report is None else report.findings)


def _notes(room: Room, _: Filters) -> Listed:
    report = room.background.work().report
    return _of_checker([] if report is None else report.notes)


def _of_checker(rows: Sequence[msgspec.Struct]) -> Listed:
    """Lines of the checker, which no page needs before it has found something."""
    from jackpot.audit.checker.findings import Finding

    return Listed(Finding, rows)


def _differences(room: Room, _: Filters) -> Listed:
    verdict = room.background.work().verdict
    return Listed(Difference, [] if verdict is None else verdict.differences)


def _events(room: Room, filters: Filters) -> Listed:
    lines: list[EventLine] = []
    place: Filters | None = filters
    while place is not None and len(lines) < LIMIT:
        found = find_events(room.source, room.index, place, limit=LIMIT - len(lines))
        lines, place = [*lines, *found.lines], found.more
    return Listed(EventLine, lines)


def _marks(room: Room, filters: Filters) -> Listed:
    return Listed(MarkRow, room.index.marks(day=filters.day, name=filters.name, limit=LIMIT))


LISTS: Mapping[str, Callable[[Room, Filters], Listed]] = {
    "days": lambda room, _: Listed(DayRow, room.index.days()),
    "hands": lambda room, filters: Listed(HandRow, room.index.hands(filters.day, LIMIT)),
    "marks": _marks,
    "officers": lambda room, _: Listed(ActRow, room.index.officers()),
    "events": _events,
    "moments": _moments,
    "payments": _payments,
    "derivation": _derivation,
    "findings": _findings,
    "differences": _differences,
    "notes": _notes,
}
"""Every list of the pages; the filters are those of the page's address."""
