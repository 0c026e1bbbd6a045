"""The facts of one table. Machine facts first, then officers' acts in the order of a gaming day."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

import msgspec

from jackpot.authority.roles import Role
from jackpot.law.terms import Terms
from jackpot.table.event import BOX, Columns, Fact, OfficerAct

# ---- the controller ------------------------------------------------------------------------------


class ControllerStarted(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The daemon opened this ledger. ``clean`` tells whether the last run said goodbye."""

    kind: ClassVar[str] = "controller_started"
    version: str
    clean: bool


class ControllerStopped(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The daemon stopped in good order."""

    kind: ClassVar[str] = "controller_stopped"


class ConfigurationLoaded(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A configuration that differs from the last one recorded, in full, and the terms read from it."""

    kind: ClassVar[str] = "configuration_loaded"
    config_text: str
    profile_text: str
    terms: Terms


class OfficersListed(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Who may act at this table from now on: ids and roles, never names or secrets."""

    kind: ClassVar[str] = "officers_listed"
    officers: dict[str, tuple[Role, ...]]


class ClockStepped(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The wall clock moved against the monotonic one; order is the sequence number all the same."""

    kind: ClassVar[str] = "clock_stepped"
    step_ns: int


class AlarmRaised(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Something that the staff must know and that no other fact says (disk nearly full, line gone)."""

    kind: ClassVar[str] = "alarm_raised"
    alarm: str
    detail: str = ""


class AlarmCleared(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The cause of an alarm is gone."""

    kind: ClassVar[str] = "alarm_cleared"
    alarm: str


# ---- the slots -----------------------------------------------------------------------------------


class Continuity(StrEnum):
    """How an acceptor's counter fits what the ledger last recorded of it."""

    FRESH = "fresh"
    CONTINUED = "continued"
    DOUBTFUL = "doubtful"


class SlotIdentified(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An acceptor answered with its identity; ``count`` is the base line from which chips count.

    ``pairs`` are its readable events, newest first; ``count`` is unwrapped since its last restart,
    and ``epoch`` counts its restarts.
    """

    kind: ClassVar[str] = "slot_identified"
    columns: ClassVar[Columns] = BOX
    box: int
    serial: int
    maker: str
    product: str
    epoch: int
    count: int
    pairs: tuple[tuple[int, int], ...]
    continuity: Continuity


class SlotRestarted(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An acceptor's counter fell to zero: it restarted, and may have lost what it had seen."""

    kind: ClassVar[str] = "slot_restarted"
    columns: ClassVar[Columns] = BOX
    box: int
    epoch: int


class SlotDown(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A slot is out of service: silent, jammed, or somebody tampers with it."""

    kind: ClassVar[str] = "slot_down"
    columns: ClassVar[Columns] = BOX
    box: int
    why: str


class SlotUp(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A slot is back in service."""

    kind: ClassVar[str] = "slot_up"
    columns: ClassVar[Columns] = BOX
    box: int


class ChipSeen(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An acceptor credited a chip. ``expected`` tells whether it is the jackpot chip's position.

    ``a`` and ``b`` are the event as it was read (coin and sorter path).
    """

    kind: ClassVar[str] = "chip_seen"
    columns: ClassVar[Columns] = BOX
    box: int
    expected: bool
    a: int
    b: int


class SlotEvent(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Any other event of an acceptor: a rejected chip, a jam, a fraud sign. Never a bet."""

    kind: ClassVar[str] = "slot_event"
    columns: ClassVar[Columns] = BOX
    box: int
    a: int
    b: int
    name: str
    fraud: bool = False


class SlotEventsLost(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The acceptor counted more events than it can tell; nobody guesses what they were."""

    kind: ClassVar[str] = "slot_events_lost"
    columns: ClassVar[Columns] = BOX
    box: int
    lost: int


class LockReached(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Every acceptor is inhibited and drained, or was given up as unknown after one second."""

    kind: ClassVar[str] = "lock_reached"
    unknown_boxes: tuple[int, ...]


# ---- the gaming day ------------------------------------------------------------------------------


class DayOpened(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Two officers open the table and sign the amount that the visor will show."""

    kind: ClassVar[str] = "day_opened"
    columns: ClassVar[Columns] = Columns(cents="displayed_cents")
    second: str
    day: str
    displayed_cents: int


class LastHandsAnnounced(
    OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False
):
    """«Las tres últimas jugadas» (CAN-7.3b)."""

    kind: ClassVar[str] = "last_hands_announced"


class DayClosed(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Two officers close the table and sign the amount that the visor shows."""

    kind: ClassVar[str] = "day_closed"
    columns: ClassVar[Columns] = Columns(cents="displayed_cents")
    second: str
    displayed_cents: int


class BoxClosed(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief closes a box between hands (``broken_slot = box_closed``)."""

    kind: ClassVar[str] = "box_closed"
    columns: ClassVar[Columns] = BOX
    box: int
    why: str


class BoxOpened(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The table chief opens a box again, between hands."""

    kind: ClassVar[str] = "box_opened"
    columns: ClassVar[Columns] = BOX
    box: int


class SlotTestStarted(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A technician begins to test a slot with a real chip, between hands; its chips are no bets."""

    kind: ClassVar[str] = "slot_test_started"
    columns: ClassVar[Columns] = BOX
    box: int


class TestResult(StrEnum):
    """Whether the slot told the jackpot chip."""

    __test__ = False  # no test of ours, whatever its name begins with

    PASSED = "passed"
    FAILED = "failed"


class SlotTested(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The technician signs the end of the test: how many jackpot chips the slot told."""

    kind: ClassVar[str] = "slot_tested"
    columns: ClassVar[Columns] = BOX
    box: int
    chips: int
    result: TestResult


class ItemSettled(OfficerAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The one thing to do was done: a chip handed back, a warning read."""

    kind: ClassVar[str] = "item_settled"
    item: int


# ---- a hand --------------------------------------------------------------------------------------


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


class HandVoided(HandAct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """«Anular jugada» (CAN-10.1): asked by one officer, signed by the table chief."""

    kind: ClassVar[str] = "hand_voided"
    second: str
    why: str


FACTS: dict[str, type[Fact]] = {
    cls.kind: cls
    for cls in (
        ControllerStarted,
        ControllerStopped,
        ConfigurationLoaded,
        OfficersListed,
        ClockStepped,
        AlarmRaised,
        AlarmCleared,
        SlotIdentified,
        SlotRestarted,
        SlotDown,
        SlotUp,
        ChipSeen,
        SlotEvent,
        SlotEventsLost,
        LockReached,
        DayOpened,
        LastHandsAnnounced,
        DayClosed,
        BoxClosed,
        BoxOpened,
        SlotTestStarted,
        SlotTested,
        ItemSettled,
        HandStarted,
        LockPressed,
        SlotDecided,
        ChipDecided,
        AwardsDeclared,
        NoAwardsDeclared,
        AwardsRejected,
        AwardsConfirmed,
        AwardsSigned,
        AwardPaid,
        HandVoided,
    )
}
"""Every fact by its stable name."""
