"""Whether an acceptor's counter continues what the ledger last committed: exactly once, or not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import msgspec

from jackpot.cctalk.events import Buffer, new_events, news, overlap_agrees, wire_counter
from jackpot.cctalk.identity import Identity
from jackpot.cctalk.setup import Resume
from jackpot.cctalk.wire_events import (
    Continuity,
    Credit,
    Fault,
    Identified,
    Lost,
    Polled,
    SlotEvent,
)
from jackpot.invariant import invariant


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


def identified(box: int, identity: Identity, line: BaseLine) -> Identified:
    """The fact that an acceptor presented itself with this base line."""
    return Identified(
        box=box,
        serial=identity.serial,
        maker=identity.maker,
        product=identity.product,
        software=identity.software,
        coin_position=identity.coin_position,
        coin_ids=identity.coin_ids,
        epoch=line.record.epoch,
        count=line.record.count,
        pairs=line.record.pairs,
        continuity=line.continuity,
    )


class Break(Enum):
    """A poll reply that is no continuation."""

    RESTARTED = auto()
    """The counter is 0 where it was not."""

    CONTRADICTED = auto()
    """Events changed that had been read before."""


class Tracker:
    """One acceptor's count, from the ledger's record on; it waits for each commit."""

    def __init__(self, box: int, record: Resume | None) -> None:
        self._box = box
        self._record = record
        self.awaits_commit = False

    @property
    def record(self) -> Resume:
        """Where counting stands; only once an acceptor was presented."""
        invariant(self._record is not None, "an acceptor is counted only once it is identified")
        return self._record or Resume(0, 0, 0, ())

    def present(self, serial: int, found: Buffer) -> BaseLine:
        """An identified acceptor shows ``found``: counting goes on from the base line."""
        line = base_line(self._record, serial, found)
        self._record = line.record
        return line

    def read(self, coin_position: int, found: Buffer) -> Polled | Break | None:
        """What is new in ``found``, None if nothing; after a restart counting begins again at 0."""
        invariant(not self.awaits_commit, "nothing is read before the last news is committed")
        record = self.record
        new = new_events(wire_counter(record.count), found.counter)
        if new is None:
            self._record = Resume(record.serial, record.epoch + 1, 0, found.pairs)
            return Break.RESTARTED
        if not overlap_agrees(record.pairs, found.pairs, new):
            return Break.CONTRADICTED
        if new == 0:
            return None
        news_ = polled(self._box, coin_position, record, found, new)
        self._record = msgspec.structs.replace(record, count=news_.count, pairs=news_.pairs)
        self.awaits_commit = True
        return news_

    def committed(self, epoch: int, count: int) -> None:
        """The ledger holds the news up to ``count`` of ``epoch``."""
        record = self._record
        if record is not None and (epoch, count) >= (record.epoch, record.count):
            self.awaits_commit = False
