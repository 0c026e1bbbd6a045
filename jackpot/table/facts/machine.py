"""What machines tell: the controller, its configuration, the slots. Never refused."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from jackpot.authority.roles import Role
from jackpot.law.terms import Terms
from jackpot.table.event import BOX, Columns, Fact

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


class SlotCountersRead(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The acceptor's own life-long counters (ccTalk headers 226 and 225): coins that went in, coins
    that it accepted. Read before an opening, before a drop is counted or a day closed, after faults."""

    kind: ClassVar[str] = "slot_counters_read"
    columns: ClassVar[Columns] = BOX
    box: int
    insertions: int
    accepts: int


class LockReached(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Every acceptor is inhibited and drained, or was given up as unknown after one second."""

    kind: ClassVar[str] = "lock_reached"
    unknown_boxes: tuple[int, ...]


# ---- manual mode ----------------------------------------------------------------------------------


class TotalTimeUp(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The time to undo the total of a hand is over: it is final now, if no other was entered since.

    ``entry`` counts the totals entered for this hand, from 1."""

    kind: ClassVar[str] = "total_time_up"
    hand: int
    entry: int


class TokenUsed(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """``officer`` signed the act before it in the same batch with a cryptographic token, in place of
    the PIN. ``token`` is its name: the beginning of the SHA-256 of its credential id."""

    kind: ClassVar[str] = "token_used"
    officer: str
    token: str
