"""What a printed page is made of; ``plain`` and ``paper`` set the same blocks as text and as PDF."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class Heading:
    """A title (``level`` 1) or a section (2)."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Pair:
    """A label on the left, its value on the right."""

    label: str
    value: str
    strong: bool = False


@dataclass(frozen=True)
class Note:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Grid:
    """Columns of ``widths`` parts each; those in ``right`` are amounts. The last row may be sums."""

    titles: tuple[str, ...]
    widths: tuple[int, ...]
    right: frozenset[int]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Signatures:
    """Lines to sign on."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class PageEnd:
    """The next block begins a new page."""


Block = Heading | Pair | Note | Grid | Signatures | PageEnd


@dataclass(frozen=True)
class Form:
    """How a page is wanted: ``narrow`` for a roll of 80 mm; times in ``zone``."""

    narrow: bool
    zone: ZoneInfo

    def time(self, at_ns: int) -> str:
        """``21:14:03``."""
        return self._local(at_ns).strftime("%H:%M:%S")

    def moment(self, at_ns: int) -> str:
        """``30/11/2026 21:14:03``."""
        return self._local(at_ns).strftime("%d/%m/%Y %H:%M:%S")

    def _local(self, at_ns: int) -> datetime:
        return datetime.fromtimestamp(at_ns // 1_000_000_000, UTC).astimezone(self.zone)
