"""What a bus host is told: its slots and its line."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jackpot.cctalk.frame import Checksum
from jackpot.cctalk.headers import COIN_CHANNELS
from jackpot.errors import Refused

ACCEPTOR_ADDRESSES = (2, 11, 12, 13, 14, 15, 16, 17)
"""Part 3, appendix 3: 2 is the default of coin acceptors, 11 to 17 are the further ones."""

SORTER_PATHS = 8
"""Part 2, 3.46: the ways that a sorter may have."""

BITS_PER_BYTE = 10
"""8N1: a start bit, eight data bits, a stop bit."""

REPLY_TIMEOUT_MIN_MS = 10
"""Part 1, 11.2: immediate replies come within 10 ms; less would call good devices silent."""

REPLY_TIMEOUT_MAX_MS = 120
"""Six dead acceptors, each costing this in one round, leave the seventh its poll within 1 s."""

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


class Echo(StrEnum):
    """Whether the interface hands the host's own bytes back (one wire, half duplex)."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"


class SlotSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One box's acceptor.

    ``coin_position`` is the jackpot chip's channel, or None to find the only channel whose coin id
    begins with ``coin_id_prefix`` (a configured position must begin so too; "" takes any).
    ``swapped_event_bytes`` is for models that send a pair of an event the other way round.
    ``sorter_path`` (1 to 8; None: leave it) is where the chip goes, as the maker numbers its ways:
    set by header 210 with the inhibits, for models that have a sorter.
    """

    box: int
    address: int
    coin_position: int | None
    coin_id_prefix: str = "TK"
    swapped_event_bytes: bool = False
    sorter_path: int | None = None


class LineSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One serial line, the same for all its acceptors. The reply timeout runs from the last byte
    sent (from its echo, where there is one) to the first byte of the reply."""

    echo: Echo = Echo.AUTO
    crc16: bool = False
    reply_timeout_ms: int = 50
    baud: int = 9600

    @property
    def checksum(self) -> Checksum:
        """The mode of every frame on this line."""
        return Checksum.CRC16 if self.crc16 else Checksum.SUM8

    @property
    def byte_ns(self) -> int:
        """How long one byte takes on the wire."""
        return BITS_PER_BYTE * NS_PER_S // self.baud

    @property
    def reply_timeout_ns(self) -> int:
        """``reply_timeout_ms`` in nanoseconds."""
        return self.reply_timeout_ms * NS_PER_MS


def check_setup(slots: tuple[SlotSetup, ...], line: LineSetup) -> None:
    """Raise ``Refused`` on a setup that cannot work; the order of the checks is fixed."""
    if not REPLY_TIMEOUT_MIN_MS <= line.reply_timeout_ms <= REPLY_TIMEOUT_MAX_MS:
        raise _refused(
            "reply_timeout",
            f"{REPLY_TIMEOUT_MIN_MS} to {REPLY_TIMEOUT_MAX_MS} ms",
            f"{line.reply_timeout_ms} ms",
        )
    if not 1200 <= line.baud <= 115_200:
        raise _refused("baud", "1200 to 115200 (ccTalk: 9600)", str(line.baud))
    for what, values in (
        ("box", [slot.box for slot in slots]),
        ("address", [slot.address for slot in slots]),
    ):
        if len(set(values)) != len(values):
            raise _refused(what, f"each {what} once on a line", str(sorted(values)))
    for slot in slots:
        if slot.address not in ACCEPTOR_ADDRESSES:
            raise _refused("address", f"one of {ACCEPTOR_ADDRESSES}", str(slot.address))
        if slot.coin_position is not None and not 1 <= slot.coin_position <= COIN_CHANNELS:
            raise _refused("coin_position", "1 to 16", str(slot.coin_position))
        if slot.sorter_path is not None and not 1 <= slot.sorter_path <= SORTER_PATHS:
            raise _refused("sorter_path", f"1 to {SORTER_PATHS}", str(slot.sorter_path))


def _refused(what: str, expected: str, found: str) -> Refused:
    return Refused(
        reason=f"bad_{what}",
        expected=f"{what}: {expected}",
        found=found,
        to_do="correct the table's slots in its configuration",
        rule="CAN-8.b2",
    )
