"""Reading the index while it is being made: days, hands, marks, officers, kept states."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import apsw
import msgspec

from jackpot.audit.site.index import ReplayVerdict
from jackpot.table.state import INITIAL, TableState

T = TypeVar("T", bound=msgspec.Struct)

BUSY_TIMEOUT_MS = 2_000
"""The writer's commits take milliseconds."""

LARGEST = 2**63 - 1
"""SQLite has no larger number: an address that names one leads nowhere."""

MARKS_SHOWN = 500
"""As many as a page can hold; the list of events has all."""

HANDS_SHOWN = 2_000
"""More than a table can play in a day; only a forged or a made-up ledger has more."""


class DayRow(msgspec.Struct, frozen=True):
    """A gaming day; ``day`` counts them from 1. Amounts in the units of their names."""

    day: int
    name: str
    seq: int
    last_seq: int | None
    at_ns: int
    closed_ns: int | None
    hands: int
    bets_cents: int
    paid_cents: int
    open_microcents: int | None
    close_microcents: int | None


class HandRow(msgspec.Struct, frozen=True):
    """A hand; ``meter_microcents`` is the meter after it."""

    hand: int
    day: int
    batch: int
    last_batch: int
    seq: int
    at_ns: int
    ended_ns: int | None
    bets: int
    bets_cents: int
    how: str
    base_microcents: int | None
    meter_microcents: int
    paid_cents: int
    layout: str


class MarkRow(msgspec.Struct, frozen=True):
    """Something that an auditor jumps to."""

    seq: int
    batch: int
    at_ns: int
    day: int
    hand: int | None
    name: str
    kind: str
    box: int | None
    cents: int | None
    officer: str


class ActRow(msgspec.Struct, frozen=True):
    """How much an officer did."""

    officer: str
    acts: int
    days: int
    first_seq: int


class IndexReader:
    """An index, perhaps not whole yet."""

    def __init__(self, path: Path) -> None:
        uri = f"file:{quote(str(path.resolve()))}?mode=ro"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        self._db = apsw.Connection(uri, flags=flags)
        self._db.set_busy_timeout(BUSY_TIMEOUT_MS)

    def _all(self, cls: type[T], sql: str, values: tuple[object, ...] = ()) -> list[T]:
        return [cls(*row) for row in self._rows(sql, values)]

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        return self._db.execute(sql, values).fetchall()

    def verdict(self) -> ReplayVerdict | None:
        """What the replay came to; None while it goes on."""
        rows = self._rows("SELECT body FROM verdict")
        return msgspec.json.decode(rows[0][0], type=ReplayVerdict) if rows else None

    def days(self) -> list[DayRow]:
        """Every gaming day, the newest first."""
        return self._all(DayRow, "SELECT * FROM day ORDER BY day DESC")

    def day(self, day: int) -> DayRow | None:
        """One gaming day."""
        found = self._all(DayRow, "SELECT * FROM day WHERE day = ?", (min(day, LARGEST),))
        return found[0] if found else None

    def day_named(self, name: str) -> DayRow | None:
        """The first day of a name such as ``2026-11-30``."""
        found = self._all(DayRow, "SELECT * FROM day WHERE name = ? ORDER BY day LIMIT 1", (name,))
        return found[0] if found else None

    def hand(self, hand: int) -> HandRow | None:
        """One hand."""
        found = self._all(HandRow, "SELECT * FROM hand WHERE hand = ?", (min(hand, LARGEST),))
        return found[0] if found else None

    def hand_at(self, seq: int) -> HandRow | None:
        """The hand that event ``seq`` belongs to: the last one that began before it."""
        sql = "SELECT * FROM hand WHERE seq <= ? ORDER BY hand DESC LIMIT 1"
        found = self._all(HandRow, sql, (seq,))
        return found[0] if found else None

    def hands(self, day: int | None, limit: int = HANDS_SHOWN) -> list[HandRow]:
        """The hands of a day, or of all."""
        sql = "SELECT * FROM hand WHERE day = ?1 OR ?1 IS NULL ORDER BY hand LIMIT ?2"
        return self._all(HandRow, sql, (day, limit))

    def sampled(self, points: int) -> list[HandRow]:
        """About so many hands over the whole ledger, and every one with an award."""
        count = self._rows("SELECT max(hand) FROM hand")[0][0] or 0
        every = max(1, count // points)
        sql = "SELECT * FROM hand WHERE hand % ? = 0 OR paid_cents > 0 OR hand = ? ORDER BY hand"
        return self._all(HandRow, sql, (every, count))

    def marks(
        self, *, day: int | None = None, name: str | None = None, limit: int = MARKS_SHOWN
    ) -> list[MarkRow]:
        """What to jump to, of a day and of a class (or of all), the last one first."""
        sql = (
            "SELECT * FROM mark WHERE (?1 IS NULL OR day = ?1) AND (?2 IS NULL OR class = ?2) "
            "ORDER BY seq DESC LIMIT ?3"
        )
        return self._all(MarkRow, sql, (day, name, limit))

    def mark_seqs(
        self,
        within: tuple[int, int],
        *,
        name: str | None,
        kind: str | None,
        box: int | None,
        officer: str | None,
        limit: int,
    ) -> list[int]:
        """Where the marks are that pass some filters (None: all), in order."""
        sql = (
            "SELECT seq FROM mark WHERE seq BETWEEN ?1 AND ?2 AND (?3 IS NULL OR class = ?3) "
            "AND (?4 IS NULL OR kind = ?4) AND (?5 IS NULL OR box = ?5) "
            "AND (?6 IS NULL OR ' + ' || officer || ' + ' LIKE '% + ' || ?6 || ' + %') "
            "ORDER BY seq LIMIT ?7"
        )
        rows = self._rows(sql, (*within, name, kind, box, officer, limit))
        return [row[0] for row in rows]

    def mark_counts(self) -> dict[str, int]:
        """How many marks of each class there are."""
        return dict(self._rows("SELECT class, count(*) FROM mark GROUP BY class"))

    def officers(self) -> list[ActRow]:
        """Every officer who acted."""
        sql = (
            "SELECT officer, sum(acts), count(*), min(first_seq) FROM act "
            "GROUP BY officer ORDER BY officer"
        )
        return self._all(ActRow, sql)

    def totals(self) -> tuple[int, int, int, int]:
        """Days, hands, the sum of the bets and of the payments in cents."""
        row = self._rows(
            "SELECT count(*), coalesce(sum(hands), 0), coalesce(sum(bets_cents), 0), "
            "coalesce(sum(paid_cents), 0) FROM day"
        )[0]
        return row[0], row[1], row[2], row[3]

    def state_before(self, batch: int) -> tuple[int, TableState]:
        """The nearest kept state: the state before batch ``n``, and ``n``, at most ``batch``."""
        sql = "SELECT batch, body FROM state WHERE batch <= ? ORDER BY batch DESC LIMIT 1"
        rows = self._rows(sql, (batch,))
        if not rows:
            return 1, INITIAL
        return rows[0][0], msgspec.msgpack.decode(rows[0][1], type=TableState)

    def close(self) -> None:
        """Give the file back."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
