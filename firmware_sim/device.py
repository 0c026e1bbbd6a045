"""One coin acceptor behind its connector: what it knows, counts and does with a chip. It neither hears nor
says anything (``firmware_sim.acceptor``), and has no clock of its own.

Sources are clauses of the ccTalk Generic Specification v4.7 (part, clause).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from firmware_sim import events
from firmware_sim.events import EventBuffer
from firmware_sim.frames import PacketReader
from firmware_sim.identity import COIN_POSITIONS, Identity

WATCHDOG_NS = 1_000_000_000  # part 1, 18.1: no 229 for this long and it inhibits itself
COUNT_MASK = 0xFFFFFF  # part 2, 3.30: 24-bit counters
FIRST_FREE_ADDRESS, LAST_ADDRESS = 2, 255  # part 1, 20.2.4: never the broadcast, never the host


@dataclass(frozen=True, slots=True)
class Insertion:
    """What became of one chip: kept and credited, or returned; ``event`` is its ``(A, B)`` pair."""

    position: int
    accepted: bool
    event: tuple[int, int]
    counter: int


@dataclass(slots=True)
class Model:
    """How this acceptor differs from its brothers; every field is a thing seen in real products."""

    crc16: bool = False
    mask_lengths: frozenset[int] = frozenset({1, 2})
    wrong_mask_gets_nak: bool = False  # else silence (part 1, 13 and 14)
    swapped_events: bool = False  # sends B before A
    inhibited_by_type: bool = True  # codes 128-159 for a coin its mask forbids, else code 2
    boot_ns: int = 0  # deaf for this long after a reset (part 2, 3.152)


@dataclass(slots=True)
class Totals:
    """Headers 226, 225, 194 and 193: 24-bit, kept through a reset, as in non-volatile memory."""

    inserted: int = 0
    accepted: int = 0
    rejected: int = 0
    frauds: int = 0


@dataclass(slots=True)
class Volatile:
    """What a reset loses: until the host sends them again, both inhibits are in force."""

    mask: int = 0  # bit n-1 lets coin n in (part 2, 3.25)
    master_on: bool = False  # part 2, 3.28: 1 is normal operation
    sorter_override: int = 0xFF  # part 2, 3.34: 1 is normal sorting
    outputs: bytes = b"\x00"
    last_poll_ns: int | None = None


@dataclass(slots=True)
class Refusals:
    """How many of the next commands get BUSY or NAK instead of being carried out."""

    busy: int = 0
    nak: int = 0


@dataclass(slots=True)
class Standing:
    """What is wrong with the mechanism until somebody clears it: headers 232 and 236."""

    self_check: int = 0
    optos: int = 0


class Device:
    """A simulated acceptor; ``address`` is what its switches, or header 251, last said."""

    def __init__(self, address: int, identity: Identity, model: Model | None = None) -> None:
        self.address: int = address
        self.identity: Identity = identity
        self.model: Model = model or Model()
        self.buffer: EventBuffer = EventBuffer()
        self.totals: Totals = Totals()
        self.volatile: Volatile = Volatile()
        self.standing: Standing = Standing()
        self.refusals: Refusals = Refusals()
        self.sorter_paths: list[int] = [1] * COIN_POSITIONS  # kept through a reset
        self.bad_checksums: int = 0
        self.reader: PacketReader = PacketReader()
        self.deaf_until_ns: int = 0
        self._chance = random.Random(identity.serial)  # noqa: S311 - repeatable, not secret

    def draw_address(self) -> None:
        """Part 1, 20.2.4: any address but those of everybody and of the host."""
        self.address = self._chance.randint(FIRST_FREE_ADDRESS, LAST_ADDRESS)

    def insert(self, position: int, now_ns: int) -> Insertion:
        """Drop a chip in: credited when everything lets it, else returned with its event code."""
        event = self._judge(position, now_ns)
        accepted = event[0] != 0
        totals = self.totals
        totals.inserted = (totals.inserted + 1) & COUNT_MASK
        if accepted:
            totals.accepted = (totals.accepted + 1) & COUNT_MASK
        else:
            totals.rejected = (totals.rejected + 1) & COUNT_MASK
        self.buffer.push(event)
        return Insertion(position, accepted, event, self.buffer.counter)

    def takes(self, position: int, now_ns: int) -> bool:
        """Whether a chip that went in now would be credited."""
        return self._judge(position, now_ns)[0] != 0

    def _judge(self, position: int, now_ns: int) -> tuple[int, int]:
        if not self.identity.is_programmed(position):
            return (0, events.REJECT_COIN)
        # Part 3, 14: a device with a standing fault stops accepting by itself.
        if not self.volatile.master_on or self.standing.self_check or self.is_starved(now_ns):
            return (0, events.INHIBITED_COIN)
        if not self.volatile.mask >> (position - 1) & 1:
            by_type = events.INHIBITED_TYPE_1 + position - 1
            return (0, by_type if self.model.inhibited_by_type else events.INHIBITED_COIN)
        path = self.sorter_paths[position - 1]
        overridden = not self.volatile.sorter_override >> (path - 1) & 1
        return (position, 1 if overridden else path)

    def is_starved(self, now_ns: int) -> bool:
        """Whether the credit poll watchdog (18.1) holds the inhibit at this moment."""
        last_poll_ns = self.volatile.last_poll_ns
        return last_poll_ns is None or now_ns - last_poll_ns > WATCHDOG_NS

    def fault(self, code: int, self_check: int | None = None) -> None:
        """Report error ``code`` (table 2); ``self_check`` (table 3) stands until cleared.

        None takes the code that belongs to the event; 0 leaves no standing fault.
        """
        self.buffer.push((0, code))
        if code in events.FRAUD_CODES:
            self.totals.frauds = (self.totals.frauds + 1) & COUNT_MASK
        found = events.SELF_CHECK_AFTER.get(code, 0) if self_check is None else self_check
        if found:
            self.standing.self_check = found

    def jam(self) -> None:
        """A chip stuck over the credit sensor: event 14, the first opto blocked."""
        self.fault(events.CREDIT_SENSOR_BLOCKED)
        self.standing.optos |= 1

    def clear(self) -> None:
        """Somebody has seen to it: no standing fault, no opto blocked."""
        self.standing = Standing()

    def reset(self, now_ns: int, deaf_ns: int | None = None) -> None:
        """Power gone or header 1: counter 0, no events, inhibited until the host sets it up again.

        Deaf for ``deaf_ns``, or for the model's boot time when None.
        """
        self.buffer.clear()
        self.volatile = Volatile()
        self.reader.clear()
        boot_ns = self.model.boot_ns if deaf_ns is None else deaf_ns
        self.deaf_until_ns = now_ns + boot_ns

    def replace(self, identity: Identity, now_ns: int) -> None:
        """Another unit of the same model in its place: new serial number, everything at zero."""
        self.identity = identity
        self.totals = Totals()
        self.clear()
        self.reset(now_ns)
