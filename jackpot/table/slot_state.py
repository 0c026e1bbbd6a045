"""What one table knows of its slots: parts of ``jackpot.table.state``."""

from __future__ import annotations

import msgspec

NOT_SEEN = "not_seen"
"""Why a slot is down that nobody has heard of yet."""


class Slot(msgspec.Struct, frozen=True):
    """What the ledger last recorded of one acceptor: where its next chip is counted from.

    ``owed_chips`` counts bets that the croupier asserted while the acceptor was silent, and that
    it may still report.
    """

    up: bool = False
    serial: int | None = None
    epoch: int = 0
    count: int = 0
    pairs: tuple[tuple[int, int], ...] = ()
    why_down: str = NOT_SEEN
    owed_chips: int = 0
    insertions: int | None = None
    accepts: int | None = None
    fraud_signs: int = 0
    """In this gaming day, since the table chief last unlocked the slot."""


class SlotTest(msgspec.Struct, frozen=True):
    """A technician's test that is going on; ``chips``: jackpot chips that the slot has told."""

    box: int
    by: str
    chips: int = 0


class BoxDrop(msgspec.Struct, frozen=True):
    """What should be in a box since the opening: chips that the ledger knows of, and coins by the
    acceptor's own counter (None: never read)."""

    detected: int = 0
    accepted: int | None = None
