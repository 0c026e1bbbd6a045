"""Whether an acceptor's counter continues what the ledger last committed: exactly once, or not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import msgspec

from jackpot.cctalk.events import (
    EVENT_PAIRS,
    NULL_EVENT,
    Buffer,
    new_events,
    news,
    overlap_agrees,
    wire_counter,
)
from jackpot.cctalk.identity import Identity
from jackpot.invariant import invariant
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.wire_events import (
    Continuity,
    Credit,
    Fault,
    Identified,
    Lost,
    Polled,
    SlotEvent,
)


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

    UNPROVEN = auto()
    """It contradicts what was read before, or shows nothing of it: to be asked again."""


def _after_restart(found: Buffer, new: int | None) -> bool:
    """Counter 0, or events right after a restart that came before the next poll: whoever has had
    five or more new ones shows no empty place behind them."""
    if found.counter == 0:
        return True
    gap = new is None or new >= EVENT_PAIRS
    return gap and all(pair == NULL_EVENT for pair in (found.pairs[found.counter :] or ((1, 1),)))


class Tracker:
    """One acceptor's count, from the ledger's record on; it waits for each commit.

    A reply is believed if it still shows what was read before, or if a second one in a row bears it
    out: eight bits of checksum alone may let one broken reply in some hundreds pass, and a broken
    counter would make old events new ones. So may a broken pair make another event of a new one: news
    comes twice while the line is ``in_doubt``, and so does a credit of a channel that is shut.
    """

    def __init__(self, box: int, record: Resume | None) -> None:
        self._box = box
        self._record = record
        self._first: Buffer | None = None
        self.unproven = 0
        self.awaits_commit = False
        self.in_doubt = False
        self.behind = False  # the acceptor has shown more than was told

    @property
    def serial(self) -> int | None:
        """The serial number that counting stands on."""
        return None if self._record is None else self._record.serial

    @property
    def known(self) -> Resume | None:
        """Where counting stands, if it ever stood."""
        return self._record

    @property
    def record(self) -> Resume:
        """Where counting stands; only once an acceptor was presented."""
        invariant(self._record is not None, "an acceptor is counted only once it is identified")
        return self._record or Resume(0, 0, 0, ())

    def start_over(self) -> None:
        """Whatever comes next is the first of its kind."""
        self._first, self.unproven, self.behind = None, 0, False

    def present(self, serial: int, found: Buffer) -> BaseLine | None:
        """An identified acceptor shows ``found``: the base line, once a second reply bears it out;
        None before."""
        first = self._borne_out(found)
        if first is None:
            self.unproven += 1
            return None
        self._first, self.unproven = first, 0  # what is new in it has been told twice already
        line = base_line(self._record, serial, first)
        self._record = line.record
        if line.continuity is not Continuity.CONTINUED:
            self.awaits_commit = False  # of a count that goes on no more: nobody would clear it
        return line

    def read(self, coin_position: int, found: Buffer) -> Polled | Break | None:
        """What is new in ``found``, None if nothing; after a restart counting begins again at 0."""
        invariant(not self.awaits_commit, "nothing is read before the last news is committed")
        record = self.record
        new = new_events(wire_counter(record.count), found.counter)
        first = self._borne_out(found)
        if first is not None and record.count and _after_restart(first, new):
            self.start_over()
            nothing = (NULL_EVENT,) * EVENT_PAIRS
            self._record = Resume(record.serial, record.epoch + 1, 0, nothing)
            return Break.RESTARTED
        if new is None or not self._proven(record, found, new, first):
            self.unproven += 1
            return Break.UNPROVEN
        if self._must_come_twice(coin_position, found, new):
            return self._told_twice(coin_position, first, found)
        self.start_over()
        return self._news(coin_position, found, new) if new else None

    def _told_twice(
        self, coin_position: int, first: Buffer | None, found: Buffer
    ) -> Polled | Break:
        """The news of the reply before, which this one has borne out; it is the next one's first."""
        new = 0
        if first is not None:
            new = new_events(wire_counter(self.record.count), first.counter) or 0
        if first is None or not new:
            self.unproven += 1
            return Break.UNPROVEN
        self.unproven, self.behind = 0, found.counter != first.counter
        return self._news(coin_position, first, new)

    def _must_come_twice(self, coin_position: int, found: Buffer, new: int) -> bool:
        shut = any(a not in (0, coin_position) for a, _ in found.pairs[:new])
        return bool(new) and (self.in_doubt or new >= EVENT_PAIRS or shut)

    def committed(self, epoch: int, count: int) -> None:
        """The ledger holds the news up to ``count`` of ``epoch``."""
        record = self._record
        if record is not None and (epoch, count) >= (record.epoch, record.count):
            self.awaits_commit = False

    def _proven(self, record: Resume, found: Buffer, new: int, first: Buffer | None) -> bool:
        if new >= EVENT_PAIRS:
            return first is not None
        if overlap_agrees(record.pairs, found.pairs, new):
            return True
        # What contradicts the record is not borne out by saying it twice.
        self._first = None
        return False

    def _borne_out(self, found: Buffer) -> Buffer | None:
        """The reply before, if ``found`` continues it; else None, and ``found`` is the first."""
        first, self._first = self._first, found
        if first is None:
            return None
        new = new_events(first.counter, found.counter)
        agrees = (
            new is not None and new < EVENT_PAIRS and overlap_agrees(first.pairs, found.pairs, new)
        )
        return first if agrees else None

    def _news(self, coin_position: int, found: Buffer, new: int) -> Polled:
        record = self.record
        news_ = polled(self._box, coin_position, record, found, new)
        self._record = msgspec.structs.replace(record, count=news_.count, pairs=news_.pairs)
        self.awaits_commit = True
        return news_
