"""Whether an acceptor's counter continues what the ledger last committed: exactly once, or not."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from jackpot.cctalk.events import Buffer, new_events, news, overlap_agrees, wire_counter
from jackpot.cctalk.setup import Resume
from jackpot.cctalk.wire_events import Continuity, Credit, Fault, Lost, Polled, SlotEvent


@dataclass(frozen=True, slots=True)
class BaseLine:
    """Where counting goes on after an identification."""

    record: Resume
    continuity: Continuity
    restarted: bool


def base_line(record: Resume | None, serial: int, found: Buffer) -> BaseLine:
    """Compare an acceptor that shows ``found`` with ``record``.

    It continues only if the serial number is the same, at least one recorded event is still
    readable, and all that are agree. Else the count found is the new base line in a new epoch, so
    that no two events ever bear the same number.
    """
    if record is None:
        return BaseLine(Resume(serial, 0, found.counter, found.pairs), Continuity.FRESH, False)
    new = new_events(wire_counter(record.count), found.counter)
    if serial == record.serial and new is not None:
        shared = min(len(record.pairs), len(found.pairs) - new)
        if shared >= 1 and overlap_agrees(record.pairs, found.pairs, new):
            return BaseLine(record, Continuity.CONTINUED, False)
    restarted = serial == record.serial and new is None
    after = Resume(serial, record.epoch + 1, found.counter, found.pairs)
    return BaseLine(after, Continuity.DOUBTFUL, restarted)


def polled(box: int, coin_position: int, record: Resume, found: Buffer, new: int) -> Polled:
    """The ``new`` events that ``found`` shows after ``record``, each with its unwrapped number."""
    fresh = news(new, found.pairs)
    first = record.count + fresh.lost + 1
    events: list[SlotEvent] = []
    if fresh.lost:
        events.append(Lost(box, record.epoch, first - 1, fresh.lost))
    for count, (a, b) in enumerate(fresh.readable, first):
        if a:
            events.append(Credit(box, record.epoch, count, a, b, a == coin_position))
        elif b:
            events.append(Fault(box, record.epoch, count, b))
    return Polled(box, record.epoch, record.count + new, tuple(events), found.pairs)


def after(record: Resume, news_: Polled) -> Resume:
    """The record once ``news_`` is committed."""
    return msgspec.structs.replace(record, count=news_.count, pairs=news_.pairs)
