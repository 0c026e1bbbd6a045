"""The time to undo a total (CAN-8.b1): when it is over, the table is told, and the rules decide."""

from __future__ import annotations

import asyncio

from jackpot.daemon.requests import TOTALS
from jackpot.daemon.table_desk import TableDesk
from jackpot.table import facts as f
from jackpot.table.state import Phase, TableState


class TotalTimer:
    """One timer for the entered total of the running hand; a total entered before a restart gets its
    whole time again. Make it in a running event loop; ``undo_s`` is in seconds."""

    def __init__(self, desk: TableDesk, undo_s: float) -> None:
        self._desk = desk
        self._undo_s = undo_s
        self._stopped = False
        self._waits_for: tuple[int, int] | None = None
        self._timer: asyncio.TimerHandle | None = None
        desk.on_change(self._look)
        self._look()

    def stop(self) -> None:
        """The table stops; a total that waits then waits on in the ledger."""
        self._stopped = True
        self._arm(None)

    def _look(self) -> None:
        if self._stopped:
            return
        wanted = _entry(self._desk.state) if self._desk.status.ready else None
        if wanted != self._waits_for:
            self._arm(wanted)

    def _arm(self, entry: tuple[int, int] | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waits_for = entry
        if entry is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._undo_s, self._time_up, *entry)

    def _time_up(self, hand: int, entry: int) -> None:
        self._timer = None
        self._desk.submit((f.TotalTimeUp(hand=hand, entry=entry),), TOTALS)


def _entry(state: TableState) -> tuple[int, int] | None:
    """Hand and entry of a total that is not final; None where there is none."""
    hand = state.hand
    if state.phase is not Phase.TOTAL or hand is None or hand.total is None:
        return None
    return (hand.number, hand.total.entry)
