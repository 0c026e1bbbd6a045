"""Acts of officers within a hand, in their order."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from jackpot.table.event import BOX, Columns, OfficerAct


class HandAct(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An act within a hand. ``hand`` is the number that the officer's screen showed: a stale page
    cannot act on a newer hand."""

    hand: int


class HandStarted(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Betting opens for hand ``hand``, the one after the last."""

    kind: ClassVar[str] = "hand_started"


class LockPressed(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """«No va más»: the croupier closes the betting, and vouches for the initial bets (CAN-8.1)."""

    kind: ClassVar[str] = "lock_pressed"


class SlotDecided(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The croupier looked into a box whose slot stayed silent at the lock: a bet, or none."""

    kind: ClassVar[str] = "slot_decided"
    columns: ClassVar[Columns] = BOX
    box: int
    bet: bool


class ChipDecided(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The croupier decides on a chip that waits in a box: with the initial bet there it plays
    (``extra_chip = next_hand``, ``void_bets = carry``), otherwise it is handed back."""

    kind: ClassVar[str] = "chip_decided"
    columns: ClassVar[Columns] = BOX
    box: int
    plays: bool


class BetAsserted(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The croupier asserts the bet of a box that plays without its slot (``broken_slot = box_manual``),
    by a key, before the lock."""

    kind: ClassVar[str] = "bet_asserted"
    columns: ClassVar[Columns] = BOX
    box: int


class BetDisputed(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A detector dispute: two officers accept a bet that the slot did not detect (CAN-8.b2)."""

    kind: ClassVar[str] = "bet_disputed"
    columns: ClassVar[Columns] = BOX
    box: int
    second: str
    why: str


class DeclaredHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One winning hand as the croupier declared it: five cards such as ``Kd Qd Jd Td 9d``."""

    box: int
    cards: str
    bet: int = 1


class AwardsDeclared(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """«Premios»: the croupier declares every winning hand of this hand."""

    kind: ClassVar[str] = "awards_declared"
    hands: tuple[DeclaredHand, ...]


class NoAwardsDeclared(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """«Sin premios»: the hand ends without an award."""

    kind: ClassVar[str] = "no_awards_declared"


class AwardsRejected(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The cards are not as declared: back to the declaration."""

    kind: ClassVar[str] = "awards_rejected"
    why: str


class AwardsConfirmed(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief confirms the cards; the awards are frozen, decided and deducted."""

    kind: ClassVar[str] = "awards_confirmed"


class AwardsSigned(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A further officer signs the decided amount, as the threshold demands."""

    kind: ClassVar[str] = "awards_signed"
    columns: ClassVar[Columns] = Columns(cents="total_cents")
    total_cents: int


class AwardPaid(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """«Pagado»: one payment was handed over; ``cents`` repeats the amount that was signed."""

    kind: ClassVar[str] = "award_paid"
    columns: ClassVar[Columns] = Columns(box="box", cents="cents")
    box: int
    cents: int
    bet: int = 1


class SlipPrinted(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The slip of a payment that was handed over was printed: the original once, then copies."""

    kind: ClassVar[str] = "slip_printed"
    columns: ClassVar[Columns] = BOX
    award: int
    box: int
    bet: int = 1
    copy: bool = False


class HandVoided(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """«Anular jugada» (CAN-10.1): asked by one officer, signed by the table chief."""

    kind: ClassVar[str] = "hand_voided"
    second: str
    why: str


class DecisionReversed(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A decision is taken back whole, before anything of it was paid: back to the declaration.

    ``award`` is its sequence number."""

    kind: ClassVar[str] = "decision_reversed"
    award: int
    second: str
    why: str


# ---- the total of a hand, in manual mode (CAN-8.b1) -----------------------------------------------


class TotalEntered(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Croupier or table chief enters what was bet on the jackpot in this hand: so many chips, so
    many cents. Entered again before it is final, it replaces the earlier one."""

    kind: ClassVar[str] = "total_entered"
    columns: ClassVar[Columns] = Columns(cents="cents")
    chips: int
    cents: int


class TotalWithdrawn(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Undo: the entered total is taken back before it is final; it has to be entered again."""

    kind: ClassVar[str] = "total_withdrawn"


class TotalFinal(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An officer confirms the entered total at once; ``chips`` repeats what the screen showed."""

    kind: ClassVar[str] = "total_final"
    chips: int
