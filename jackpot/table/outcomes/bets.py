"""Bets, chips, and things to see to."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from jackpot.table.event import BOX, Columns, Outcome


class BetSource(StrEnum):
    """How a bet came to be."""

    CHIP = "chip"
    ASSERTED = "asserted"
    HELD = "held"
    CARRIED = "carried"
    DISPUTED = "disputed"


class BetAccepted(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A bet of this hand: the lamp of its box burns steadily once this is committed."""

    kind: ClassVar[str] = "bet_accepted"
    columns: ClassVar[Columns] = Columns(box="box", cents="bet_cents")
    box: int
    bet_cents: int
    bet: int = 1
    source: BetSource = BetSource.CHIP


class BetReturned(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A bet of a voided hand is no bet any more; its chip goes back to the player."""

    kind: ClassVar[str] = "bet_returned"
    columns: ClassVar[Columns] = Columns(box="box", cents="bet_cents")
    box: int
    bet_cents: int


class BetCarried(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A bet of a voided hand waits in its box for the replayed one; its contribution stays, once."""

    kind: ClassVar[str] = "bet_carried"
    columns: ClassVar[Columns] = Columns(box="box", cents="bet_cents")
    box: int
    bet_cents: int
    bet: int = 1


class RefusedChip(StrEnum):
    """Why a chip that got in is no bet."""

    LATE = "late"
    SECOND = "second"
    WRONG = "wrong"
    CLOSED_BOX = "closed_box"


class ChipRefused(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A chip that is no bet; it is handed back."""

    kind: ClassVar[str] = "chip_refused"
    columns: ClassVar[Columns] = BOX
    box: int
    why: RefusedChip


class ChipHeld(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A chip that waits in its box for the next hand (``extra_chip = next_hand``)."""

    kind: ClassVar[str] = "chip_held"
    columns: ClassVar[Columns] = BOX
    box: int


class ChipMatched(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An acceptor at last told of the chip that the croupier had found in it: no second bet."""

    kind: ClassVar[str] = "chip_matched"
    columns: ClassVar[Columns] = BOX
    box: int


class ChipTested(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A chip of a technician's test: no bet, and nothing to hand back. ``expected`` as it was seen."""

    kind: ClassVar[str] = "chip_tested"
    columns: ClassVar[Columns] = BOX
    box: int
    expected: bool


class ItemWhat(StrEnum):
    """The one thing to do."""

    HAND_BACK_CHIP = "hand_back_chip"
    EVENTS_LOST = "events_lost"
    SLOT_RESTARTED = "slot_restarted"
    SLOT_DOUBTFUL = "slot_doubtful"
    FRAUD_SIGN = "fraud_sign"
    SLOT_LOCKED = "slot_locked"
    DROP_DIFFERS = "drop_differs"


class ItemOpened(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Something for the croupier to see to; it stays on the console until an officer settles it.

    Without a box it concerns the whole table."""

    kind: ClassVar[str] = "item_opened"
    columns: ClassVar[Columns] = BOX
    box: int | None
    item: int
    what: ItemWhat


class DropCompared(Outcome, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Counted chips beside those that the ledger knows of and those that the acceptor counted itself
    (``accepted``: None where no counter was read)."""

    kind: ClassVar[str] = "drop_compared"
    columns: ClassVar[Columns] = BOX
    counted: int
    detected: int
    accepted: int | None
    box: int | None = None
