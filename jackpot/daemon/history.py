"""The console's running history: the newest events, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from jackpot.console.desk import HistoryLine
from jackpot.ledger.machine import NewBatch, Recorded
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event, OfficerAct

HISTORY_LINES = 500
"""Some thirty hands: what a croupier may want to look back at; the ledger has the rest."""

RETURNED = "returned"
"""Why a chip goes back whose bet was taken back."""

HISTORY_BATCHES = 200
"""Read back at the start: enough batches for that many lines."""


def history_lines(batches: Iterable[NewBatch | Recorded], first_seq: int) -> Iterator[HistoryLine]:
    """The lines of consecutive batches, the first event being ``first_seq``."""
    seq = first_seq
    for batch in batches:
        before: Event | None = None
        for event in batch.events:
            yield HistoryLine(
                seq=seq,
                at_ns=batch.at_ns,
                hand=batch.hand or 0,
                kind=event.kind,
                box=_number(event, event.columns.box),
                cents=_number(event, event.columns.cents),
                by=_officer(event),
                second=str(getattr(event, "second", "")),
                detail=_detail(event, before),
                item=event.item if isinstance(event, o.ItemOpened) else 0,
            )
            seq, before = seq + 1, event


def read_history(path: Path) -> list[HistoryLine]:
    """The last lines of a ledger, oldest first."""
    with Reader(path, TABLE.events) as reader:
        last = reader.head().batch
        batches = list(reader.batches(max(1, last - HISTORY_BATCHES + 1), last))
    if not batches:
        return []
    return list(history_lines(batches, batches[0].first_seq))[-HISTORY_LINES:]


def _officer(event: Event) -> str:
    if isinstance(event, OfficerAct):
        return event.by
    return event.officer if isinstance(event, f.TokenUsed) else ""


def _detail(event: Event, before: Event | None) -> str:
    """What the event says beyond its name: of a chip to hand back, why it is no bet; of a drop, the
    counted chips beside the recorded."""
    if isinstance(event, o.DropCompared):
        sign = "=" if event.counted == event.detected else "≠"
        return f"{event.counted} {sign} {event.detected}"
    if isinstance(event, o.ItemOpened):
        if isinstance(before, o.ChipRefused):
            return before.why.value
        return RETURNED if isinstance(before, o.BetReturned) else event.what.value
    return str(getattr(event, "alarm", "") or getattr(event, "why", ""))


def _number(event: Event, field: str | None) -> int | None:
    return None if field is None else getattr(event, field)
