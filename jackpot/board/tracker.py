"""Where one box's count stands between ledger and board: exactly once, or a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jackpot.board.messages import Events, Identity, Kind, Record
from jackpot.invariant import invariant
from jackpot.mechanism.resume import READABLE_PAIRS, Resume
from jackpot.mechanism.wire_events import (
    Continuity,
    Credit,
    Fault,
    Identified,
    Lost,
    Polled,
    SlotEvent,
)

BOOT_BITS = 32
"""An epoch is the number of breaks so far, and below it the board's own count of its starts. So it
goes up at every break, and equal epochs of one board mean that it never lost power in between."""


def epoch_after(epoch: int, boot: int) -> int:
    """The epoch after a break of ``epoch``, of a board in its start number ``boot``."""
    return (epoch >> BOOT_BITS) + 1 << BOOT_BITS | boot


@dataclass(frozen=True, slots=True)
class BaseLine:
    """Where counting goes on after a board has presented itself."""

    record: Resume
    continuity: Continuity
    restarted: bool


def base_line(record: Resume | None, serial: int, boot: int, acked: int, count: int) -> BaseLine:
    """Compare what a board shows of one slot with ``record``.

    It continues only if it is the same board, has not restarted, and the record lies between what
    was ever acknowledged and what was ever counted. More acknowledged than recorded: this ledger is
    an older copy, or another one was told. Fewer counted than recorded: nobody can explain that.
    """
    if record is None:
        return BaseLine(Resume(serial, boot, count, ()), Continuity.FRESH, False)
    same_start = record.epoch % (1 << BOOT_BITS) == boot
    if serial == record.serial and same_start and acked <= record.count <= count:
        return BaseLine(record, Continuity.CONTINUED, False)
    after = Resume(serial, epoch_after(record.epoch, boot), count, ())
    return BaseLine(after, Continuity.DOUBTFUL, serial == record.serial and not same_start)


class Tracker:
    """One box. ``told`` is how far its events were handed on, ``committed`` what the ledger holds;
    between the two nothing more of this box is handed on."""

    def __init__(self, box: int, record: Resume | None) -> None:
        self.box = box
        self._record = record
        self.committed_count = 0 if record is None else record.count

    @property
    def record(self) -> Resume:
        """Where counting stands; only once a board has presented itself."""
        invariant(self._record is not None, "a slot is counted only once its board is known")
        return self._record or Resume(0, 0, 0, ())

    @property
    def known(self) -> Resume | None:
        """The same, or None before any board has presented itself."""
        return self._record

    @property
    def awaits_commit(self) -> bool:
        """Whether the ledger does not hold yet what was handed on."""
        return self._record is not None and self.committed_count < self._record.count

    def present(self, board: Identity, count: int) -> BaseLine:
        """The board shows ``count`` events of this slot."""
        acked = board.acked_counts[self.box]
        line = base_line(self._record, board.serial, board.boot, acked, count)
        if line.continuity is not Continuity.CONTINUED:
            self.committed_count = count
        self._record = line.record
        return line

    def restart(self, boot: int) -> int:
        """The board restarted before our eyes: it counts from 0 in the epoch that is returned."""
        record = self.record
        epoch = epoch_after(record.epoch, boot)
        self._record = Resume(record.serial, epoch, 0, ())
        self.committed_count = 0
        return epoch

    def read(self, found: Events) -> Polled | None:
        """What is new of this slot, oldest first; None if nothing, or while a commit is awaited."""
        if self.awaits_commit:
            return None
        record = self.record
        told = record.count
        news: list[SlotEvent] = []
        fresh = [r for r in found.records if r.source == self.box and r.count > told]
        for one in fresh:
            self._note_gap(news, told, one.count - 1)
            news.append(self._event(one))
            told = one.count
        if found.complete:
            self._note_gap(news, told, found.counts[self.box])
            told = found.counts[self.box]
        if told == record.count:
            return None
        shown = tuple(r.pair for r in reversed(fresh))
        pairs = (*shown, *record.pairs)[:READABLE_PAIRS]
        self._record = Resume(record.serial, record.epoch, told, pairs)
        return Polled(self.box, record.epoch, told, tuple(news), pairs)

    def committed(self, epoch: int, count: int) -> None:
        """The ledger holds the news up to ``count`` of ``epoch``."""
        if self._record is not None and epoch == self._record.epoch:
            self.committed_count = max(self.committed_count, count)

    def _note_gap(self, news: list[SlotEvent], told: int, until: int) -> None:
        """Events that the board counted and had no room for: recorded as lost, never guessed."""
        if until > told:
            news.append(Lost(self.box, self.record.epoch, until, until - told))

    def _event(self, one: Record) -> SlotEvent:
        coin, detail = one.pair
        if one.kind == Kind.CHIP:
            return Credit(self.box, self.record.epoch, one.count, coin, detail, expected=True)
        return Fault(self.box, self.record.epoch, one.count, detail)


def acknowledged(found: Events, trackers: Mapping[int, Tracker]) -> int:
    """The number of the newest event that, with all before it, the ledger holds (or never will: its
    box's base line is above it, the box is not this table's, or the event is a key's)."""
    number = found.acked
    for record in found.records:
        tracker = trackers.get(record.source)
        if tracker is not None and record.count > tracker.committed_count:
            break
        number += 1
    return number


def identified(box: int, board: Identity, line: BaseLine) -> Identified:
    """The fact that a board presented itself with this base line for a box."""
    return Identified(
        box=box,
        serial=board.serial,
        maker=board.maker,
        product=board.product,
        software=board.software,
        coin_position=1,
        coin_ids=(),
        epoch=line.record.epoch,
        count=line.record.count,
        pairs=line.record.pairs,
        continuity=line.continuity,
    )
